//! Readings of magnetometers.

use super::declare::stream_type;
use crate::ros::writer::Writer;
use crate::source::Source;
use crate::stream::Stream;

stream_type! {
    /// Magnetic field in the frame of the sensor.
    MagneticField as "sensor_msgs/msg/MagneticField" {
        /// Flux density along x, y, z.
        field: [f64; 3], "T";
    }
    definitions {
        "sensor_msgs/MagneticField":
            "std_msgs/Header header\ngeometry_msgs/Vector3 magnetic_field\n\
         float64[9] magnetic_field_covariance\n";
    }
    sources {
        Source::sensor("simhost/magnetometer", "magnetic_field", &[
            "magnetic_field_x", "magnetic_field_y", "magnetic_field_z",
        ]);
    }
}

impl MagneticField {
    pub(crate) fn write(&self, stream: &Stream, to: &mut impl Writer) {
        to.header(self.stamp, &stream.frame);
        to.vector("magnetic_field", self.field);
        to.covariance("magnetic_field_covariance", [0.0; 3]);
    }
}
