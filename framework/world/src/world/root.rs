//! Reading of the root element and its children.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use simhost_abi::WheelUse;

use super::description::World;
use super::settings::{FaultAction, FaultRule, Settings};
use super::vocabulary::WORLD;
use super::{elements, references, vocabulary};
use crate::actor::{Actors, read_actor};
use crate::block::{Blocks, read_block};
use crate::context::Context;
use crate::diagnostics::Diagnostic;
use crate::environment::{check_environments, read_environment};
use crate::fleet::{UnboundFleet, bind_fleets, read_fleet};
use crate::georeference::Georeference;
use crate::gui::Gui;
use crate::joint::UnboundJoint;
use crate::marker::Marker;
use crate::observer::read_observer;
use crate::reader::{ElementReader, Fields, FromElement, FromEntry, Given};
use crate::sensor::read_standalone_sensor;
use crate::sky::Lights;
use crate::stream::{QuantityPattern, read_stream};
use crate::tree::{Element, Text};
use crate::vehicle::{Vehicle, Vehicles, check_ports, default_friction, read_vehicle};
use crate::vocabulary::{Entry, Value};
use crate::walls::read_walls;
use crate::{actor, block, fleet, history, requirement, spelling, value, vehicle};

/// A world that is being read.
struct Reading<'e> {
    world: World,
    vehicles: Vehicles<'e>,
    blocks: Blocks,
    actors: Actors,
    /// Joints whose bodies are still names.
    joints: Vec<UnboundJoint>,
    /// Fleets whose vehicles are still patterns.
    fleets: Vec<UnboundFleet>,
    /// The last occurrence of elements that are given once.
    given: HashMap<&'static str, Element>,
}

/// Reads a world from its expanded root and children. The result is complete unless an error was reported.
pub(crate) fn read_world(
    context: &mut Context<'_>,
    root: &Element,
    children: &mut dyn Iterator<Item = &Element>,
) -> World {
    read_attributes(context, root);
    let mut reading = Reading {
        world: World::new(Settings::of_nothing(context, root)),
        vehicles: Vehicles::default(),
        blocks: Blocks::default(),
        actors: Actors::default(),
        joints: Vec::new(),
        fleets: Vec::new(),
        given: HashMap::new(),
    };
    for element in children {
        if context.report.is_full() {
            break;
        }
        context.report.next_item();
        let mut entries = WORLD.entries.iter();
        match entries.find(|entry| entry.is_child() && entry.name == element.name) {
            Some(entry) => reading.read(context, entry, element),
            None => reading.read_old(context, element),
        }
    }
    reading.read_settings(context, root);
    let Reading { mut world, vehicles, joints, fleets, .. } = reading;
    // the list of a large fleet has grown by doubling
    world.vehicles.shrink_to_fit();
    if let Some(roads) = &mut world.roads {
        world.blocks.append(&mut roads.obstacles);
    }
    references::bind_joints(context, &mut world, joints);
    let of_roads = world.roads.as_ref().and_then(|roads| roads.georeference);
    let place = world.scenery.georeference.filter(|place| place.is_known);
    world.scenery.georeference = place.or(of_roads).or(world.scenery.georeference);
    references::check(context, &world, &vehicles);
    if !fleets.is_empty() {
        let mut names: Vec<&str> = vehicles.names.iter().map(String::as_str).collect();
        names.sort_unstable();
        world.fleets = bind_fleets(context, &world.vehicles, &names, fleets);
    }
    check_effects(context, &world);
    let fallback = world.settings.fallback_friction.as_deref();
    check_ports(context, &mut world.vehicles, &world.sensors, fallback);
    fleet::check(context, &mut world.vehicles, &world.fleets);
    check_environments(context, &world.settings.environments, &world.vehicles);
    world
}

fn read_attributes(context: &mut Context<'_>, root: &Element) {
    let attributes = Element { attributes: root.attributes.clone(), ..root.without_content() };
    let mut reader = ElementReader::new(context, &attributes, &WORLD);
    let version = reader.text_of("version");
    reader.take("compat");
    reader.take("flat");
    reader.finish_partly();
    if let Some(version) = version {
        check_version(context, version);
    }
}

fn check_version(context: &mut Context<'_>, text: &Text) {
    let Some(value) = text.value() else { return };
    let digits = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    let well_formed = |(major, minor): (&str, &str)| digits(major) && digits(minor);
    if !value.split_once('.').is_some_and(well_formed) {
        let message = format!("`{value}` is not a version");
        context.report.error(text.span, message, "expected MAJOR.MINOR, such as 1.0");
    }
}

fn report_unknown(context: &mut Context<'_>, element: &Element) {
    if let Some(warning) = history::warning(WORLD.name, &element.name, element.name_span) {
        context.report.push(warning);
        return;
    }
    let message = format!("unknown element `<{}>` in a world", element.name);
    if context.report.contains(element.name_span, &message) {
        return;
    }
    let known = WORLD.entries.iter().filter(|entry| entry.is_child()).map(|entry| entry.name);
    let diagnostic = Diagnostic::new(context.unknown_severity(), message)
        .at(element.name_span)
        .label(context.report.hint(&element.name, known))
        .help("run `simhost schema --markdown` for all elements and attributes");
    context.report.push(diagnostic);
}

impl<'e> Reading<'e> {
    fn read(&mut self, context: &mut Context<'_>, entry: &'static Entry, given: &'e Element) {
        match entry.name {
            "vehicle:class" => return vehicle::read_class(context, &mut self.vehicles, given),
            "vehicle" => {
                let vehicle = read_vehicle(context, &mut self.vehicles, given);
                self.world.vehicles.extend(vehicle);
                return;
            }
            _ => {}
        }
        let element = &self.merged(context, entry, given);
        let world = &mut self.world;
        match entry.name {
            "plugin_faults" => {
                let Some(rule) = FaultRule::read_element(context, element) else { return };
                rule.apply(&mut world.settings.faults);
                let fallback = &mut world.settings.fallback_friction;
                if rule.action == FaultAction::Fallback && fallback.is_none() {
                    *fallback = default_friction(context, element);
                }
            }
            "block:class" => block::read_class(context, &mut self.blocks, element),
            "block" => {
                let block = read_block(context, &self.blocks, element, world.blocks.len());
                world.blocks.extend(block);
            }
            "actor:class" => actor::read_class(context, &mut self.actors, element),
            "actor" => {
                let actor = read_actor(context, &mut self.actors, element, world.actors.len());
                world.actors.extend(actor);
            }
            "fleet" => {
                let fleet = read_fleet(context, element, &self.fleets);
                self.fleets.extend(fleet);
            }
            "element" => elements::read(context, world, element),
            "sensor" => {
                let sensor = read_standalone_sensor(context, element, &world.sensors);
                world.sensors.extend(sensor);
            }
            "environment" => {
                let environments = &mut world.settings.environments;
                environments.extend(read_environment(context, element, environments));
            }
            "observer" => {
                let observer = read_observer(context, element, &world.observers);
                world.observers.extend(observer);
            }
            "walls" => world.walls.extend(read_walls(context, element)),
            "joint" => self.joints.extend(UnboundJoint::read_element(context, element)),
            "record" => {
                let pattern = QuantityPattern::parse(context, entry, Given::Child(element));
                world.recorded.extend(pattern);
            }
            "stream" => {
                let stream = read_stream(context, element, &world.streams);
                world.streams.extend(stream);
            }
            "gui" => world.scenery.gui = Gui::read_element(context, element).unwrap_or_default(),
            "joystick_enabled" => {
                let given = bool::parse(context, entry, Given::Child(element));
                world.scenery.has_no_gamepad = given == Some(false);
            }
            "lights" => {
                world.scenery.lights = Lights::read_element(context, element).unwrap_or_default()
            }
            "georeference" => {
                world.scenery.georeference = Georeference::read_element(context, element);
            }
            "marker" => world.scenery.markers.extend(Marker::read_element(context, element)),
            "require" => requirement::check(context, element),
            // expansion has removed these
            "include" | "variable" | "for" | "if" => {}
            name if Settings::ENTRIES.iter().any(|setting| setting.name == name) => {}
            _ => vocabulary::check_unused(context, entry, element),
        }
    }

    /// Reads the settings; the last values count.
    fn read_settings(&mut self, context: &mut Context<'_>, root: &Element) {
        let mut element = root.without_content();
        let given = Settings::ENTRIES.iter().filter_map(|entry| self.given.remove(entry.name));
        element.children.extend(given);
        let Some(read) = Settings::read_element(context, &element) else { return };
        let settings = &mut self.world.settings;
        let environments = std::mem::take(&mut settings.environments);
        let fallback_friction = settings.fallback_friction.take();
        *settings = Settings { environments, faults: settings.faults, fallback_friction, ..read };
    }

    /// Reads an element whose tag names its class, which is an old spelling.
    fn read_old(&mut self, context: &mut Context<'_>, element: &Element) {
        if element.name.starts_with(spelling::SENSOR) {
            let sensor = read_standalone_sensor(context, element, &self.world.sensors);
            self.world.sensors.extend(sensor);
            return;
        }
        match spelling::element(context, element) {
            Some(element) => elements::read(context, &mut self.world, &element),
            None => report_unknown(context, element),
        }
    }

    /// Returns an element that is given once, merged with an earlier occurrence. As in MVSim, new
    /// values replace earlier ones and other values are kept. Elements that can be repeated are
    /// returned as they are.
    fn merged<'a>(
        &mut self,
        context: &mut Context<'_>,
        entry: &'static Entry,
        element: &'a Element,
    ) -> Cow<'a, Element> {
        let merges = matches!(entry.name, "gui" | "lights" | "georeference");
        let is_free = entry.repeats || matches!(entry.value, Value::Presence);
        if is_free && !merges {
            return Cow::Borrowed(element);
        }
        let mut merged = element.clone();
        if let Some(earlier) = self.given.remove(entry.name) {
            let (message, label) = match merges {
                true => (format!("a second `<{}>`", entry.name), "its values replace earlier ones"),
                false => (format!("duplicate `<{}>`", entry.name), "this one is used"),
            };
            context.report.warning(element.name_span, message, label);
            if let (false, Some(text)) = (merges, &earlier.text) {
                value::check(context, entry, text);
            }
            let is_new = |child: &Element| element.children.iter().any(|c| c.name == child.name);
            let kept = earlier.children.into_iter().filter(|child| !is_new(child));
            merged.children = kept.chain(merged.children).collect();
        }
        self.given.insert(entry.name, merged.clone());
        Cow::Owned(merged)
    }
}

/// Built-in friction classes whose forces do not depend on a friction coefficient.
const WITHOUT_COEFFICIENT: &[&str] = &["simhost/ellipse"];

/// Warns of parts that have no effect, and of tyres that do not fit their wheels.
fn check_effects(context: &mut Context<'_>, world: &World) {
    check_regions(context, world);
    check_tyres(context, world);
}

/// Warns of regions that change the friction coefficient of vehicles that have none.
fn check_regions(context: &mut Context<'_>, world: &World) {
    let mut regions = world.regions.iter().filter(|region| region.property == "friction_mu");
    let Some(first) = regions.next() else { return };
    for class in WITHOUT_COEFFICIENT {
        let models = world.vehicles.iter().map(|vehicle| &vehicle.friction.model);
        let of_class: Vec<_> = models.filter(|model| *model.full_name == **class).collect();
        let (count, class) = (of_class.len(), of_class.first().map_or("", |model| model.id()));
        if count == 0 {
            continue;
        }
        let noun = if count == 1 { "vehicle" } else { "vehicles" };
        let message =
            format!("`friction_mu` has no effect on {count} {noun} with friction `{class}`");
        let warning = Diagnostic::warning(message)
            .label("ignored by them")
            .note(format!("the forces of `{class}` do not depend on a friction coefficient"));
        for region in std::iter::once(first).chain(regions.clone()) {
            context.report.push(warning.clone().at(region.span));
        }
    }
}

/// Reports the warnings of friction models about the wheels that use them, once for vehicles that share both.
fn check_tyres(context: &mut Context<'_>, world: &World) {
    let mut seen = HashSet::new();
    for vehicle in &world.vehicles {
        let shared = (
            Arc::as_ptr(&vehicle.friction),
            Arc::as_ptr(&vehicle.wheel_friction).cast::<()>(),
            Arc::as_ptr(&vehicle.wheels).cast::<()>(),
            vehicle.chassis.mass.to_bits(),
        );
        if seen.insert(shared) {
            check_tyres_of(context, vehicle, world.settings.gravity);
        }
    }
}

fn check_tyres_of(context: &mut Context<'_>, vehicle: &Vehicle, gravity: f64) {
    let mass = vehicle.chassis.mass + vehicle.wheels.iter().map(|wheel| wheel.mass).sum::<f64>();
    let load = mass * gravity / vehicle.wheels.len().max(1) as f64;
    let wheels = vehicle.wheels.iter().map(|wheel| WheelUse { radius: wheel.diameter / 2.0, load });
    let own = &vehicle.wheel_friction;
    let of_vehicle: Vec<WheelUse> = (0..)
        .zip(wheels.clone())
        .filter(|(index, _)| own.iter().all(|one| one.wheel != *index))
        .map(|(_, wheel)| wheel)
        .collect();
    if !of_vehicle.is_empty() {
        vehicle.friction.warn_of_wheels(context, &of_vehicle);
    }
    for one in own.iter() {
        let wheel: Vec<WheelUse> = wheels.clone().skip(one.wheel).take(1).collect();
        one.model.warn_of_wheels(context, &wheel);
    }
}
