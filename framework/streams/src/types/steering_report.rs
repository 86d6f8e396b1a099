//! Reports of steering angles, for Autoware.

use super::declare::stream_type;
use crate::ros::writer::Writer;
use crate::source::{Frame, INITIALIZED, REPORTS, Source};
use crate::stream::Stream;

stream_type! {
    /// Angle of the steered tyres.
    SteeringReport as "autoware_vehicle_msgs/msg/SteeringReport" {
        /// Angle of the tyres, positive counter-clockwise.
        steering_tire_angle: f32, "rad";
    }
    definitions {
        "autoware_vehicle_msgs/SteeringReport":
            "builtin_interfaces/Time stamp\nfloat32 steering_tire_angle\n";
    }
    sources {
        Source::sensor(REPORTS, "steering", &["steering_tire_angle"])
            .frame(Frame::None)
            .while_above(INITIALIZED, 0.5);
    }
}

impl SteeringReport {
    pub(crate) fn write(&self, _: &Stream, to: &mut impl Writer) {
        to.time("stamp", self.stamp);
        to.f32("steering_tire_angle", self.steering_tire_angle);
    }
}
