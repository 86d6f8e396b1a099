//! Rows of the CSV files.

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
pub(crate) const ROBOT_FAULTS: [&str; 7] =
    ["time_s", "vehicle", "sensor", "severity", "level", "code", "text"];

/// Header of `hash.csv`.
pub(crate) const HASH: [&str; 3] = ["time_s", "step", "hash"];

/// Header of `energy.csv`.
pub(crate) const ENERGY: [&str; 11] = [
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
