//! Requests of hazard lights by Autoware.

use super::declare::stream_type;
use crate::ros::writer::Writer;
use crate::stream::Stream;

stream_type! {
    /// Request of the hazard lights, as Autoware sends it.
    HazardLightsCommand as "autoware_vehicle_msgs/msg/HazardLightsCommand" {
        /// 0 NO_COMMAND, 1 DISABLE, 2 ENABLE.
        command: u8, "1";
    }
    definitions {
        "autoware_vehicle_msgs/HazardLightsCommand":
            "uint8 NO_COMMAND=0\nuint8 DISABLE=1\nuint8 ENABLE=2\n\
         builtin_interfaces/Time stamp\nuint8 command\n";
    }
}

impl HazardLightsCommand {
    pub(crate) fn write(&self, _: &Stream, to: &mut impl Writer) {
        to.time("stamp", self.stamp);
        to.u8("command", self.command);
    }
}
