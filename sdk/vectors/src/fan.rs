//! Directions of the rays of a planar scan.

/// Field of view, rad, from which on a fan is a full turn.
const FULL_TURN: f64 = 359.999 / 180.0 * std::f64::consts::PI;

/// Directions of rays in a plane, equally spaced and counter-clockwise.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fan {
    /// Direction of the first ray, rad.
    pub first: f64,
    /// Angle between neighbouring rays, rad.
    pub spacing: f64,
}

impl Fan {
    /// Returns the fan of `rays` rays over a field of view, rad, which is symmetric about direction 0. Over a full
    /// turn, the last ray is one spacing before the first one, because another ray in the direction of the first
    /// would see nothing else.
    pub fn new(field_of_view: f64, rays: usize) -> Self {
        let gaps = if field_of_view > FULL_TURN { rays } else { rays.saturating_sub(1) };
        Self { first: -0.5 * field_of_view, spacing: field_of_view / gaps.max(1) as f64 }
    }

    /// Returns the direction of a ray, rad.
    #[inline(always)]
    pub fn direction(&self, ray: usize) -> f64 {
        // small integers are converted in vectors
        self.spacing * f64::from(ray as i32) + self.first
    }
}
