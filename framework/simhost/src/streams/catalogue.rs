//! The catalogue of the streams of a world.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use simhost_engine::{Quantities, QuantityInfo, Simulation};
use simhost_streams::{Count, Direction, Field, Stream, StreamType, types};
use simhost_world::{Diagnostic, World};

use super::draft::{Draft, Frame, Part, Source};
use super::output::{Item, Output, Reader};
use super::steering::Steering;
use super::transforms::{Place, Transforms};
use super::{commands, faults, frames, groups, planning, scene, sensors, vehicles};

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
    let places = Places::find(world, simulation, &drafts);
    let mut types = Types::default();
    drafts.into_iter().map(|draft| places.output(draft, &mut types)).collect()
}

/// Returns all streams, outputs first, with different topics.
fn drafts(world: &World, simulation: &Simulation) -> Vec<Draft> {
    let moving = vehicles::moving(world, simulation);
    let clock = Stream::new("clock", types::CLOCK.into());
    let mut drafts = vec![Draft::of_quantities(clock, [])];
    drafts.push(vehicles::transforms(world, simulation, &moving));
    drafts.push(scene::stream(world, &moving));
    drafts.extend(scene::maps(world));
    drafts.push(faults::stream());
    vehicles::add(simulation, &mut drafts);
    planning::add(world, simulation, &mut drafts);
    sensors::add(world, simulation, &mut drafts);
    groups::add(world, simulation, &mut drafts);
    commands::add(world, simulation, &moving, &mut drafts);
    let mut topics = HashSet::new();
    for Draft { stream, .. } in &mut drafts {
        // names that ROS does not accept can become equal
        let topic = std::mem::take(&mut stream.topic);
        let numbered = (2..).map(|number| format!("{topic}_{number}"));
        let mut all = std::iter::once(topic.clone()).chain(numbered);
        stream.topic = all.find(|topic| topics.insert(topic.clone())).unwrap_or(topic);
    }
    drafts
}

/// Checks the frames of a world and the streams that it groups, and returns the first error.
pub fn check(world: &World, simulation: &Simulation) -> Option<Diagnostic> {
    let error = frames::check(world, simulation);
    if error.is_some() || world.streams.is_empty() {
        return error;
    }
    let drafts = drafts(world, simulation);
    let others = drafts.iter().filter(|draft| !draft.is_grouped);
    let names: HashSet<&str> = others.map(|draft| draft.stream.name.as_str()).collect();
    groups::check(world, simulation, &names)
}

/// The quantities of some streams, found in one pass.
struct Places {
    quantities: Arc<Quantities>,
    /// Index of each quantity by name.
    indices: HashMap<String, usize>,
}

impl Places {
    fn find(world: &World, simulation: &Simulation, drafts: &[Draft]) -> Self {
        let names: HashMap<&str, ()> =
            drafts.iter().flat_map(|draft| draft.quantities()).map(|name| (name, ())).collect();
        if names.is_empty() {
            return Self { quantities: Arc::default(), indices: HashMap::new() };
        }
        let quantities = Quantities::new(world, simulation, |name| names.contains_key(name));
        let infos = quantities.infos().iter().enumerate();
        let indices = infos.map(|(index, info)| (info.name.clone(), index)).collect();
        Self { quantities: Arc::new(quantities), indices }
    }

    fn index(&self, name: &str) -> Option<usize> {
        self.indices.get(name).copied()
    }

    fn item(&self, name: Option<&str>) -> Item {
        let index = name.and_then(|name| self.index(name));
        index.map_or(Item::Constant(f64::NAN), Item::Quantity)
    }

    fn info(&self, name: &str) -> Option<&QuantityInfo> {
        self.index(name).map(|index| &self.quantities.infos()[index])
    }

    fn output(&self, draft: Draft, types: &mut Types) -> Output {
        let Draft { stream, gate, source, condition, .. } = draft;
        let condition = condition.and_then(|one| Some((self.index(&one.quantity)?, one.above)));
        let stream = self.stream(stream, &source, types);
        let reader = match source {
            Source::Quantities(names) => {
                Reader::Items(names.iter().map(|name| self.item(name.as_deref())).collect())
            }
            Source::Joints(names) => {
                let joints = names.len() / 3;
                let items = names.iter().map(|name| self.item(Some(name))).collect();
                Reader::Joints { items, steering: Steering::of(joints) }
            }
            Source::Typed { parts, .. } => {
                let item = |part: &Part| match part {
                    Part::Quantity { name, .. } => self.item(Some(name)),
                    Part::Field(_) => Item::Constant(f64::NAN),
                };
                Reader::Items(parts.iter().map(item).collect())
            }
            Source::Scan { range, valid } => match (self.index(&range), self.index(&valid)) {
                (Some(range), Some(valid)) => Reader::Scan { range, valid },
                _ => Reader::Items(Vec::new()),
            },
            Source::Cloud { fields, valid } => {
                let index = |name: &String| self.index(name);
                let fields = fields.iter().filter_map(index).collect();
                Reader::Cloud { fields, valid: valid.as_ref().and_then(index) }
            }
            Source::Image { form, channels } => {
                let channels = channels.iter().filter_map(|name| self.index(name)).collect();
                Reader::Image { form, channels }
            }
            Source::Transforms(frames) => {
                let frames = frames.iter().map(|frame| self.place(frame)).collect();
                Reader::Transforms(Transforms { frames })
            }
            Source::Faults => Reader::Faults,
            Source::FaultMemory(vehicle) => Reader::FaultMemory(vehicle),
            Source::Fixed { numbers, texts, bytes } => Reader::Fixed { numbers, texts, bytes },
            Source::Input => Reader::Items(Vec::new()),
        };
        Output { stream, quantities: self.quantities.clone(), reader, gate, condition }
    }

    fn place(&self, frame: &Frame) -> Place {
        let place = match frame {
            Frame::Odometry { truth, odometry } => {
                let indices = self.index(truth).zip(self.index(odometry));
                indices.map(|(truth, odometry)| Place::Odometry { truth, odometry })
            }
            Frame::Pose(name) => self.index(name).map(Place::Pose),
            Frame::Sensor(number) => Some(Place::Sensor(*number)),
            Frame::Fixed(pose) => Some(Place::Fixed(*pose)),
        };
        place.unwrap_or(Place::Unknown)
    }

    /// Completes a stream with the type that follows from its quantities.
    fn stream(&self, mut stream: Stream, source: &Source, types: &mut Types) -> Arc<Stream> {
        if let Source::Typed { message, parts } = source {
            let fields = parts.iter().map(|part| self.field(part)).collect();
            let doc = match stream.direction {
                Direction::Input => format!("Setpoints of `{}`.", stream.source),
                Direction::Output if stream.source == "host" => "Grouped quantities.".to_owned(),
                Direction::Output => format!("Outputs of `{}`.", stream.source),
            };
            stream.kind = types.claim(message, doc, fields);
        }
        Arc::new(stream)
    }

    fn field(&self, part: &Part) -> Field {
        match part {
            Part::Field(field) => field.clone(),
            Part::Quantity { name, field } => {
                let (unit, doc, count) = match self.info(name) {
                    None => ("1".to_owned(), "Is not computed.".to_owned(), Count::One),
                    Some(info) => {
                        let count = info.len.map_or(Count::One, Count::Fixed);
                        (info.units.to_string(), info.doc.clone(), count)
                    }
                };
                Field { name: field.clone().into(), unit: unit.into(), doc: doc.into(), count }
            }
        }
    }
}

/// Types that follow from quantities. Equal types are shared, and different ones have different messages.
#[derive(Default)]
struct Types(Vec<Arc<StreamType>>);

impl Types {
    /// Returns the type with these fields. Another type of this name gets a number.
    fn claim(&mut self, name: &str, doc: String, fields: Vec<Field>) -> Arc<StreamType> {
        let numbered = (2..).map(|number| format!("{name}{number}"));
        let mut names = std::iter::once(name.to_owned()).chain(numbered);
        loop {
            let name = names.next().unwrap_or_default();
            match self.0.iter().find(|known| known.name == name) {
                Some(known) if *known.fields == *fields => return known.clone(),
                Some(_) => {}
                None => {
                    let message = format!("simhost_msgs/msg/{name}").into();
                    let kind = StreamType {
                        name: name.into(),
                        message,
                        doc: doc.into(),
                        fields: fields.into(),
                    };
                    let kind = Arc::new(kind);
                    self.0.push(kind.clone());
                    return kind;
                }
            }
        }
    }
}
