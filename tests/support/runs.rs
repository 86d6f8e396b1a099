//! Runs worlds in the process of the test, as a [`Session`].

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::OnceLock;

use simhost::{Error, Options, Session};
use simhost_engine::{EnergyBook, Period, Preset, Simulation};
use simhost_record::{Standard, column_name};
use simhost_registry::Catalogue;
use simhost_world::{Diagnostic, LoadError, LoadOptions, Loaded, Sources, Span, load_text};

use super::Table;
use super::world::World;

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

/// An error of a world.
#[derive(Debug)]
pub struct Problem {
    /// Line and column from 1.
    pub at: (usize, usize),
    /// Message, label at the position, and notes, on lines of their own.
    pub text: String,
}

/// A world after a run.
pub struct Run {
    tables: BTreeMap<String, Table>,
    /// Messages of warnings about the world.
    pub warnings: Vec<String>,
}

/// Returns the built-in models, which are collected once.
pub fn catalogue() -> Catalogue {
    static CATALOGUE: OnceLock<Catalogue> = OnceLock::new();
    CATALOGUE
        .get_or_init(|| Catalogue::collect(simhost_registry::Options::default()).unwrap())
        .clone()
}

impl World {
    fn load(&self) -> Result<Loaded, LoadError> {
        let compat = self.plan.profile.map(str::to_owned);
        let options = LoadOptions { compat, ..LoadOptions::default() };
        load_text(Path::new("world.xml"), self.text().as_bytes(), &options, &catalogue())
    }

    /// Opens the world, which must have no errors, with the messages of its warnings.
    pub fn open(&self) -> (Session, Vec<String>) {
        let loaded = self.load().unwrap_or_else(|error| panic!("{error}\n{}", self.text()));
        let warnings = loaded.warnings.iter().map(|warning| warning.message.clone()).collect();
        let mut session = Session::from_loaded(loaded, catalogue(), Options::default()).unwrap();
        session.set_commands(self.plan.commands.clone()).unwrap();
        if self.plan.energy {
            session.keep_energy_books();
        }
        (session, warnings)
    }

    /// Returns the errors of the world, of which it must have some.
    pub fn errors(&self) -> Vec<Problem> {
        let place = |sources: &Sources, span: Option<Span>| {
            span.map_or((0, 0), |span| {
                let (_, line, column) = sources.position(span);
                (line, column)
            })
        };
        let error = match self.load() {
            Ok(loaded) => Session::from_loaded(loaded, catalogue(), Options::default()).err(),
            Err(error) => Some(error.into()),
        };
        match error {
            Some(Error::Load(error)) => {
                let of = |one: &Diagnostic| {
                    let text = [&[one.message.clone(), one.label.clone()], &one.notes[..]].concat();
                    Problem { at: place(&error.sources, one.span), text: text.join("\n") }
                };
                error.diagnostics.iter().map(of).collect()
            }
            Some(Error::Build { error, sources }) => {
                vec![Problem { at: place(&sources, error.span()), text: error.to_string() }]
            }
            other => panic!("{other:?}\n{}", self.text()),
        }
    }

    /// Runs the world for some time, s.
    pub fn run(&self, seconds: f64) -> Run {
        let (mut session, warnings) = self.open();
        let mut rows = Rows::new(session.simulation(), self.plan.every);
        let last = session.simulation().clock().last_step(seconds).0;
        rows.add(session.simulation());
        while session.steps() < last {
            session.run_steps(1).unwrap();
            rows.add(session.simulation());
        }
        Run { tables: rows.tables, warnings }
    }
}

impl Run {
    /// Returns what the program writes to a CSV file.
    pub fn table(&self, name: &str) -> &Table {
        self.tables
            .get(name)
            .unwrap_or_else(|| panic!("{name} is not among {:?}", self.tables.keys()))
    }

    /// Returns the readings of the only sensor of a name.
    pub fn readings(&self, sensor: &str) -> &Table {
        let part = format!(".{sensor}.");
        let mut found = self.tables.iter().filter(|(name, _)| format!(".{name}").contains(&part));
        let (_, table) = found.next().unwrap_or_else(|| panic!("no sensor {sensor}"));
        assert!(found.next().is_none(), "several sensors {sensor}");
        table
    }

    /// Returns a column of `trajectory.csv` for a vehicle.
    pub fn column(&self, vehicle: &str, name: &str) -> Vec<f64> {
        self.table("trajectory.csv").only("vehicle", vehicle).numbers(name)
    }

    /// Returns the last value of a column of `trajectory.csv` for a vehicle.
    pub fn last(&self, vehicle: &str, name: &str) -> f64 {
        *self.column(vehicle, name).last().unwrap()
    }

    /// Returns the last value of a column of `wheels.csv` for a wheel of the only vehicle.
    pub fn wheel(&self, wheel: &str, name: &str) -> f64 {
        *self.table("wheels.csv").only("wheel", wheel).numbers(name).last().unwrap()
    }
}

/// Rows of all tables, as they are collected.
struct Rows {
    presets: [Preset; 3],
    sensors: Vec<String>,
    tables: BTreeMap<String, Table>,
    period: Option<Period>,
}

impl Rows {
    fn new(simulation: &Simulation, every: Option<f64>) -> Self {
        let [motion, odometry, wheels] = QUANTITIES;
        let presets = [
            Preset::of_vehicles(simulation, motion),
            Preset::of_vehicles(simulation, odometry),
            Preset::of_wheels(simulation, wheels),
        ];
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
        let header = ENERGY.iter().map(|name| (*name).to_owned()).collect();
        tables.insert("energy.csv".to_owned(), Table { header, rows: Vec::new() });
        Self { presets, sensors, tables, period: every.map(Period::new) }
    }

    /// Adds the rows that are due.
    fn add(&mut self, simulation: &Simulation) {
        let time = simulation.clock().time();
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
