//! Requests of turn indicators by Autoware.

use super::declare::stream_type;
use crate::ros::writer::Writer;
use crate::stream::Stream;

stream_type! {
    /// Request of the turn indicators, as Autoware sends it.
    TurnIndicatorsCommand as "autoware_vehicle_msgs/msg/TurnIndicatorsCommand" {
        /// 0 NO_COMMAND, 1 DISABLE, 2 ENABLE_LEFT, 3 ENABLE_RIGHT.
        command: u8, "1";
    }
    definitions {
        "autoware_vehicle_msgs/TurnIndicatorsCommand":
            "uint8 NO_COMMAND=0\nuint8 DISABLE=1\nuint8 ENABLE_LEFT=2\nuint8 ENABLE_RIGHT=3\n\
         builtin_interfaces/Time stamp\nuint8 command\n";
    }
}

impl TurnIndicatorsCommand {
    pub(crate) fn write(&self, _: &Stream, to: &mut impl Writer) {
        to.time("stamp", self.stamp);
        to.u8("command", self.command);
    }
}
