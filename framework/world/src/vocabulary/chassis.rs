//! The body of a vehicle, and outlines.

use super::{Section, Value, attribute, child, number, section};

pub(crate) static SHAPE: Section = section(
    "shape",
    "An outline: 3 to 1000 corners in order, with area, not crossing itself.",
    &[child("pt", Value::Row(&["X Y"]), "A corner, m.").repeats()],
);

/// Why damping is given as an attribute.
const DAMPING_TAG: &str = "MVSim ignores it as a tag; write it as an attribute";

pub(crate) static CHASSIS: Section = section(
    "chassis",
    "The body of a vehicle.",
    &[
        attribute("mass", number("kg").above(0.0), "Without the wheels.").or_else(OF_CLASS),
        attribute("zmin", number("m"), "Lowest point.").or_else(OF_CLASS),
        attribute("zmax", number("m"), "Highest point.").or_else(OF_CLASS),
        attribute("cg_height", number("m").at_least(0.0), "Height of its centre of mass.")
            .or_else("midway between zmin and zmax"),
        attribute("linear_damping", number("1/s").at_least(0.0), "Slows the vehicle down.")
            .or_else("0; 0.1 in mvsim-1.2"),
        attribute("angular_damping", number("1/s").at_least(0.0), "Slows its turning.")
            .or_else("0; 0.1 in mvsim-1.2"),
        attribute("color", Value::Color, "Its colour where it has no visual."),
        child("shape", Value::Tag(&SHAPE), "Outline in the vehicle frame.").or_else(OF_CLASS),
        child("shape_from_visual", Value::Presence, "Takes outline and height from the visuals."),
        child("linear_damping", number("1/s").at_least(0.0), "Not read as a tag.")
            .lost(DAMPING_TAG),
        child("angular_damping", number("1/s").at_least(0.0), "Not read as a tag.")
            .lost(DAMPING_TAG),
    ],
);

const OF_CLASS: &str = "of the dynamics class";
