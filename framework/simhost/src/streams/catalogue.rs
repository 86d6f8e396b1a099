//! The catalogue of the streams of a world.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use simhost_engine::{Pattern, Patterns, Quantities, SensorInfo, Simulation};
use simhost_streams::ros::frame_id;
use simhost_streams::{Count, Direction, Field, Stream, StreamType, types};
use simhost_world::{Diagnostic, StreamUse, World};

use super::bind::{MAP, Owners, base_link, odom, unused, wheel_frame};
use super::draft::{Draft, FieldName, Fill};
use super::output::Output;
use super::robots::Robots;
use super::vehicles::{moving, uses};
use super::{commands, message_name, output, scene, vehicles};

/// Returns the output streams of a world whose name `keep` accepts.
pub fn outputs(world: &World, simulation: &Simulation, keep: impl Fn(&str) -> bool) -> Vec<Output> {
    let is_kept = |draft: &Draft| !draft.stream.is_input() && keep(&draft.stream.name);
    finished(world, simulation, is_kept)
}

/// Returns the input streams of a world.
pub fn inputs(world: &World, simulation: &Simulation) -> Vec<Arc<Stream>> {
    let inputs = finished(world, simulation, |draft| draft.stream.is_input());
    inputs.into_iter().map(|input| input.stream).collect()
}

/// Returns all streams of a world, outputs first. `world` is the description from which `simulation` was
/// built.
pub fn streams(world: &World, simulation: &Simulation) -> Vec<Arc<Stream>> {
    finished(world, simulation, |_| true).into_iter().map(|output| output.stream).collect()
}

fn finished(world: &World, simulation: &Simulation, keep: impl Fn(&Draft) -> bool) -> Vec<Output> {
    let mut drafts = drafts(world, simulation);
    drafts.retain(keep);
    let found = Found::find(world, simulation, &drafts);
    let mut types = Types::default();
    drafts.into_iter().map(|draft| found.output(draft, &mut types)).collect()
}

/// Returns all streams, outputs first, with different topics.
fn drafts(world: &World, simulation: &Simulation) -> Vec<Draft> {
    let moving = vehicles::moving(world, simulation);
    let clock = Stream::new("clock", types::Clock::TYPE.into());
    let owners = Owners::new(world, simulation);
    let mut drafts = vec![Draft::of_values(clock, [])];
    let robots = Robots::new(world, simulation);
    drafts.extend(vehicles::transforms(world, simulation, &owners, &robots, &moving));
    drafts.push(scene::stream(world, &moving));
    drafts.extend(scene::maps(world));
    drafts.push(output::stream());
    owners.add_vehicles(world, simulation, &mut drafts);
    drafts.extend(robots.descriptions());
    vehicles::add_sensors(world, simulation, &owners, &mut drafts);
    add_groups(world, simulation, &mut drafts);
    commands::add(world, simulation, &moving, &mut drafts);
    robots.rename(&mut drafts);
    let mut topics = HashSet::new();
    for Draft { stream, .. } in &mut drafts {
        // names that ROS does not accept can become equal
        let topic = std::mem::take(&mut stream.topic);
        stream.topic = unused(&topic, "_", |topic| topics.insert(topic.to_owned()));
    }
    distinguish(drafts.iter_mut().map(|draft| &mut draft.stream));
    drafts
}

/// Checks the frames of a world and the streams that it groups, and returns the first error.
pub fn check(world: &World, simulation: &Simulation) -> Option<Diagnostic> {
    let error = check_frames(world, simulation);
    if error.is_some() || world.streams.is_empty() {
        return error;
    }
    let drafts = drafts(world, simulation);
    let others = drafts.iter().filter(|draft| !draft.is_grouped);
    let names: HashSet<&str> = others.map(|draft| draft.stream.name.as_str()).collect();
    check_groups(world, simulation, &names)
}

/// The quantities of some streams, found in one pass.
struct Found {
    quantities: Arc<Quantities>,
    /// Index of each quantity by name.
    indices: HashMap<String, usize>,
}

impl Found {
    fn find(world: &World, simulation: &Simulation, drafts: &[Draft]) -> Self {
        let names: HashSet<&str> = drafts.iter().flat_map(Draft::quantities).collect();
        if names.is_empty() {
            return Self { quantities: Arc::default(), indices: HashMap::new() };
        }
        let quantities = Quantities::new(world, simulation, |name| names.contains(name));
        let infos = quantities.infos().iter().enumerate();
        let indices = infos.map(|(index, info)| (info.name.clone(), index)).collect();
        Self { quantities: Arc::new(quantities), indices }
    }

    fn output(&self, draft: Draft, types: &mut Types) -> Output {
        let Draft { mut stream, gate, fill, values, condition, message, .. } = draft;
        let index = |name: &String| self.indices.get(name).copied();
        let values: Vec<Option<usize>> =
            values.iter().map(|names| names.iter().find_map(index)).collect();
        if let Some((message, fields)) = message {
            let named = fields.into_iter().zip(&values);
            let fields = named.map(|(name, value)| self.field(name, *value)).collect();
            let doc = match stream.direction {
                Direction::Input => format!("Setpoints of `{}`.", stream.source),
                Direction::Output if stream.source == "host" => "Grouped quantities.".to_owned(),
                Direction::Output => format!("Outputs of `{}`.", stream.source),
            };
            stream.kind = types.claim(&message, doc, fields);
        }
        let fill = match fill {
            Fill::Transforms(transforms) => Fill::Transforms(transforms.found(&values)),
            other => other,
        };
        let condition = condition.and_then(|(quantity, above)| Some((index(&quantity)?, above)));
        let (stream, quantities) = (Arc::new(stream), self.quantities.clone());
        Output { stream, quantities, values, fill, gate, condition }
    }

    fn field(&self, name: FieldName, value: Option<usize>) -> Field {
        let name = match name {
            FieldName::Other(field) => return field,
            FieldName::Quantity(name) => name,
        };
        let (unit, doc, count) = match value.map(|index| &self.quantities.infos()[index]) {
            None => ("1".to_owned(), "Is not computed.".to_owned(), Count::One),
            Some(info) => {
                let count = info.len.map_or(Count::One, Count::Fixed);
                (info.units.to_string(), info.doc.clone(), count)
            }
        };
        Field { name: name.into(), unit: unit.into(), doc: doc.into(), count }
    }
}

/// Types that follow from quantities. Equal types are shared, and different ones have different messages.
#[derive(Default)]
struct Types(HashMap<String, Arc<StreamType>>);

impl Types {
    /// Returns the type with these fields. Another type of this name gets a number.
    fn claim(&mut self, name: &str, doc: String, fields: Vec<Field>) -> Arc<StreamType> {
        let numbered = (2..).map(|number| format!("{name}{number}"));
        let mut names = std::iter::once(name.to_owned()).chain(numbered);
        loop {
            let name = names.next().unwrap_or_default();
            match self.0.get(&name) {
                Some(known) if *known.fields == *fields => return known.clone(),
                Some(_) => {}
                None => {
                    let message = format!("simhost_msgs/msg/{name}");
                    let kind = Arc::new(StreamType::new(name.clone(), message, doc, fields));
                    self.0.insert(name, kind.clone());
                    return kind;
                }
            }
        }
    }
}

/// Adds the streams of `<stream>` elements. Quantities are in the order of `simhost quantities`.
fn add_groups(world: &World, simulation: &Simulation, drafts: &mut Vec<Draft>) {
    let groups: Vec<(&StreamUse, Patterns)> =
        world.streams.iter().map(|group| (group, patterns(group))).collect();
    if groups.is_empty() {
        return;
    }
    // in one pass, because there can be as many groups as vehicles
    let is_selected = |name: &str| groups.iter().any(|(_, patterns)| patterns.select(name));
    let quantities = Quantities::new(world, simulation, is_selected);
    for (group, patterns) in groups {
        let names = quantities.infos().iter().map(|info| &info.name);
        let names = names.filter(|name| patterns.select(name));
        let values = names.map(|name| (Some(name.clone()), name.clone()));
        // the type follows from the quantities
        let stream = Stream {
            period: group.period,
            ..Stream::new(group.name.clone(), types::Clock::TYPE.into())
        };
        let message = message_name(&group.name.replace('/', "_"));
        drafts.push(Draft { is_grouped: true, ..Draft::typed(stream, message, values) });
    }
}

/// Checks names and patterns, and returns the first error. `names` are the names of all other
/// streams.
fn check_groups(
    world: &World,
    simulation: &Simulation,
    names: &HashSet<&str>,
) -> Option<Diagnostic> {
    let taken = world.streams.iter().find(|group| names.contains(group.name.as_str()));
    if let Some(group) = taken {
        let message = format!("the world already has a stream `{}`", group.name);
        let help = "choose another name; `simhost streams WORLD` lists all streams";
        return Some(Diagnostic::error(message).at(group.span).label("already in use").help(help));
    }
    let mut known = Vec::new();
    Quantities::new(world, simulation, |name| {
        known.push(name.to_owned());
        false
    });
    let is_used = |pattern: &Pattern| known.iter().any(|name| pattern.matches(name));
    world.streams.iter().find_map(|group| {
        let patterns = patterns(group);
        if patterns.list().iter().all(is_used) {
            return None;
        }
        let error = Quantities::select(world, simulation, &patterns).err()?;
        let label = match &error.nearest {
            Some(nearest) => format!("did you mean `{nearest}`?"),
            None => String::new(),
        };
        let span = group.quantities.get(error.index).map_or(group.span, |one| one.span);
        let error = Diagnostic::error(format!("no quantity matches `{}`", error.pattern));
        let help = "`simhost quantities WORLD` lists all quantities";
        Some(error.at(span).label(label).help(help))
    })
}

fn patterns(group: &StreamUse) -> Patterns {
    Patterns::new(group.quantities.iter().map(|one| one.pattern.as_str()))
}

/// Frames of everything that can move but vehicles start with these names.
const KINDS: [&str; 3] = ["block", "actor", "plane"];

/// Owner of a frame, as messages show it.
enum FrameOwner<'s> {
    World,
    Odometry(&'s str),
    Vehicle(&'s str),
    Wheel(&'s str, &'s str),
    Moving(String),
    Sensor(&'s SensorInfo),
}

impl std::fmt::Display for FrameOwner<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::World => write!(f, "the world"),
            Self::Odometry(vehicle) => write!(f, "the odometry of vehicle '{vehicle}'"),
            Self::Vehicle(vehicle) => write!(f, "vehicle '{vehicle}'"),
            Self::Wheel(wheel, vehicle) => write!(f, "wheel '{wheel}' of '{vehicle}'"),
            Self::Moving(frame) => write!(f, "'{frame}'"),
            Self::Sensor(info) => write!(f, "sensor '{}' of '{}'", info.sensor, info.vehicle),
        }
    }
}

/// Checks that no two frames have the same name, and returns the first error.
fn check_frames(world: &World, simulation: &Simulation) -> Option<Diagnostic> {
    let like_kind = world.vehicles.iter().find(|vehicle| KINDS.contains(&vehicle.name.as_str()));
    if like_kind.is_none() && simulation.sensors().is_empty() {
        // the frames of vehicles differ as their names do
        return None;
    }
    let mut owners = owners(simulation);
    if let Some(vehicle) = like_kind {
        for frame in moving(world, simulation).into_iter().map(|one| one.frame) {
            if let Some(other) = owners.insert(frame.clone(), FrameOwner::Moving(frame.clone())) {
                let message =
                    format!("the frame `{frame}` of a moving body is already used by {other}");
                let error = Diagnostic::error(message).at(vehicle.span);
                let help = "rename this vehicle, or the block, actor or plane";
                return Some(error.label("frame names must be unique").help(help));
            }
        }
    }
    simulation.sensors().iter().zip(uses(world)).find_map(|(info, (sensor, _))| {
        let own = format!("{}/{}", info.vehicle, info.sensor);
        let images: Vec<_> =
            info.images.iter().map(|image| vehicles::frame(&own, &image.name)).collect();
        std::iter::once(own).chain(images).find_map(|frame| {
            let other = owners.insert(frame.clone(), FrameOwner::Sensor(info))?;
            let message = format!(
                "the frame `{frame}` of sensor '{}' is already used by {other}",
                info.sensor
            );
            let help = format!("choose another name, such as `{}_sensor`", info.sensor);
            let error = Diagnostic::error(message).at(sensor.model.span);
            Some(error.label("frame names must be unique").help(help))
        })
    })
}

/// Returns the frames of the world, and of vehicles and their wheels.
fn owners(simulation: &Simulation) -> HashMap<String, FrameOwner<'_>> {
    let mut owners = HashMap::from([(MAP.to_owned(), FrameOwner::World)]);
    for vehicle in simulation.vehicle_names().iter() {
        owners.insert(odom(vehicle), FrameOwner::Odometry(vehicle));
        owners.insert(base_link(vehicle), FrameOwner::Vehicle(vehicle));
    }
    for wheel in simulation.wheels() {
        let owner = FrameOwner::Wheel(wheel.wheel, wheel.vehicle);
        owners.insert(wheel_frame(wheel.vehicle, wheel.wheel), owner);
    }
    owners
}

/// Gives frames whose names become equal in messages different ones: the first part of the later
/// name, which names a vehicle, ends with `_2`, or else its end. All streams then use the new name.
fn distinguish<'s>(streams: impl Iterator<Item = &'s mut Stream>) {
    let mut names = FrameNames::default();
    for stream in streams {
        let has_children = stream.kind.name == types::Transforms::TYPE.name
            || stream.labels.first() == Some(&stream.child_frame) && !stream.child_frame.is_empty();
        let children = has_children.then_some(&mut stream.labels);
        let lists = children.into_iter().chain([&mut stream.label_frames]).flatten();
        for frame in [&mut stream.frame, &mut stream.child_frame].into_iter().chain(lists) {
            if let Some(other) = names.claim(frame) {
                *frame = other;
            }
        }
    }
}

/// Frames and their names in messages.
#[derive(Default)]
struct FrameNames {
    /// Names in messages by first part, and by whole name.
    ids: [HashMap<String, String>; 2],
    used: [HashSet<String>; 2],
}

impl FrameNames {
    /// Returns another name for a frame whose name in messages is already in use.
    fn claim(&mut self, frame: &str) -> Option<String> {
        if !self.ids[1].contains_key(frame) {
            let first = frame.split('/').next().unwrap_or(frame);
            let own = self.id(0, first, frame_id(first).into_owned());
            let rest = frame.strip_prefix(first).unwrap_or_default();
            self.id(1, frame, frame_id(&format!("{own}{rest}")).into_owned());
        }
        let id = &self.ids[1][frame];
        (*id != frame_id(frame)).then(|| id.clone())
    }

    /// Returns the name in messages of a first part or of a whole name, which is `wanted` if that is free.
    fn id(&mut self, kind: usize, name: &str, wanted: String) -> String {
        if let Some(known) = self.ids[kind].get(name) {
            return known.clone();
        }
        let id = unused(&wanted, "_", |id| self.used[kind].insert(id.to_owned()));
        self.ids[kind].insert(name.to_owned(), id.clone());
        id
    }
}

#[cfg(test)]
mod tests {
    use super::FrameNames;

    #[test]
    fn equal_names_in_messages_are_told_apart() {
        let mut names = FrameNames::default();
        let mut claim = |frame: &str| names.claim(frame);
        assert_eq!(claim("map"), None);
        assert_eq!(claim("robot-1/base_link"), None);
        assert_eq!(claim("robot_1/base_link").as_deref(), Some("robot_1_2/base_link"));
        assert_eq!(claim("robot_1/odom").as_deref(), Some("robot_1_2/odom"));
        assert_eq!(claim("robot_1/base-link").as_deref(), Some("robot_1_2/base_link_2"));
        assert_eq!(claim("robot_1/base_link").as_deref(), Some("robot_1_2/base_link"));
        assert_eq!(claim("Äpfel/odom"), None);
        assert_eq!(claim("Öpfel/odom").as_deref(), Some("_pfel_2/odom"));
        assert_eq!(claim("block/crate"), None);
        assert_eq!(claim("block/base_link"), None);
    }
}
