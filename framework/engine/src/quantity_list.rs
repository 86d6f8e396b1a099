//! The list of the quantities of a simulation, to which each part adds its own.
//!
//! The order of quantities is that of their entities, and of the sections of each entity. It decides the order of
//! columns in files. Quantities of one section are in the order in which they are added: part by part.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use simhost_scene::Pose3;
use simhost_world::Animation;

use crate::environments::EnvironmentPlace;
use crate::fleets::FleetPlace;
use crate::physics::{Body, JointEnd};
use crate::readings::Units;
use crate::sensors::SensorPlace;
use crate::table::Read;

/// An entity that has quantities, in the order of the list: with its index in the description of the world; planes
/// are the horizontal ones before the vertical ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Entity {
    World,
    Vehicle(usize),
    Block(usize),
    Actor(usize),
    Joint(usize),
    Plane(usize),
}

impl Entity {
    /// Returns the scope of quantities of the entity itself.
    fn scope(self) -> QuantityScope {
        match self {
            Self::World => QuantityScope::World,
            Self::Vehicle(_) => QuantityScope::Vehicle,
            Self::Block(_) => QuantityScope::Block,
            Self::Actor(_) => QuantityScope::Actor,
            Self::Joint(_) => QuantityScope::Joint,
            Self::Plane(_) => QuantityScope::Plane,
        }
    }
}

/// The quantities of an entity, in their order: those of the entity itself, of its wheels, and of its sensors.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Section {
    Own,
    Wheels,
    Sensors,
}

/// Collects the quantities whose full name is accepted.
pub(crate) struct QuantityList<'k> {
    keep: &'k mut dyn FnMut(&str) -> bool,
    claimed: Names,
    names: BTreeMap<Entity, String>,
    kept: Vec<((Entity, Section), QuantityInfo, Source)>,
}

impl<'k> QuantityList<'k> {
    /// Creates an empty list of quantities whose full name `keep` accepts.
    pub fn new(keep: &'k mut dyn FnMut(&str) -> bool) -> Self {
        let (claimed, names) = (Names::default(), BTreeMap::new());
        Self { keep, claimed, names, kept: Vec::new() }
    }

    /// Names an entity before its quantities are added. Of entities with one name, later ones get a number.
    pub fn name(&mut self, entity: Entity, name: &str) {
        self.names.insert(entity, self.claimed.claim(name));
    }

    /// Returns unique names of wheels.
    pub fn wheel_names(wheels: &[String]) -> impl Iterator<Item = String> {
        let mut names = Names::default();
        wheels.iter().map(move |wheel| names.claim(wheel))
    }

    /// Adds a quantity, whose name is that after the name of its entity.
    pub fn add(
        &mut self,
        place: (Entity, Section),
        info: QuantityInfo,
        source: impl FnOnce() -> Source,
    ) {
        let name = format!("{}/{}", self.names[&place.0], info.name);
        if (self.keep)(&name) {
            let doc = sentence(&info.doc);
            self.kept.push((place, QuantityInfo { name, doc, ..info }, source()));
        }
    }

    /// Adds a quantity of an entity itself that the host computes.
    pub fn add_host(
        &mut self,
        entity: Entity,
        name: &str,
        units: Units,
        doc: &str,
        source: impl FnOnce() -> Source,
    ) {
        let len = match units {
            Units::All(_) => None,
            Units::Pose => Some(6),
            Units::Twist => Some(3),
        };
        let (name, doc, scope) = (name.to_owned(), doc.to_owned(), entity.scope());
        let info = QuantityInfo { name, units, len, scope, source: "host".to_owned(), doc };
        self.add((entity, Section::Own), info, source);
    }

    /// Returns the quantities in their order, and the places of their values.
    pub fn finish(mut self) -> (Vec<QuantityInfo>, Vec<Source>) {
        // stable, so that the quantities of a section stay in the order of the parts
        self.kept.sort_by_key(|(place, ..)| *place);
        self.kept.into_iter().map(|(_, info, source)| (info, source)).unzip()
    }
}

/// Returns the description of a port as a sentence.
fn sentence(doc: &str) -> String {
    let mut rest = doc.trim().chars();
    let Some(first) = rest.next() else { return String::new() };
    let text: String = first.to_uppercase().chain(rest).collect();
    if text.ends_with(['.', '!', '?']) { text } else { text + "." }
}

/// Names that have been claimed.
#[derive(Default)]
struct Names(HashMap<String, usize>);

impl Names {
    /// Returns the name, with a number if it has been claimed before: `crate`, `crate#2` and so on.
    pub fn claim(&mut self, name: &str) -> String {
        let mut claimed = name.to_owned();
        while let Some(count) = self.0.get_mut(name) {
            *count += 1;
            claimed = format!("{name}#{count}");
            if !self.0.contains_key(&claimed) {
                break;
            }
        }
        self.0.insert(claimed.clone(), 1);
        claimed
    }
}

/// Place from which the values of a quantity are read.
pub(crate) enum Source {
    /// Simulated time.
    Time,
    /// Values that do not change.
    Constant(Vec<f64>),
    /// A quantity of a vehicle or of a wheel: the number of the field in those of the table, and the way to read it.
    Table { table: usize, lane: usize, wheel: usize, field: usize, read: Read },
    /// A quantity of a sensor.
    Sensor(SensorPlace),
    /// Gravity of the last step.
    Gravity,
    /// A quantity of an environment.
    Environment(EnvironmentPlace),
    /// A quantity of a fleet.
    Fleet(FleetPlace),
    /// Pose of a body.
    BodyPose(Body),
    /// Twist of a body.
    BodyTwist(Body),
    /// Pose of something that moves by plan.
    Animated { pose: Pose3, animation: Option<Arc<Animation>> },
    /// Distance between the anchors of a joint.
    Distance([JointEnd; 2], [[f64; 2]; 2]),
    /// Yaw of the second body of a joint relative to the first.
    Angle([JointEnd; 2]),
}

/// A quantity of a simulation.
#[derive(Clone, Debug, PartialEq)]
pub struct QuantityInfo {
    /// Full name, unique within a simulation.
    pub name: String,
    /// Units of its values.
    pub units: Units,
    /// Number of its values; `None` for one that is not an array.
    pub len: Option<usize>,
    /// The kind of thing of which each has one.
    pub scope: QuantityScope,
    /// Full name of the class that computes it, or `host`.
    pub source: String,
    /// Meaning, sign convention and frame.
    pub doc: String,
}

impl QuantityInfo {
    /// Returns the number of its values.
    pub fn count(&self) -> usize {
        self.len.unwrap_or(1)
    }

    /// Returns the name of one of its values: `name`, or `name[index]` of an array.
    pub fn name_of(&self, index: usize) -> String {
        match self.len {
            Some(_) => format!("{}[{index}]", self.name),
            None => self.name.clone(),
        }
    }
}

/// The kind of thing of which each has one quantity.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum QuantityScope {
    /// The world.
    World,
    /// Each vehicle.
    Vehicle,
    /// Each wheel.
    Wheel,
    /// Each sensor.
    Sensor,
    /// Each ray of a sensor.
    Ray,
    /// Each block.
    Block,
    /// Each actor.
    Actor,
    /// Each joint.
    Joint,
    /// Each horizontal plane and each wall with openings.
    Plane,
}

impl QuantityScope {
    /// Returns the name of the scope, such as `wheel`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::World => "world",
            Self::Vehicle => "vehicle",
            Self::Wheel => "wheel",
            Self::Sensor => "sensor",
            Self::Ray => "ray",
            Self::Block => "block",
            Self::Actor => "actor",
            Self::Joint => "joint",
            Self::Plane => "plane",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Names, *};

    #[test]
    fn the_order_is_that_of_entities_and_their_sections() {
        let mut keep = |name: &str| !name.ends_with("/left_out");
        let mut list = QuantityList::new(&mut keep);
        let (car, post) = (Entity::Vehicle(0), Entity::Block(0));
        list.name(car, "one");
        list.name(post, "one");
        let pose = ("pose", Units::Pose);
        list.add_host(post, pose.0, pose.1, "place", || Source::Time);
        for (name, section) in [
            ("sensor/range", Section::Sensors),
            ("wheel/l/spin", Section::Wheels),
            ("left_out", Section::Own),
            ("fleet/goal", Section::Own),
            ("fleet/cost", Section::Own),
        ] {
            let info = QuantityInfo {
                name: name.to_owned(),
                units: Units::All("1"),
                len: None,
                scope: QuantityScope::Vehicle,
                source: String::new(),
                doc: String::new(),
            };
            list.add((car, section), info, || Source::Time);
        }
        list.add_host(car, pose.0, pose.1, "", || Source::Time);
        let names = list.finish().0.into_iter().map(|info| info.name);
        let expected = ["fleet/goal", "fleet/cost", "pose", "wheel/l/spin", "sensor/range"]
            .map(|name| format!("one/{name}"));
        assert_eq!(names.collect::<Vec<_>>(), [&expected[..], &["one#2/pose".to_owned()]].concat());
    }

    #[test]
    fn names_that_occur_again_get_a_number() {
        let mut names = Names::default();
        let claimed = ["a", "a#2", "b", "a", "a", "b"].map(|name| names.claim(name));
        assert_eq!(claimed, ["a", "a#2", "b", "a#3", "a#4", "b#2"]);
    }
}
