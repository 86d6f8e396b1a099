//! The `<geometry>` of a block: a simple body.

use simhost_scene::Primitive;

use crate::context::Context;
use crate::reader::{ElementReader, FromEntry, Given, declare};
use crate::vocabulary::field::attribute;
use crate::vocabulary::{Entry, Value, element, integer, positive};

const TYPES: &[&str] = &["cylinder", "sphere", "box", "ramp", "semi_cylinder_bump"];

declare! {
    /// A simple body, which is also the collision outline unless there is a `<shape>`; in the profile `mvsim-1.2` only with `<shape_from_visual/>`.
    section = element("geometry") => check;

    /// A simple body as given.
    #[derive(Clone)]
    pub(super) struct Body {
        /// Type of the body.
        kind: String = attribute(Value::Choice(TYPES)).named("type").required();
        /// Radius of a cylinder or a sphere.
        radius: Option<f64> = attribute(positive("m"));
        /// Height of a cylinder.
        length: Option<f64> = attribute(positive("m"));
        /// Number of corners that approximate a circle.
        vertex_count: u32 = attribute(integer("").at_least(3.0).at_most(10_000.0)).or("10");
        /// Lengths along x, y and z.
        lengths: [Option<f64>; 3] =
            attribute(positive("m")).named("lx").doc("Length of a box, a ramp or a bump along x."),
            attribute(positive("m")).named("ly").doc("Length of a box, a ramp or a bump along y."),
            attribute(positive("m")).named("lz").doc("Height of a box, a ramp or a bump.");
        /// The body.
        primitive: Option<Primitive> => |_| None;
    }
}

impl FromEntry for Primitive {
    fn parse(context: &mut Context<'_>, entry: &'static Entry, given: Given<'_>) -> Option<Self> {
        Body::parse(context, entry, given)?.primitive
    }
}

/// Determines the body. Reports lengths that are missing.
fn check(body: Body, reader: &mut ElementReader<'_, '_, '_>) -> Option<Body> {
    let vertex_count = body.vertex_count;
    let kind = body.kind.as_str();
    let lengths = match kind {
        "cylinder" | "sphere" => None,
        _ => require_all(reader, ["lx", "ly", "lz"], body.lengths),
    };
    let primitive = match kind {
        "cylinder" => require_all(reader, ["radius", "length"], [body.radius, body.length])
            .map(|[radius, length]| Primitive::Cylinder { radius, length, vertex_count }),
        "sphere" => require_all(reader, ["radius"], [body.radius])
            .map(|[radius]| Primitive::Sphere { radius, vertex_count }),
        "box" => lengths.map(|lengths| Primitive::Box { lengths }),
        "ramp" => lengths.map(|lengths| Primitive::Ramp { lengths }),
        _ => lengths.map(|lengths| Primitive::SemiCylinderBump { lengths }),
    };
    Some(Body { primitive, ..body })
}

/// Returns all values. Reports each one that is missing.
fn require_all<const N: usize>(
    reader: &mut ElementReader<'_, '_, '_>,
    names: [&str; N],
    values: [Option<f64>; N],
) -> Option<[f64; N]> {
    for (name, value) in names.into_iter().zip(values) {
        reader.require(name, value);
    }
    let values: Vec<f64> = values.into_iter().flatten().collect();
    values.try_into().ok()
}
