//! Streams of sensors.

use simhost_engine::{ReadingOutput, SensorInfo, Simulation};
use simhost_streams::source::Owner;
use simhost_streams::{Stream, types};
use simhost_world::{SensorUse, World};

use super::bind::{Owners, SourcePlace};
use super::draft::{Draft, Fill, Gate};
use super::frame_names::entity;
use super::images;
use super::message_names::message_name;

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
pub(super) fn add(
    world: &World,
    simulation: &Simulation,
    owners: &Owners,
    drafts: &mut Vec<Draft>,
) {
    let all = simulation.sensors().iter().zip(uses(world)).enumerate();
    for (number, (info, (sensor, is_mounted))) in all {
        let owner = if is_mounted { entity(&info.vehicle) } else { "world" };
        let class = &*sensor.model.model.full_name;
        let place = SourcePlace {
            vehicle: &info.vehicle,
            name: format!("{}/{}", info.vehicle, info.sensor),
            values: format!("{owner}/sensor/{}/", info.sensor),
            tags: owners.tags(&info.vehicle),
            turns: owners.turns(&info.vehicle),
            model: Some(&sensor.model),
            period: sensor.period,
        };
        let own = |owner| matches!(owner, Owner::Sensor(known) if known == class);
        let mut found: Vec<Draft> = match info.images.is_empty() {
            true => owners.bind(own, &place).collect(),
            false => images::drafts(info, &place),
        };
        if found.is_empty() {
            found.push(if is_cloud(info) {
                cloud(info, &place)
            } else {
                readings(info, &place, class)
            });
        }
        drafts.extend(found.into_iter().map(|mut draft| {
            draft.gate = Gate::Sensor(number);
            draft.stream.period = Some(sensor.period);
            draft.stream.source = class.to_owned();
            draft
        }));
    }
}

/// Returns the stream of a sensor that gives points.
fn cloud(info: &SensorInfo, place: &SourcePlace<'_>) -> Draft {
    let labels = info.columns.outputs().iter().filter(|output| is_of_points(output));
    let labels: Vec<String> = labels.map(|output| output.name.to_owned()).collect();
    let has_returns = info.columns.place(VALID).is_some();
    let names = labels.iter().map(String::as_str).chain(has_returns.then_some(VALID));
    let values = names.map(|name| vec![format!("{}{name}", place.values)]).collect();
    let name = format!("{}/points", place.name);
    let frame = place.name.clone();
    let stream = Stream { labels, frame, ..Stream::new(name, types::PointCloud::TYPE.into()) };
    Draft { values, ..Draft::new(stream, Fill::Points { has_returns }) }
}

/// Returns the stream of any other sensor, whose type follows from its outputs.
fn readings(info: &SensorInfo, place: &SourcePlace<'_>, class: &str) -> Draft {
    let name = format!("{}/readings", place.name);
    let frame = place.name.clone();
    let stream = Stream { frame, ..Stream::new(name, types::Clock::TYPE.into()) };
    let outputs = info.columns.outputs().iter();
    let values = outputs
        .map(|output| (Some(format!("{}{}", place.values, output.name)), output.name.to_owned()));
    Draft::typed(stream, message_name(class), values)
}
