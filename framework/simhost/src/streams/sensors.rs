//! Streams of sensors.

use simhost_engine::{ReadingOutput, SensorInfo, Simulation};
use simhost_model::ParamValue;
use simhost_streams::{Stream, types};
use simhost_world::{ModelUse, SensorUse, World};

use super::draft::{Draft, Part, Source};
use super::message_names::message_name;
use super::output::Gate;
use super::vehicles::{entity, unique};
use super::{images, planning, standard};

/// Class of the planar laser.
const LASER: &str = "simhost/laser";

/// Output that is 1 for rays that are returns.
const VALID: &str = "valid";

/// Returns whether a sensor gives points: it has the outputs `x`, `y` and `z` in m, with one value per ray.
fn is_cloud(info: &SensorInfo) -> bool {
    let outputs = info.columns.outputs();
    ["x", "y", "z"].iter().all(|name| {
        let mut named = outputs.iter().filter(|output| output.name == *name);
        named.any(|output| output.rays.is_some() && output.unit == "m")
    })
}

/// Returns whether an output is a value of points.
fn is_of_points(output: &ReadingOutput) -> bool {
    output.rays.is_some() && output.name != VALID
}

/// Returns the sensors that give readings, in the order of the simulation.
pub(super) fn uses(world: &World) -> impl Iterator<Item = (&SensorUse, bool)> {
    let mounted = world.vehicles.iter().flat_map(|vehicle| vehicle.sensors.iter());
    let mounted = mounted.map(|sensor| (sensor, true));
    let standing = world.sensors.iter().map(|sensor| (sensor, false));
    mounted.chain(standing).filter(|(sensor, _)| sensor.gives_readings())
}

/// Returns whether a sensor belongs to a vehicle.
pub(super) fn is_mounted(world: &World, simulation: &Simulation, number: usize) -> bool {
    let standing = world.sensors.iter().filter(|sensor| sensor.gives_readings()).count();
    number + standing < simulation.sensors().len()
}

/// Adds the streams of all sensors.
pub(super) fn add(world: &World, simulation: &Simulation, drafts: &mut Vec<Draft>) {
    let all = simulation.sensors().iter().zip(uses(world)).enumerate();
    for (number, (info, (sensor, is_mounted))) in all {
        let owner = if is_mounted { entity(&info.vehicle) } else { "world" };
        let quantity = |name: &str| format!("{owner}/sensor/{}/{name}", info.sensor);
        let frame = format!("{}/{}", info.vehicle, info.sensor);
        let model = &sensor.model;
        if !info.images.is_empty() {
            for draft in images::drafts(info, &frame, quantity) {
                drafts.push(Sampled { number, sensor }.complete(draft));
            }
            continue;
        }
        if let Some(all) = planning::drafts(world, info, model, quantity) {
            drafts.extend(all.into_iter().map(|draft| Sampled { number, sensor }.complete(draft)));
            continue;
        }
        let standard = standard::of(model);
        let mut draft = match (scan(model, sensor.period), standard) {
            (None, Some(standard)) => {
                let labels = standard.labels(&info.vehicle, &tags(simulation, &info.vehicle));
                let quantities = standard.quantities(quantity, &labels);
                let stream = Stream {
                    labels,
                    constants: standard.constants(model),
                    child_frame: standard.child_frame(&info.vehicle),
                    ..Stream::new(format!("{frame}/{}", standard.name), standard.kind.into())
                };
                Draft::new(stream, Source::Quantities(quantities))
            }
            (Some(constants), _) => {
                let stream = Stream {
                    constants,
                    ..Stream::new(format!("{frame}/scan"), types::LASER_SCAN.into())
                };
                let source = Source::Scan { range: quantity("range"), valid: quantity("valid") };
                Draft::new(stream, source)
            }
            (None, None) if is_cloud(info) => {
                let labels = info.columns.outputs().iter().filter(|output| is_of_points(output));
                let labels: Vec<String> = labels.map(|output| output.name.to_owned()).collect();
                let fields = labels.iter().map(|name| quantity(name)).collect();
                let valid = info.columns.place(VALID).map(|_| quantity(VALID));
                let stream = Stream {
                    labels,
                    ..Stream::new(format!("{frame}/points"), types::POINT_CLOUD.into())
                };
                Draft::new(stream, Source::Cloud { fields, valid })
            }
            (None, None) => {
                let stream = Stream::new(format!("{frame}/readings"), types::CLOCK.into());
                let message = message_name(&model.model.full_name);
                Draft::new(stream, Source::Typed { message, parts: parts(info, quantity) })
            }
        };
        draft.stream.frame = frame;
        drafts.push(Sampled { number, sensor }.complete(draft));
    }
}

/// A sensor with its number in the simulation.
struct Sampled<'w> {
    number: usize,
    sensor: &'w SensorUse,
}

impl Sampled<'_> {
    /// Returns the draft with the occasions for samples of the sensor.
    fn complete(&self, mut draft: Draft) -> Draft {
        draft.gate = Gate::Sensor(self.number);
        draft.stream.period = Some(self.sensor.period);
        draft.stream.source = self.sensor.model.model.full_name.to_string();
        draft
    }
}

/// Returns the tags of the wheels of a vehicle, each once.
fn tags(simulation: &Simulation, vehicle: &str) -> Vec<String> {
    let mut tags = Vec::new();
    for wheel in simulation.wheels().filter(|wheel| wheel.vehicle == vehicle) {
        tags.push(unique(&tags, wheel.wheel));
    }
    tags
}

/// Returns the outputs of a sensor, each once.
fn parts(info: &SensorInfo, quantity: impl Fn(&str) -> String) -> Vec<Part> {
    let part = |name: &str| Part::Quantity { name: quantity(name), field: name.to_owned() };
    info.columns.outputs().iter().map(|output| part(output.name)).collect()
}

/// Returns the constants of a scan with this period; `None` if the sensor is not a planar laser.
fn scan(model: &ModelUse, period: f64) -> Option<Vec<(std::borrow::Cow<'static, str>, f64)>> {
    if &*model.model.full_name != LASER {
        return None;
    }
    let params = model.model.model.params().iter();
    let number = |key: &str| {
        let place = params.clone().position(|param| param.is_named(key))?;
        match model.values.get(place)? {
            ParamValue::Number(number) => Some(*number),
            _ => None,
        }
    };
    let (fov, reach) = (number("fov_degrees")?, number("max_range")?);
    let spacing = fov / (model.rays.checked_sub(1)?.max(1)) as f64;
    let constants = [
        ("angle_min", -0.5 * fov),
        ("angle_max", 0.5 * fov),
        ("angle_increment", spacing),
        ("range_min", 0.0),
        ("range_max", reach),
        ("time_increment", 0.0),
        ("scan_time", period),
    ];
    Some(constants.map(|(name, value)| (name.into(), value)).to_vec())
}
