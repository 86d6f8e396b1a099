//! Descriptions of message and service types, from which their hashes are computed (REP 2016).

use serde::Serialize;

use super::layout::{Kind, Layout, Part, Shape};

/// Description of a message or service type and of all types that it contains, in the order of
/// `type_description_interfaces/msg/TypeDescription`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct TypeDescription {
    /// The type.
    pub type_description: StructDescription,
    /// All types that it contains, sorted by name.
    pub referenced_type_descriptions: Vec<StructDescription>,
}

/// Description of one type.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct StructDescription {
    /// Name, such as `geometry_msgs/msg/Twist`.
    pub type_name: String,
    /// Fields in their order.
    pub fields: Vec<FieldDescription>,
}

/// Description of a field.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct FieldDescription {
    /// Name.
    pub name: String,
    /// Type.
    #[serde(rename = "type")]
    pub kind: FieldType,
    /// Default; empty if there is none. It is not part of the hash.
    #[serde(skip_serializing)]
    pub default_value: String,
}

/// Type of a field.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct FieldType {
    /// Number of the type in `type_description_interfaces/msg/FieldType`.
    pub type_id: u8,
    /// Number of elements of an array, or the largest one of a sequence; otherwise 0.
    pub capacity: usize,
    /// Largest length of a text; 0 if any is possible.
    pub string_capacity: usize,
    /// Name of a nested type; otherwise empty.
    pub nested_type_name: String,
}

/// Number that is added to the number of the elements for an array.
const ARRAY: u8 = 48;
/// The same for a sequence with a largest length.
const BOUNDED: u8 = 96;
/// The same for any other sequence.
const UNBOUNDED: u8 = 144;

impl Layout {
    /// Returns the description of the type.
    pub fn description(&self) -> TypeDescription {
        let mut all = self.messages.iter().map(|message| {
            let mut fields: Vec<_> = message.fields.iter().map(|part| self.field(part)).collect();
            if fields.is_empty() {
                let kind = FieldType { type_id: id(Kind::U8), ..FieldType::default() };
                let name = "structure_needs_at_least_one_member".to_owned();
                fields.push(FieldDescription { name, kind, default_value: String::new() });
            }
            StructDescription { type_name: full_name(&message.name), fields }
        });
        let type_description = all
            .next()
            .unwrap_or(StructDescription { type_name: String::new(), fields: Vec::new() });
        let mut referenced_type_descriptions: Vec<_> = all.collect();
        referenced_type_descriptions.sort_by(|a, b| a.type_name.cmp(&b.type_name));
        TypeDescription { type_description, referenced_type_descriptions }
    }

    fn field(&self, part: &Part) -> FieldDescription {
        let (offset, capacity) = match part.shape {
            Shape::One => (0, 0),
            Shape::Array(len) => (ARRAY, len),
            Shape::Sequence(0) => (UNBOUNDED, 0),
            Shape::Sequence(bound) => (BOUNDED, bound),
        };
        let (string_capacity, nested_type_name) = match part.kind {
            Kind::Text(bound) => (bound, String::new()),
            Kind::Message(number) => (0, full_name(&self.messages[number].name)),
            _ => (0, String::new()),
        };
        let type_id = id(part.kind) + offset;
        let kind = FieldType { type_id, capacity, string_capacity, nested_type_name };
        FieldDescription { name: part.name.clone(), kind, default_value: part.default.clone() }
    }
}

/// Returns a name with its middle part: `msg` unless it has another one.
fn full_name(name: &str) -> String {
    match name.split_once('/') {
        Some((package, rest)) if !rest.contains('/') => format!("{package}/msg/{rest}"),
        _ => name.to_owned(),
    }
}

/// Returns the number of a type in `type_description_interfaces/msg/FieldType`.
const fn id(kind: Kind) -> u8 {
    match kind {
        Kind::Message(_) => 1,
        Kind::I8 => 2,
        Kind::U8 => 3,
        Kind::I16 => 4,
        Kind::U16 => 5,
        Kind::I32 => 6,
        Kind::U32 => 7,
        Kind::I64 => 8,
        Kind::U64 => 9,
        Kind::F32 => 10,
        Kind::F64 => 11,
        Kind::Bool => 15,
        Kind::Byte => 16,
        Kind::Text(0) => 17,
        Kind::Text(_) => 21,
    }
}
