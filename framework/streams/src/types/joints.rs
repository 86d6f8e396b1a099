//! Wheels and joints.

use super::declare::stream_type;
use super::fields::PerLabel;
use crate::ros::writer::{Length, Writer};
use crate::source::{Labels, Rates, Source};
use crate::stream::Stream;

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

stream_type! {
    /// Angles and rates of joints: for each wheel the joint of its spin, and for wheels that turn
    /// about their vertical axes the joint of their steering.
    JointState<'a> as "sensor_msgs/msg/JointState" {
        /// Angles.
        position: PerLabel<'a, f64>, "rad";
        /// Rates; the rate of steering is the mean since the previous sample, and 0 in the first
        /// sample.
        velocity: PerLabel<'a, f64>, "rad/s";
    }
    definitions {
        "sensor_msgs/JointState":
            "std_msgs/Header header\nstring[] name\nfloat64[] position\nfloat64[] velocity\n\
         float64[] effort\n";
    }
    sources {
        Source::wheels("joint_states", &["angle", "steer", "spin"])
            .labels(Labels::Joints)
            .rates(Rates::Mean("steer"));
        Source::sensor("simhost/encoders", "joint_states", &["position", "steer", "velocity"])
            .labels(Labels::Joints)
            .rates(Rates::Mean("steer"));
    }
}

impl JointState<'_> {
    pub(crate) fn write(&self, stream: &Stream, to: &mut impl Writer) {
        to.header(self.stamp, &stream.frame);
        to.labels("name", stream);
        to.numbers("position", &self.position, Length::Variable);
        to.numbers("velocity", &self.velocity, Length::Variable);
        to.numbers("effort", &[], Length::Variable);
    }
}
