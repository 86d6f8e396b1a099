//! Inputs and measurements of the car.

use simhost_sdk::ports::{Attitude, MassProperties, Odometry, PlanarVelocity};
use simhost_sdk::prelude::*;
use simhost_sdk::vectors::Vec3;

use crate::body::Body;
use crate::forces::Impulses;

/// Values of the actuators, and the motion of the body.
#[derive(Clone, Copy, Debug, Default, Ports)]
pub struct Inputs {
    /// Acceleration of the car by the motor, positive forwards.
    #[port(unit = "m/s²")]
    pub motor: f64,
    /// Steering angle of an equivalent wheel in the middle of the front axle, positive
    /// counter-clockwise.
    #[port(unit = "rad")]
    pub steer: f64,
    /// Deceleration by the left front brake, at least 0.
    #[port(unit = "m/s²")]
    pub brake_front_left: f64,
    /// Deceleration by the right front brake, at least 0.
    #[port(unit = "m/s²")]
    pub brake_front_right: f64,
    /// Deceleration by the left rear brake, at least 0.
    #[port(unit = "m/s²")]
    pub brake_rear_left: f64,
    /// Deceleration by the right rear brake, at least 0.
    #[port(unit = "m/s²")]
    pub brake_rear_right: f64,
    /// Position of the reference point, world frame.
    #[port(unit = "m")]
    pub x: f64,
    /// Position of the reference point, world frame.
    #[port(unit = "m")]
    pub y: f64,
    /// Height of the reference point, world frame.
    #[port(unit = "m")]
    pub z: f64,
    /// Attitude of the body.
    #[port(flatten)]
    pub attitude: Attitude,
    /// Velocity of the reference point, and the angular velocity about the z axis of the car.
    #[port(flatten)]
    pub velocity: PlanarVelocity,
    /// Velocity of the reference point along the z axis of the car.
    #[port(unit = "m/s")]
    pub body_velocity_z: f64,
    /// Angular velocity about the x axis of the car.
    #[port(unit = "rad/s")]
    pub body_rate_x: f64,
    /// Angular velocity about the y axis of the car.
    #[port(unit = "rad/s")]
    pub body_rate_y: f64,
    /// Gravity.
    #[port(unit = "m/s²")]
    pub gravity: f64,
}

/// Measurements of the car.
#[derive(Clone, Copy, Debug, Ports)]
pub struct Measured {
    /// Velocity estimated from the rear wheels, for wheels without slip.
    #[port(flatten)]
    pub odometry: Odometry,
    /// Mass properties of the four masses.
    #[port(flatten)]
    pub body: MassProperties,
    /// Mean steering angle of the front wheels, positive counter-clockwise.
    #[port(unit = "rad")]
    pub steer_angle: f64,
}

/// Forces on the car, which act in each step anew.
#[derive(State)]
pub struct Forces {
    /// Gravity on the car in the last step, forward, frame of the car.
    #[state(unit = "N")]
    gravity_force_x: f64,
    /// Gravity on the car in the last step, leftward, frame of the car.
    #[state(unit = "N")]
    gravity_force_y: f64,
    /// Gravity on the car in the last step, upward, frame of the car.
    #[state(unit = "N")]
    gravity_force_z: f64,
    /// Drag of the air on the car in the last step, forward, frame of the car.
    #[state(unit = "N")]
    air_force_x: f64,
    /// Drag of the air on the car in the last step, leftward, frame of the car.
    #[state(unit = "N")]
    air_force_y: f64,
    /// Drag of the air on the car in the last step, upward, frame of the car.
    #[state(unit = "N")]
    air_force_z: f64,
    /// Rolling resistance of all wheels on the car in the last step, forward, frame of the car.
    #[state(unit = "N")]
    rolling_force_x: f64,
    /// Rolling resistance of all wheels on the car in the last step, leftward, frame of the car.
    #[state(unit = "N")]
    rolling_force_y: f64,
    /// Rolling resistance of all wheels on the car in the last step, upward, frame of the car.
    #[state(unit = "N")]
    rolling_force_z: f64,
    /// Side friction of all wheels on the car in the last step, forward, frame of the car.
    #[state(unit = "N")]
    side_force_x: f64,
    /// Side friction of all wheels on the car in the last step, leftward, frame of the car.
    #[state(unit = "N")]
    side_force_y: f64,
    /// Side friction of all wheels on the car in the last step, upward, frame of the car.
    #[state(unit = "N")]
    side_force_z: f64,
}

impl Forces {
    /// Returns the means of the forces over a step of `dt` s at whose end the body is known.
    pub(crate) fn new(impulses: &Impulses, body: &Body, dt: f64) -> Self {
        let axes = body.rotation.axes();
        let force = |impulse: Vec3| axes.invert(impulse / dt).to_array();
        let Impulses { gravity, air, rolling, side } = *impulses;
        let [gravity_force_x, gravity_force_y, gravity_force_z] = force(gravity);
        let [air_force_x, air_force_y, air_force_z] = force(air);
        let [rolling_force_x, rolling_force_y, rolling_force_z] = force(rolling);
        let [side_force_x, side_force_y, side_force_z] = force(side);
        Self {
            gravity_force_x,
            gravity_force_y,
            gravity_force_z,
            air_force_x,
            air_force_y,
            air_force_z,
            rolling_force_x,
            rolling_force_y,
            rolling_force_z,
            side_force_x,
            side_force_y,
            side_force_z,
        }
    }
}
