//! States of the wheels of a vehicle.

use super::declare::stream_type;
use super::fields::PerLabel;
use crate::source::{Labels, Source};

stream_type! {
    /// States of the wheels of a vehicle, and the forces on them.
    Wheels<'a> as "simhost_msgs/msg/Wheels" {
        /// Position ahead of the reference point of the vehicle.
        x: PerLabel<'a, f64>, "m";
        /// Position left of the reference point of the vehicle.
        y: PerLabel<'a, f64>, "m";
        /// Spin, positive when rolling forwards.
        spin: PerLabel<'a, f64>, "rad/s";
        /// Rotation about the axle, not wrapped.
        angle: PerLabel<'a, f64>, "rad";
        /// Steering angle, positive counter-clockwise.
        steer: PerLabel<'a, f64>, "rad";
        /// Motor torque, positive forwards.
        torque: PerLabel<'a, f64>, "N·m";
        /// Normal load, with the weight of the wheel.
        normal_force: PerLabel<'a, f64>, "N";
        /// Forward velocity of the wheel centre in the last step, vehicle frame.
        vx: PerLabel<'a, f64>, "m/s";
        /// Leftward velocity of the wheel centre in the last step, vehicle frame.
        vy: PerLabel<'a, f64>, "m/s";
        /// Forward force of the ground in the last step, vehicle frame.
        fx: PerLabel<'a, f64>, "N";
        /// Leftward force of the ground in the last step, vehicle frame.
        fy: PerLabel<'a, f64>, "N";
    }
    sources {
        Source::wheels("wheels", &[
            "x", "y", "spin", "angle", "steer", "torque", "normal_force", "vx", "vy", "fx", "fy",
        ])
        .labels(Labels::Wheels);
    }
}
