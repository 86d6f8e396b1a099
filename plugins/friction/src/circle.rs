//! The friction circle: the joint limit of the longitudinal and the lateral force of a contact.

use simhost_sdk::math;

/// Returns the factor, at most 1, that scales a force, N, into the circle of radius `grip`, N.
#[inline(always)]
pub fn share([x, y]: [f64; 2], grip: f64) -> f64 {
    // dividing by the larger component avoids overflow when a run diverges
    let longer = x.abs().max(y.abs()).max(1e-300);
    let (x, y) = (x / longer, y / longer);
    (grip / (x * x + y * y).sqrt() / longer).min(1.0)
}

/// Returns (f_x, f_y), N, scaled into the circle of radius `grip`, or with each component limited
/// to ±`grip` separately, as in MVSim.
#[inline(always)]
pub fn within([x, y]: [f64; 2], grip: f64, one_by_one: bool) -> [f64; 2] {
    let scale = share([x, y], grip);
    if one_by_one { [math::limit(x, grip), math::limit(y, grip)] } else { [scale * x, scale * y] }
}

#[cfg(test)]
mod tests {
    use super::within;

    #[test]
    fn a_force_keeps_its_direction_or_its_parts() {
        assert_eq!(within([3.0, 4.0], 6.0, false), [3.0, 4.0]);
        assert_eq!(within([6.0, -8.0], 5.0, false), [3.0, -4.0]);
        assert_eq!(within([6.0, -8.0], 5.0, true), [5.0, -5.0]);
        assert_eq!(within([0.0, 0.0], 0.0, false), [0.0, 0.0]);
        assert_eq!(within([1.0, 0.0], 0.0, false), [0.0, 0.0]);
        assert_eq!(within([1e300, 0.0], 1e300, false), [1e300, 0.0]);
    }
}
