//! Generates an example of a vehicle that uses a class.

use std::fmt::Write;
use std::path::Path;
use std::sync::Arc;

use quick_xml::escape::partial_escape;
use simhost_abi::Kind;
use simhost_model::{Classes, Instance, ModelRef};
use simhost_registry::page::{ModelPage, ParameterPage, PhasePage};
use simhost_registry::{Catalogue, Entry, FileState};
use simhost_world::{LoadOptions, ModelUse, load_text};

/// Platforms that an example tries first, because most models fit one of them.
const USUAL: [&str; 2] = ["simhost/differential", "simhost/ackermann"];

/// Returns a vehicle that uses a variant of a class with the defaults of its parameters. It combines
/// the class with the first platform and controller that make a valid world in which this variant is
/// used; if there are none, the element of the class is returned alone.
pub fn example(
    catalogue: &Catalogue,
    entry: &Entry,
    variant: &ModelRef,
    model: &ModelPage,
) -> String {
    let tag = tag(model, &name(catalogue, entry));
    if entry.kind == Kind::Observer {
        return with_observer(catalogue, &tag, model);
    }
    let vehicles = match entry.kind {
        Kind::Dynamics => with_controllers(catalogue, &tag),
        Kind::Actuator => {
            let places = ports(catalogue);
            let place = |(class, port): &(String, &str)| {
                let inside = tag.on(port).indented("    ");
                vehicle(&format!("  <dynamics class=\"{class}\">\n{inside}  </dynamics>\n"))
            };
            places.iter().map(place).collect()
        }
        Kind::Controller => {
            let platforms = names(catalogue, Kind::Dynamics);
            let inside = tag.indented("    ");
            let platforms = platforms
                .iter()
                .map(|class| format!("  <dynamics class=\"{class}\">\n{inside}  </dynamics>\n"));
            let platforms: Vec<String> = platforms.collect();
            let sensors = sensors(catalogue, model);
            let with = |sensor: &String| {
                platforms
                    .iter()
                    .map(|platform| vehicle(&format!("{platform}{sensor}")))
                    .collect::<Vec<_>>()
            };
            sensors.iter().flat_map(with).collect()
        }
        Kind::Suspension => {
            let inside = tag.indented("    ");
            let on = |class: &String| {
                vehicle(&format!("  <dynamics class=\"{class}\">\n{inside}  </dynamics>\n"))
            };
            names(catalogue, Kind::Dynamics).iter().map(on).collect()
        }
        Kind::Fleet => with_fleet(catalogue, &tag),
        Kind::Environment => with_environment(catalogue, &tag),
        _ => {
            let inside = tag.indented("  ");
            let platforms = names(catalogue, Kind::Dynamics);
            // a body that is lower than a camera leaves its view free
            let low = |class: &String| {
                let chassis = "    <chassis zmax=\"0.45\"/>\n";
                format!("  <dynamics class=\"{class}\">\n{chassis}  </dynamics>\n")
            };
            let plain = |class: &String| format!("  <dynamics class=\"{class}\"/>\n");
            let platforms = platforms.iter().map(plain).chain(platforms.iter().map(low));
            platforms.map(|platform| vehicle(&format!("{platform}{inside}"))).collect()
        }
    };
    // `min_by_key` returns the first of equally good ones
    let rated = vehicles.iter().filter_map(|vehicle| {
        warnings(catalogue, vehicle, entry.kind, variant).map(|count| (count, vehicle))
    });
    let best = rated.min_by_key(|(count, _)| *count);
    best.map_or_else(|| tag.indented(""), |(_, vehicle)| vehicle.clone())
}

/// Returns elements of sensors that a model may read: none, then one for each class if the model has an
/// input for readings.
fn sensors(catalogue: &Catalogue, model: &ModelPage) -> Vec<String> {
    let mut inputs = model.phases.iter().flat_map(|phase| &phase.inputs);
    let classes = match inputs.any(|port| port.scope == "array") {
        true => names(catalogue, Kind::Sensor),
        false => Vec::new(),
    };
    let sensor = |class: &String| format!("  <sensor class=\"{class}\" name=\"sensor1\"/>\n");
    std::iter::once(String::new()).chain(classes.iter().map(sensor)).collect()
}

/// Returns an observer with its required parameters, and with a further number if its model rejects it
/// without.
fn with_observer(catalogue: &Catalogue, tag: &Tag, model: &ModelPage) -> String {
    let is_open = |parameter: &&ParameterPage| {
        !parameter.required && parameter.default.is_none() && parameter.kind == "number"
    };
    let further = model.parameters.iter().filter(is_open).map(|parameter| {
        let value = format!("  <{key}>{}</{key}>\n", sample(parameter, 1), key = parameter.key);
        Tag { body: tag.body.clone() + &value, ..tag.clone() }
    });
    let is_accepted = |tag: &Tag| {
        let world = format!("<mvsim_world>{}</mvsim_world>", tag.indented(""));
        let options = LoadOptions::default();
        let loaded = load_text("example.world.xml".as_ref(), world.as_bytes(), &options, catalogue);
        loaded.is_ok_and(|loaded| {
            let mut observers = loaded.world.observers.iter();
            observers
                .all(|one| Instance::new(&one.model.model, Arc::clone(&one.model.values)).is_ok())
        })
    };
    let all: Vec<Tag> = std::iter::once(tag.clone()).chain(further).collect();
    all.iter().find(|tag| is_accepted(tag)).unwrap_or(tag).indented("")
}

fn with_controllers(catalogue: &Catalogue, tag: &Tag) -> Vec<String> {
    let alone = vehicle(&tag.indented("  "));
    let controllers = names(catalogue, Kind::Controller).into_iter().map(|class| {
        let controller = format!("  <controller class=\"{class}\"/>\n");
        let with = Tag {
            open: tag.open.clone(),
            body: format!("{}{controller}", tag.body),
            close: tag.close.clone(),
        };
        vehicle(&with.indented("  "))
    });
    std::iter::once(alone).chain(controllers).collect()
}

/// Returns a fleet and a vehicle that it commands, for each controller.
fn with_fleet(catalogue: &Catalogue, tag: &Tag) -> Vec<String> {
    let controllers = names(catalogue, Kind::Controller).into_iter();
    let platforms = names(catalogue, Kind::Dynamics);
    let pairs = controllers.flat_map(|controller| {
        platforms
            .iter()
            .take(USUAL.len())
            .map(move |platform| (platform.clone(), controller.clone()))
    });
    let example = |(platform, controller): (String, String)| {
        let controller = format!("    <controller class=\"{controller}\"/>\n");
        let dynamics = format!("  <dynamics class=\"{platform}\">\n{controller}  </dynamics>\n");
        format!("{}{}", tag.indented(""), vehicle(&dynamics))
    };
    pairs.map(example).collect()
}

/// Returns an environment and a vehicle on which wind can blow.
fn with_environment(catalogue: &Catalogue, tag: &Tag) -> Vec<String> {
    let platforms = names(catalogue, Kind::Dynamics);
    let example = |class: &String| {
        let air = "  <aerodynamics drag_area=\"0.7\" side_area=\"3\"/>\n";
        let content = format!("  <dynamics class=\"{class}\"/>\n{air}");
        format!("{}{}", tag.indented(""), vehicle(&content))
    };
    platforms.iter().map(example).collect()
}

fn vehicle(content: &str) -> String {
    format!("<vehicle name=\"example\">\n  <init_pose>0 0 0</init_pose>\n{content}</vehicle>\n")
}

/// Returns the number of warnings of a world with this vehicle, or `None` if it is invalid or another
/// variant of the class is used.
fn warnings(catalogue: &Catalogue, vehicle: &str, kind: Kind, variant: &ModelRef) -> Option<usize> {
    let world = format!("<mvsim_world version=\"1.0\">\n{vehicle}</mvsim_world>\n");
    let path = Path::new("example.world.xml");
    let loaded = load_text(path, world.as_bytes(), &LoadOptions::default(), catalogue).ok()?;
    let is_variant = |used: &ModelUse| std::ptr::eq(used.model.model, variant.model);
    let vehicle = loaded.world.vehicles.first()?;
    let is_used = match kind {
        Kind::Controller => is_variant(&vehicle.controller),
        Kind::Actuator => vehicle.actuators.iter().all(|actuator| is_variant(&actuator.model)),
        Kind::Suspension => vehicle.suspensions.iter().all(|one| is_variant(&one.model)),
        Kind::Dynamics => is_variant(&vehicle.dynamics),
        Kind::Friction => is_variant(&vehicle.friction),
        Kind::Fleet => loaded.world.fleets.iter().all(|fleet| is_variant(&fleet.model)),
        Kind::Environment => {
            let environments = &loaded.world.settings.environments;
            environments.iter().all(|environment| is_variant(&environment.model))
        }
        _ => vehicle.sensors.iter().all(|sensor| is_variant(&sensor.model)),
    };
    is_used.then_some(loaded.warnings.len())
}

/// Returns the name of a class in a world file.
fn name(catalogue: &Catalogue, entry: &Entry) -> String {
    match catalogue.state(entry) {
        FileState::Ambiguous => entry.full_name(),
        _ => entry.class.clone(),
    }
}

/// The classes of a kind, the usual ones first.
fn names(catalogue: &Catalogue, kind: Kind) -> Vec<String> {
    let mut entries: Vec<_> =
        catalogue.entries().iter().filter(|entry| entry.kind == kind).collect();
    let rank = |entry: &&Entry| {
        let full = entry.full_name();
        USUAL.iter().position(|usual| *usual == full).unwrap_or(USUAL.len())
    };
    entries.sort_by_key(rank);
    entries.into_iter().map(|entry| name(catalogue, entry)).collect()
}

/// The dynamics classes with each of their inputs, steering angles first.
fn ports(catalogue: &Catalogue) -> Vec<(String, &'static str)> {
    let mut ports = Vec::new();
    for class in names(catalogue, Kind::Dynamics) {
        let variants = catalogue.find(Kind::Dynamics, &class).unwrap_or_default();
        let phases = variants.iter().flat_map(|class| class.model.phases());
        let driving = phases.filter(|phase| ["drive", "wrench", "motion"].contains(&phase.id()));
        let inputs = driving.flat_map(|phase| phase.inputs());
        ports.extend(inputs.map(|input| (class.clone(), input.name())));
    }
    ports.sort_by_key(|(_, port)| *port != "steer");
    ports
}

/// A tag and its content.
#[derive(Clone)]
struct Tag {
    open: String,
    body: String,
    close: String,
}

impl Tag {
    /// Returns the tag of an actuator with its port.
    fn on(&self, port: &str) -> Self {
        let open = self.open.trim_end_matches('>');
        let (body, close) = (self.body.clone(), self.close.clone());
        Self { open: format!("{open} port=\"{port}\">"), body, close }
    }

    fn indented(&self, indent: &str) -> String {
        let Self { open, body, close } = self;
        let text = if body.is_empty() {
            format!("{}/>\n", open.trim_end_matches('>'))
        } else {
            format!("{open}\n{body}{close}\n")
        };
        text.lines().fold(String::new(), |all, line| all + indent + line + "\n")
    }
}

fn tag(model: &ModelPage, class: &str) -> Tag {
    let kind = model.kind;
    let name = match kind {
        "sensor" => " name=\"example\"",
        "fleet" => " vehicles=\"example\"",
        _ => "",
    };
    let mut body = String::new();
    for parameter in &model.parameters {
        write_parameter(&mut body, parameter, "  ");
    }
    if kind == "observer" {
        // a text that an observer needs selects quantities
        body = body.replace(">text<", ">world/time<");
    }
    for port in model.phases.iter().flat_map(PhasePage::set_points) {
        let _ = writeln!(body, "  <{key}>0</{key}>", key = port.key);
    }
    for wheel in model.wheels.iter().filter(|wheel| !wheel.placed_by_model) {
        let _ = writeln!(body, "  <{} pos=\"{} {}\"/>", wheel.tag, wheel.x, wheel.y);
    }
    Tag { open: format!("<{kind} class=\"{class}\"{name}>"), body, close: format!("</{kind}>") }
}

/// A parameter with its default. One that has none and need not be given is left out.
fn write_parameter(body: &mut String, parameter: &ParameterPage, indent: &str) {
    let key = parameter.key;
    if !parameter.parts.is_empty() {
        if !parameter.required && parameter.repeats() {
            return;
        }
        // two of them: a path of one point leads nowhere
        let times = if parameter.repeats() { 2 } else { 1 };
        for time in 0..times {
            let _ = writeln!(body, "{indent}<{key}>");
            for part in &parameter.parts {
                write_part(body, part, time, &format!("{indent}  "));
            }
            let _ = writeln!(body, "{indent}</{key}>");
        }
        return;
    }
    let value = match &parameter.default {
        Some(default) if !default.is_empty() => partial_escape(default).into_owned(),
        _ if parameter.required => sample(parameter, 0),
        _ => return,
    };
    let _ = writeln!(body, "{indent}<{key}>{value}</{key}>");
}

/// A part of a group; a number that must be given differs from one group to the next.
fn write_part(body: &mut String, part: &ParameterPage, time: usize, indent: &str) {
    if part.required && part.parts.is_empty() && part.default.is_none() {
        let _ = writeln!(body, "{indent}<{key}>{}</{key}>", sample(part, time), key = part.key);
    } else {
        write_parameter(body, part, indent);
    }
}

/// A value of a parameter that has no default.
fn sample(parameter: &ParameterPage, time: usize) -> String {
    let number = match (parameter.min, parameter.max) {
        (Some(min), Some(max)) => (min + max) / 2.0,
        (Some(min), None) => min + 1.0 + time as f64,
        (None, Some(max)) => max - 1.0 - time as f64,
        (None, None) => time as f64,
    };
    match parameter.kind {
        "number" => number.to_string(),
        "integer" => number.floor().to_string(),
        "boolean" => "true".to_owned(),
        "choice" => parameter.choices.first().copied().unwrap_or_default().to_owned(),
        "path" | "file" => "file.csv".to_owned(),
        "list" => {
            let count = parameter.count.max(1) as usize;
            vec![number.to_string(); count].join(" ")
        }
        _ => "text".to_owned(),
    }
}
