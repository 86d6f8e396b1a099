//! Readings of barometers.

use super::declare::stream_type;
use crate::ros::writer::Writer;
use crate::source::Source;
use crate::stream::Stream;

stream_type! {
    /// Pressure of the surrounding air or water.
    FluidPressure as "sensor_msgs/msg/FluidPressure" {
        /// Absolute pressure.
        pressure: f64, "Pa";
        /// Variance; 0 if unknown.
        variance: f64, "Pa²";
    }
    definitions {
        "sensor_msgs/FluidPressure":
            "std_msgs/Header header\nfloat64 fluid_pressure\nfloat64 variance\n";
    }
    sources {
        Source::sensor("simhost/barometer", "pressure", &["pressure", "variance"]);
    }
}

impl FluidPressure {
    pub(crate) fn write(&self, stream: &Stream, to: &mut impl Writer) {
        to.header(self.stamp, &stream.frame);
        to.f64("fluid_pressure", self.pressure);
        to.f64("variance", self.variance);
    }
}
