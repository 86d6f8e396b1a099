//! Pneumatic trail and aligning moment.
//!
//! The trail n relative to the length L of the contact patch falls from n_0 at the slip 0 through 0
//! at s_0, is negative beyond, and ends at s_E. With w = s_0/s_E and s = |s_y|/s_0, n/n_0 = (1 −
//! w)(1 − s) + w (1 − (3 − 2 s) s²) up to s_0, and −(1 − w)(s − 1)((s_E − |s_y|)/(s_E − s_0))² from
//! there to s_E. The moment is −n F_y. The length is the length of a chord, L² = 8 R Δz with the
//! deflection Δz = F_z/c_z. Source: G. Rill and A. A. Castro, *Road Vehicle Dynamics*, 2nd ed.,
//! 2020, section 3.5.

use simhost_sdk::{Params, Ports, Scaling};

/// Pneumatic trail at the nominal load and at twice the nominal load.
#[derive(Clone, Copy, Debug, Default, Params)]
pub struct Trail {
    /// Vertical stiffness, which determines the length of the contact patch. A larger value makes the trail shorter.
    #[param(above = 0.0, unit = "N/m", scaling = Scaling::STIFFNESS)]
    pub(super) cz: Option<f64>,
    /// Trail without slip by the length of the contact patch, at pn and 2 pn; 0 for no aligning moment. A larger value makes
    /// the steering heavier.
    #[param(default = [0.0, 0.0], range = 0.0..=0.5, unit = "1")]
    pub(super) nl0: [f64; 2],
    /// Lateral slip at which the trail is 0, at pn and 2 pn.
    #[param(default = [0.16337, 0.20355], above = 0.0, unit = "1")]
    sy0: [f64; 2],
    /// Lateral slip above which the trail remains 0, at pn and 2 pn.
    #[param(default = [0.96524, 1.0714], above = 0.0, unit = "1")]
    pub(super) sye: [f64; 2],
}

/// Aligning moment of a tyre with a pneumatic trail.
#[derive(Clone, Copy, Debug, Default, Ports)]
pub struct Aligned {
    /// Moment of the ground about the vertical axis of the wheel, positive counter-clockwise; 0 without `nl0`.
    #[port(unit = "N·m")]
    pub aligning_moment: f64,
}

impl Trail {
    /// Returns whether there is a trail.
    #[inline(always)]
    pub fn acts(&self) -> bool {
        self.nl0[0] + self.nl0[1] > 0.0
    }

    /// Checks that the values define a trail.
    ///
    /// # Errors
    ///
    /// The values that do not, with their names in a world file.
    pub(super) fn check(&self) -> Result<(), String> {
        if self.acts() && self.cz.is_none() {
            return Err("nl0 is given without cz, expected the vertical stiffness".into());
        }
        match (0..2).find(|place| self.sy0[*place] >= self.sye[*place]) {
            Some(place) => Err(format!(
                "sy0 and sye at {} are {} and {}, expected the first to be less than the second",
                ["pn", "2 pn"][place],
                self.sy0[place],
                self.sye[place]
            )),
            None => Ok(()),
        }
    }

    /// Returns the trail by the length of the contact patch at a lateral slip and a load in units of the nominal one.
    pub fn at(&self, slip: f64, load: f64) -> f64 {
        let straight = |[one, two]: [f64; 2]| one + (two - one) * (load - 1.0);
        let zero = straight(self.sy0).max(1e-3);
        let end = straight(self.sye).max(zero * (1.0 + 1e-3));
        let (slip, part) = (slip.abs(), zero / end);
        let ratio = slip / zero;
        let before =
            (1.0 - part) * (1.0 - ratio) + part * (1.0 - (3.0 - 2.0 * ratio) * ratio * ratio);
        let left = (end - slip) / (end - zero);
        let beyond = -(1.0 - part) * (ratio - 1.0) * left * left;
        let shape = if ratio <= 1.0 { before } else { beyond };
        straight(self.nl0).max(0.0) * if slip < end { shape } else { 0.0 }
    }
}
