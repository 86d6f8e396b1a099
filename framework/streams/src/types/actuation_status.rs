//! Positions of pedals and steering, for Autoware.

use super::declare::stream_type;
use crate::ros::writer::Writer;
use crate::source::{INITIALIZED, INTERFACES, Source};
use crate::stream::Stream;

stream_type! {
    /// Positions of the pedals and of the steering.
    ActuationStatus as "tier4_vehicle_msgs/msg/ActuationStatusStamped" {
        /// Accelerator pedal.
        accel_status: f64, "1";
        /// Brake pedal.
        brake_status: f64, "1";
        /// Steering wheel, or tyre where there is no wheel.
        steer_status: f64, "rad";
    }
    definitions {
        "tier4_vehicle_msgs/ActuationStatusStamped":
            "std_msgs/Header header\nActuationStatus status\n";
        "tier4_vehicle_msgs/ActuationStatus":
            "float64 accel_status\nfloat64 brake_status\nfloat64 steer_status\n";
    }
    sources {
        Source::dynamics("simhost/actuation_cmd", INTERFACES, "actuation_status", &[
            "accel_status", "brake_status", "steer_status",
        ])
        .while_above(INITIALIZED, 0.5);
    }
}

impl ActuationStatus {
    pub(crate) fn write(&self, stream: &Stream, to: &mut impl Writer) {
        to.header(self.stamp, &stream.frame);
        to.open("status");
        to.f64("accel_status", self.accel_status);
        to.f64("brake_status", self.brake_status);
        to.f64("steer_status", self.steer_status);
        to.close();
    }
}
