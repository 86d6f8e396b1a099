//! Sensors, on vehicles and on their own.

use std::collections::HashSet;
use std::sync::Arc;

use simhost_abi::Kind;
use simhost_model::ParamValue;

use crate::context::Context;
use crate::diagnostics::Diagnostic;
use crate::models::{CONNECT_ENTRY, FILE_ENTRY, ModelUse, with_values};
use crate::publish::{self, Publish};
use crate::reader::{ElementReader, Fields, FromEntry, Given, declare};
use crate::sources::Span;
use crate::spelling;
use crate::tree::Element;
use crate::visual::{self, Visual};
use crate::vocabulary::field::{attribute, child};
use crate::vocabulary::{Entry, Section, Value, non_negative, positive, section};

declare! {
    /// A sensor.
    #[derive(Clone, Debug)]
    pub struct SensorUse {
        /// The model with its parameters.
        pub model: ModelUse =
            attribute(Value::Class(Kind::Sensor)).named("class").doc("Class of the sensor.").required();
        /// Name, unique within the vehicle.
        pub name: String = attribute(Value::Text).or_else("the class and a number"), FILE_ENTRY;
        /// Time between samples.
        pub period: f64 = child(positive("s")).named("sensor_period").or("0.1");
        /// Time from a sample to its arrival at the models that read it.
        pub latency: f64 = child(non_negative("s")).or("0");
        /// Largest addition to the latency, drawn uniformly for each sample.
        pub latency_jitter: f64 = child(non_negative("s")).or("0");
        /// Publication to other processes.
        pub publish: Option<Arc<Publish>> = publish::ENTRY;
        /// Visuals.
        pub visuals: Arc<[Visual]> = visual::APPEARANCE_ENTRY;
        /// Position of the period in the file, or of the sensor if it is the default.
        pub period_span: Span => period_span;
        /// Position of the name, or of the sensor.
        pub(crate) span: Span => |reader| reader.span_of("name");
    }
}

declare! {
    const ON_VEHICLE: SensorUse {
        /// The other sensor or the actuator of the vehicle that an input of the sensor reads, if the name of the
        /// input does not determine it.
        connect = CONNECT_ENTRY;
    }
}

pub(crate) static SENSOR: Section =
    section("sensor", "A sensor, with the parameters of its class.", ON_VEHICLE)
        .with_model(Kind::Sensor);

pub(crate) static STANDALONE: Section = section(
    "sensor",
    "A sensor without a vehicle. Its pose is in the world frame.",
    SensorUse::ENTRIES,
)
.with_model(Kind::Sensor);

impl SensorUse {
    /// Returns whether the class gives readings.
    pub fn gives_readings(&self) -> bool {
        self.model.model.model.gives_readings()
    }
}

/// Returns the position of the period, or of the sensor.
fn period_span(reader: &mut ElementReader<'_, '_, '_>) -> Span {
    let given = reader.element.children.iter().rfind(|child| child.name == "sensor_period");
    given.map_or(reader.element.name_span, |child| child.name_span)
}

/// A sensor of a vehicle, whose name is empty if it is not given.
impl FromEntry for SensorUse {
    fn parse(context: &mut Context<'_>, _entry: &'static Entry, given: Given<'_>) -> Option<Self> {
        let Given::Child(element) = given else { return None };
        read(context, element, &SENSOR)
    }
}

/// Gives sensors their names and reports duplicates. `owner` completes the sentence
/// "duplicate sensor name …".
fn name_sensor(
    context: &mut Context<'_>,
    sensor: &SensorUse,
    count: usize,
    names: &mut HashSet<String>,
    owner: &str,
) -> SensorUse {
    let name = match sensor.name.is_empty() {
        true => automatic_name(sensor.model.model.id(), count, names),
        false => sensor.name.clone(),
    };
    if !names.insert(name.clone()) {
        let error = Diagnostic::error(format!("duplicate sensor name{owner}: `{name}`"))
            .at(sensor.span)
            .label("already in use")
            .help("give each sensor its own name, or none");
        context.report.push(error);
    }
    SensorUse { name, ..sensor.clone() }
}

/// Returns the sensors of a vehicle with names that are unique within the vehicle.
pub(crate) fn name_sensors<'s>(
    context: &mut Context<'_>,
    sensors: impl Iterator<Item = &'s SensorUse>,
    vehicle: &str,
) -> Vec<SensorUse> {
    let mut sensors = sensors.peekable();
    if sensors.peek().is_none() {
        return Vec::new();
    }
    let owner = format!(" in vehicle `{vehicle}`");
    let mut names = HashSet::new();
    let mut named = Vec::new();
    for sensor in sensors {
        let sensor = name_sensor(context, sensor, named.len(), &mut names, &owner);
        named.push(sensor);
    }
    named
}

/// Reads a sensor without a vehicle. `sensors` are the earlier ones.
pub(crate) fn read_standalone_sensor(
    context: &mut Context<'_>,
    element: &Element,
    sensors: &[SensorUse],
) -> Option<SensorUse> {
    let sensor = read(context, element, &STANDALONE)?;
    let mut names: HashSet<_> = sensors.iter().map(|sensor| sensor.name.clone()).collect();
    Some(name_sensor(context, &sensor, sensors.len(), &mut names, ""))
}

fn read(
    context: &mut Context<'_>,
    element: &Element,
    section: &'static Section,
) -> Option<SensorUse> {
    let element = &*spelling::sensor(context, element);
    let element = &*with_values(context, element, Kind::Sensor);
    let mut reader = ElementReader::new(context, element, section);
    let is_on_vehicle = std::ptr::eq(section, &SENSOR);
    let connects = if is_on_vehicle { reader.value("connect") } else { None };
    let sensor = SensorUse::read(&mut reader, 0);
    reader.finish();
    let mut sensor = sensor?;
    sensor.model.connects = connects.unwrap_or_default();
    report_limitations(context, &sensor.model);
    Some(sensor)
}

/// Warns once for each class whose sensors do less than their parameters suggest.
fn report_limitations(context: &mut Context<'_>, sensor: &ModelUse) {
    let class = sensor.model.id();
    if !sensor.model.model.gives_readings() {
        let message = format!("sensors of class `{class}` do not give readings yet");
        let warning = Diagnostic::warning(message).at(sensor.span).label("only checked");
        context.report.push_once(class, warning);
    }
    if class == "lidar3d" {
        report_image_parameters(context, sensor);
    }
    if class == "gnss" {
        context.references.georeference.get_or_insert(sensor.span);
    }
}

/// Parameters of `lidar3d` that concern depth images, with their defaults.
const OF_IMAGES: [(&str, f64); 4] = [
    ("horz_resolution_factor", 1.0),
    ("vert_resolution_factor", 1.0),
    ("max_vert_relative_depth_to_interpolate", 0.3),
    ("max_horz_relative_depth_to_interpolate", 0.1),
];

/// Warns once of each parameter of a lidar that has no effect and differs from its default.
fn report_image_parameters(context: &mut Context<'_>, sensor: &ModelUse) {
    let params = sensor.model.model.params().iter();
    for (desc, value) in params.zip(&*sensor.values) {
        let known = OF_IMAGES.iter().find(|(key, _)| *key == desc.key());
        if let Some((key, default)) = known
            && *value != ParamValue::Number(*default)
        {
            let warning = Diagnostic::warning(format!("`{key}` has no effect"))
                .at(sensor.span)
                .label("ignored")
                .note("the rays of a lidar are exact, and not sampled from depth images");
            context.report.push_once(key, warning);
        }
    }
}

/// Returns the class followed by the first free number, counting from the number of sensors.
fn automatic_name(class: &str, count: usize, names: &HashSet<String>) -> String {
    let mut candidates = (count + 1..).map(|number| format!("{class}{number}"));
    candidates.find(|name| !names.contains(name)).unwrap_or_else(|| class.to_owned())
}
