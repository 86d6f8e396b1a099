//! The quantities of a simulation, by name: `ENTITY[/ROLE[/NAME]]/QUANTITY`.
//!
//! The entity is a vehicle, a block, an actor, a joint, a plane, or `world` for what belongs to none
//! of them. A quantity of the entity itself, such as its pose, has no role. Every quantity of a wheel
//! stands under `wheel/NAME`, whichever model computes it; the other roles are `dynamics`,
//! `controller`, `sensor`, `environment` and `fleet`.

mod collection;
mod names;
mod preset;
mod selection;
mod source;

use simhost_world::World;

use crate::readings::Units;
use crate::simulation::Simulation;

pub use preset::{Preset, PresetRow};
pub use selection::UnknownQuantity;
pub use simhost_model::{Pattern, Patterns};

use collection::Collection;
use source::Source;

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

/// Some quantities of a simulation, and the places of their values. By default there are none.
#[derive(Default)]
pub struct Quantities {
    infos: Vec<QuantityInfo>,
    sources: Vec<Source>,
}

impl Quantities {
    /// Returns the quantities whose full name `keep` accepts: those of the world, then those of
    /// vehicles, blocks, actors, joints and planes, each in the order of the world file. `world` is the
    /// description from which `simulation` was built.
    pub fn new(world: &World, simulation: &Simulation, keep: impl FnMut(&str) -> bool) -> Self {
        let mut collection = Collection::new(keep);
        collection.add_all(world, simulation);
        collection.quantities
    }

    /// Returns the quantities.
    pub fn infos(&self) -> &[QuantityInfo] {
        &self.infos
    }

    /// Appends the present values of all quantities in their order. A reading is NaN before the first
    /// sample of its sensor.
    pub fn read(&self, simulation: &Simulation, values: &mut Vec<f64>) {
        for source in &self.sources {
            source.read(simulation, values);
        }
    }

    /// Appends the present values of the quantity with an index in [`Self::infos`], as [`Self::read`] does.
    pub fn read_one(&self, index: usize, simulation: &Simulation, values: &mut Vec<f64>) {
        self.sources[index].read(simulation, values);
    }

    /// Returns the present values of the quantity with an index, if it is a reading of a sensor with one value
    /// per ray that has been sampled.
    pub fn column<'s>(&self, index: usize, simulation: &'s Simulation) -> Option<&'s [f64]> {
        match &self.sources[index] {
            Source::Sensor(place) => simulation.sensors.column(place),
            _ => None,
        }
    }

    /// Looks the same quantities up in another simulation of the world, whose models may have been
    /// replaced. Those that it does not have become NaN.
    pub fn rebind(&mut self, world: &World, simulation: &Simulation) {
        let numbers = self.infos.iter().enumerate();
        let numbers: std::collections::HashMap<String, usize> =
            numbers.map(|(number, info)| (info.name.clone(), number)).collect();
        let found = Self::new(world, simulation, |name| numbers.contains_key(name));
        for (info, source) in self.infos.iter().zip(&mut self.sources) {
            *source = Source::Constant(vec![f64::NAN; info.count()]);
        }
        for (info, source) in found.infos.into_iter().zip(found.sources) {
            let number = numbers[&info.name];
            if info.count() == self.infos[number].count() {
                self.sources[number] = source;
            }
        }
    }
}
