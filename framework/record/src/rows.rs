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

/// Pose and twist of a vehicle: a row of `trajectory.csv` (true motion) or `odometry.csv` (motion
/// estimated from the wheels).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TrajectoryRow<'a> {
    /// Simulated time, s.
    pub time: f64,
    /// Name of the vehicle.
    pub vehicle: &'a str,
    /// x, y, z of the reference point in the world frame, m; yaw, pitch, roll, rad.
    pub pose: [f64; 6],
    /// Forward and leftward velocity in the vehicle frame, m/s; yaw rate, rad/s.
    pub twist: [f64; 3],
}

/// State of a wheel: a row of `wheels.csv`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WheelRow<'a> {
    /// Simulated time, s.
    pub time: f64,
    /// Name of the vehicle.
    pub vehicle: &'a str,
    /// Name of the wheel on the vehicle.
    pub wheel: &'a str,
    /// Spin, positive when rolling forward, rad/s.
    pub spin: f64,
    /// Rotation about the axle since the start, not wrapped, rad.
    pub angle: f64,
    /// Steering angle, positive counter-clockwise, rad.
    pub steer: f64,
    /// Motor torque, positive forward, N·m.
    pub torque: f64,
    /// Normal load, N.
    pub normal_force: f64,
    /// Velocity of the wheel centre in the vehicle frame (forward, left), m/s.
    pub velocity: [f64; 2],
    /// Force of the ground on the wheel in the vehicle frame (forward, left), N.
    pub force: [f64; 2],
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
pub(crate) const TRAJECTORY: [&str; 11] = [
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
pub(crate) const WHEELS: [&str; 12] = [
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
