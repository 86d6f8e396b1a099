//! The CSV files of a run.

use std::path::{Path, PathBuf};

use crate::RecordError;
use crate::file_name::FileNames;
use crate::table::{Rows, Table};
use crate::text::Text;
use crate::writer::{Access, Writer};

/// Number of sensor files that stay open. Some systems allow 256 open files per process.
const OPEN_SENSORS: usize = 100;

/// Files of a run besides the [`Standard`] ones.
#[derive(Clone, Copy, Debug, Default)]
pub struct Tables<'a> {
    /// Columns of `quantities.csv` after the time; the file is written if there are any.
    pub quantities: &'a [String],
    /// Files of sensors.
    pub sensors: &'a [SensorFile],
    /// Whether `energy.csv` is written.
    pub energy: bool,
    /// Whether `hash.csv` is written.
    pub hashes: bool,
    /// Whether `robot_faults.csv` is written.
    pub robot_faults: bool,
}

/// Writer of the CSV files of a run.
///
/// A thread formats the rows and writes them: when many rows are collected, and otherwise every 250 ms
/// of wall time, also if no more rows are added. A full disk therefore surfaces in a later call of
/// [`CsvRecorder::tick`]. [`CsvRecorder::finish`] writes the rest and reports errors. Dropping a
/// recorder also writes the rest, but cannot report errors.
pub struct CsvRecorder {
    paths: Vec<PathBuf>,
    writer: Writer,
    files: FileIndices,
    sensors: Vec<SensorColumns>,
}

/// Indices of the files besides the first, standard ones.
#[derive(Clone, Copy)]
struct FileIndices {
    energy: Option<usize>,
    hashes: Option<usize>,
    robot_faults: Option<usize>,
    quantities: Option<usize>,
    first_sensor: usize,
}

/// Path and number of columns of the file of a sensor.
struct SensorColumns {
    path: PathBuf,
    columns: usize,
}

impl CsvRecorder {
    /// Creates the directory and the files in it, with their headers. Files of the same names are
    /// replaced.
    ///
    /// # Errors
    /// [`RecordError`] if the directory, a file or the thread cannot be created.
    pub fn create(dir: &Path, tables: Tables<'_>) -> Result<Self, RecordError> {
        std::fs::create_dir_all(dir)
            .map_err(|source| RecordError::Directory { path: dir.to_owned(), source })?;
        let table = |name: &str, header: &[&str], rows: Rows| {
            Table::create(dir.join(name), header, rows, true)
        };
        let standard = |file: &Standard| table(file.file_name(), file.header(), Rows::Columns);
        let mut list = Standard::ALL.iter().map(standard).collect::<Result<Vec<_>, _>>()?;
        let mut add = |is_wanted: bool, name: &str, header: &[&str], rows: Rows| {
            let index = is_wanted.then_some(list.len());
            list.extend(is_wanted.then(|| table(name, header, rows)).transpose()?);
            Ok::<_, RecordError>(index)
        };
        let energy = add(tables.energy, "energy.csv", &ENERGY, Rows::Columns)?;
        let hashes = add(tables.hashes, "hash.csv", &HASH, Rows::Lines)?;
        let robot_faults =
            add(tables.robot_faults, "robot_faults.csv", &ROBOT_FAULTS, Rows::Lines)?;
        let names = tables.quantities.iter().map(String::as_str);
        let header: Vec<&str> = std::iter::once("time_s").chain(names).collect();
        let quantities =
            add(!tables.quantities.is_empty(), "quantities.csv", &header, Rows::Columns)?;
        let first_sensor = list.len();
        let sensors = create_sensors(dir, tables.sensors, &mut list)?;
        let files = FileIndices { energy, hashes, robot_faults, quantities, first_sensor };
        let paths = list.iter().map(|table| table.path().to_owned()).collect();
        Ok(Self { paths, writer: Writer::start(list)?, files, sensors })
    }

    /// Returns the paths of the files, with the files of the sensors last and in their order.
    pub fn paths(&self) -> &[PathBuf] {
        &self.paths
    }

    /// Starts adding rows, usually for one time step. The rows can be written as soon as the
    /// returned value is dropped. Waits for the thread if it is far behind.
    ///
    /// # Errors
    /// [`RecordError::Write`] if earlier rows could not be written.
    pub fn tick(&mut self) -> Result<Tick<'_>, RecordError> {
        let access = self.writer.access()?;
        Ok(Tick { access, files: self.files, sensors: &self.sensors })
    }

    /// Writes all remaining rows and returns the paths of the files, with the files of the sensors
    /// last and in their order. If one file fails, the others are still written.
    ///
    /// # Errors
    /// [`RecordError::Write`] if rows could not be written.
    pub fn finish(mut self) -> Result<Vec<PathBuf>, RecordError> {
        self.writer.finish()
    }
}

fn create_sensors(
    dir: &Path,
    sensors: &[SensorFile],
    list: &mut Vec<Table>,
) -> Result<Vec<SensorColumns>, RecordError> {
    let mut names = FileNames::default();
    let create = |(k, file): (usize, &SensorFile)| {
        let path = dir.join(names.claim(&file.vehicle, &file.sensor));
        let columns = file.columns.iter().map(String::as_str);
        let header: Vec<&str> = std::iter::once("time_s").chain(columns).collect();
        list.push(Table::create(path.clone(), &header, Rows::Columns, k < OPEN_SENSORS)?);
        Ok(SensorColumns { path, columns: file.columns.len() })
    };
    sensors.iter().enumerate().map(create).collect()
}

/// Adds rows to the files of a [`CsvRecorder`]. Adding a row copies its numbers, and allocates nothing
/// in the long run.
pub struct Tick<'a> {
    access: Access<'a>,
    files: FileIndices,
    sensors: &'a [SensorColumns],
}

impl Tick<'_> {
    /// Adds a row to a standard file. `names` contains the vehicle and, for `wheels.csv`, the
    /// wheel; `numbers` contains the columns after them.
    #[inline]
    pub fn standard<const N: usize>(
        &mut self,
        file: Standard,
        time: f64,
        names: [&str; N],
        numbers: &[f64],
    ) {
        debug_assert_eq!(1 + N + numbers.len(), file.header().len(), "{}", file.file_name());
        self.access.push(file as usize, time, names, numbers);
    }

    /// Adds a row to `quantities.csv`, if it was created: one number per column.
    pub fn quantities(&mut self, time: f64, numbers: &[f64]) {
        if let Some(file) = self.files.quantities {
            self.access.push(file, time, [], numbers);
        }
    }

    /// Adds a row to `energy.csv`, if it was created.
    pub fn energy(&mut self, row: &EnergyRow) {
        if let Some(file) = self.files.energy {
            let ([kinetic, potential], [motor, brake, slip, rolling, damping, drag, contact]) =
                (row.energy, row.work);
            let numbers = [kinetic, potential, motor, brake, slip, rolling, damping, drag, contact];
            self.access.push(file, row.time, [row.vehicle], &numbers);
        }
    }

    /// Adds a row to `hash.csv`, if it was created.
    pub fn hash(&mut self, row: &HashRow) {
        if let Some(file) = self.files.hashes {
            let HashRow { time, step, hash } = row;
            self.access.push_line(file, format_args!("{time},{step},{hash:032x}"));
        }
    }

    /// Adds a row to `robot_faults.csv`, if it was created.
    pub fn robot_fault(&mut self, row: &RobotFaultRow<'_>) {
        if let Some(file) = self.files.robot_faults {
            let RobotFaultRow { time, vehicle, sensor, severity: (severity, level), code, text } =
                *row;
            let [vehicle, sensor, text] = [vehicle, sensor, text].map(Text::field);
            let line = format_args!("{time},{vehicle},{sensor},{severity},{level},{code},{text}");
            self.access.push_line(file, line);
        }
    }

    /// Adds a sample to the file of a sensor. `sensor` is its index in [`Tables::sensors`], `time_s` the
    /// time of the sample in s, and `values` holds one value per column in the unit of the column.
    ///
    /// # Errors
    /// [`RecordError::UnknownSensor`] or [`RecordError::Columns`] if the sample does not fit.
    pub fn readings(
        &mut self,
        sensor: usize,
        time_s: f64,
        values: &[f64],
    ) -> Result<(), RecordError> {
        let Some(SensorColumns { path, columns }) = self.sensors.get(sensor) else {
            let known = self.sensors.len();
            return Err(RecordError::UnknownSensor { sensor, known });
        };
        if values.len() != *columns {
            let (path, found) = (path.clone(), values.len());
            return Err(RecordError::Columns { path, expected: *columns, found });
        }
        self.access.push(self.files.first_sensor + sensor, time_s, [], values);
        Ok(())
    }
}

/// Readings of one sensor, written to `<vehicle>.<sensor>.csv`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SensorFile {
    /// Name of the vehicle.
    pub vehicle: String,
    /// Name of the sensor on the vehicle.
    pub sensor: String,
    /// Column names of the readings, with their units.
    pub columns: Vec<String>,
}

/// A file that every run with output has: the same quantities of each vehicle, or of each wheel, in
/// separate rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standard {
    /// `trajectory.csv`: true pose and twist of the vehicles.
    Trajectory,
    /// `odometry.csv`: pose and twist of the vehicles, estimated from the wheels.
    Odometry,
    /// `wheels.csv`: the wheels.
    Wheels,
}

impl Standard {
    /// All files in their order.
    pub const ALL: [Self; 3] = [Self::Trajectory, Self::Odometry, Self::Wheels];

    /// Returns the name of the file.
    pub const fn file_name(self) -> &'static str {
        match self {
            Self::Trajectory => "trajectory.csv",
            Self::Odometry => "odometry.csv",
            Self::Wheels => "wheels.csv",
        }
    }

    /// Returns the header: the time, the names of vehicle and wheel, and the numbers.
    pub const fn header(self) -> &'static [&'static str] {
        match self {
            Self::Trajectory | Self::Odometry => &MOTION,
            Self::Wheels => &WHEELS,
        }
    }

    /// Returns the number of columns with names.
    const fn names(self) -> usize {
        match self {
            Self::Trajectory | Self::Odometry => 1,
            Self::Wheels => 2,
        }
    }

    /// Returns the number of columns with numbers, without the time.
    pub const fn numbers(self) -> usize {
        self.header().len() - 1 - self.names()
    }
}

/// Energy of a vehicle, and the work done on it since the start: a row of `energy.csv`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EnergyRow<'a> {
    /// Simulated time, s.
    pub time: f64,
    /// Name of the vehicle.
    pub vehicle: &'a str,
    /// Kinetic and potential energy, J.
    pub energy: [f64; 2],
    /// Work of motors, brakes, tyre slip, rolling resistance, damping, aerodynamics and contacts, J.
    pub work: [f64; 7],
}

/// State hash of a simulation: a row of `hash.csv`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HashRow {
    /// Simulated time, s.
    pub time: f64,
    /// Number of steps done.
    pub step: u64,
    /// The hash.
    pub hash: u128,
}

/// An entry of the fault memory of a vehicle: a row of `robot_faults.csv`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RobotFaultRow<'a> {
    /// Simulated time of the onset, s.
    pub time: f64,
    /// Name of the vehicle.
    pub vehicle: &'a str,
    /// Part of the vehicle that reports the fault.
    pub sensor: &'a str,
    /// Name and level of the severity.
    pub severity: (&'a str, u32),
    /// Number that identifies the fault among the faults of its component.
    pub code: u32,
    /// Description, empty if there is none.
    pub text: &'a str,
}

/// Header of `robot_faults.csv`.
const ROBOT_FAULTS: [&str; 7] =
    ["time_s", "vehicle", "sensor", "severity", "level", "code", "text"];

/// Header of `hash.csv`.
const HASH: [&str; 3] = ["time_s", "step", "hash"];

/// Header of `energy.csv`.
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

/// Header of `trajectory.csv` and `odometry.csv`.
const MOTION: [&str; 11] = [
    "time_s",
    "vehicle",
    "x_m",
    "y_m",
    "z_m",
    "yaw_rad",
    "pitch_rad",
    "roll_rad",
    "vx_mps",
    "vy_mps",
    "omega_radps",
];

/// Header of `wheels.csv`.
const WHEELS: [&str; 12] = [
    "time_s",
    "vehicle",
    "wheel",
    "spin_radps",
    "angle_rad",
    "steer_rad",
    "torque_nm",
    "normal_n",
    "vx_mps",
    "vy_mps",
    "fx_n",
    "fy_n",
];
