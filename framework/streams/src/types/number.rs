//! Numbers.

use super::declare::stream_type;
use crate::ros::writer::Writer;
use crate::stream::Stream;

stream_type! {
    /// A number.
    Number as "std_msgs/msg/Float64" {
        /// The number.
        data: f64, "1";
    }
    definitions {
        "std_msgs/Float64":
            "float64 data\n";
    }
}

impl Number {
    pub(crate) fn write(&self, _: &Stream, to: &mut impl Writer) {
        to.f64("data", self.data);
    }
}
