//! Vehicles and their frames.

use std::collections::BTreeSet;

use simhost_engine::{Quantities, QuantityScope, ReadingOutput, SensorInfo, Simulation};
use simhost_model::ParamValue;
use simhost_streams::image::ImageForm;
use simhost_streams::source::{Owner, REPORTS};
use simhost_streams::{Stream, Trigger, types};
use simhost_world::{LinkMotion, SensorUse, World};

use super::bind::{MAP, Owners, SourcePlace, base_link, entity, odom, wheel_frame};
use super::draft::{Draft, Fill, Fixed, Gate};
use super::message_name;
use super::robots::{Mounted, Robots};
use super::transforms::{Place, Transforms};
use crate::images::image_forms;

/// Returns the streams of transforms: `map` → `VEH/odom` → `VEH/base_link` → wheels, and everything else that
/// moves; and `VEH/base_link` → sensors and links of robots.
pub(super) fn transforms(
    world: &World,
    simulation: &Simulation,
    owners: &Owners,
    robots: &Robots<'_>,
    moving: &[Moving],
) -> Vec<Draft> {
    let (mut tree, mut mounted) = (Tree::default(), Tree::default());
    let base = |vehicle: &str| robots.name(base_link(vehicle));
    let mut wheels = simulation.wheels().peekable();
    let mut described = world.vehicles.iter();
    for vehicle in simulation.vehicle_names().iter() {
        let entity = entity(vehicle);
        let [truth, odometry] =
            ["pose", "odometry_pose"].map(|name| tree.value(format!("{entity}/{name}")));
        let described = described.next();
        let (origin, own) = match described.is_some_and(|one| one.has_true_odometry_frame) {
            true => (Place::Fixed([0.0; 6]), truth),
            false => (Place::Odometry { truth, odometry }, odometry),
        };
        tree.add(MAP.to_owned(), odom(vehicle), origin);
        tree.add(odom(vehicle), base(vehicle), Place::Pose(own));
        let mut links = robots.links(vehicle);
        let forms = described.map_or(&[][..], |vehicle| &vehicle.wheels);
        for (tag, form) in owners.tags(vehicle).iter().zip(forms) {
            let Some(wheel) = wheels.next_if(|wheel| wheel.vehicle == vehicle) else { break };
            let [x, y] = wheel.position;
            let at = [x, y, 0.5 * form.diameter, form.yaw];
            let [steer, angle] =
                ["steer", "angle"].map(|name| tree.value(format!("{entity}/wheel/{tag}/{name}")));
            let frame = wheel_frame(vehicle, tag);
            tree.add(base(vehicle), frame.clone(), Place::Wheel { at, steer, angle: Some(angle) });
            let knuckle = format!("{frame}/steering");
            let is_own =
                |link: &Mounted| link.wheel.as_ref().is_some_and(|(name, _)| *name == form.tag);
            let is_steered = |link: &Mounted| matches!(link.wheel, Some((_, LinkMotion::Steer)));
            let own: Vec<Mounted> = links.extract_if(.., |link| is_own(link)).collect();
            if own.iter().any(is_steered) {
                tree.add(base(vehicle), knuckle.clone(), Place::Wheel { at, steer, angle: None });
            }
            for link in own {
                let parent = if is_steered(&link) { &knuckle } else { &frame };
                mounted.add(parent.clone(), link.frame, Place::Fixed(link.pose));
            }
        }
        for link in links {
            mounted.add(base(vehicle), link.frame, Place::Fixed(link.pose));
        }
    }
    for (number, sensor) in simulation.sensors().iter().enumerate() {
        let parent = match is_mounted(world, simulation, number) {
            true => base(&sensor.vehicle),
            false => MAP.to_owned(),
        };
        let child = robots.name(format!("{}/{}", sensor.vehicle, sensor.sensor));
        for image in sensor.images.iter() {
            let frame = frame(&child, &image.name);
            mounted.add(parent.clone(), frame, Place::Fixed(image.pose));
        }
        mounted.add(parent, child, Place::Sensor(number));
    }
    for frame in origins(world) {
        mounted.add(MAP.to_owned(), frame.to_owned(), Place::Fixed([0.0; 6]));
    }
    for Moving { frame, quantity } in moving {
        let pose = tree.value(quantity.clone());
        tree.add(MAP.to_owned(), frame.clone(), Place::Pose(pose));
    }
    let mut drafts = vec![tree.draft("tf")];
    if !mounted.children.is_empty() {
        let mut draft = mounted.draft("tf_static");
        draft.stream.trigger = Trigger::Start;
        drafts.push(Draft { gate: Gate::Static { passed: None }, ..draft });
    }
    drafts
}

/// Returns the frames, except the frame of the world, in which sensors of planning models report
/// poses in the world. They coincide with the world.
fn origins(world: &World) -> BTreeSet<&str> {
    let sensors = world.vehicles.iter().flat_map(|vehicle| vehicle.sensors.iter());
    let reports = sensors.filter(|sensor| *sensor.model.model.full_name == *REPORTS);
    let origins = reports.filter_map(|sensor| match sensor.model.value("origin_frame_id")? {
        ParamValue::Text(frame) => Some(frame.as_str()),
        _ => None,
    });
    origins.filter(|frame| *frame != MAP).collect()
}

#[derive(Default)]
struct Tree {
    parents: Vec<String>,
    children: Vec<String>,
    frames: Vec<Place>,
    /// Names of the quantities.
    values: Vec<Vec<String>>,
}

impl Tree {
    /// Adds a quantity, and returns its index.
    fn value(&mut self, name: String) -> usize {
        self.values.push(vec![name]);
        self.values.len() - 1
    }

    fn draft(self, name: &str) -> Draft {
        let Self { parents, children, frames, values } = self;
        let stream = Stream {
            labels: children,
            label_frames: parents,
            ..Stream::new(name, types::Transforms::TYPE.into())
        };
        Draft { values, ..Draft::new(stream, Fill::Transforms(Transforms { frames })) }
    }

    fn add(&mut self, parent: String, child: String, frame: Place) {
        self.parents.push(parent);
        self.children.push(child);
        self.frames.push(frame);
    }
}

/// A block, actor or plane that can move.
pub(super) struct Moving {
    /// Its frame, such as `block/crate`.
    pub frame: String,
    /// Name of the quantity that is its pose.
    pub quantity: String,
}

/// Returns the blocks, actors and planes that can move: blocks first, then actors and planes, each in the
/// order of the world file.
pub(super) fn moving(world: &World, simulation: &Simulation) -> Vec<Moving> {
    let is_moved = |block: &simhost_world::Block| !block.is_static || block.animation.is_some();
    let blocks = world.blocks.iter().map(|block| ("block", is_moved(block)));
    let actors = world.actors.iter().map(|_| ("actor", true));
    let horizontal = world.horizontal_planes.iter().map(|plane| plane.animation.is_some());
    let vertical = world.vertical_planes.iter().map(|plane| plane.animation.is_some());
    let planes = horizontal.chain(vertical).map(|is_moved| ("plane", is_moved));
    let all: Vec<(&str, bool)> = blocks.chain(actors).chain(planes).collect();
    if all.iter().all(|(_, is_moved)| !is_moved) {
        return Vec::new();
    }
    let is_pose = |name: &str| name.ends_with("/pose");
    let quantities = Quantities::new(world, simulation, is_pose);
    let scopes = [QuantityScope::Block, QuantityScope::Actor, QuantityScope::Plane];
    let infos = quantities.infos().iter().filter(|info| scopes.contains(&info.scope));
    let moved = all.iter().zip(infos).filter(|((_, is_moved), _)| *is_moved);
    moved
        .map(|((kind, _), info)| {
            let name = info.name.strip_suffix("/pose").unwrap_or(&info.name);
            Moving { frame: format!("{kind}/{name}"), quantity: info.name.clone() }
        })
        .collect()
}

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
fn is_mounted(world: &World, simulation: &Simulation, number: usize) -> bool {
    let standing = world.sensors.iter().filter(|sensor| sensor.gives_readings()).count();
    number + standing < simulation.sensors().len()
}

/// Adds the streams of all sensors.
pub(super) fn add_sensors(
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
            false => image_drafts(info, &place),
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

/// Returns the optical frame of an image of a sensor with this frame.
pub(super) fn frame(sensor: &str, image: &str) -> String {
    format!("{sensor}/{image}")
}

/// Returns two streams per image of a sensor: its pixels and its calibration.
fn image_drafts(info: &SensorInfo, place: &SourcePlace<'_>) -> Vec<Draft> {
    let both = |form: ImageForm| {
        let frame = frame(&place.name, &form.name);
        let named = |name: &str, kind| {
            let name = format!("{frame}/{name}");
            Stream { frame: frame.clone(), ..Stream::new(name, kind) }
        };
        let kind = types::CameraInfo::TYPE.into();
        let calibration = Draft::fixed(named("camera_info", kind), info_of(&form));
        let channels = form.kind.channels().iter();
        let values = channels.map(|name| vec![format!("{}{name}", place.values)]).collect();
        let pixels = Draft::new(named("image", types::Image::TYPE.into()), Fill::Pixels(form));
        [Draft { values, ..pixels }, calibration]
    };
    image_forms(info).into_iter().flat_map(both).collect()
}

/// Returns the calibration of an image in the order of the fields of [`types::CameraInfo`].
fn info_of(form: &ImageForm) -> Fixed {
    let mut numbers = vec![form.height as f64, form.width as f64];
    numbers.extend(form.intrinsics());
    numbers.extend(form.rectification());
    numbers.extend(form.projection());
    let rest = form.distortion.coefficients().to_vec();
    let texts = vec![form.distortion.model().to_owned()];
    Fixed { numbers, rest, texts, bytes: Vec::new() }
}
