//! The quantities of a simulation, by name: `ENTITY[/ROLE[/NAME]]/QUANTITY`.
//!
//! The entity is a vehicle, a block, an actor, a joint, a plane, or `world` for what belongs to none
//! of them. A quantity of the entity itself, such as its pose, has no role. Every quantity of a wheel
//! stands under `wheel/NAME`, whichever model computes it; the other roles are `dynamics`,
//! `controller`, `sensor`, `environment` and `fleet`.

mod selection;

use std::collections::HashMap;

use simhost_scene::Pose3;
use simhost_sdk::math;
use simhost_world::World;

use crate::animation::animated;
use crate::columns::Column;
use crate::physics::{BodyState, JointEnd};
use crate::quantity_list::{Entity, QuantityList, Source};
use crate::readings::Units;
use crate::simulation::Simulation;
use crate::step;
use crate::table::{Read, Table};

pub use crate::quantity_list::{QuantityInfo, QuantityScope};
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
        list.add_host(Entity::World, "time", Units::All("s"), "Simulated time.", || Source::Time);
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
                read(&self.sources[index], simulation, values);
                values.resize(end, f64::NAN);
            }
        }
    }

    /// Appends the present values for a member of an ensemble, as [`Self::read`] does. The tables have the fields
    /// `reads`, and the vehicles of the member begin at lane `slot` times their number. `simulation` has everything
    /// else of the member.
    pub(crate) fn read_member(
        &self,
        tables: &[Table],
        reads: &[Vec<Read>],
        slot: usize,
        simulation: &Simulation,
        values: &mut Vec<f64>,
    ) {
        for index in 0..self.sources.len() {
            self.read_of_member(index, tables, reads, slot, simulation, values);
        }
    }

    /// Appends the present values of the quantity with an index for a member, as [`Self::read_member`] does.
    #[inline]
    pub(crate) fn read_of_member(
        &self,
        index: usize,
        tables: &[Table],
        reads: &[Vec<Read>],
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
            other => read(other, simulation, values),
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

/// Appends the present values of a quantity.
#[inline]
fn read(source: &Source, simulation: &Simulation, to: &mut Vec<f64>) {
    let state = |end: JointEnd| match end {
        JointEnd::Body(body) => *simulation.state.physics.bodies.state(body),
        JointEnd::Fixed(pose) => {
            let (sin, cos) = math::sin_cos(pose.yaw);
            let (position, heading) = ([pose.x, pose.y], [cos, sin]);
            BodyState { position, heading, ..BodyState::default() }
        }
    };
    match source {
        Source::Time => to.push(simulation.clock().time()),
        Source::Constant(values) => to.extend_from_slice(values),
        Source::Table { table, lane, wheel, field: _, read } => {
            simulation.state.tables[*table].vehicle(*lane).read(*read, *wheel, to);
        }
        Source::Sensor(place) => simulation.state.sensors.read_field(place, to),
        Source::Gravity => to.push(simulation.state.environments.gravity()),
        Source::Environment(place) => to.push(simulation.state.environments.read_field(place)),
        Source::Fleet(place) => to.push(simulation.state.fleets.value(place)),
        Source::BodyPose(body) => {
            let pose = simulation.state.physics.bodies.state(*body).pose();
            let z = simulation.state.physics.bodies.origin_height(*body);
            to.extend_from_slice(&[pose.x, pose.y, z, pose.yaw, 0.0, 0.0]);
        }
        Source::BodyTwist(body) => {
            let state = simulation.state.physics.bodies.state(*body);
            let [vx, vy] = state.velocity;
            to.extend_from_slice(&[vx, vy, state.omega]);
        }
        Source::Animated { pose, animation } => {
            let time = simulation.clock().time();
            let Pose3 { x, y, z, yaw, pitch, roll } = animated(pose, animation.as_deref(), time);
            to.extend_from_slice(&[x, y, z, yaw, pitch, roll]);
        }
        Source::Distance(ends, anchors) => {
            let [first, second] = [0, 1].map(|k| state(ends[k]).transform(anchors[k]));
            let (dx, dy) = (second[0] - first[0], second[1] - first[1]);
            to.push((dx * dx + dy * dy).sqrt());
        }
        Source::Angle(ends) => {
            let [first, second] = ends.map(|end| state(end).pose().yaw);
            to.push(math::wrap_angle(second - first));
        }
    }
}

/// The same quantities of every vehicle, or of every wheel.
pub struct Preset {
    of_wheels: bool,
    /// Ways to read them, table by table and wheel by wheel.
    reads: Vec<Vec<Vec<Option<Read>>>>,
    values: Vec<f64>,
}

/// A row of a [`Preset`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PresetRow<'a> {
    /// Index of the vehicle.
    pub number: usize,
    /// Name of the vehicle.
    pub vehicle: &'a str,
    /// Name of the wheel; empty for a vehicle.
    pub wheel: &'a str,
    /// The values of all quantities.
    pub values: &'a [f64],
}

impl Preset {
    /// Selects quantities of vehicles, by the last part of their names. Those that a vehicle does not
    /// have are NaN.
    pub fn of_vehicles(simulation: &Simulation, names: &[&str]) -> Self {
        Self::new(simulation, names, false)
    }

    /// Selects quantities of wheels, as [`Self::of_vehicles`] does.
    pub fn of_wheels(simulation: &Simulation, names: &[&str]) -> Self {
        Self::new(simulation, names, true)
    }

    fn new(simulation: &Simulation, names: &[&str], of_wheels: bool) -> Self {
        let of_table = |table: &Table| {
            let fields = table.fields();
            let find = |name: &str, place: usize| {
                let is = |field: &&crate::table::Field| {
                    let is_own = field.wheel.is_none_or(|only| only == place);
                    is_own && field.of_wheel == of_wheels && field.name == name
                };
                fields.iter().find(is).map(|field| field.read)
            };
            let places = 0..if of_wheels { table.vehicles.wheels.count } else { 1 };
            let of_place = |place| names.iter().map(|name| find(name, place)).collect();
            places.map(of_place).collect()
        };
        let reads = simulation.state.tables.iter().map(of_table).collect();
        Self { of_wheels, reads, values: Vec::new() }
    }

    /// Calls `with` for each vehicle, or each wheel, in the order of the world file.
    pub fn for_each(&mut self, simulation: &Simulation, mut with: impl FnMut(PresetRow<'_>)) {
        let Self { of_wheels, reads, values } = self;
        for (number, &(table, lane)) in simulation.blueprint.places.iter().enumerate() {
            let (reads, table) = (&reads[table], &simulation.state.tables[table]);
            let vehicle = &*table.vehicles.lanes[lane].fixed.name;
            let wheels = &table.vehicles.wheels;
            for (place, reads) in reads.iter().enumerate() {
                values.clear();
                for read in reads {
                    match read {
                        Some(read) => table.vehicle(lane).read(*read, place, values),
                        None => values.push(f64::NAN),
                    }
                }
                let wheel = if *of_wheels { &*wheels.names[place] } else { "" };
                with(PresetRow { number, vehicle, wheel, values });
            }
        }
    }
}
