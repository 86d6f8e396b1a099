//! Aerodynamic forces on a vehicle.

use crate::context::Context;
use crate::reader::ElementReader;
use crate::tree::Element;
use crate::vocabulary::{Section, attribute, non_negative, number, section};

/// Aerodynamic coefficients of a vehicle. With the velocity v of the vehicle relative to the air, vehicle
/// frame, the force is −½ ρ |v| (A_x v_x, A_y v_y) in the plane of the vehicle, and ½ ρ A_z v² upwards.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Aerodynamics {
    /// Drag coefficient times frontal area in m².
    pub drag_area: f64,
    /// Lift coefficient times area in m². Negative values are downforce.
    pub lift_area: f64,
    /// Side force coefficient times side area in m²; `None` is the drag area.
    pub side_area: Option<f64>,
    /// Centre of pressure ahead of the reference point in m; `None` is the centre of mass.
    pub pressure_x: Option<f64>,
    /// Centre of pressure above the ground in m; `None` is the mean height of the mass.
    pub pressure_z: Option<f64>,
}

impl Aerodynamics {
    /// Returns whether the air acts on the vehicle.
    pub fn has_force(&self) -> bool {
        [self.drag_area, self.lift_area, self.side_area.unwrap_or(0.0)].iter().any(|a| *a != 0.0)
    }

    /// Returns whether the air only slows down and lifts the vehicle, the same from all sides.
    pub fn is_plain(&self) -> bool {
        self.side_area.is_none() && self.pressure_x.is_none() && self.pressure_z.is_none()
    }
}

pub(super) static AERODYNAMICS: Section = section(
    "aerodynamics",
    "Aerodynamic forces, proportional to the square of the speed relative to the air.",
    &[
        attribute("drag_area", non_negative("m²"), "Drag coefficient times frontal area.")
            .or("0"),
        attribute("lift_area", number("m²"), "Lift coefficient times area; negative is downforce.")
            .or("0"),
        attribute(
            "side_area",
            non_negative("m²"),
            "Side force coefficient times side area, for air that moves across the vehicle.",
        )
        .or_else("`drag_area`"),
        attribute(
            "pressure_x",
            number("m"),
            "Centre of pressure of the side force ahead of the reference point. Ahead of the centre of mass, side wind turns the vehicle away from the wind.",
        )
        .or_else("the centre of mass"),
        attribute(
            "pressure_z",
            non_negative("m"),
            "Height of the centre of pressure above the ground. A larger value shifts more load between the wheels.",
        )
        .or_else("the mean height of the mass"),
    ],
);

pub(super) fn read(context: &mut Context<'_>, element: &Element) -> Aerodynamics {
    let mut reader = ElementReader::new(context, element, &AERODYNAMICS);
    let (drag_area, lift_area) = (reader.number("drag_area"), reader.number("lift_area"));
    let side_area = reader.given_number("side_area");
    let pressure_x = reader.given_number("pressure_x");
    let pressure_z = reader.given_number("pressure_z");
    reader.finish();
    Aerodynamics { drag_area, lift_area, side_area, pressure_x, pressure_z }
}
