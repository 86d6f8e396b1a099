//! Definitions of messages with everything that they refer to.

use super::definitions;
use super::generic;
use super::layout::line_of;
use crate::stream::StreamType;

/// Line between the definition of a message and those of nested messages.
pub(super) const SEPARATOR: &str =
    "================================================================================";

/// Definition of a ROS 2 message in the form `ros2msg` of MCAP: its text, and after it those of all nested
/// messages, each behind a line of `=` and a line `MSG: package/Type`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Schema {
    /// Full name, such as `nav_msgs/msg/Odometry`.
    pub name: String,
    /// Text of the definitions.
    pub text: String,
}

/// Returns the definition of the message that carries samples of a type.
pub fn schema(kind: &StreamType) -> Schema {
    let name = kind.message.replace("/msg/", "/");
    let own = match definitions::find(&name) {
        Some(text) => text.to_owned(),
        None => generic::definition(kind),
    };
    let mut text = own.clone();
    let mut known = Vec::new();
    nested(&name, &own, &mut known);
    for name in known {
        let definition = definitions::find(&name).unwrap_or_default();
        text.push_str(&format!("{SEPARATOR}\nMSG: {name}\n{definition}"));
    }
    Schema { name: kind.message.to_string(), text }
}

/// Collects the names of nested messages in the order in which they occur.
fn nested(name: &str, text: &str, known: &mut Vec<String>) {
    let package = name.split('/').next().unwrap_or_default();
    let mut new = Vec::new();
    for (kind, _) in text.lines().filter_map(line_of) {
        let base = kind.split(['[', '<']).next().unwrap_or_default();
        let full = match base.contains('/') {
            true => base.to_owned(),
            false => format!("{package}/{base}"),
        };
        if definitions::find(&full).is_some() && !known.contains(&full) {
            known.push(full.clone());
            new.push(full);
        }
    }
    for name in new {
        nested(&name, definitions::find(&name).unwrap_or_default(), known);
    }
}
