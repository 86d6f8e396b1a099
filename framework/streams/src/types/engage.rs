//! Requests of Autoware to drive.

use super::declare::stream_type;
use crate::ros::writer::Writer;
use crate::stream::Stream;

stream_type! {
    /// Start or stop of a vehicle, as Autoware sends it.
    Engage as "autoware_vehicle_msgs/msg/Engage" {
        /// 1 to drive, 0 to stand still.
        engage: u8, "1";
    }
    definitions {
        "autoware_vehicle_msgs/Engage": "builtin_interfaces/Time stamp\nbool engage\n";
    }
}

impl Engage {
    pub(crate) fn write(&self, _: &Stream, to: &mut impl Writer) {
        to.time("stamp", self.stamp);
        to.truth("engage", self.engage != 0);
    }
}
