//! The same quantities of every vehicle or of every wheel.

use crate::simulation::Simulation;
use crate::table::{Read, Table};

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
