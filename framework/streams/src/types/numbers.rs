//! Truth values and numbers.

use super::declare::stream_type;
use crate::ros::writer::Writer;
use crate::source::{INTERFACES, Source};
use crate::stream::Stream;

stream_type! {
    /// A truth value.
    Bool as "std_msgs/msg/Bool" {
        /// 0 or 1.
        data: bool, "1";
    }
    definitions {
        "std_msgs/Bool":
            "bool data\n";
    }
    sources {
        Source::controller(INTERFACES, "control_mode_accepted", &["control_mode_accepted"])
            .while_above("control_mode_accepted", -0.5);
    }
}

impl Bool {
    pub(crate) fn write(&self, _: &Stream, to: &mut impl Writer) {
        to.truth("data", self.data);
    }
}

stream_type! {
    /// A number.
    Number as "std_msgs/msg/Float64" {
        /// The number.
        data: f64, "1";
    }
    definitions {
        "std_msgs/Float64":
            "float64 data\n";
    }
}

impl Number {
    pub(crate) fn write(&self, _: &Stream, to: &mut impl Writer) {
        to.f64("data", self.data);
    }
}
