//! Reports of velocities, for Autoware.

use super::declare::stream_type;
use crate::ros::writer::Writer;
use crate::source::{Frame, INITIALIZED, REPORTS, Source};
use crate::stream::Stream;

stream_type! {
    /// Velocity of a vehicle in its frame.
    VelocityReport as "autoware_vehicle_msgs/msg/VelocityReport" {
        /// Forward velocity.
        longitudinal_velocity: f32, "m/s";
        /// Leftward velocity.
        lateral_velocity: f32, "m/s";
        /// Yaw rate, positive counter-clockwise.
        heading_rate: f32, "rad/s";
    }
    definitions {
        "autoware_vehicle_msgs/VelocityReport":
            "std_msgs/Header header\nfloat32 longitudinal_velocity\nfloat32 lateral_velocity\n\
         float32 heading_rate\n";
    }
    sources {
        Source::sensor(REPORTS, "velocity_report", &["linear_x", "linear_y", "angular_z"])
            .frame(Frame::Parameter("simulated_frame_id"))
            .while_above(INITIALIZED, 0.5);
    }
}

impl VelocityReport {
    pub(crate) fn write(&self, stream: &Stream, to: &mut impl Writer) {
        to.header(self.stamp, &stream.frame);
        to.f32("longitudinal_velocity", self.longitudinal_velocity);
        to.f32("lateral_velocity", self.lateral_velocity);
        to.f32("heading_rate", self.heading_rate);
    }
}
