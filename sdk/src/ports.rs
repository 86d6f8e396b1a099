//! Groups of ports that many models share, for `#[port(flatten)]`.

use crate::Ports;

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

/// Mass properties of a class that imposes its motion: a measurement of a dynamics class, which a run
/// publishes in place of those of the body that collides.
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
