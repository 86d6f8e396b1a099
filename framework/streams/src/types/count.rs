//! Counts.

use super::declare::stream_type;
use crate::ros::writer::{Number, Writer};
use crate::stream::Stream;

stream_type! {
    /// A count.
    Count as "std_msgs/msg/UInt64" {
        /// The count.
        data: u64, "1";
    }
    definitions {
        "std_msgs/UInt64":
            "uint64 data\n";
    }
}

impl Count {
    pub(crate) fn write(&self, _: &Stream, to: &mut impl Writer) {
        to.number("data", Number::U64(self.data));
    }
}
