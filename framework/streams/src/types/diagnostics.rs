//! States of parts, such as faults.

use super::declare::stream_type;
use super::fields::{Numbers, Texts};
use crate::ros::writer::Writer;
use crate::stream::Stream;

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
