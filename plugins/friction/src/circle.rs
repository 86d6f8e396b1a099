//! The circle of friction: what two forces of one contact have together.

use simhost_sdk::math;

/// What is left of a force, N, that is scaled down into the circle of radius `grip`, 0 … 1.
#[inline(always)]
pub fn share([x, y]: [f64; 2], grip: f64) -> f64 {
    // squares of parts of the longer one do not overflow where a run diverges
    let longer = x.abs().max(y.abs()).max(1e-300);
    let (x, y) = (x / longer, y / longer);
    (grip / (x * x + y * y).sqrt() / longer).min(1.0)
}

/// (f_x, f_y), N, scaled down into the circle of radius `grip`, or, as in MVSim, each within ±`grip`.
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
