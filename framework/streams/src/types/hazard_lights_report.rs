//! Reports of hazard lights, for Autoware.

use super::declare::stream_type;
use crate::ros::writer::Writer;
use crate::source::{INTERFACES, Source};
use crate::stream::Stream;

stream_type! {
    /// State of the hazard lights.
    HazardLightsReport as "autoware_vehicle_msgs/msg/HazardLightsReport" {
        /// 1 DISABLE, 2 ENABLE.
        report: u8, "1";
    }
    definitions {
        "autoware_vehicle_msgs/HazardLightsReport":
            "uint8 DISABLE=1\nuint8 ENABLE=2\nbuiltin_interfaces/Time stamp\nuint8 report\n";
    }
    sources {
        Source::controller(INTERFACES, "hazard_lights_report", &["hazard_lights_report"])
            .while_above("hazard_lights_report", 0.5);
    }
}

impl HazardLightsReport {
    pub(crate) fn write(&self, _: &Stream, to: &mut impl Writer) {
        to.time("stamp", self.stamp);
        to.u8("report", self.report);
    }
}
