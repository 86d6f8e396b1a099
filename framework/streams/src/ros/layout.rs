//! Definitions of messages in a form that bytes are read with.

use std::collections::HashMap;

use super::schema::{Line, SEPARATOR, Schema, line_of};

/// Largest depth of nested messages.
const DEPTH: usize = 32;

/// Parsed definition of a ROS 2 message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layout {
    /// The messages, the outermost first.
    pub(super) messages: Vec<Message>,
}

/// A message: its fields in their order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Message {
    /// Name, such as `geometry_msgs/Twist` or `std_srvs/srv/SetBool_Request`.
    pub name: String,
    pub fields: Vec<Part>,
}

/// A field of a message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Part {
    pub name: String,
    pub kind: Kind,
    pub shape: Shape,
    /// Default as in the definition; empty if there is none.
    pub default: String,
}

/// Type of an element of a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Bool,
    /// `byte`, which differs from `uint8` in the hash of its type only.
    Byte,
    U8,
    I8,
    U16,
    I16,
    U32,
    I32,
    U64,
    I64,
    F32,
    F64,
    /// Text of this many letters at most; 0 if any number is possible.
    Text(usize),
    /// Index of a message.
    Message(usize),
}

/// Number of elements of a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    One,
    Array(usize),
    /// Sequence of this many elements at most; 0 if any number is possible.
    Sequence(usize),
}

/// A field of a message, as [`Layout::fields`] lists it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LayoutField<'a> {
    /// Name.
    pub name: &'a str,
    /// Whether the field is a single value without a default.
    pub is_required: bool,
}

/// A definition cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the definition of {message} cannot be used: {text}")]
pub struct LayoutError {
    message: String,
    text: String,
}

impl Layout {
    /// Parses a definition in the form `ros2msg` of MCAP.
    ///
    /// # Errors
    /// [`LayoutError`] if a line is not a field, a type is unknown or not supported (`wstring`), or messages
    /// are nested without end.
    pub fn new(schema: &Schema) -> Result<Self, LayoutError> {
        let fail = |text: String| LayoutError { message: schema.name.clone(), text };
        let root = schema.name.replace("/msg/", "/");
        let mut texts: Vec<(String, Vec<&str>)> = vec![(root, Vec::new())];
        let mut lines = schema.text.lines();
        while let Some(line) = lines.next() {
            if line.trim_end() == SEPARATOR {
                let name = lines.next().and_then(|line| line.strip_prefix("MSG:"));
                let name = name.ok_or_else(|| fail("expected `MSG: TYPE` after `===`".into()))?;
                texts.push((name.trim().replace("/msg/", "/"), Vec::new()));
            } else if let Some((_, lines)) = texts.last_mut() {
                lines.push(line);
            }
        }
        let numbers: HashMap<&str, usize> =
            texts.iter().enumerate().map(|(number, (name, _))| (name.as_str(), number)).collect();
        let message = |(name, lines): &(String, Vec<&str>)| {
            let package = name.split('/').next().unwrap_or_default();
            let fields = lines.iter().filter_map(|line| line_of(line));
            let parts = fields.map(|line| part(&line, package, &numbers));
            let fields = parts.collect::<Result<_, _>>().map_err(fail)?;
            Ok(Message { name: name.clone(), fields })
        };
        let layout = Self { messages: texts.iter().map(message).collect::<Result<_, _>>()? };
        match layout.is_deeper(0, DEPTH) {
            true => Err(fail("messages are nested too deeply".into())),
            false => Ok(layout),
        }
    }

    /// Returns the fields of the outermost message in their order.
    pub fn fields(&self) -> impl Iterator<Item = LayoutField<'_>> {
        let parts = self.messages.first().into_iter().flat_map(|message| &message.fields);
        parts.map(|part| {
            let is_single = part.shape == Shape::One && !matches!(part.kind, Kind::Message(_));
            LayoutField { name: &part.name, is_required: is_single && part.default.is_empty() }
        })
    }

    /// Returns whether messages are nested more than `depth` times.
    fn is_deeper(&self, message: usize, depth: usize) -> bool {
        let nested = |part: &Part| match part.kind {
            Kind::Message(inner) => Some(inner),
            _ => None,
        };
        // each message is visited once at each depth
        let mut level = vec![message];
        for _ in 0..depth {
            let fields = level.iter().flat_map(|message| &self.messages[*message].fields);
            let mut next: Vec<usize> = fields.filter_map(nested).collect();
            next.sort_unstable();
            next.dedup();
            level = next;
        }
        !level.is_empty()
    }
}

fn part(
    &Line { kind, name, default }: &Line<'_>,
    package: &str,
    numbers: &HashMap<&str, usize>,
) -> Result<Part, String> {
    if name.is_empty() {
        return Err(format!("`{kind}` has no name"));
    }
    // the length of `string<=10[<=5]` is behind the first bracket
    let (base, shape) = match kind.split_once('[') {
        None => (kind, Shape::One),
        Some((base, rest)) => {
            let len = rest.strip_suffix(']').ok_or_else(|| format!("expected `]` in `{kind}`"))?;
            let number = |text: &str| text.parse().map_err(|_| bad_length(kind));
            match (len, len.strip_prefix("<=")) {
                ("", _) => (base, Shape::Sequence(0)),
                (_, Some(bound)) => (base, Shape::Sequence(number(bound)?)),
                (_, None) => (base, Shape::Array(number(len)?)),
            }
        }
    };
    let kind = match base.split_once("<=") {
        Some(("string", bound)) => Kind::Text(bound.parse().map_err(|_| bad_length(kind))?),
        Some(_) => return Err(format!("`{base}` is not a text with a largest length")),
        None => match base {
            "bool" => Kind::Bool,
            "byte" => Kind::Byte,
            "char" | "uint8" => Kind::U8,
            "int8" => Kind::I8,
            "uint16" => Kind::U16,
            "int16" => Kind::I16,
            "uint32" => Kind::U32,
            "int32" => Kind::I32,
            "uint64" => Kind::U64,
            "int64" => Kind::I64,
            "float32" => Kind::F32,
            "float64" => Kind::F64,
            "string" => Kind::Text(0),
            _ => Kind::Message(message(base, package, numbers)?),
        },
    };
    Ok(Part { name: name.to_owned(), kind, shape, default: default.to_owned() })
}

fn bad_length(kind: &str) -> String {
    format!("the length in `{kind}` is not a number")
}

/// Returns the number of a nested message.
fn message(base: &str, package: &str, numbers: &HashMap<&str, usize>) -> Result<usize, String> {
    let full = match (base, base.contains('/')) {
        ("Header", _) => "std_msgs/Header".to_owned(),
        (_, true) => base.replace("/msg/", "/"),
        (_, false) => format!("{package}/{base}"),
    };
    numbers.get(full.as_str()).copied().ok_or_else(|| format!("unknown type `{base}`"))
}
