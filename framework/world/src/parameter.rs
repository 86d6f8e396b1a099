//! Parameters of models that change after a world has been loaded.

use std::sync::Arc;

use simhost_abi::{Kind, ParamDesc};
use simhost_model::{Classes, ParamValue, View, nearest};

use crate::context::{Assets, Catalogue, Context, References};
use crate::diagnostics::{LoadError, Report};
use crate::models::{ModelUse, bind};
use crate::options::LoadOptions;
use crate::reader::ElementReader;
use crate::sources::{Sources, Span};
use crate::tree::{Element, Origin, Text};
use crate::vocabulary::{Section, section};
use crate::world::World;

/// The section of one parameter of a model.
static PARAMETER: Section = section("parameter", "One parameter of a model.", &[]);

/// A parameter cannot be set.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ParameterError {
    /// There is no such model or parameter.
    #[error("unknown {what}: '{found}'; {help}")]
    Unknown {
        /// The kind of thing.
        what: &'static str,
        /// The name that was given.
        found: String,
        /// The nearest name, or all names.
        help: String,
    },
    /// The value is not accepted.
    #[error("{}", .0.diagnostics.iter().map(|one| one.render(&.0.sources, false)).collect::<Vec<_>>().join("\n"))]
    Value(Box<LoadError>),
}

/// Models of a world with the start of the names of their parameters.
fn models(world: &World) -> impl Iterator<Item = (String, Kind, &ModelUse)> {
    let vehicles = world.vehicles.iter().flat_map(|vehicle| {
        let name = &vehicle.name;
        let own = [
            (format!("{name}/controller"), Kind::Controller, &*vehicle.controller),
            (format!("{name}/dynamics"), Kind::Dynamics, &*vehicle.dynamics),
            (format!("{name}/friction"), Kind::Friction, &*vehicle.friction),
        ];
        let of_wheels = vehicle.wheel_friction.iter().map(move |one| {
            let wheel = vehicle.wheels[one.wheel].name();
            (format!("{name}/friction/{wheel}"), Kind::Friction, &*one.model)
        });
        let actuators = vehicle
            .actuators
            .iter()
            .map(move |one| (format!("{name}/actuator/{}", one.name), Kind::Actuator, &one.model));
        let sensors = vehicle
            .sensors
            .iter()
            .map(move |one| (format!("{name}/sensor/{}", one.name), Kind::Sensor, &one.model));
        own.into_iter().chain(of_wheels).chain(actuators).chain(sensors)
    });
    let sensors = world.sensors.iter();
    let sensors =
        sensors.map(|one| (format!("world/sensor/{}", one.name), Kind::Sensor, &one.model));
    let environments = world
        .settings
        .environments
        .iter()
        .map(|one| (format!("world/environment/{}", one.name), Kind::Environment, &one.model));
    let fleets = world.fleets.iter();
    let fleets = fleets.map(|one| (format!("world/fleet/{}", one.name), Kind::Fleet, &one.model));
    vehicles.chain(sensors).chain(environments).chain(fleets)
}

/// Returns all parameters of a world that [`World::set_parameter`] can set: names, such as
/// `robot/controller/KP`, and values as in a world file.
pub(crate) fn list(world: &World) -> Vec<(String, String)> {
    let mut found = Vec::new();
    for (owner, _, model) in models(world) {
        for (desc, value) in model.model.model.params().iter().zip(&*model.values) {
            if let Some(text) = text_of(desc, value) {
                found.push((format!("{owner}/{}", desc.key()), text));
            }
        }
    }
    found
}

/// Returns a value as in a world file; `None` for a group and for a value that is not given.
fn text_of(desc: &'static View<ParamDesc>, value: &ParamValue) -> Option<String> {
    let item = |value: &ParamValue| match value {
        ParamValue::Number(number) => Some((number / desc.scale).to_string()),
        ParamValue::Text(text) => Some(text.clone()),
        ParamValue::None => Some("-".to_owned()),
        _ => None,
    };
    match value {
        ParamValue::Number(_) => item(value),
        ParamValue::Bool(flag) => Some(flag.to_string()),
        ParamValue::Text(text) => Some(text.clone()),
        ParamValue::Items(items) if desc.children().is_empty() => {
            let items: Option<Vec<String>> = items.iter().map(item).collect();
            items.map(|items| items.join(" "))
        }
        ParamValue::Items(_) | ParamValue::Bytes(_) | ParamValue::None => None,
    }
}

impl World {
    /// Returns the names of all parameters that [`Self::set_parameter`] can set, with their values as in a
    /// world file.
    pub fn parameters(&self) -> Vec<(String, String)> {
        list(self)
    }

    /// Sets a parameter of a model: `VEHICLE/ROLE/KEY` for the roles `controller`, `dynamics` and
    /// `friction`, `VEHICLE/friction/WHEEL/KEY` for a wheel with a friction model of its own, `VEHICLE/actuator/NAME/KEY`, `VEHICLE/sensor/NAME/KEY`, or `world/sensor/NAME/KEY`,
    /// `world/environment/NAME/KEY` and `world/fleet/NAME/KEY`. The value is checked as in a world file.
    /// Relative paths start at the folder of the first file of `sources`.
    ///
    /// # Errors
    /// [`ParameterError`] if there is no such parameter, or the value is not accepted. The world then does
    /// not change.
    pub fn set_parameter(
        &mut self,
        name: &str,
        value: &str,
        sources: &Sources,
        (options, classes): (&LoadOptions, &dyn Classes),
    ) -> Result<(), ParameterError> {
        let (owner, new) = self.with_parameter(name, value, sources, (options, classes))?;
        self.replace(&owner, new);
        Ok(())
    }

    /// Checks that [`Self::set_parameter`] accepts a value.
    ///
    /// # Errors
    /// As [`Self::set_parameter`].
    pub fn check_parameter(
        &self,
        name: &str,
        value: &str,
        sources: &Sources,
        with: (&LoadOptions, &dyn Classes),
    ) -> Result<(), ParameterError> {
        self.with_parameter(name, value, sources, with).map(drop)
    }

    /// Checks that [`Self::set_parameter`] knows a name.
    ///
    /// # Errors
    /// [`ParameterError::Unknown`] with the nearest name.
    pub fn find_parameter(&self, name: &str) -> Result<(), ParameterError> {
        self.find(name).map(drop)
    }

    /// Returns a model with another value of one parameter, and the owner of the model.
    fn with_parameter(
        &self,
        name: &str,
        value: &str,
        sources: &Sources,
        with: (&LoadOptions, &dyn Classes),
    ) -> Result<(String, ModelUse), ParameterError> {
        let (owner, kind, key) = self.find(name)?;
        let found = models(self).find(|(known, ..)| *known == owner);
        let (_, _, base) = found.expect("the owner has just been found");
        let new = rebound(self, (kind, base), (name, key, value), sources, with);
        Ok((owner, new.map_err(|error| ParameterError::Value(Box::new(error)))?))
    }

    /// Returns the owner of a parameter, its kind, and the key.
    fn find<'n>(&self, name: &'n str) -> Result<(String, Kind, &'n str), ParameterError> {
        let Some((owner, key)) = name.rsplit_once('/') else {
            return Err(unknown("parameter", name, list(self).into_iter().map(|(name, _)| name)));
        };
        let Some((_, kind, model)) = models(self).find(|(known, ..)| known == owner) else {
            let owners = models(self).map(|(owner, ..)| owner);
            return Err(unknown("model", owner, owners));
        };
        let params = model.model.model.params();
        if params.iter().any(|desc| desc.is_named(key)) {
            return Ok((owner.to_owned(), kind, key));
        }
        Err(unknown("parameter", name, params.iter().map(|desc| format!("{owner}/{}", desc.key()))))
    }

    fn replace(&mut self, owner: &str, new: ModelUse) {
        let mut parts = owner.splitn(3, '/');
        let (entity, role, part) = (parts.next().unwrap_or_default(), parts.next(), parts.next());
        let part = part.unwrap_or_default();
        if entity == "world" && !self.vehicles.iter().any(|one| one.name == entity) {
            let models: Vec<&mut ModelUse> = match role {
                Some("sensor") => {
                    let named = self.sensors.iter_mut().filter(|one| one.name == part);
                    named.map(|one| &mut one.model).collect()
                }
                Some("environment") => {
                    let environments = self.settings.environments.iter_mut();
                    let named = environments.filter(|one| one.name == part);
                    named.map(|one| &mut one.model).collect()
                }
                _ => {
                    let named = self.fleets.iter_mut().filter(|one| one.name == part);
                    named.map(|one| &mut one.model).collect()
                }
            };
            models.into_iter().for_each(|model| *model = new.clone());
            return;
        }
        let Some(vehicle) = self.vehicles.iter_mut().find(|one| one.name == entity) else { return };
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
            _ => {
                let mut sensors = vehicle.sensors.to_vec();
                let named = sensors.iter_mut().filter(|one| one.name == part);
                named.for_each(|one| one.model = new.clone());
                vehicle.sensors = sensors.into();
            }
        }
    }
}

/// Returns a model with another value of one parameter.
fn rebound(
    world: &World,
    (kind, base): (Kind, &ModelUse),
    (name, key, value): (&str, &str, &str),
    sources: &Sources,
    (options, classes): (&LoadOptions, &dyn Classes),
) -> Result<ModelUse, LoadError> {
    let mut sources = sources.clone();
    let (file, _) = sources.add_beside_world(name, value.to_owned());
    let span = Span { file, start: 0, end: value.len() as u32 };
    let text = Text { content: value.trim().into(), span, origin: Origin::Computed };
    let mut child = Element::new(key.into(), span);
    child.text = Some(text);
    let mut element = Element::new(kind.tag().into(), span);
    element.children.push(child);
    let profile = world.settings.profile;
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
    let reader = ElementReader::new(&mut context, &element, &PARAMETER);
    let bound = bind(reader, kind, base.model.clone(), base.span, Some(base));
    let Context { report, sources, .. } = context;
    if report.has_errors() {
        let hidden_errors = report.hidden_errors();
        let diagnostics = report.finish();
        return Err(LoadError { diagnostics, sources, hidden_errors, usage: false });
    }
    let connects = Arc::clone(&base.connects);
    Ok(ModelUse { connects, ..bound })
}

fn unknown(what: &'static str, found: &str, known: impl Iterator<Item = String>) -> ParameterError {
    const MOST: usize = 8;
    let known: Vec<String> = known.collect();
    let help = match nearest(found, known.iter().map(String::as_str)) {
        Some(nearest) => format!("did you mean '{nearest}'?"),
        None if known.is_empty() => "there is none".to_owned(),
        None => {
            let listed: Vec<&str> = known.iter().take(MOST).map(String::as_str).collect();
            format!("expected, for instance: {}", listed.join(", "))
        }
    };
    ParameterError::Unknown { what, found: found.to_owned(), help }
}
