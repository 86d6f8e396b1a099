//! Orientations as quaternions.

/// Returns the quaternion x, y, z, w of a rotation about the axes z, y, x by yaw, pitch and roll, rad, in
/// this order, each about the rotated axis.
pub fn quaternion([yaw, pitch, roll]: [f64; 3]) -> [f64; 4] {
    let [(sy, cy), (sp, cp), (sr, cr)] = [sin_cos(yaw), sin_cos(pitch), sin_cos(roll)];
    [
        sr * cp * cy - cr * sp * sy,
        cr * sp * cy + sr * cp * sy,
        cr * cp * sy - sr * sp * cy,
        cr * cp * cy + sr * sp * sy,
    ]
}

/// Returns sine and cosine of half an angle. On level ground, most angles are 0.
#[inline]
fn sin_cos(angle: f64) -> (f64, f64) {
    let half = 0.5 * angle;
    if half == 0.0 { (half, 1.0) } else { libm::sincos(half) }
}

/// Returns yaw, pitch and roll of the rotation of a quaternion x, y, z, w of any length except 0.
pub fn yaw_pitch_roll([x, y, z, w]: [f64; 4]) -> [f64; 3] {
    let square = x * x + y * y + z * z + w * w;
    let yaw = libm::atan2(2.0 * (w * z + x * y), w * w + x * x - y * y - z * z);
    let pitch = libm::asin((2.0 * (w * y - x * z) / square).clamp(-1.0, 1.0));
    let roll = libm::atan2(2.0 * (w * x + y * z), w * w - x * x - y * y + z * z);
    [yaw, pitch, roll]
}

#[cfg(test)]
mod tests {
    use super::{quaternion, yaw_pitch_roll};

    #[test]
    fn a_quarter_turn_about_each_axis_has_equal_parts() {
        let half = std::f64::consts::FRAC_1_SQRT_2;
        let quarter = std::f64::consts::FRAC_PI_2;
        let is_near = |found: [f64; 4], expected: [f64; 4]| {
            found.iter().zip(expected).all(|(found, expected)| (found - expected).abs() < 1e-15)
        };
        assert!(is_near(quaternion([quarter, 0.0, 0.0]), [0.0, 0.0, half, half]));
        assert!(is_near(quaternion([0.0, quarter, 0.0]), [0.0, half, 0.0, half]));
        assert!(is_near(quaternion([0.0, 0.0, quarter]), [half, 0.0, 0.0, half]));
    }

    #[test]
    fn half_of_no_angle_has_the_sine_and_the_cosine_of_zero() {
        for angle in [0.0_f64, -0.0, 5e-324] {
            let (sin, cos) = libm::sincos(0.5 * angle);
            let found = super::sin_cos(angle);
            assert_eq!((found.0.to_bits(), found.1), (sin.to_bits(), cos), "{angle}");
        }
    }

    #[test]
    fn angles_survive_the_way_through_a_quaternion() {
        for angles in [[0.3, -0.2, 0.1], [3.0, 1.5, -3.0], [-2.0, -1.0, 0.5]] {
            let found = yaw_pitch_roll(quaternion(angles).map(|part| 3.0 * part));
            for (found, expected) in found.iter().zip(angles) {
                assert!((found - expected).abs() < 1e-12, "{found} {expected}");
            }
        }
    }
}
