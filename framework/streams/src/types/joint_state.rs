//! Joints of the wheels of a vehicle.

use super::declare::stream_type;
use super::fields::PerLabel;
use crate::ros::writer::{Length, Writer};
use crate::source::{Labels, Rates, Source};
use crate::stream::Stream;

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
