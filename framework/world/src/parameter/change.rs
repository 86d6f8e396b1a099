//! Models and faults with other values of parameters.

use std::sync::Arc;

use simhost_abi::{Kind, Model};
use simhost_model::{Classes, ParamValue, View};

use crate::context::{Assets, Catalogue, Context, References};
use crate::diagnostics::{LoadError, Report};
use crate::models::{ModelUse, bind, check_values, given_parameters};
use crate::options::LoadOptions;
use crate::profile::Profile;
use crate::reader::ElementReader;
use crate::sources::{Sources, Span};
use crate::tree::{Element, Origin, Text};
use crate::vehicle::RobotFault;
use crate::vocabulary::{Section, section};
use crate::world::World;

/// The section of parameters of a model.
static PARAMETER: Section = section("parameter", "Parameters of a model.", &[]);

/// A model with the start of the names of its parameters, or a fault with the indices of its vehicle and its own, that
/// has other values of parameters.
pub enum Changed {
    Model(String, ModelUse),
    Fault([usize; 2], RobotFault),
}

impl Changed {
    /// Takes the place of what it has been made from.
    pub fn replace_in(self, world: &mut World) {
        match self {
            Self::Model(owner, new) => replace(world, &owner, new),
            Self::Fault([vehicle, fault], new) => {
                Arc::make_mut(&mut world.vehicles[vehicle].faults)[fault] = new;
            }
        }
    }
}

fn replace(world: &mut World, owner: &str, new: ModelUse) {
    let mut parts = owner.splitn(3, '/');
    let (entity, role, part) = (parts.next().unwrap_or_default(), parts.next(), parts.next());
    let part = part.unwrap_or_default();
    if entity == "world" && !world.vehicles.iter().any(|one| one.name == entity) {
        let models: Vec<&mut ModelUse> = match role {
            Some("sensor") => {
                let named = world.sensors.iter_mut().filter(|one| one.name == part);
                named.map(|one| &mut one.model).collect()
            }
            Some("environment") => {
                let environments = world.settings.environments.iter_mut();
                let named = environments.filter(|one| one.name == part);
                named.map(|one| &mut one.model).collect()
            }
            _ => {
                let named = world.fleets.iter_mut().filter(|one| one.name == part);
                named.map(|one| &mut one.model).collect()
            }
        };
        models.into_iter().for_each(|model| *model = new.clone());
        return;
    }
    let Some(vehicle) = world.vehicles.iter_mut().find(|one| one.name == entity) else { return };
    match role {
        Some("controller") => vehicle.controller = Arc::new(new),
        Some("dynamics") => vehicle.dynamics = Arc::new(new),
        Some("friction") if part.is_empty() => vehicle.friction = Arc::new(new),
        Some("friction") => {
            let mut models = vehicle.wheel_friction.to_vec();
            let wheels = &vehicle.wheels;
            let named = models.iter_mut().filter(|one| wheels[one.wheel].name() == part);
            named.for_each(|one| one.model = Arc::new(new.clone()));
            vehicle.wheel_friction = models.into();
        }
        Some("actuator") => {
            let mut actuators = vehicle.actuators.to_vec();
            let named = actuators.iter_mut().filter(|one| one.name == part);
            named.for_each(|one| one.model = new.clone());
            vehicle.actuators = actuators.into();
        }
        Some("suspension") => {
            let mut suspensions = vehicle.suspensions.to_vec();
            let named = suspensions.iter_mut().filter(|one| one.axle == part);
            named.for_each(|one| one.model = new.clone());
            vehicle.suspensions = suspensions.into();
        }
        _ => {
            let mut sensors = vehicle.sensors.to_vec();
            let named = sensors.iter_mut().filter(|one| one.name == part);
            named.for_each(|one| one.model = new.clone());
            vehicle.sensors = sensors.into();
            vehicle.update_capacities();
        }
    }
}

/// What values of parameters are read with.
#[derive(Clone, Copy)]
pub struct ParameterContext<'a> {
    /// Files of the world. Relative paths start at the folder of the first one.
    pub sources: &'a Sources,
    /// Options with which the world was loaded.
    pub options: &'a LoadOptions,
    /// Classes of models.
    pub classes: &'a dyn Classes,
}

/// Reads named values of parameters with `read`, whose errors have positions in the values.
pub fn checked<T>(
    profile: Profile,
    given: &[(&str, &str)],
    with: ParameterContext<'_>,
    read: impl FnOnce(&mut Context<'_>, Vec<Text>) -> Option<T>,
) -> Result<T, LoadError> {
    let ParameterContext { sources, options, classes } = with;
    let mut sources = sources.clone();
    let text = |(name, value): &(&str, &str)| {
        let (file, _) = sources.add_beside_world(name, (*value).to_owned());
        let span = Span { file, start: 0, end: value.len() as u32 };
        Text { content: value.trim().into(), span, origin: Origin::Computed }
    };
    let texts: Vec<Text> = given.iter().map(text).collect();
    let mut context = Context {
        report: Report::default(),
        sources,
        profile,
        lenient: false,
        catalogue: Catalogue::new(classes),
        assets: Assets::new(options),
        references: References::default(),
        owner: String::new(),
    };
    let read = read(&mut context, texts);
    let Context { report, sources, .. } = context;
    match read {
        Some(new) if !report.has_errors() => Ok(new),
        _ => {
            let hidden_errors = report.hidden_errors();
            let diagnostics = report.finish();
            Err(LoadError { diagnostics, sources, hidden_errors, usage: false })
        }
    }
}

/// Returns a model with other values of parameters, which have these keys.
pub fn rebound(
    context: &mut Context<'_>,
    kind: Kind,
    base: &ModelUse,
    keys: &[&str],
    texts: Vec<Text>,
) -> ModelUse {
    let element = element(kind, keys, texts);
    let mut reader = ElementReader::new(context, &element, &PARAMETER);
    let bound = bind(&mut reader, kind, base.model.clone(), base.span, Some(base));
    reader.finish();
    let connects = Arc::clone(&base.connects);
    ModelUse { connects, ..bound }
}

/// Checks the value of one parameter of a model, without its other values.
pub fn check(context: &mut Context<'_>, kind: Kind, base: &ModelUse, key: &str, text: Text) {
    let element = element(kind, &[key], vec![text]);
    check_values(ElementReader::new(context, &element, &PARAMETER), kind, base);
}

/// Reads the given values of a model, with their indices in its declaration.
pub fn given(
    context: &mut Context<'_>,
    model: &'static View<Model>,
    keys: &[&str],
    texts: Vec<Text>,
) -> Vec<(usize, ParamValue)> {
    let kind = model.kind().unwrap_or(Kind::Dynamics);
    let element = element(kind, keys, texts);
    given_parameters(ElementReader::new(context, &element, &PARAMETER), model)
}

/// Returns the element of a model with values of parameters.
fn element(kind: Kind, keys: &[&str], texts: Vec<Text>) -> Element {
    let span = texts[0].span;
    let mut element = Element::new(kind.tag().into(), span);
    for (key, text) in keys.iter().zip(texts) {
        let mut child = Element::new((*key).into(), text.span);
        child.text = Some(text);
        element.children.push(child);
    }
    element
}
