//! Requests of gears by Autoware.

use super::declare::stream_type;
use crate::ros::writer::Writer;
use crate::stream::Stream;

stream_type! {
    /// Request of a gear, as Autoware sends it.
    GearCommand as "autoware_vehicle_msgs/msg/GearCommand" {
        /// Number of the gear: 0 NONE, 1 NEUTRAL, 2 to 19 DRIVE to DRIVE_18, 20 REVERSE, 21 REVERSE_2, 22 PARK, 23
        /// LOW, 24 LOW_2.
        command: u8, "1";
    }
    definitions {
        "autoware_vehicle_msgs/GearCommand":
            "uint8 NONE=0\nuint8 NEUTRAL=1\nuint8 DRIVE=2\nuint8 DRIVE_2=3\n\
         uint8 DRIVE_3=4\nuint8 DRIVE_4=5\nuint8 DRIVE_5=6\nuint8 DRIVE_6=7\n\
         uint8 DRIVE_7=8\nuint8 DRIVE_8=9\nuint8 DRIVE_9=10\nuint8 DRIVE_10=11\n\
         uint8 DRIVE_11=12\nuint8 DRIVE_12=13\nuint8 DRIVE_13=14\nuint8 DRIVE_14=15\n\
         uint8 DRIVE_15=16\nuint8 DRIVE_16=17\nuint8 DRIVE_17=18\nuint8 DRIVE_18=19\n\
         uint8 REVERSE=20\nuint8 REVERSE_2=21\nuint8 PARK=22\nuint8 LOW=23\n\
         uint8 LOW_2=24\n\
         builtin_interfaces/Time stamp\nuint8 command\n";
    }
}

impl GearCommand {
    pub(crate) fn write(&self, _: &Stream, to: &mut impl Writer) {
        to.time("stamp", self.stamp);
        to.u8("command", self.command);
    }
}
