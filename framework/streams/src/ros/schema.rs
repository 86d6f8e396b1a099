//! Definitions of messages with everything that they refer to.

use super::generic;
use crate::stream::StreamType;

/// Line between the definition of a message and the definitions of nested messages.
pub(super) const SEPARATOR: &str =
    "================================================================================";

/// Definition of a ROS 2 message in the form `ros2msg` of MCAP: its text, followed by the texts of
/// all nested messages, each after a line of `=` and a line `MSG: package/Type`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Schema {
    /// Full name, such as `nav_msgs/msg/Odometry`.
    pub name: String,
    /// Text of the definitions.
    pub text: String,
}

impl Schema {
    /// Appends the definitions of all nested messages, which `find` returns by their names, such as
    /// `std_msgs/Header`, to the text of a definition.
    pub fn with_nested(
        name: &str,
        mut text: String,
        find: &dyn Fn(&str) -> Option<&'static str>,
    ) -> Self {
        let mut known = Vec::new();
        nested(&name.replace("/msg/", "/"), &text, find, &mut known);
        for (name, definition) in known {
            text.push_str(&format!("{SEPARATOR}\nMSG: {name}\n{definition}"));
        }
        Self { name: name.to_owned(), text }
    }
}

/// Returns the definition of the message that carries samples of a type.
pub fn schema(kind: &StreamType) -> Schema {
    let own = kind.message_form().map_or(&[][..], |form| form.definitions);
    let find = |name: &str| {
        let mut all = own.iter().chain(SHARED);
        all.find(|(known, _)| *known == name).map(|(_, text)| *text)
    };
    let text = match own.first() {
        Some((_, text)) => (*text).to_owned(),
        None => generic::definition(kind),
    };
    Schema::with_nested(&kind.message, text, &find)
}

/// Collects names and definitions of nested messages in the order in which they occur.
fn nested(
    name: &str,
    text: &str,
    find: &dyn Fn(&str) -> Option<&'static str>,
    known: &mut Vec<(String, &'static str)>,
) {
    let package = name.split('/').next().unwrap_or_default();
    let first = known.len();
    for line in text.lines().filter_map(line_of) {
        let base = line.kind.split(['[', '<']).next().unwrap_or_default();
        let full = match base.contains('/') {
            true => base.to_owned(),
            false => format!("{package}/{base}"),
        };
        let is_known = known.iter().any(|(name, _)| *name == full);
        if let Some(definition) = find(&full).filter(|_| !is_known) {
            known.push((full, definition));
        }
    }
    for index in first..known.len() {
        let (name, definition) = known[index].clone();
        nested(&name, definition, find, known);
    }
}

/// A field in a definition.
pub(super) struct Line<'a> {
    /// Type.
    pub kind: &'a str,
    /// Name; empty if it is missing.
    pub name: &'a str,
    /// Default; empty if there is none.
    pub default: &'a str,
}

/// Returns the field in a line of a definition; `None` for constants, comments and blank lines.
pub(super) fn line_of(line: &str) -> Option<Line<'_>> {
    let line = line.split('#').next().unwrap_or_default().trim();
    let word = |text: &'_ str| text.find(char::is_whitespace).unwrap_or(text.len());
    let (kind, rest) = line.split_at(word(line));
    let rest = rest.trim_start();
    let (name, default) = rest.split_at(word(rest));
    let default = default.trim_start();
    let is_field = !kind.is_empty() && !name.contains('=') && !default.starts_with('=');
    is_field.then_some(Line { kind, name, default })
}

// Definitions for a single type are in the file of the type; they come from
// `common_interfaces`, `geometry2`, `ackermann_msgs`, `autoware_msgs` and
// `tier4_autoware_msgs`.

/// Definition of `geometry_msgs/Twist`.
pub(crate) const TWIST: &str = "Vector3 linear\nVector3 angular\n";

/// Names and definitions.
const SHARED: &[(&str, &str)] = &[
    ("builtin_interfaces/Time", "int32 sec\nuint32 nanosec\n"),
    ("std_msgs/Header", "builtin_interfaces/Time stamp\nstring frame_id\n"),
    ("geometry_msgs/Vector3", "float64 x\nfloat64 y\nfloat64 z\n"),
    ("geometry_msgs/Point", "float64 x\nfloat64 y\nfloat64 z\n"),
    ("geometry_msgs/Quaternion", "float64 x 0\nfloat64 y 0\nfloat64 z 0\nfloat64 w 1\n"),
    ("geometry_msgs/Pose", "Point position\nQuaternion orientation\n"),
    ("geometry_msgs/PoseWithCovariance", "Pose pose\nfloat64[36] covariance\n"),
    ("geometry_msgs/Twist", TWIST),
    ("geometry_msgs/TwistWithCovariance", "Twist twist\nfloat64[36] covariance\n"),
];
