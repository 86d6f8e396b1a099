//! Aerodynamic drag and lift of a vehicle.

use crate::context::Context;
use crate::reader::ElementReader;
use crate::tree::Element;
use crate::vocabulary::{Section, attribute, number, section};

/// Aerodynamic coefficients of a vehicle. The force is F = ½ ρ A v².
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Aerodynamics {
    /// Drag coefficient times frontal area in m².
    pub drag_area: f64,
    /// Lift coefficient times area in m². Negative values are downforce.
    pub lift_area: f64,
}

pub(super) static AERODYNAMICS: Section = section(
    "aerodynamics",
    "Aerodynamic forces, proportional to the square of the speed.",
    &[
        attribute("drag_area", number("m²").at_least(0.0), "Drag coefficient times frontal area.")
            .or("0"),
        attribute("lift_area", number("m²"), "Lift coefficient times area; negative is downforce.")
            .or("0"),
    ],
);

pub(super) fn read(context: &mut Context<'_>, element: &Element) -> Aerodynamics {
    let mut reader = ElementReader::new(context, element, &AERODYNAMICS);
    let (drag_area, lift_area) = (reader.number("drag_area"), reader.number("lift_area"));
    reader.finish();
    Aerodynamics { drag_area, lift_area }
}
