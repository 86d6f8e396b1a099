//! Collects the tables of a session that the program writes as CSV files.

use std::collections::BTreeMap;

use simhost::Session;
use simhost_engine::{
    EnergyBook, FaultEntry, Patterns, Period, Preset, Quantities, QuantityInfo, Simulation,
};
use simhost_record::{Standard, column_name};

use super::Table;
use super::world::Plan;

/// Quantities of vehicles and wheels in the order of the columns of [`Standard`].
const QUANTITIES: [&[&str]; 3] = [
    &["pose", "twist"],
    &["odometry_pose", "odometry_twist"],
    &["spin", "angle", "steer", "torque", "normal_force", "vx", "vy", "fx", "fy"],
];

/// Columns of `energy.csv`.
const ENERGY: [&str; 11] = [
    "time_s",
    "vehicle",
    "kinetic_j",
    "potential_j",
    "motor_j",
    "brake_j",
    "slip_j",
    "rolling_j",
    "damping_j",
    "drag_j",
    "contact_j",
];

/// Columns of `robot_faults.csv`.
const FAULTS: [&str; 7] = ["time_s", "vehicle", "sensor", "severity", "level", "code", "text"];

/// Returns the columns of `quantities.csv`.
fn columns(quantities: &Quantities) -> Vec<String> {
    let of = |info: &QuantityInfo| {
        let QuantityInfo { name, units, len, .. } = info.clone();
        (0..info.count()).map(move |index| match len {
            Some(_) => format!("{name}[{index}] [{}]", units.of(index)),
            None => format!("{name} [{}]", units.of(index)),
        })
    };
    std::iter::once("time_s".to_owned()).chain(quantities.infos().iter().flat_map(of)).collect()
}

/// Rows of all tables, as they are collected.
pub struct Rows {
    presets: [Preset; 3],
    sensors: Vec<String>,
    quantities: Quantities,
    pub tables: BTreeMap<String, Table>,
    period: Option<Period>,
    /// Number of the next entry of a fault memory.
    next_fault: u64,
}

impl Rows {
    /// Creates the tables of a session, whose rows follow its present state.
    pub(super) fn new(session: &Session, plan: &Plan) -> Self {
        let (world, simulation) = (session.world().unwrap(), session.simulation());
        let [motion, odometry, wheels] = QUANTITIES;
        let presets = [
            Preset::of_vehicles(simulation, motion),
            Preset::of_vehicles(simulation, odometry),
            Preset::of_wheels(simulation, wheels),
        ];
        // the text of a world names them, a file does not
        let added = plan.file.iter().flat_map(|_| &plan.record).map(String::as_str);
        let patterns = world.recorded.iter().map(|recorded| recorded.pattern.as_str());
        let patterns = Patterns::new(patterns.chain(added));
        let quantities = match patterns.list().is_empty() {
            true => Quantities::default(),
            false => Quantities::select(world, simulation, &patterns).unwrap(),
        };
        let mut tables = BTreeMap::new();
        for standard in Standard::ALL {
            let header = standard.header().iter().map(|name| (*name).to_owned()).collect();
            tables.insert(standard.file_name().to_owned(), Table { header, rows: Vec::new() });
        }
        let mut sensors = Vec::new();
        for info in simulation.sensors() {
            let columns = info.columns.iter();
            let names = columns.map(|column| column_name(column.name, column.unit, column.ray));
            let time = std::iter::once("time_s".to_owned());
            let header = time.chain(names.map(Result::unwrap)).collect();
            let name = format!("{}.{}.csv", info.vehicle, info.sensor);
            tables.insert(name.clone(), Table { header, rows: Vec::new() });
            sensors.push(name);
        }
        let mut add = |name: &str, columns: Vec<String>| {
            tables.insert(name.to_owned(), Table { header: columns, rows: Vec::new() });
        };
        add("energy.csv", ENERGY.iter().map(|name| (*name).to_owned()).collect());
        add("robot_faults.csv", FAULTS.iter().map(|name| (*name).to_owned()).collect());
        add("quantities.csv", columns(&quantities));
        let (clock, next_fault) = (simulation.clock(), simulation.fault_entry_count());
        let begin = |period| match clock.steps {
            0 => Period::new(period),
            _ => Period::after(period, clock),
        };
        Self { presets, sensors, quantities, tables, period: plan.every.map(begin), next_fault }
    }

    /// Adds the rows that are due.
    pub fn add(&mut self, simulation: &Simulation) {
        let time = simulation.clock().time();
        let faults = self.tables.get_mut("robot_faults.csv").unwrap();
        for (vehicle, entry) in simulation.fault_entries_from(self.next_fault) {
            let FaultEntry { sensor, severity, code, time, text } = entry;
            let numbers = [severity.level().to_string(), code.to_string()];
            let texts = [vehicle, sensor, severity.name()].map(str::to_owned);
            let cells = std::iter::once(time.to_string()).chain(texts).chain(numbers);
            faults.rows.push(cells.chain([text.clone()]).collect());
        }
        self.next_fault = simulation.fault_entry_count();
        for (sensor, values) in simulation.readings() {
            let row = std::iter::once(time).chain(values.iter().copied());
            let table = self.tables.get_mut(&self.sensors[sensor]).unwrap();
            table.rows.push(row.map(|value| value.to_string()).collect());
        }
        if self.period.as_mut().is_some_and(|period| !period.is_due(simulation.clock())) {
            return;
        }
        let energy = self.tables.get_mut("energy.csv").unwrap();
        for (number, vehicle) in simulation.vehicle_names().iter().enumerate() {
            let Some(book) = simulation.energy_book(number) else { break };
            let EnergyBook { kinetic, potential, motor, brake, slip, .. } = book;
            let work = [motor, brake, slip, book.rolling, book.damping, book.drag, book.contact];
            let mut cells = vec![time.to_string(), vehicle.clone()];
            cells.extend([kinetic, potential].iter().chain(&work).map(f64::to_string));
            energy.rows.push(cells);
        }
        let mut values = Vec::new();
        self.quantities.read(simulation, &mut values);
        if !values.is_empty() {
            let cells = std::iter::once(time).chain(values).map(|value| value.to_string());
            self.tables.get_mut("quantities.csv").unwrap().rows.push(cells.collect());
        }
        for (standard, preset) in Standard::ALL.into_iter().zip(&mut self.presets) {
            let table = self.tables.get_mut(standard.file_name()).unwrap();
            preset.for_each(simulation, |row| {
                let mut cells = vec![time.to_string(), row.vehicle.to_owned()];
                cells.extend((!row.wheel.is_empty()).then(|| row.wheel.to_owned()));
                cells.extend(row.values.iter().map(f64::to_string));
                table.rows.push(cells);
            });
        }
    }
}
