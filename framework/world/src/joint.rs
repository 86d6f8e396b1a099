//! Joints between bodies.

use crate::context::Context;
use crate::reader::ElementReader;
use crate::sources::Span;
use crate::tree::Element;
use crate::vocabulary::{Section, Value, attribute, non_negative, number, positive, section};

/// A joint between two bodies, which do not collide with each other.
#[derive(Clone, Debug, PartialEq)]
pub struct Joint {
    /// Name.
    pub name: String,
    /// Type of the joint.
    pub kind: JointKind,
    /// The connected bodies.
    pub bodies: [BodyRef; 2],
    /// Anchor point of each body, in the frame of the body in m.
    pub anchors: [[f64; 2]; 2],
    /// Position of the declaration.
    pub span: Span,
}

/// The type of a joint.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum JointKind {
    /// Limits the distance between the anchors.
    Rope {
        /// Minimum distance in m.
        min_length: f64,
        /// Maximum distance in m, and the rest length of the spring.
        max_length: f64,
        /// Stiffness in N/m of a spring towards `max_length`, 0 for none.
        stiffness: f64,
        /// Damping of the spring in N·s/m.
        damping: f64,
    },
    /// Keeps the anchors together.
    Pin {
        /// Smallest and largest angle of the second body relative to the first, measured from the
        /// initial angle, in rad.
        limits: Option<[f64; 2]>,
    },
}

/// A reference to a body: an index into the list of its type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum BodyRef {
    /// Index into [`World::vehicles`](crate::World::vehicles).
    Vehicle(usize),
    /// Index into [`World::blocks`](crate::World::blocks).
    Block(usize),
    /// Index into [`World::walls`](crate::World::walls).
    Wall(usize),
}

/// Types of joints. The first two are ropes, the others pins.
const TYPES: &[&str] = &["distance", "rope", "revolute", "pin"];
/// Attributes of ropes only.
const ROPE: &[&str] = &["max_length", "min_length", "stiffness", "damping"];
/// Attributes of pins only.
const PIN: &[&str] = &["enable_limit", "lower_angle_deg", "upper_angle_deg"];

pub(crate) static JOINT: Section = section(
    "joint",
    "A joint between two bodies, which do not collide with each other.",
    &[
        attribute("name", Value::Text, "Name.").or_else("joint1, joint2, …"),
        attribute(
            "type",
            Value::Choice(TYPES),
            "Type. `distance` is the same as `rope`, `revolute` the same as `pin`.",
        )
        .required(),
        attribute("body_a", Value::Text, "Name of a vehicle, a block or a wall.").required(),
        attribute("body_b", Value::Text, "Name of another vehicle, block or wall.").required(),
        attribute("anchor_a", Value::Row(&["X Y"]), "Anchor in the frame of the first body, in m.")
            .or("0 0"),
        attribute(
            "anchor_b",
            Value::Row(&["X Y"]),
            "Anchor in the frame of the second body, in m.",
        )
        .or("0 0"),
        attribute("max_length", positive("m"), "Maximum length of a rope.").or("5"),
        attribute("min_length", non_negative("m"), "Minimum length of a rope.").or("0"),
        attribute(
            "stiffness",
            non_negative("N/m"),
            "Stiffness of a spring towards the maximum length; 0 for none.",
        )
        .or("0"),
        attribute("damping", non_negative("N·s/m"), "Damping of that spring.").or("0"),
        attribute("enable_limit", Value::Bool, "Limits the angle of a pin.").or("false"),
        attribute("lower_angle_deg", number("deg"), "Smallest angle relative to the initial one.")
            .or("0"),
        attribute("upper_angle_deg", number("deg"), "Largest angle relative to the initial one.")
            .or("0"),
    ],
);

/// A joint whose bodies are still names.
#[derive(Debug)]
pub(crate) struct UnboundJoint {
    pub name: Option<String>,
    pub kind: JointKind,
    pub bodies: [(String, Span); 2],
    pub anchors: [[f64; 2]; 2],
    pub span: Span,
}

/// Reads a `<joint>`.
pub(crate) fn read_joint(context: &mut Context<'_>, element: &Element) -> Option<UnboundJoint> {
    let mut reader = ElementReader::new(context, element, &JOINT);
    let name = reader.text_of("name").and_then(|text| text.value()).map(str::to_owned);
    let word = reader.given_word("type");
    let word = reader.require("type", word);
    let bodies = ["body_a", "body_b"].map(|name| {
        let text = reader.text_of(name);
        let text = reader.require(name, text)?;
        Some((text.value()?.to_owned(), text.span))
    });
    let anchors = ["anchor_a", "anchor_b"].map(|name| reader.row::<2>(name));
    let (rope, pin) = (read_rope(&mut reader), read_pin(&mut reader));
    reader.finish();
    let is_rope = matches!(word, Some("rope" | "distance"));
    warn_of_other_type(context, element, if is_rope { PIN } else { ROPE });
    let [first, second] = bodies;
    let bodies = [first?, second?];
    word?;
    let kind = if is_rope { rope } else { pin };
    Some(UnboundJoint { name, kind, bodies, anchors, span: element.name_span })
}

/// Warns of attributes that only the other type of joint has.
fn warn_of_other_type(context: &mut Context<'_>, element: &Element, names: &[&str]) {
    for attribute in &element.attributes {
        if names.contains(&attribute.name.as_str()) {
            let message = format!("`{}` has no effect on this type of joint", attribute.name);
            context.report.warning(attribute.name_span, message, "this attribute is ignored");
        }
    }
}

fn read_rope(reader: &mut ElementReader<'_, '_, '_>) -> JointKind {
    let (min_length, max_length) = (reader.number("min_length"), reader.number("max_length"));
    if min_length > max_length {
        let message = format!("`min_length` {min_length} is above `max_length` {max_length}");
        let label = "expected min_length up to max_length";
        reader.context.report.error(reader.element.name_span, message, label);
    }
    let (stiffness, damping) = (reader.number("stiffness"), reader.number("damping"));
    JointKind::Rope { min_length, max_length, stiffness, damping }
}

fn read_pin(reader: &mut ElementReader<'_, '_, '_>) -> JointKind {
    let limited = reader.flag("enable_limit");
    let limits = [reader.number("lower_angle_deg"), reader.number("upper_angle_deg")];
    if limited && limits[0] > limits[1] {
        let message = "`lower_angle_deg` is above `upper_angle_deg`";
        let label = "expected lower_angle_deg up to upper_angle_deg";
        reader.context.report.error(reader.element.name_span, message, label);
    }
    JointKind::Pin { limits: limited.then_some(limits) }
}
