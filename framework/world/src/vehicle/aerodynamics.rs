//! Aerodynamic forces on a vehicle.

use crate::reader::declare;
use crate::vocabulary::field::attribute;
use crate::vocabulary::{element, non_negative, number};

declare! {
    /// Aerodynamic forces, proportional to the square of the speed relative to the air.
    section = element("aerodynamics");

    /// Aerodynamic coefficients of a vehicle. With the velocity v of the vehicle relative to the air, vehicle
    /// frame, the force is −½ ρ |v| (A_x v_x, A_y v_y) in the plane of the vehicle, and ½ ρ A_z v² upwards.
    #[derive(Clone, Copy, Debug, Default, PartialEq)]
    pub struct Aerodynamics {
        /// Drag coefficient times frontal area.
        pub drag_area: f64 = attribute(non_negative("m²")).or("0");
        /// Lift coefficient times area; negative is downforce.
        pub lift_area: f64 = attribute(number("m²")).or("0");
        /// Side force coefficient times side area, for air that moves across the vehicle.
        pub side_area: Option<f64> = attribute(non_negative("m²")).or_else("`drag_area`");
        /// Centre of pressure of the side force ahead of the reference point. Ahead of the centre of mass, side wind
        /// turns the vehicle away from the wind.
        pub pressure_x: Option<f64> = attribute(number("m")).or_else("the centre of mass");
        /// Height of the centre of pressure above the ground. A larger value shifts more load between the wheels.
        pub pressure_z: Option<f64> = attribute(non_negative("m")).or_else("the mean height of the mass");
    }
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
