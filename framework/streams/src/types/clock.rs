//! Simulated time.

use super::declare::stream_type;
use crate::ros::writer::Writer;
use crate::stream::Stream;

stream_type! {
    /// Simulated time, which is the stamp of the sample.
    Clock as "rosgraph_msgs/msg/Clock" {}
    definitions {
        "rosgraph_msgs/Clock":
            "builtin_interfaces/Time clock\n";
    }
}

impl Clock {
    pub(crate) fn write(&self, _: &Stream, to: &mut impl Writer) {
        to.time("clock", self.stamp);
    }
}
