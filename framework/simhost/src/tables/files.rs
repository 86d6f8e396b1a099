//! The CSV files, clouds and images of one sequence of rows.

use std::path::{Path, PathBuf};

use simhost_engine::{
    EnergyBook, FaultEntry, Patterns, Period, Preset, Quantities, QuantityInfo, SensorInfo,
    Simulation,
};
use simhost_record::{
    CsvRecorder, EnergyRow, HashRow, RecordError, RobotFaultRow, SensorFile, Standard, Tables,
    Tick, column_name,
};
use simhost_world::{Sources, World};

use super::folders::ReadingFolders;
use crate::error::Error;

/// Writer of the files of one sequence of rows.
pub(super) struct Files {
    recorder: CsvRecorder,
    folders: ReadingFolders,
    /// Number of the file of each sensor that has one.
    sensors: Vec<Option<usize>>,
    standard: StandardFiles,
    /// Quantities of `quantities.csv`, and space for their values.
    quantities: (Quantities, Vec<f64>),
    period: Option<Period>,
    /// Number of the next entry of a fault memory.
    next_fault: u64,
}

/// Rows that are written.
#[derive(Clone, Copy)]
pub(super) struct Schedule {
    /// Simulated time between rows, s. Without it, each step has one.
    pub period: Option<f64>,
    /// Whether `hash.csv` is written.
    pub hashes: bool,
    /// Whether the run is resumed from a snapshot.
    pub resumed: bool,
}

/// Describes the file of a sensor.
fn sensor_file(info: &SensorInfo) -> SensorFile {
    let columns = info.columns.iter();
    let names = columns.map(|column| column_name(column.name, column.unit, column.ray));
    SensorFile {
        vehicle: info.vehicle.clone(),
        sensor: info.sensor.clone(),
        columns: names.collect(),
    }
}

impl Files {
    /// Creates the files in `directory`, with `hash.csv` if `hashes` is set, and `quantities.csv` if
    /// there are any. The files of a resumed run start after the snapshot.
    pub fn new(
        directory: &Path,
        Schedule { period, hashes, resumed }: Schedule,
        world: &World,
        simulation: &Simulation,
        quantities: Quantities,
    ) -> Result<Self, RecordError> {
        let folders = ReadingFolders::create(directory, world, simulation)?;
        let (mut sensors, mut numbers) = (Vec::new(), Vec::new());
        for (number, info) in simulation.sensors().iter().enumerate() {
            let has_file = !folders.has(number);
            numbers.push(has_file.then_some(sensors.len()));
            if has_file {
                sensors.push(sensor_file(info));
            }
        }
        let period = period.map(|period| match resumed {
            true => Period::after(period, simulation.clock()),
            false => Period::new(period),
        });
        let energy = simulation.energy_book(0).is_some();
        let columns = columns(&quantities);
        let robot_faults = simulation.fault_memories().is_used();
        let tables =
            Tables { quantities: &columns, sensors: &sensors, energy, hashes, robot_faults };
        let recorder = CsvRecorder::create(directory, tables)?;
        Ok(Self {
            recorder,
            folders,
            sensors: numbers,
            standard: StandardFiles::new(simulation),
            quantities: (quantities, Vec::with_capacity(columns.len())),
            period,
            next_fault: 0,
        })
    }

    /// Writes rows to all files for which one is due.
    pub fn observe(&mut self, simulation: &Simulation) -> Result<(), RecordError> {
        self.write_faults(simulation)?;
        let clock = simulation.clock();
        let mut samples = simulation.samples().readings().peekable();
        let is_due = self.period.as_mut().is_none_or(|period| period.is_due(clock));
        if !is_due && samples.peek().is_none() {
            return Ok(());
        }
        let time = clock.time();
        let mut tick = self.recorder.tick()?;
        for (sensor, values) in samples {
            match self.sensors.get(sensor) {
                Some(Some(file)) => tick.readings(*file, time, &values)?,
                _ => self.folders.write(simulation, sensor, &values)?,
            }
        }
        if is_due {
            self.standard.write(&mut tick, simulation);
            write_energy(&mut tick, simulation, time);
            let (quantities, values) = &mut self.quantities;
            values.clear();
            quantities.read(simulation, values);
            tick.quantities(time, values);
        }
        Ok(())
    }

    /// Writes the entries that fault memories have got since the last call.
    fn write_faults(&mut self, simulation: &Simulation) -> Result<(), RecordError> {
        let count = simulation.fault_memories().entry_count();
        // a reset begins anew
        if count < self.next_fault {
            self.next_fault = 0;
        }
        if count == self.next_fault {
            return Ok(());
        }
        let mut tick = self.recorder.tick()?;
        for (vehicle, entry) in simulation.fault_memories().entries_from(self.next_fault) {
            let FaultEntry { sensor, severity, code, time, text } = entry;
            tick.robot_fault(&RobotFaultRow {
                time: *time,
                vehicle,
                sensor,
                severity: (severity.name(), severity.level()),
                code: *code,
                text,
            });
        }
        self.next_fault = count;
        Ok(())
    }

    /// Continues with a simulation of a changed world, which leads to the same rows and columns.
    pub fn rebind(&mut self, simulation: &Simulation, quantities: Quantities) {
        self.standard = StandardFiles::new(simulation);
        self.quantities.0 = quantities;
    }

    /// Returns the paths of all files.
    pub fn paths(&self) -> Vec<PathBuf> {
        let mut paths = self.recorder.paths().to_vec();
        paths.extend(self.folders.paths());
        paths
    }

    /// Writes a row to `hash.csv`.
    pub fn write_hash(&mut self, row: &HashRow) -> Result<(), RecordError> {
        self.recorder.tick()?.hash(row);
        Ok(())
    }

    /// Completes the files and returns their paths.
    pub fn finish(self) -> Result<Vec<PathBuf>, RecordError> {
        let folders = self.folders.paths();
        let mut files = self.recorder.finish()?;
        files.extend(folders);
        Ok(files)
    }
}

/// Writes the energy books, if they are kept.
fn write_energy(tick: &mut Tick<'_>, simulation: &Simulation, time: f64) {
    for (number, vehicle) in simulation.vehicle_names().iter().enumerate() {
        let Some(book) = simulation.energy_book(number) else { break };
        let EnergyBook { kinetic, potential, motor, brake, slip, .. } = book;
        let work = [motor, brake, slip, book.rolling, book.damping, book.drag, book.contact];
        tick.energy(&EnergyRow { time, vehicle, energy: [kinetic, potential], work });
    }
}

/// Quantities of `trajectory.csv`.
const MOTION: &[&str] = &["pose", "twist"];
/// Quantities of `odometry.csv`.
const ODOMETRY: &[&str] = &["odometry_pose", "odometry_twist"];
/// Quantities of `wheels.csv`.
const WHEELS: &[&str] =
    &["spin", "angle", "steer", "torque", "normal_force", "vx", "vy", "fx", "fy"];

/// The quantities of the standard files.
struct StandardFiles {
    trajectory: Preset,
    odometry: Preset,
    wheels: Preset,
}

impl StandardFiles {
    /// Selects the quantities of a simulation.
    pub fn new(simulation: &Simulation) -> Self {
        Self {
            trajectory: Preset::of_vehicles(simulation, MOTION),
            odometry: Preset::of_vehicles(simulation, ODOMETRY),
            wheels: Preset::of_wheels(simulation, WHEELS),
        }
    }

    /// Adds a row for each vehicle and each wheel.
    pub fn write(&mut self, tick: &mut Tick<'_>, simulation: &Simulation) {
        let time = simulation.clock().time();
        self.trajectory.for_each(simulation, |row| {
            tick.standard(Standard::Trajectory, time, [row.vehicle], row.values);
        });
        self.odometry.for_each(simulation, |row| {
            tick.standard(Standard::Odometry, time, [row.vehicle], row.values);
        });
        self.wheels.for_each(simulation, |row| {
            tick.standard(Standard::Wheels, time, [row.vehicle, row.wheel], row.values);
        });
    }
}

/// Returns the quantities that the world, and then `patterns`, select.
///
/// # Errors
/// [`Error::Quantity`] if a pattern selects no quantity.
pub(crate) fn select_quantities(
    patterns: &[String],
    world: &World,
    sources: &Sources,
    simulation: &Simulation,
) -> Result<Quantities, Error> {
    let patterns = all(patterns, world);
    if patterns.list().is_empty() {
        return Ok(Quantities::default());
    }
    Quantities::select(world, simulation, &patterns).map_err(|error| Error::Quantity {
        span: world.recorded.get(error.index).map(|recorded| recorded.span),
        error: Box::new(error),
        sources: Box::new(sources.clone()),
    })
}

/// Returns the quantities of [`select_quantities`] that the world has.
pub(super) fn present(patterns: &[String], world: &World, simulation: &Simulation) -> Quantities {
    let patterns = all(patterns, world);
    match patterns.list() {
        [] => Quantities::default(),
        _ => Quantities::new(world, simulation, |name| patterns.select(name)),
    }
}

fn all(patterns: &[String], world: &World) -> Patterns {
    let of_world = world.recorded.iter().map(|recorded| recorded.pattern.as_str());
    Patterns::new(of_world.chain(patterns.iter().map(String::as_str)))
}

/// Returns the columns of `quantities.csv`: `name [unit]`, and `name[i] [unit]` for an array.
fn columns(quantities: &Quantities) -> Vec<String> {
    let of = |info: &QuantityInfo| {
        let info = info.clone();
        (0..info.count())
            .map(move |index| format!("{} [{}]", info.name_of(index), info.units.of(index)))
    };
    quantities.infos().iter().flat_map(of).collect()
}
