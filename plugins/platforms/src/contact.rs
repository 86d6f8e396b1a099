//! Dry friction of the contacts that a platform models itself.

/// Shortest step for which contacts are solved, s. In a step of length 0 there is nothing to stop.
pub(crate) const LEAST_STEP: f64 = 1e-9;

/// Returns the isotropic force, N, against the sliding `velocity`, m/s, and against the force
/// `pull`, N, that the contact has to hold. It is at most `limit`, and at most the force that stops
/// the sliding within a step of `dt`, s, of a contact that yields like the mass `mass`, kg.
///
/// This bound makes rest an equilibrium instead of a limit cycle, and keeps the force from adding
/// energy.
#[inline(always)]
pub fn against_in_plane(
    velocity: [f64; 2],
    pull: [f64; 2],
    limit: f64,
    mass: f64,
    dt: f64,
) -> [f64; 2] {
    let dt = dt.max(LEAST_STEP);
    let [x, y] = [0, 1].map(|axis| mass / dt * velocity[axis] + pull[axis]);
    let gain = (limit / (x * x + y * y).sqrt().max(1e-12)).min(1.0);
    [-gain * x, -gain * y]
}

#[cfg(test)]
mod tests {
    use super::against_in_plane;

    #[test]
    fn slow_sliding_is_stopped_and_fast_sliding_meets_the_limit() {
        assert_eq!(against_in_plane([0.001, 0.0], [0.0; 2], 10.0, 2.0, 0.01), [-0.2, 0.0]);
        let [fx, fy] = against_in_plane([3.0, -4.0], [0.0; 2], 10.0, 100.0, 0.01);
        assert!((fx + 6.0).abs() < 1e-12 && (fy - 8.0).abs() < 1e-12);
        assert_eq!(against_in_plane([0.0, 0.0], [0.0; 2], 10.0, 2.0, 0.01), [0.0, 0.0]);
        assert_eq!(against_in_plane([0.0, 0.0], [0.0, 3.0], 10.0, 2.0, 0.01), [0.0, -3.0]);
        assert_eq!(against_in_plane([0.0, 0.0], [0.0, 3.0], 10.0, 2.0, 0.0), [0.0, -3.0]);
    }
}
