//! Groups of ports that many models share, for `#[port(flatten)]`.

use crate::{Ports, math};

/// Velocity that the odometry of a vehicle gives: a measurement of a dynamics class.
#[derive(Clone, Copy, Debug, Default, PartialEq, Ports)]
pub struct Odometry {
    /// Forward velocity that the vehicle measures.
    #[port(unit = "m/s")]
    pub odometry_vx: f64,
    /// Leftward velocity that the vehicle measures.
    #[port(unit = "m/s")]
    pub odometry_vy: f64,
    /// Yaw rate that the vehicle measures, positive counter-clockwise.
    #[port(unit = "rad/s")]
    pub odometry_omega: f64,
}

/// Mass properties of a class that imposes its motion: a measurement of a dynamics class, which a
/// run publishes instead of the mass properties of the colliding body.
#[derive(Clone, Copy, Debug, Default, PartialEq, Ports)]
pub struct MassProperties {
    /// Mass with the wheels.
    #[port(unit = "kg")]
    pub mass: f64,
    /// Moment of inertia about the vertical axis through the centre of mass.
    #[port(unit = "kg·m²")]
    pub yaw_inertia: f64,
    /// Centre of mass ahead of the reference point.
    #[port(unit = "m")]
    pub centre_x: f64,
    /// Centre of mass left of the reference point.
    #[port(unit = "m")]
    pub centre_y: f64,
    /// Centre of mass above the reference point.
    #[port(unit = "m")]
    pub centre_z: f64,
}

/// Pose of a vehicle in the plane.
#[derive(Clone, Copy, Debug, Default, PartialEq, Ports)]
pub struct PlanarPose {
    /// Position of the reference point, world frame.
    #[port(unit = "m")]
    pub x: f64,
    /// Position of the reference point, world frame.
    #[port(unit = "m")]
    pub y: f64,
    /// Heading, positive counter-clockwise from the world x axis.
    #[port(unit = "rad")]
    pub yaw: f64,
}

impl PlanarPose {
    /// Returns the coordinates of a point of the world in the vehicle frame, m: forwards and to the left.
    pub fn in_vehicle_frame(&self, [x, y]: [f64; 2]) -> [f64; 2] {
        let (dx, dy) = (x - self.x, y - self.y);
        let (sin, cos) = math::sin_cos(self.yaw);
        [cos * dx + sin * dy, cos * dy - sin * dx]
    }
}

/// Pose and velocity of the reference point that a sensor of odometry gives.
#[derive(Clone, Copy, Debug, Default, PartialEq, Ports)]
pub struct OdometryReading {
    /// Position along x of the frame of the reading.
    #[port(unit = "m")]
    pub position_x: f64,
    /// Position along y of the frame of the reading.
    #[port(unit = "m")]
    pub position_y: f64,
    /// Height of the ground; 0 for an estimate in the plane.
    #[port(unit = "m")]
    pub position_z: f64,
    /// Heading.
    #[port(unit = "rad")]
    pub orientation_yaw: f64,
    /// Pitch, positive nose down; 0 for an estimate in the plane.
    #[port(unit = "rad")]
    pub orientation_pitch: f64,
    /// Roll, positive right side down; 0 for an estimate in the plane.
    #[port(unit = "rad")]
    pub orientation_roll: f64,
    /// Forward velocity, vehicle frame.
    #[port(unit = "m/s")]
    pub linear_x: f64,
    /// Leftward velocity, vehicle frame.
    #[port(unit = "m/s")]
    pub linear_y: f64,
    /// Yaw rate.
    #[port(unit = "rad/s")]
    pub angular_z: f64,
}

/// Variances of an [`OdometryReading`], the diagonal of its covariances; 0 where nothing is known of the noise.
#[derive(Clone, Copy, Debug, Default, PartialEq, Ports)]
pub struct OdometryVariance {
    /// Variance of the position along x of the frame of the reading.
    #[port(unit = "m²")]
    pub variance_x: f64,
    /// Variance of the position along y of the frame of the reading.
    #[port(unit = "m²")]
    pub variance_y: f64,
    /// Variance of the heading.
    #[port(unit = "rad²")]
    pub variance_yaw: f64,
    /// Variance of the forward velocity.
    #[port(unit = "m²/s²")]
    pub variance_linear_x: f64,
    /// Variance of the leftward velocity.
    #[port(unit = "m²/s²")]
    pub variance_linear_y: f64,
    /// Variance of the yaw rate.
    #[port(unit = "rad²/s²")]
    pub variance_angular_z: f64,
}

/// Velocity of a vehicle in the plane.
#[derive(Clone, Copy, Debug, Default, PartialEq, Ports)]
pub struct PlanarVelocity {
    /// Forward velocity of the reference point.
    #[port(unit = "m/s")]
    pub vx: f64,
    /// Leftward velocity of the reference point.
    #[port(unit = "m/s")]
    pub vy: f64,
    /// Yaw rate, positive counter-clockwise.
    #[port(unit = "rad/s")]
    pub omega: f64,
}

/// Velocity that a controller imposes on a vehicle, past motors and wheels.
#[derive(Clone, Copy, Debug, Default, PartialEq, Ports)]
pub struct ImposedTwist {
    /// Forward velocity.
    #[port(unit = "m/s")]
    pub twist_vx: f64,
    /// Leftward velocity.
    #[port(unit = "m/s")]
    pub twist_vy: f64,
    /// Yaw rate, positive counter-clockwise.
    #[port(unit = "rad/s")]
    pub twist_omega: f64,
}

/// Attitude of a vehicle in space.
#[derive(Clone, Copy, Debug, Default, PartialEq, Ports)]
pub struct Attitude {
    /// Heading in the world.
    #[port(unit = "rad")]
    pub yaw: f64,
    /// Pitch, positive nose down.
    #[port(unit = "rad")]
    pub pitch: f64,
    /// Roll, positive right side down.
    #[port(unit = "rad")]
    pub roll: f64,
}

impl Attitude {
    /// Returns yaw, pitch and roll.
    #[inline(always)]
    pub const fn angles(&self) -> [f64; 3] {
        [self.yaw, self.pitch, self.roll]
    }
}

/// Gravity on a vehicle, and its components along the ground.
#[derive(Clone, Copy, Debug, Default, PartialEq, Ports)]
pub struct SlopeGravity {
    /// Gravity.
    #[port(unit = "m/s²")]
    pub gravity: f64,
    /// Forward component of gravity along the ground, which the host applies to the body.
    #[port(unit = "m/s²")]
    pub slope_ax: f64,
    /// Leftward component of gravity along the ground.
    #[port(unit = "m/s²")]
    pub slope_ay: f64,
}

/// Pedals, steering and gear of a vehicle with a powertrain.
#[derive(Clone, Copy, Debug, Default, PartialEq, Ports)]
pub struct PowertrainControls {
    /// Throttle, 0 to 1.
    #[port(unit = "1")]
    pub throttle: f64,
    /// Brake pedal, as a share of the largest brake torque, 0 to 1.
    #[port(unit = "1")]
    pub brake: f64,
    /// Steering angle of an equivalent wheel in the middle of the front axle, positive
    /// counter-clockwise.
    #[port(unit = "rad")]
    pub steer: f64,
    /// Requested gear: −1 reverse, 0 neutral, 1 and above forward.
    #[port(unit = "1")]
    pub gear: f64,
}

/// Torques of two motors and steering angle of an Ackermann vehicle.
#[derive(Clone, Copy, Debug, Default, PartialEq, Ports)]
pub struct FrontMotors {
    /// Torque of the left motor, positive forwards. It drives the left front wheel unless the dynamics class drives
    /// other axles.
    #[port(unit = "N·m")]
    pub torque_front_left: f64,
    /// Torque of the right motor, positive forwards. It drives the right front wheel unless the dynamics class drives
    /// other axles.
    #[port(unit = "N·m")]
    pub torque_front_right: f64,
    /// Steering angle of an equivalent wheel in the middle of the front axle, positive
    /// counter-clockwise.
    #[port(unit = "rad")]
    pub steer: f64,
}

/// Torques of motors in four wheels.
#[derive(Clone, Copy, Debug, Default, PartialEq, Ports)]
pub struct MotorTorques {
    /// Torque on the left front wheel, positive forwards.
    #[port(unit = "N·m")]
    pub torque_front_left: f64,
    /// Torque on the right front wheel, positive forwards.
    #[port(unit = "N·m")]
    pub torque_front_right: f64,
    /// Torque on the left rear wheel, positive forwards.
    #[port(unit = "N·m")]
    pub torque_rear_left: f64,
    /// Torque on the right rear wheel, positive forwards.
    #[port(unit = "N·m")]
    pub torque_rear_right: f64,
}

impl MotorTorques {
    /// Creates the torques of the wheels in the order of the ports.
    #[inline(always)]
    pub const fn new([front_left, front_right, rear_left, rear_right]: [f64; 4]) -> Self {
        Self {
            torque_front_left: front_left,
            torque_front_right: front_right,
            torque_rear_left: rear_left,
            torque_rear_right: rear_right,
        }
    }
}

/// Torques of motors in four wheels, and steering angle.
#[derive(Clone, Copy, Debug, Default, PartialEq, Ports)]
pub struct SteeredMotors {
    /// Torques of the motors.
    #[port(flatten)]
    pub torques: MotorTorques,
    /// Steering angle of an equivalent wheel in the middle of the front axle, positive
    /// counter-clockwise.
    #[port(unit = "rad")]
    pub steer: f64,
}

/// Geometry of the steering of a vehicle, as a controller of its front wheels or of its engine reads it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Ports)]
pub struct SteeringGeometry {
    /// Wheelbase: distance between the axle that does not steer and the steered one.
    #[port(unit = "m")]
    pub wheelbase: f64,
    /// Position of the steered axle ahead of the reference point.
    #[port(unit = "m")]
    pub front_axle_x: f64,
    /// Distance between the steered wheels.
    #[port(unit = "m")]
    pub front_track: f64,
    /// Largest steering angle of an equivalent wheel in the middle of the steered axle. A larger
    /// value allows the vehicle to turn in a smaller circle.
    #[port(unit = "rad")]
    pub max_steer: f64,
}

/// Measurements of a steered vehicle, which include everything that `front_steer_pid` and `twist_front_steer_pid` read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Ports)]
pub struct SteeredMeasurements {
    /// Velocity estimated from the wheels.
    #[port(flatten)]
    pub odometry: Odometry,
    /// Geometry of the steering.
    #[port(flatten)]
    pub geometry: SteeringGeometry,
    /// Mean rolling radius of the wheels.
    #[port(unit = "m")]
    pub wheel_radius: f64,
}

/// Commanded speed and steering angle.
#[derive(Clone, Copy, Debug, Default, PartialEq, Ports)]
pub struct SpeedSteerCommand {
    /// Forward velocity.
    #[port(unit = "m/s", command, key = "V")]
    pub command_speed: f64,
    /// Steering angle, positive counter-clockwise.
    #[port(unit = "rad", command, key = "STEER_ANG", key_unit = "deg", key_scale = math::DEG)]
    pub command_steer: f64,
}
