//! The clock, diagnostics, parameters, recordings and steps of a run.

use super::declare::stream_type;
use super::fields::{Numbers, Texts};
use crate::ros::writer::{Number, Writer};
use crate::stream::Stream;

stream_type! {
    /// Simulated time, which is the stamp of the sample.
    Clock as "rosgraph_msgs/msg/Clock" {}
    definitions {
        "rosgraph_msgs/Clock":
            "builtin_interfaces/Time clock\n";
    }
}

impl Clock {
    pub(crate) fn write(&self, _: &Stream, to: &mut impl Writer) {
        to.time("clock", self.stamp);
    }
}

stream_type! {
    /// States of parts. The labels are the keys of further values of a state.
    Diagnostics<'a> as "diagnostic_msgs/msg/DiagnosticArray" {
        /// Level of each state: 0 normal, 1 warning, 2 error, 3 stale.
        level: Numbers<'a>, "1";
        /// Name of the part, message and hardware of each state, and its further values.
        texts: Texts<'a, 3>, "";
    }
    definitions {
        "diagnostic_msgs/DiagnosticArray":
            "std_msgs/Header header\nDiagnosticStatus[] status\n";
        "diagnostic_msgs/DiagnosticStatus":
            "byte OK=0\nbyte WARN=1\nbyte ERROR=2\nbyte STALE=3\nbyte level\nstring name\n\
         string message\nstring hardware_id\nKeyValue[] values\n";
        "diagnostic_msgs/KeyValue":
            "string key\nstring value\n";
    }
}

impl Diagnostics<'_> {
    pub(crate) fn write(&self, stream: &Stream, to: &mut impl Writer) {
        to.header(self.stamp, &stream.frame);
        let keys = &stream.labels;
        let mut texts = self.texts.0.iter().map(String::as_str).chain(std::iter::repeat(""));
        let mut text = || texts.next().unwrap_or_default();
        to.list("status", self.level.0.len());
        self.level.0.for_each(|level| {
            to.open("");
            to.u8("level", level as u8);
            for name in ["name", "message", "hardware_id"] {
                to.text(name, text());
            }
            to.list("values", keys.len());
            for key in keys {
                to.open("");
                to.text("key", key);
                to.text("value", text());
                to.close();
            }
            to.end();
            to.close();
        });
        to.end();
    }
}

stream_type! {
    /// Value of a parameter of a model.
    Parameter<'a> as "simhost_msgs/msg/Parameter" {
        /// Name: `VEHICLE/ROLE/KEY`, such as `robot/controller/KP`.
        name: &'a str, "";
        /// Value as in a world file.
        value: &'a str, "";
    }
}

stream_type! {
    /// Switch of the log of a vehicle.
    Recording<'a> as "simhost_msgs/msg/Recording" {
        /// Name of the vehicle; empty for all vehicles.
        vehicle: &'a str, "";
        /// `on`, `off`, `new` for a log in new files, or `clear` for tables without the rows so far.
        action: &'a str, "";
    }
}

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

stream_type! {
    /// A text, such as the file of a robot.
    Text<'a> as "std_msgs/msg/String" {
        /// The text.
        data: &'a str, "";
    }
    definitions {
        "std_msgs/String":
            "string data\n";
    }
}

impl Text<'_> {
    pub(crate) fn write(&self, _: &Stream, to: &mut impl Writer) {
        to.text("data", self.data);
    }
}
