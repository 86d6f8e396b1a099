//! Position and orientation of a wheel, with their derivatives by two inputs.
//!
//! With the unit vector a of the spin axis, pointing outboard, camber is −asin a_z and toe atan2(a_x, a_y). The
//! contact point is the lowest point of the circle of the wheel's radius about a. Sources of the terms: ISO 8855:2011;
//! W. Matschinsky, *Road Vehicle Suspensions*, 2000, chapters 3 and 7.

use simhost_sdk::vectors::Vec3;

use crate::dual::Dual;
use crate::pose::Motion;

/// A wheel in the frame of its carrier or axle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WheelGeometry {
    /// Centre, m.
    pub centre: Vec3,
    /// Unit vector of the spin axis, pointing outboard.
    pub spin_axis: Vec3,
    /// Radius, m.
    pub radius: f64,
}

/// Position and orientation of a wheel as functions of two inputs: its travel, and the travel of the rack or of the
/// other wheel of a rigid axle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Alignment {
    /// Camber, rad; negative if the top leans inboard.
    pub camber: Dual,
    /// Toe, rad; positive if the front points inboard.
    pub toe: Dual,
    /// Wheel centre, m.
    pub centre: [Dual; 3],
    /// Lowest point of the wheel, m.
    pub contact: [Dual; 3],
    /// Derivatives of the material point of the carrier at the contact point by the inputs.
    pub contact_path: [Vec3; 2],
    /// Length of the spring, m.
    pub spring_length: Dual,
    /// Length of the shock absorber, m.
    pub shock_length: Dual,
}

impl Alignment {
    /// Returns the spring compression per wheel travel.
    #[inline(always)]
    pub fn spring_motion_ratio(&self) -> f64 {
        -self.spring_length.by[0]
    }

    /// Returns the compression of the shock absorber per wheel travel.
    #[inline(always)]
    pub fn shock_motion_ratio(&self) -> f64 {
        -self.shock_length.by[0]
    }
}

/// Returns the position of a point without its derivatives.
#[inline(always)]
pub fn place(point: &[Dual; 3]) -> Vec3 {
    Vec3::new(point[0].value, point[1].value, point[2].value)
}

impl WheelGeometry {
    /// Returns the alignment of the wheel, with the lengths of spring and shock absorber.
    #[inline]
    pub fn alignment(&self, motion: &Motion, lengths: [Dual; 2]) -> Alignment {
        let Self { centre, spin_axis, radius } = *self;
        let [spring_length, shock_length] = lengths;
        let axis = motion.direction(spin_axis);
        let [a_x, a_y, a_z] = [axis.axis(0), axis.axis(1), axis.axis(2)];
        let centre = motion.point(centre);
        let centre = [centre.axis(0), centre.axis(1), centre.axis(2)];
        // lowest point of the wheel
        let level = (a_x * a_x + a_y * a_y).sqrt();
        let inclination = a_z * level.recip() * radius;
        let contact = [
            centre[0] + inclination * a_x,
            centre[1] + inclination * a_y,
            centre[2] - level * radius,
        ];
        let place = place(&contact);
        Alignment {
            camber: -a_z.atan2(level),
            toe: a_x.atan2(a_y),
            centre,
            contact,
            contact_path: motion.material(place),
            spring_length,
            shock_length,
        }
    }
}
