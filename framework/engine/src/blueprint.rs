//! The blueprint: properties of a simulation that the description of the world determines.
//!
//! A simulation has two halves. The [`Blueprint`] is built once, never changes, and is shared by all simulations that are
//! copies of one another: forks, members of a batch, and runs that start again. The [`State`](crate::state::State) holds
//! everything that a step changes.

use std::ops::Deref;
use std::sync::{Arc, OnceLock};

use simhost_world::FaultPolicy;

use crate::model::ModelStamp;
use crate::physics::{Body, Overlaps};

/// Properties of a simulation that no step changes.
///
/// Tables, bodies, sensors, fleets and faults of robots share their own constants in the same way: each has them in an
/// `Arc` that its copies share.
pub(crate) struct Blueprint {
    /// Names of the vehicles, in the order of the world file.
    pub names: Arc<NameIndex>,
    /// Table and lane of every vehicle, in the order of the world file.
    pub places: Vec<(usize, usize)>,
    /// Blocks and actors that can move.
    pub movers: Vec<Mover>,
    /// Their names: `block/NAME` and `actor/NAME`.
    pub mover_names: NameIndex,
    /// Pairs of objects that overlap before the first step.
    pub overlaps: Overlaps,
    /// Whether the properties of regions are those at height 0, not at the height of the wheel.
    pub regions_at_zero: bool,
    /// Whether initial velocities are those of the centres of mass in the world frame.
    pub velocities_in_world: bool,
    /// Number of substeps of a step, in each of which wheels and bodies move.
    pub substeps: u32,
    /// Action after the fault of a model.
    pub policy: FaultPolicy,
    /// Fingerprint of the world.
    pub world: u128,
    /// The models, for snapshots.
    pub models: Arc<[ModelStamp]>,
}

/// A block or an actor that can move.
pub(crate) struct Mover {
    /// Its body.
    pub body: Body,
    /// Index of the block in the world file; `None` for an actor.
    pub block: Option<usize>,
}

impl Blueprint {
    /// Returns the block with a number if it can move. Blocks are indexed as in the world file.
    pub fn mover_of_block(&self, number: usize) -> Option<&Mover> {
        // blocks come first, in the order of their numbers
        let blocks = self.movers.partition_point(|mover| mover.block.is_some());
        let blocks = &self.movers[..blocks];
        let at = blocks.binary_search_by_key(&Some(number), |mover| mover.block).ok()?;
        Some(&blocks[at])
    }

    /// Returns table and lane of a vehicle by its name.
    pub fn place_of(&self, vehicle: &str) -> Option<(usize, usize)> {
        self.names.number(vehicle).map(|number| self.places[number])
    }
}

/// Names in a given order, and a search for the number of a name that takes no time until it is used.
#[derive(Debug, Default)]
pub struct NameIndex {
    names: Arc<[String]>,
    /// Numbers of the names in alphabetical order.
    sorted: OnceLock<Vec<u32>>,
}

impl NameIndex {
    /// Returns all names in their order.
    pub(crate) fn all(&self) -> &Arc<[String]> {
        &self.names
    }

    /// Returns the number of a name: the first one if several names are equal.
    pub fn number(&self, name: &str) -> Option<usize> {
        let at = |number: &u32| self.names[*number as usize].as_str();
        let sorted = self.sorted.get_or_init(|| {
            let mut numbers: Vec<u32> = (0..self.names.len() as u32).collect();
            // stable, so that the first one of equal names comes first
            numbers.sort_by_key(at);
            numbers
        });
        let found = *sorted.get(sorted.partition_point(|number| at(number) < name))?;
        (at(&found) == name).then_some(found as usize)
    }
}

impl FromIterator<String> for NameIndex {
    fn from_iter<I: IntoIterator<Item = String>>(names: I) -> Self {
        Self { names: names.into_iter().collect(), sorted: OnceLock::new() }
    }
}

impl Deref for NameIndex {
    type Target = [String];

    fn deref(&self) -> &[String] {
        &self.names
    }
}

#[cfg(test)]
mod tests {
    use super::NameIndex;

    #[test]
    fn names_are_found_wherever_they_stand() {
        let names: NameIndex = ["b", "a", "", "b", "ä"].map(str::to_owned).into_iter().collect();
        let number = |name: &str| names.number(name);
        assert_eq!(["a", "b", "", "ä"].map(number), [Some(1), Some(0), Some(2), Some(4)]);
        assert_eq!(["c", "aa", "z", "ö"].map(number), [None; 4]);
        assert_eq!(NameIndex::default().number(""), None);
    }
}
