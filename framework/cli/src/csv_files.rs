//! Writes the CSV files and the picture of a run.

use std::path::{Path, PathBuf};

use simhost_engine::{EnergyBook, Period, Quantities, SensorInfo, Simulation};
use simhost_record::{
    CsvRecorder, EnergyRow, HashRow, RecordError, SensorFile, Tables, Tick, column_name,
};
use simhost_world::World;

use crate::picture::Drawing;
use crate::quantities;
use crate::standard_files::StandardFiles;

/// Writer of the CSV files and the picture of a run.
pub struct CsvFiles {
    directory: PathBuf,
    recorder: CsvRecorder,
    standard: StandardFiles,
    /// Quantities of `quantities.csv`, and space for their values.
    quantities: (Quantities, Vec<f64>),
    period: Option<Period>,
    drawing: Drawing,
}

/// Rows that a run writes.
#[derive(Clone, Copy)]
pub struct Schedule {
    /// Simulated time between rows, s. Without it, each step has one.
    pub period: Option<f64>,
    /// Whether `hash.csv` is written.
    pub hashes: bool,
    /// Whether the run is resumed from a snapshot.
    pub resumed: bool,
}

/// Describes the file of a sensor.
fn sensor_file(info: &SensorInfo) -> Result<SensorFile, RecordError> {
    let columns = info.columns.iter();
    let names = columns.map(|column| column_name(column.name, column.unit, column.ray));
    Ok(SensorFile {
        vehicle: info.vehicle.clone(),
        sensor: info.sensor.clone(),
        columns: names.collect::<Result<_, _>>()?,
    })
}

impl CsvFiles {
    /// Creates the files in `directory`, with `hash.csv` if `hashes` is set, and `quantities.csv` if
    /// there are any. The files of a resumed run start after the snapshot.
    pub fn new(
        directory: &Path,
        Schedule { period, hashes, resumed }: Schedule,
        (world, simulation): (&World, &Simulation),
        quantities: Quantities,
    ) -> Result<Self, RecordError> {
        let sensors =
            simulation.sensors().iter().map(sensor_file).collect::<Result<Vec<_>, _>>()?;
        let period = period.map(|period| match resumed {
            true => Period::after(period, simulation.clock()),
            false => Period::new(period),
        });
        let energy = simulation.energy_book(0).is_some();
        let columns = quantities::columns(&quantities);
        let tables = Tables { quantities: &columns, sensors: &sensors, energy, hashes };
        let recorder = CsvRecorder::create(directory, tables)?;
        Ok(Self {
            directory: directory.to_path_buf(),
            recorder,
            standard: StandardFiles::new(simulation),
            quantities: (quantities, Vec::with_capacity(columns.len())),
            period,
            drawing: Drawing::new(world),
        })
    }

    /// Writes rows to all files for which one is due.
    pub fn observe(&mut self, simulation: &Simulation) -> Result<(), RecordError> {
        let clock = simulation.clock();
        let mut samples = simulation.readings().peekable();
        let is_due = self.period.as_mut().is_none_or(|period| period.is_due(clock));
        if !is_due && samples.peek().is_none() {
            return Ok(());
        }
        let time = clock.time();
        let mut tick = self.recorder.tick()?;
        for (sensor, values) in samples {
            tick.readings(sensor, time, values)?;
        }
        if is_due {
            let drawing = &mut self.drawing;
            self.standard.write(&mut tick, simulation, |vehicle, at| drawing.add(vehicle, at));
            write_energy(&mut tick, simulation, time);
            let (quantities, values) = &mut self.quantities;
            values.clear();
            quantities.read(simulation, values);
            tick.quantities(time, values);
        }
        Ok(())
    }

    /// Continues with a simulation of the same world whose models have been replaced.
    pub fn rebind(&mut self, world: &World, simulation: &Simulation) {
        self.standard = StandardFiles::new(simulation);
        self.quantities.0.rebind(world, simulation);
    }

    /// Writes a row to `hash.csv`.
    pub fn write_hash(&mut self, row: &HashRow) -> Result<(), RecordError> {
        self.recorder.tick()?.hash(row);
        Ok(())
    }

    /// Completes the files, draws the picture and returns the paths of all files.
    pub fn finish(self, simulation: &Simulation) -> Result<Vec<PathBuf>, RecordError> {
        let Self { directory, recorder, drawing, .. } = self;
        let mut files = recorder.finish()?;
        let path = directory.join("trajectory.svg");
        std::fs::write(&path, drawing.picture(simulation).svg())
            .map_err(|source| RecordError::Write { path: path.clone(), source })?;
        files.push(path);
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
