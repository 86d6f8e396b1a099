//! Reports of turn indicators, for Autoware.

use super::declare::stream_type;
use crate::ros::writer::Writer;
use crate::source::{INTERFACES, Source};
use crate::stream::Stream;

stream_type! {
    /// State of the turn indicators.
    TurnIndicatorsReport as "autoware_vehicle_msgs/msg/TurnIndicatorsReport" {
        /// 1 DISABLE, 2 ENABLE_LEFT, 3 ENABLE_RIGHT.
        report: u8, "1";
    }
    definitions {
        "autoware_vehicle_msgs/TurnIndicatorsReport":
            "uint8 DISABLE=1\nuint8 ENABLE_LEFT=2\nuint8 ENABLE_RIGHT=3\n\
         builtin_interfaces/Time stamp\nuint8 report\n";
    }
    sources {
        Source::controller(INTERFACES, "turn_indicators_report", &["turn_indicators_report"])
            .while_above("turn_indicators_report", 0.5);
    }
}

impl TurnIndicatorsReport {
    pub(crate) fn write(&self, _: &Stream, to: &mut impl Writer) {
        to.time("stamp", self.stamp);
        to.u8("report", self.report);
    }
}
