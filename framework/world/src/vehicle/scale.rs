//! The `<scale>` element: a vehicle of another size with the same performance.

use simhost_model::{ScalingLaw, Size};

use crate::context::Context;
use crate::reader::ElementReader;
use crate::sources::Span;
use crate::tree::Element;
use crate::vocabulary::{Section, Value, attribute, number, section};

/// The size of a vehicle relative to its description.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Scale {
    pub size: Size,
    /// Position of the element.
    pub span: Span,
}

const LAWS: &[&str] = &["constant_density", "constant_mass"];

pub(super) static SCALE: Section = section(
    "scale",
    "Size of the vehicle relative to its description. Masses, inertias, torques, gearing and drag follow, \
     so that the velocity over time v(t) stays the same.",
    &[
        attribute("factor", number("1").at_least(0.001).at_most(1000.0), "Factor on all lengths.")
            .required(),
        attribute(
            "law",
            Value::Choice(LAWS),
            "Whether the mass grows with the third power of the size, or stays the same.",
        )
        .or("constant_density"),
    ],
);

/// Reads a `<scale>` element. Returns `None` if it has errors.
pub(super) fn read(context: &mut Context<'_>, element: &Element) -> Option<Scale> {
    let mut reader = ElementReader::new(context, element, &SCALE);
    let factor = reader.given_number("factor");
    let factor = reader.require("factor", factor);
    let law = match reader.word("law") {
        "constant_mass" => ScalingLaw::ConstantMass,
        _ => ScalingLaw::ConstantDensity,
    };
    reader.finish();
    Some(Scale { size: Size { factor: factor?, law }, span: element.name_span })
}
