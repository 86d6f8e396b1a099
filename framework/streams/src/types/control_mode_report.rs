//! Reports of the mode of control, for Autoware.

use super::declare::stream_type;
use crate::ros::writer::Writer;
use crate::source::{INTERFACES, Source};
use crate::stream::Stream;

stream_type! {
    /// Mode in which a vehicle is controlled.
    ControlModeReport as "autoware_vehicle_msgs/msg/ControlModeReport" {
        /// 1 AUTONOMOUS, 4 MANUAL.
        mode: u8, "1";
    }
    definitions {
        "autoware_vehicle_msgs/ControlModeReport":
            "uint8 NO_COMMAND=0\nuint8 AUTONOMOUS=1\nuint8 AUTONOMOUS_STEER_ONLY=2\n\
         uint8 AUTONOMOUS_VELOCITY_ONLY=3\nuint8 MANUAL=4\nuint8 DISENGAGED=5\n\
         uint8 NOT_READY=6\nbuiltin_interfaces/Time stamp\nuint8 mode\n";
    }
    sources {
        Source::controller(INTERFACES, "control_mode_report", &["control_mode"]);
    }
}

impl ControlModeReport {
    pub(crate) fn write(&self, _: &Stream, to: &mut impl Writer) {
        to.time("stamp", self.stamp);
        to.u8("mode", self.mode);
    }
}
