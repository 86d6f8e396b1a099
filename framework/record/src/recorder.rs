//! The CSV files of a run.

use std::path::{Path, PathBuf};

use crate::file_name::FileNames;
use crate::rows::{ENERGY, TRAJECTORY, WHEELS};
use crate::table::Table;
use crate::{EnergyRow, RecordError, SensorFile, TrajectoryRow, WheelRow};

/// Bytes that a file with rows of all vehicles collects before it is written.
const LARGE_PIECE: usize = 1 << 20;
/// Bytes that the file of a sensor collects before it is written. There can be thousands of sensors.
const SMALL_PIECE: usize = 1 << 16;
/// Number of sensor files that stay open. Some systems allow 256 open files per process.
const OPEN_SENSORS: usize = 100;

/// Writer of the CSV files of a run: `trajectory.csv`, `odometry.csv`, `wheels.csv`, `energy.csv` on
/// request, and one file per sensor.
///
/// Rows are collected and written in large pieces, so that a full disk can surface in a later call.
/// [`CsvRecorder::finish`] writes the rest and reports errors. Dropping a recorder also writes the
/// rest, but cannot report errors.
pub struct CsvRecorder {
    trajectory: Table,
    odometry: Table,
    wheels: Table,
    energy: Option<Table>,
    sensors: Vec<(Table, usize)>,
}

impl CsvRecorder {
    /// Creates the directory and the files in it. Files of the same names are replaced.
    pub fn create(dir: &Path, sensors: &[SensorFile]) -> Result<Self, RecordError> {
        std::fs::create_dir_all(dir)
            .map_err(|source| RecordError::Directory { path: dir.to_owned(), source })?;
        let table =
            |name: &str, header: &[&str]| Table::create(dir.join(name), header, LARGE_PIECE, true);
        let mut names = FileNames::default();
        Ok(Self {
            trajectory: table("trajectory.csv", &TRAJECTORY)?,
            odometry: table("odometry.csv", &TRAJECTORY)?,
            wheels: table("wheels.csv", &WHEELS)?,
            energy: None,
            sensors: sensors
                .iter()
                .enumerate()
                .map(|(k, file)| {
                    let path = dir.join(names.claim(&file.vehicle, &file.sensor));
                    let columns = file.columns.iter().map(String::as_str);
                    let header: Vec<&str> = std::iter::once("time_s").chain(columns).collect();
                    let table = Table::create(path, &header, SMALL_PIECE, k < OPEN_SENSORS)?;
                    Ok((table, file.columns.len()))
                })
                .collect::<Result<_, _>>()?,
        })
    }

    /// Adds the true motion of a vehicle to `trajectory.csv`.
    pub fn trajectory(&mut self, row: &TrajectoryRow) -> Result<(), RecordError> {
        self.trajectory.row(row.time, &[row.vehicle], row.pose.iter().chain(&row.twist))
    }

    /// Adds the odometry of a vehicle to `odometry.csv`.
    pub fn odometry(&mut self, row: &TrajectoryRow) -> Result<(), RecordError> {
        self.odometry.row(row.time, &[row.vehicle], row.pose.iter().chain(&row.twist))
    }

    /// Adds a row to `wheels.csv`.
    pub fn wheel(&mut self, row: &WheelRow) -> Result<(), RecordError> {
        let state = [row.spin, row.angle, row.steer, row.torque, row.normal_force];
        let numbers = state.iter().chain(&row.velocity).chain(&row.force);
        self.wheels.row(row.time, &[row.vehicle, row.wheel], numbers)
    }

    /// Creates `energy.csv` in the same directory.
    pub fn keep_energy(&mut self, dir: &Path) -> Result<(), RecordError> {
        self.energy = Some(Table::create(dir.join("energy.csv"), &ENERGY, LARGE_PIECE, true)?);
        Ok(())
    }

    /// Adds a row to `energy.csv`, if it was created.
    pub fn energy(&mut self, row: &EnergyRow) -> Result<(), RecordError> {
        let Some(table) = &mut self.energy else { return Ok(()) };
        table.row(row.time, &[row.vehicle], row.energy.iter().chain(&row.work))
    }

    /// Adds a sample to the file of a sensor. `sensor` is its index in the list given to
    /// [`CsvRecorder::create`], `time_s` the time of the sample in s, and `values` holds one value per
    /// column in the unit of the column.
    pub fn readings(
        &mut self,
        sensor: usize,
        time_s: f64,
        values: &[f64],
    ) -> Result<(), RecordError> {
        let known = self.sensors.len();
        let Some((table, columns)) = self.sensors.get_mut(sensor) else {
            return Err(RecordError::UnknownSensor { sensor, known });
        };
        if values.len() != *columns {
            let path = table.path().to_owned();
            return Err(RecordError::Columns { path, expected: *columns, found: values.len() });
        }
        table.row(time_s, &[], values)
    }

    /// Writes all remaining rows and returns the paths of the files, with those of the sensors last and
    /// in their order. If one file fails, the others are still written.
    pub fn finish(mut self) -> Result<Vec<PathBuf>, RecordError> {
        let main = [&mut self.trajectory, &mut self.odometry, &mut self.wheels];
        let tables = main
            .into_iter()
            .chain(&mut self.energy)
            .chain(self.sensors.iter_mut().map(|(table, _)| table));
        let outcomes: Vec<_> =
            tables.map(|table| table.flush().map(|()| table.path().to_owned())).collect();
        outcomes.into_iter().collect()
    }
}
