//! The `<geometry>` of a block: a simple body.

use simhost_scene::Primitive;

use crate::context::Context;
use crate::reader::ElementReader;
use crate::tree::Element;
use crate::vocabulary::{Section, Value, attribute, integer, positive, section};

pub(super) static GEOMETRY: Section = section(
    "geometry",
    "A simple body, which is also the collision outline unless there is a `<shape>`; in the profile `mvsim-1.2` only with `<shape_from_visual/>`.",
    &[
        attribute("type", Value::Choice(TYPES), "Type of the body.").required(),
        attribute("radius", positive("m"), "Radius of a cylinder or a sphere."),
        attribute("length", positive("m"), "Height of a cylinder."),
        attribute(
            "vertex_count",
            integer("").at_least(3.0).at_most(10_000.0),
            "Number of corners that approximate a circle.",
        )
        .or("10"),
        attribute("lx", positive("m"), "Length of a box, a ramp or a bump along x."),
        attribute("ly", positive("m"), "Length of a box, a ramp or a bump along y."),
        attribute("lz", positive("m"), "Height of a box, a ramp or a bump."),
    ],
);

const TYPES: &[&str] = &["cylinder", "sphere", "box", "ramp", "semi_cylinder_bump"];

/// Reads a simple body. Returns `None` if it has errors.
pub(super) fn read(context: &mut Context<'_>, element: &Element) -> Option<Primitive> {
    let mut reader = ElementReader::new(context, element, &GEOMETRY);
    let kind = reader.given_word("type");
    let (radius, length) = (reader.given_number("radius"), reader.given_number("length"));
    let lengths = ["lx", "ly", "lz"].map(|name| reader.given_number(name));
    let vertex_count = reader.count("vertex_count");
    let kind = reader.require("type", kind);
    let lengths = match kind {
        Some("cylinder" | "sphere") | None => None,
        Some(_) => require_all(&mut reader, ["lx", "ly", "lz"], lengths),
    };
    let primitive = match kind {
        Some("cylinder") => require_all(&mut reader, ["radius", "length"], [radius, length])
            .map(|[radius, length]| Primitive::Cylinder { radius, length, vertex_count }),
        Some("sphere") => reader
            .require("radius", radius)
            .map(|radius| Primitive::Sphere { radius, vertex_count }),
        Some("box") => lengths.map(|lengths| Primitive::Box { lengths }),
        Some("ramp") => lengths.map(|lengths| Primitive::Ramp { lengths }),
        Some(_) => lengths.map(|lengths| Primitive::SemiCylinderBump { lengths }),
        None => None,
    };
    reader.finish();
    primitive
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
