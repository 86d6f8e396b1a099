//! Positions on Earth, as models ask for them.

use simhost_abi::{EARTH_SERVICE, EarthPoint, EarthService};

use crate::Step;

impl Step {
    /// Returns the positions of points of the world, m, on Earth. They are
    /// [`EarthPoint::UNKNOWN`] without a host.
    pub fn locate<const N: usize>(&self, points: &[[f64; 3]; N]) -> [EarthPoint; N] {
        let mut found = [EarthPoint::UNKNOWN; N];
        // SAFETY: under this id a host answers with this table or null.
        if let Some((table, context)) = unsafe { self.service::<EarthService>(EARTH_SERVICE) } {
            // SAFETY: `N` points in, `N` out.
            unsafe { (table.locate)(context, N, points.as_ptr(), found.as_mut_ptr()) };
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::Step;

    #[test]
    fn a_step_without_a_host_has_no_place_on_earth() {
        let [found] = Step::new(0.0, 0.01).locate(&[[0.0; 3]]);
        assert!(found.latitude.is_nan() && found.zone == 0);
    }
}
