//! The catalogue of the streams of a world.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use simhost_engine::{Quantities, Simulation};
use simhost_streams::{Count, Direction, Field, Stream, StreamType, types};
use simhost_world::{Diagnostic, World};

use super::bind::Owners;
use super::draft::{Draft, FieldName, Fill};
use super::frame_names::unused;
use super::output::Output;
use super::{commands, faults, frames, groups, scene, sensors, vehicles};

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
    drafts.extend(vehicles::transforms(world, simulation, &owners, &moving));
    drafts.push(scene::stream(world, &moving));
    drafts.extend(scene::maps(world));
    drafts.push(faults::stream());
    owners.add_vehicles(world, simulation, &mut drafts);
    sensors::add(world, simulation, &owners, &mut drafts);
    groups::add(world, simulation, &mut drafts);
    commands::add(world, simulation, &moving, &mut drafts);
    let mut topics = HashSet::new();
    for Draft { stream, .. } in &mut drafts {
        // names that ROS does not accept can become equal
        let topic = std::mem::take(&mut stream.topic);
        stream.topic = unused(&topic, "_", |topic| topics.insert(topic.to_owned()));
    }
    frames::distinguish(drafts.iter_mut().map(|draft| &mut draft.stream));
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
