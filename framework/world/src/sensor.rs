//! Sensors, on vehicles and on their own.

use std::collections::HashSet;
use std::sync::Arc;

use simhost_abi::Kind;
use simhost_model::ParamValue;

use crate::context::Context;
use crate::diagnostics::Diagnostic;
use crate::models::{FILE, FILE_ENTRY, ModelUse, bind, required_class, with_values};
use crate::publish::{self, Publish, read_publish};
use crate::reader::ElementReader;
use crate::sources::Span;
use crate::spelling;
use crate::tree::Element;
use crate::visual::{self, Visual, read_visuals};
use crate::vocabulary::{Entry, Section, Value, attribute, child, non_negative, positive, section};

/// A sensor.
#[derive(Clone, Debug)]
pub struct SensorUse {
    /// Name, unique within the vehicle.
    pub name: String,
    /// Time between samples in s.
    pub period: f64,
    /// Position of the period in the file, or of the sensor if it is the default.
    pub period_span: Span,
    /// Time from a sample to its arrival at the models that read it in s.
    pub latency: f64,
    /// Largest random addition to the latency in s.
    pub latency_jitter: f64,
    /// The model with its parameters.
    pub model: ModelUse,
    /// Visuals.
    pub visuals: Arc<[Visual]>,
    /// Publication to other processes.
    pub publish: Option<Arc<Publish>>,
}

impl SensorUse {
    /// Returns whether the class gives readings.
    pub fn gives_readings(&self) -> bool {
        self.model.model.model.gives_readings()
    }
}

pub(crate) static SENSOR: Section =
    section("sensor", "A sensor, with the parameters of its class.", ENTRIES)
        .with_model(Kind::Sensor);

pub(crate) static STANDALONE: Section =
    section("sensor", "A sensor without a vehicle. Its pose is in the world frame.", ENTRIES)
        .with_model(Kind::Sensor);

const ENTRIES: &[Entry] = &[
    attribute("class", Value::Class(Kind::Sensor), "Class of the sensor.").required(),
    attribute("name", Value::Text, "Name, unique within the vehicle.")
        .or_else("the class and a number"),
    FILE_ENTRY,
    child("sensor_period", positive("s"), "Time between samples.").or("0.1"),
    child(
        "latency",
        non_negative("s"),
        "Time from a sample to its arrival at the models that read it.",
    )
    .or("0"),
    child(
        "latency_jitter",
        non_negative("s"),
        "Largest addition to the latency, which is drawn uniformly for each sample.",
    )
    .or("0"),
    publish::ENTRY,
    visual::ENTRY,
];

/// A sensor whose name may still depend on the vehicle.
#[derive(Debug)]
pub(crate) struct UnnamedSensor {
    /// Name from the file.
    name: Option<String>,
    span: Span,
    period: f64,
    period_span: Span,
    latency: f64,
    latency_jitter: f64,
    model: ModelUse,
    visuals: Arc<[Visual]>,
    publish: Option<Arc<Publish>>,
}

impl UnnamedSensor {
    fn named(&self, name: String) -> SensorUse {
        SensorUse {
            name,
            period: self.period,
            period_span: self.period_span,
            latency: self.latency,
            latency_jitter: self.latency_jitter,
            model: self.model.clone(),
            visuals: Arc::clone(&self.visuals),
            publish: self.publish.clone(),
        }
    }
}

/// Gives sensors their names and reports duplicates. `owner` completes the sentence
/// "duplicate sensor name …".
fn name_sensor(
    context: &mut Context<'_>,
    sensor: &UnnamedSensor,
    count: usize,
    names: &mut HashSet<String>,
    owner: &str,
) -> SensorUse {
    let automatic = || automatic_name(sensor.model.model.id(), count, names);
    let name = sensor.name.clone().unwrap_or_else(automatic);
    if !names.insert(name.clone()) {
        let error = Diagnostic::error(format!("duplicate sensor name{owner}: `{name}`"))
            .at(sensor.span)
            .label("already in use")
            .help("give each sensor its own name, or none");
        context.report.push(error);
    }
    sensor.named(name)
}

/// Returns the sensors of a vehicle with names that are unique within the vehicle.
pub(crate) fn name_sensors<'s>(
    context: &mut Context<'_>,
    sensors: impl Iterator<Item = &'s UnnamedSensor>,
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

/// Reads a sensor of a vehicle.
pub(crate) fn read_sensor(context: &mut Context<'_>, element: &Element) -> Option<UnnamedSensor> {
    read(context, element, &SENSOR)
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
) -> Option<UnnamedSensor> {
    let element = &*spelling::sensor(context, element);
    let element = &*with_values(context, element, Kind::Sensor);
    let mut reader = ElementReader::new(context, element, section);
    let (model, span) = required_class(&mut reader, Kind::Sensor)?;
    reader.text_of(FILE);
    let given = reader.text_of("name");
    let name = given.and_then(|text| text.value()).map(str::to_owned);
    let period = reader.number("sensor_period");
    let (latency, latency_jitter) = (reader.number("latency"), reader.number("latency_jitter"));
    let given_period = element.children.iter().rfind(|child| child.name == "sensor_period");
    let period_span = given_period.map_or(element.name_span, |child| child.name_span);
    let publish = read_publish(&mut reader);
    let visuals = reader.children(&["visual"]);
    let model = bind(reader, Kind::Sensor, model, span, None);
    let visuals = read_visuals(context, &visuals).into();
    report_limitations(context, &model);
    let span = given.map_or(element.name_span, |text| text.span);
    Some(UnnamedSensor {
        name,
        span,
        period,
        period_span,
        latency,
        latency_jitter,
        model,
        visuals,
        publish,
    })
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
