//! The list of the quantities of a simulation, to which each part adds its own.
//!
//! The order of quantities is that of their entities, and of the sections of each entity. It decides the order of
//! columns in files. Quantities of one section are in the order in which they are added: part by part.

mod info;
mod names;
mod source;

use std::collections::BTreeMap;

use crate::readings::Units;

use names::Names;

pub use info::{QuantityInfo, QuantityScope};
pub(crate) use source::Source;

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
        (name, units): (&str, Units),
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_order_is_that_of_entities_and_their_sections() {
        let mut keep = |name: &str| !name.ends_with("/left_out");
        let mut list = QuantityList::new(&mut keep);
        let (car, post) = (Entity::Vehicle(0), Entity::Block(0));
        list.name(car, "one");
        list.name(post, "one");
        let pose = ("pose", Units::Pose);
        list.add_host(post, pose, "place", || Source::Time);
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
        list.add_host(car, pose, "", || Source::Time);
        let names = list.finish().0.into_iter().map(|info| info.name);
        let expected = ["fleet/goal", "fleet/cost", "pose", "wheel/l/spin", "sensor/range"]
            .map(|name| format!("one/{name}"));
        assert_eq!(names.collect::<Vec<_>>(), [&expected[..], &["one#2/pose".to_owned()]].concat());
    }
}
