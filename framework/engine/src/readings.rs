//! What an observer sees of a simulation.

/// A vehicle at one instant.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct VehicleSnapshot<'a> {
    /// Name in the world file.
    pub name: &'a str,
    /// Reference point: x, y, z, m; yaw, pitch, roll, rad; world frame.
    pub pose: [f64; 6],
    /// Of the reference point in the vehicle frame: vx, vy, m/s; yaw rate, rad/s.
    pub twist: [f64; 3],
    /// Pose that the wheels tell, as `pose`.
    pub odometry_pose: [f64; 6],
    /// Twist that the wheels tell, as `twist`.
    pub odometry_twist: [f64; 3],
}

/// What a vehicle weighs, with its wheels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BodyMass {
    /// kg.
    pub mass: f64,
    /// About the vertical through the centre of mass, kg·m².
    pub yaw_inertia: f64,
    /// Centre of mass in the vehicle frame, m.
    pub centre: [f64; 2],
}

/// A wheel at one instant.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WheelSnapshot<'a> {
    /// Name of the vehicle.
    pub vehicle: &'a str,
    /// Tag without `_wheel`.
    pub wheel: &'a str,
    /// rad/s.
    pub spin: f64,
    /// Unwrapped, rad.
    pub angle: f64,
    /// rad.
    pub steer: f64,
    /// Motor torque, positive forwards, N·m.
    pub torque: f64,
    /// With the wheel's own weight, N.
    pub normal_force: f64,
    /// Velocity of the wheel centre used in the last step, vehicle frame, m/s.
    pub velocity: [f64; 2],
    /// Force of the ground in the last step, vehicle frame, N.
    pub force: [f64; 2],
}

/// A sensor of the world.
#[derive(Clone, Debug, PartialEq)]
pub struct SensorInfo {
    /// Name of the vehicle.
    pub vehicle: String,
    /// Name of the sensor.
    pub sensor: String,
    /// Names of the numbers of a sample, with units.
    pub columns: Vec<String>,
}

/// A unit as it stands in the name of a csv column.
pub(crate) fn suffix(unit: &str) -> &'static str {
    match unit {
        "m" => "_m",
        "m/s" => "_mps",
        "m/s²" => "_mps2",
        "rad" => "_rad",
        "rad/s" => "_radps",
        "N" => "_n",
        "N·m" => "_nm",
        "s" => "_s",
        "kg" => "_kg",
        _ => "",
    }
}
