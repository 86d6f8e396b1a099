//! Reports of gears, for Autoware.

use super::declare::stream_type;
use crate::ros::writer::Writer;
use crate::source::{INITIALIZED, INTERFACES, Source};
use crate::stream::Stream;

stream_type! {
    /// Gear of a vehicle.
    GearReport as "autoware_vehicle_msgs/msg/GearReport" {
        /// Number of the gear: 0 NONE, 1 NEUTRAL, 2 to 19 DRIVE to DRIVE_18, 20 REVERSE, 21 REVERSE_2, 22
        /// PARK, 23 LOW, 24 LOW_2.
        report: u8, "1";
    }
    definitions {
        "autoware_vehicle_msgs/GearReport":
            "uint8 NONE=0\nuint8 NEUTRAL=1\nuint8 DRIVE=2\nuint8 DRIVE_2=3\nuint8 DRIVE_3=4\n\
         uint8 DRIVE_4=5\nuint8 DRIVE_5=6\nuint8 DRIVE_6=7\nuint8 DRIVE_7=8\nuint8 DRIVE_8=9\n\
         uint8 DRIVE_9=10\nuint8 DRIVE_10=11\nuint8 DRIVE_11=12\nuint8 DRIVE_12=13\n\
         uint8 DRIVE_13=14\nuint8 DRIVE_14=15\nuint8 DRIVE_15=16\nuint8 DRIVE_16=17\n\
         uint8 DRIVE_17=18\nuint8 DRIVE_18=19\nuint8 REVERSE=20\nuint8 REVERSE_2=21\n\
         uint8 PARK=22\nuint8 LOW=23\nuint8 LOW_2=24\nbuiltin_interfaces/Time stamp\n\
         uint8 report\n";
    }
    sources {
        Source::controller(INTERFACES, "gear_report", &["gear_report"])
            .while_above(INITIALIZED, 0.5);
    }
}

impl GearReport {
    pub(crate) fn write(&self, _: &Stream, to: &mut impl Writer) {
        to.time("stamp", self.stamp);
        to.u8("report", self.report);
    }
}
