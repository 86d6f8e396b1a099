//! The quantities of a simulation, by name: `ENTITY[/ROLE[/NAME]]/QUANTITY`.
//!
//! The entity is a vehicle, a block, an actor, a joint, a plane, or `world` for what belongs to none
//! of them. A quantity of the entity itself, such as its pose, has no role. Every quantity of a wheel
//! stands under `wheel/NAME`, whichever model computes it; the other roles are `dynamics`,
//! `controller`, `sensor`, `environment` and `fleet`.

mod preset;
mod read;
mod selection;

use simhost_world::World;

use crate::quantity_list::{Entity, QuantityList, Source};
use crate::readings::Units;
use crate::simulation::Simulation;
use crate::table::{Read, Table};

pub use crate::quantity_list::{QuantityInfo, QuantityScope};
pub use preset::{Preset, PresetRow};
pub use selection::UnknownQuantity;
pub use simhost_model::{Pattern, Patterns};

/// Some quantities of a simulation, and the places of their values. By default there are none.
#[derive(Default)]
pub struct Quantities {
    infos: Vec<QuantityInfo>,
    sources: Vec<Source>,
}

impl Quantities {
    /// Returns the quantities whose full name `keep` accepts: those of the world, then those of
    /// vehicles, blocks, actors, joints and planes, each in the order of the world file. `world` is the
    /// description from which `simulation` was built. `keep` is called for the quantities of each part after
    /// those of another one.
    pub fn new(world: &World, simulation: &Simulation, mut keep: impl FnMut(&str) -> bool) -> Self {
        let mut list = QuantityList::new(&mut keep);
        for (entity, name) in entities(world) {
            list.name(entity, name);
        }
        list.add_host(Entity::World, ("time", Units::All("s")), "Simulated time.", || Source::Time);
        simulation.add_quantities(world, &mut list);
        let (infos, sources) = list.finish();
        Self { infos, sources }
    }

    /// Returns the quantities.
    pub fn infos(&self) -> &[QuantityInfo] {
        &self.infos
    }

    /// Appends the present values of all quantities in their order. A reading is NaN before the first
    /// sample of its sensor.
    pub fn read(&self, simulation: &Simulation, values: &mut Vec<f64>) {
        for source in &self.sources {
            read::read(source, simulation, values);
        }
    }

    /// Appends the present values of the quantity with an index in [`Self::infos`], as [`Self::read`] does.
    pub fn read_one(&self, index: usize, simulation: &Simulation, values: &mut Vec<f64>) {
        read::read(&self.sources[index], simulation, values);
    }

    /// Appends the present values for a member of an ensemble, as [`Self::read`] does. The tables have the fields
    /// `reads`, and the vehicles of the member begin at lane `slot` times their number. `simulation` has everything
    /// else of the member.
    pub(crate) fn read_member(
        &self,
        (tables, reads): (&[Table], &[Vec<Read>]),
        slot: usize,
        simulation: &Simulation,
        values: &mut Vec<f64>,
    ) {
        for index in 0..self.sources.len() {
            self.read_of_member(index, (tables, reads), slot, simulation, values);
        }
    }

    /// Appends the present values of the quantity with an index for a member, as [`Self::read_member`] does.
    #[inline]
    pub(crate) fn read_of_member(
        &self,
        index: usize,
        (tables, reads): (&[Table], &[Vec<Read>]),
        slot: usize,
        simulation: &Simulation,
        values: &mut Vec<f64>,
    ) {
        match &self.sources[index] {
            Source::Table { table, lane, wheel, field, .. } => {
                let count = simulation.tables[*table].vehicles.lanes.len();
                let read = reads[*table][*field];
                tables[*table].read_field(read, slot * count + lane, *wheel, values);
            }
            other => read::read(other, simulation, values),
        }
    }

    /// Sets the quantity with an index to a value between two steps. Returns whether it is a state of a vehicle that can
    /// be set: a state slot of a model, or the spin of a wheel.
    pub fn set_state(&self, index: usize, simulation: &mut Simulation, value: f64) -> bool {
        let Source::Table { table, lane, wheel, read: Read::Column(column), .. } =
            self.sources[index]
        else {
            return false;
        };
        simulation.tables[table].set_state(column, [lane, wheel], value)
    }

    /// Returns the place of the quantity with an index.
    pub(crate) fn source(&self, index: usize) -> &Source {
        &self.sources[index]
    }

    /// Returns whether all values are in tables of vehicles, are of sensors, or never change.
    pub(crate) fn are_of_members(&self) -> bool {
        self.sources.iter().all(|source| {
            matches!(source, Source::Table { .. } | Source::Constant(_) | Source::Sensor(_))
        })
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

/// Returns the entities of a world with their names, in the order of their quantities.
fn entities(world: &World) -> impl Iterator<Item = (Entity, &str)> {
    fn of<T>(
        list: &[T],
        entity: fn(usize) -> Entity,
        name: fn(&T) -> &str,
    ) -> impl Iterator<Item = (Entity, &str)> {
        list.iter().enumerate().map(move |(number, one)| (entity(number), name(one)))
    }
    let planes = world.horizontal_planes.iter().map(|plane| &*plane.name);
    let planes = planes.chain(world.vertical_planes.iter().map(|plane| &*plane.name));
    std::iter::once((Entity::World, "world"))
        .chain(of(&world.vehicles, Entity::Vehicle, |vehicle| &vehicle.name))
        .chain(of(&world.blocks, Entity::Block, |block| &block.name))
        .chain(of(&world.actors, Entity::Actor, |actor| &actor.name))
        .chain(of(&world.joints, Entity::Joint, |joint| &joint.name))
        .chain(planes.enumerate().map(|(number, name)| (Entity::Plane(number), name)))
}
