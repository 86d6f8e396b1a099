//! Accelerations of vehicles, for Autoware.

use super::declare::stream_type;
use crate::ros::writer::Writer;
use crate::source::{Frame, INITIALIZED, REPORTS, Source};
use crate::stream::Stream;

/// Variance of each component in the messages of Autoware, m²/s⁴.
const VARIANCE: f64 = 0.001;

stream_type! {
    /// Acceleration of a vehicle in its frame. The constant is `variance` in m²/s⁴, for each
    /// component.
    Acceleration as "geometry_msgs/msg/AccelWithCovarianceStamped" {
        /// Acceleration along x, y, z.
        linear: [f64; 3], "m/s²";
    }
    constants {
        /// Variance of each component, m²/s⁴.
        variance: f64;
    }
    definitions {
        "geometry_msgs/AccelWithCovarianceStamped":
            "std_msgs/Header header\nAccelWithCovariance accel\n";
        "geometry_msgs/AccelWithCovariance":
            "Accel accel\nfloat64[36] covariance\n";
        "geometry_msgs/Accel":
            "Vector3 linear\nVector3 angular\n";
    }
    sources {
        Source::sensor(REPORTS, "acceleration", &["acceleration_x", "acceleration_y", "acceleration_z"])
            .frame(Frame::Parameter("simulated_frame_id"))
            .while_above(INITIALIZED, 0.5)
            .constants(|_| vec![("variance".into(), VARIANCE)]);
    }
}

impl Acceleration {
    pub(crate) fn write(&self, stream: &Stream, to: &mut impl Writer) {
        to.header(self.stamp, &stream.frame);
        to.open("accel");
        to.open("accel");
        to.vector("linear", self.linear);
        to.vector("angular", [0.0; 3]);
        to.close();
        to.covariance("covariance", [self.variance; 6]);
        to.close();
    }
}
