//! The quantities of a simulation, by name: `ENTITY[/ROLE[/NAME]]/QUANTITY`.
//!
//! The entity is a vehicle, a block, an actor, a joint, a plane, or `world` for what belongs to none
//! of them. A quantity of the entity itself, such as its pose, has no role. Every quantity of a wheel
//! stands under `wheel/NAME`, whichever model computes it; the other roles are `dynamics`,
//! `controller`, `sensor`, `environment` and `fleet`.

mod preset;
mod read;
mod selection;

use std::collections::HashMap;

use simhost_world::World;

use crate::columns::Column;
use crate::quantity_list::{Entity, QuantityList, Source};
use crate::readings::Units;
use crate::simulation::Simulation;
use crate::step;
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
    /// The short way to the values of each, which needs less memory than the description and the source.
    ways: Vec<Way>,
}

/// The way to the values of a quantity.
#[derive(Clone, Copy)]
enum Way {
    /// A number of a column of a table.
    Column { table: u32, index: u32, column: Column },
    /// Some values, which the source reads.
    Source { count: u32 },
}

impl Way {
    fn new(info: &QuantityInfo, source: &Source, tables: &[Table]) -> Self {
        match *source {
            Source::Table { table, lane, wheel, read: Read::Column(column), .. }
                if info.count() == 1 =>
            {
                let index = wheel * tables[table].vehicles.lanes.len() + lane;
                Self::Column { table: table as u32, index: index as u32, column }
            }
            _ => Self::Source { count: info.count() as u32 },
        }
    }
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
        step::add_quantities(&simulation.state, &simulation.blueprint, world, &mut list);
        let (infos, sources) = list.finish();
        Self::at(infos, sources, simulation)
    }

    fn at(infos: Vec<QuantityInfo>, sources: Vec<Source>, simulation: &Simulation) -> Self {
        let named = infos.iter().zip(&sources);
        let ways = named.map(|(info, source)| Way::new(info, source, &simulation.state.tables));
        Self { ways: ways.collect(), infos, sources }
    }

    /// Returns the quantities.
    pub fn infos(&self) -> &[QuantityInfo] {
        &self.infos
    }

    /// Returns quantities by their names, with the places of their values in a simulation. Values that the simulation
    /// does not have are NaN: all of an unknown quantity, and the last ones of an array that is shorter there. Of an array
    /// that is longer there, only the first ones are read.
    pub fn bind(infos: Vec<QuantityInfo>, world: &World, simulation: &Simulation) -> Self {
        let numbers = infos.iter().enumerate();
        // only looked up, never iterated
        let numbers: HashMap<&str, usize> =
            numbers.map(|(number, info)| (info.name.as_str(), number)).collect();
        let found = Self::new(world, simulation, |name| numbers.contains_key(name));
        let mut sources: Vec<Source> = infos.iter().map(|_| Source::Constant(Vec::new())).collect();
        for (info, source) in found.infos.iter().zip(found.sources) {
            sources[numbers[info.name.as_str()]] = source;
        }
        Self::at(infos, sources, simulation)
    }

    /// Appends the present values of all quantities in their order. A reading is NaN before the first
    /// sample of its sensor.
    pub fn read(&self, simulation: &Simulation, values: &mut Vec<f64>) {
        for index in 0..self.sources.len() {
            self.read_one(index, simulation, values);
        }
    }

    /// Appends the present values of the quantity with an index in [`Self::infos`], as [`Self::read`] does.
    #[inline]
    pub fn read_one(&self, index: usize, simulation: &Simulation, values: &mut Vec<f64>) {
        match self.ways[index] {
            Way::Column { table, index, column } => {
                values.push(
                    simulation.state.tables[table as usize].vehicles.value(column, index as usize),
                );
            }
            Way::Source { count } => {
                let end = values.len() + count as usize;
                read::read(&self.sources[index], simulation, values);
                values.resize(end, f64::NAN);
            }
        }
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
        let end = values.len() + self.infos[index].count();
        match &self.sources[index] {
            Source::Table { table, lane, wheel, field, .. } => {
                let count = simulation.state.tables[*table].vehicles.lanes.len();
                let read = reads[*table][*field];
                tables[*table].vehicle(slot * count + lane).read(read, *wheel, values);
            }
            other => read::read(other, simulation, values),
        }
        values.resize(end, f64::NAN);
    }

    /// Sets the quantity with an index to a value between two steps. Returns whether it is a state of a vehicle that can
    /// be set: a state slot of a model, or the spin of a wheel.
    pub fn set_state(&self, index: usize, simulation: &mut Simulation, value: f64) -> bool {
        let Source::Table { table, lane, wheel, read: Read::Column(column), .. } =
            self.sources[index]
        else {
            return false;
        };
        simulation.state.tables[table].set_state(column, [lane, wheel], value)
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
            Source::Sensor(place) => {
                let values = simulation.state.sensors.column(place)?;
                (values.len() == self.infos[index].count()).then_some(values)
            }
            _ => None,
        }
    }

    /// Looks the same quantities up in another simulation of the world, as [`Self::bind`] does.
    pub fn rebind(&mut self, world: &World, simulation: &Simulation) {
        *self = Self::bind(std::mem::take(&mut self.infos), world, simulation);
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
