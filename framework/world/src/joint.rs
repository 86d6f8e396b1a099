//! Joints between bodies.

use crate::context::Context;
use crate::reader::{ElementReader, declare};
use crate::sources::Span;
use crate::tree::Element;
use crate::vocabulary::field::attribute;
use crate::vocabulary::{Value, element, non_negative, number, positive};

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

declare! {
    /// A joint between two bodies, which do not collide with each other.
    section = element("joint") => check;

    /// A joint whose bodies are still names.
    #[derive(Clone, Debug)]
    pub(crate) struct UnboundJoint {
        /// Name.
        pub name: Option<String> = attribute(Value::Text).or_else("joint1, joint2, …");
        /// Type. `distance` is the same as `rope`, `revolute` the same as `pin`.
        kind: String = attribute(Value::Choice(TYPES)).named("type").required();
        /// Bodies by their names.
        pub bodies: [(String, Span); 2] =
            attribute(Value::Text).named("body_a").doc("Name of a vehicle, a block or a wall.").required(),
            attribute(Value::Text).named("body_b").doc("Name of another vehicle, block or wall.").required();
        /// Anchor in the frame of the first body, in m.
        anchor_a: [f64; 2] = attribute(Value::Row(&["X Y"])).or("0 0");
        /// Anchor in the frame of the second body, in m.
        anchor_b: [f64; 2] = attribute(Value::Row(&["X Y"])).or("0 0");
        /// Maximum length of a rope.
        max_length: f64 = attribute(positive("m")).or("5");
        /// Minimum length of a rope.
        min_length: f64 = attribute(non_negative("m")).or("0");
        /// Stiffness of a spring towards the maximum length; 0 for none.
        stiffness: f64 = attribute(non_negative("N/m")).or("0");
        /// Damping of that spring.
        damping: f64 = attribute(non_negative("N·s/m")).or("0");
        /// Limits the angle of a pin.
        enable_limit: bool = attribute(Value::Bool).or("false");
        /// Smallest and largest angle of a pin.
        angles: [f64; 2] =
            attribute(number("deg")).named("lower_angle_deg").doc("Smallest angle relative to the initial one.")
                .or("0"),
            attribute(number("deg")).named("upper_angle_deg").doc("Largest angle relative to the initial one.")
                .or("0");
        /// Position of the declaration.
        pub span: Span => |reader| reader.element.name_span;
    }
}

impl UnboundJoint {
    /// Returns the type with its parameters.
    pub(crate) fn kind(&self) -> JointKind {
        let Self { min_length, max_length, stiffness, damping, .. } = *self;
        match self.is_rope() {
            true => JointKind::Rope { min_length, max_length, stiffness, damping },
            false => JointKind::Pin { limits: self.enable_limit.then_some(self.angles) },
        }
    }

    /// Returns the anchor point of each body.
    pub(crate) fn anchors(&self) -> [[f64; 2]; 2] {
        [self.anchor_a, self.anchor_b]
    }

    fn is_rope(&self) -> bool {
        matches!(self.kind.as_str(), "rope" | "distance")
    }
}

/// Reports limits that exclude each other, and attributes that only the other type of joint has.
fn check(joint: UnboundJoint, reader: &mut ElementReader<'_, '_, '_>) -> Option<UnboundJoint> {
    let (context, element) = (&mut *reader.context, reader.element);
    let UnboundJoint { min_length, max_length, angles, .. } = joint;
    if min_length > max_length {
        let message = format!("`min_length` {min_length} is above `max_length` {max_length}");
        let label = "expected min_length up to max_length";
        context.report.error(element.name_span, message, label);
    }
    if joint.enable_limit && angles[0] > angles[1] {
        let message = "`lower_angle_deg` is above `upper_angle_deg`";
        let label = "expected lower_angle_deg up to upper_angle_deg";
        context.report.error(element.name_span, message, label);
    }
    warn_of_other_type(context, element, if joint.is_rope() { PIN } else { ROPE });
    Some(joint)
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
