//! Geometry of steering and of attitudes that several models share.

use crate::abi::WheelGeometry;
use crate::math;
use crate::vectors::{Rotation, Vec3};

/// Distance below which two wheels count as being at the same place, m.
const LEAST_DISTANCE: f64 = 1e-3;

/// Returns the rotation R_z(yaw) R_y(pitch) R_x(roll) for angles in rad.
pub fn rotation([yaw, pitch, roll]: [f64; 3]) -> Rotation {
    let (sin_yaw, cos_yaw) = math::sin_cos(yaw);
    let (sin_pitch, cos_pitch) = math::sin_cos(pitch);
    let (sin_roll, cos_roll) = math::sin_cos(roll);
    let (skew, lean) = (sin_pitch * sin_roll, sin_pitch * cos_roll);
    Rotation {
        axes: [
            Vec3::new(cos_yaw * cos_pitch, sin_yaw * cos_pitch, -sin_pitch),
            Vec3::new(
                cos_yaw * skew - sin_yaw * cos_roll,
                sin_yaw * skew + cos_yaw * cos_roll,
                cos_pitch * sin_roll,
            ),
            Vec3::new(
                cos_yaw * lean + sin_yaw * sin_roll,
                sin_yaw * lean - cos_yaw * sin_roll,
                cos_pitch * cos_roll,
            ),
        ],
    }
}

/// Returns yaw, pitch and roll of a rotation, rad. Pitch is within ±π/2.
pub fn angles(rotation: &Rotation) -> [f64; 3] {
    let [x, y, z] = rotation.axes;
    let level = (x.x * x.x + x.y * x.y).sqrt();
    [math::atan2(x.y, x.x), math::atan2(-x.z, level), math::atan2(y.z, z.z)]
}

/// Checks that two wheels have different lateral positions, as classes need that divide by the
/// distance between them. For [`crate::Dynamics::arrange`].
///
/// # Errors
/// Describes the positions if they differ by less than 1 mm.
pub fn check_track(
    [left, right]: [&WheelGeometry; 2],
    [left_name, right_name]: [&str; 2],
) -> Result<(), String> {
    check_apart("y", [left_name, right_name], [left.y, right.y], left_name)
}

/// Checks that two wheels have different longitudinal positions, as classes need that divide by
/// the wheelbase. For [`crate::Dynamics::arrange`].
///
/// # Errors
/// Describes the positions if they differ by less than 1 mm.
pub fn check_wheelbase(
    [rear, front]: [&WheelGeometry; 2],
    [rear_name, front_name]: [&str; 2],
) -> Result<(), String> {
    check_apart("x", [rear_name, front_name], [rear.x, front.x], front_name)
}

fn check_apart(
    axis: &str,
    [one, other]: [&str; 2],
    [a, b]: [f64; 2],
    moved: &str,
) -> Result<(), String> {
    if (a - b).abs() >= LEAST_DISTANCE {
        return Ok(());
    }
    Err(format!(
        "`{one}` is at {axis} = {a} m and `{other}` at {axis} = {b} m, expected different positions; \
         move one of them with <{moved} pos=\"X Y\"/>"
    ))
}

/// Returns the angles of the left and the right steered wheel, rad, for which both roll about one
/// point on the line of the rear axle (Ackermann 1818; Genta, *Motor Vehicle Dynamics*, §4.3).
///
/// `steer` is the angle of an equivalent wheel in the middle of the axle, rad, limited to
/// ±`max_steer`; `wheelbase` and `track` are in m.
#[inline(always)]
pub fn ackermann_angles(steer: f64, wheelbase: f64, track: f64, max_steer: f64) -> (f64, f64) {
    let central = steer.abs().min(max_steer);
    let half = 0.5 * track / wheelbase;
    let cot = 1.0 / math::tan(central);
    let outer = math::atan(1.0 / (cot + half));
    let inner = math::atan(1.0 / (cot - half));
    if steer >= 0.0 { (inner, outer) } else { (-outer, -inner) }
}

/// Returns the velocity along a wheel's heading, m/s, for a vehicle with the twist (`vx`, 0,
/// `omega`) and a wheel at (`x`, `y`), m, turned by `steer`, rad.
#[inline(always)]
pub fn rolling_speed(vx: f64, omega: f64, x: f64, y: f64, steer: f64) -> f64 {
    let (sin, cos) = math::sin_cos(steer);
    (vx - omega * y) * cos + omega * x * sin
}

#[cfg(test)]
mod tests {
    use super::{ackermann_angles, angles, rotation};
    use crate::vectors::Vec3;

    #[test]
    fn axes_of_both_wheels_meet_on_the_rear_axle() {
        let (left, right) = ackermann_angles(0.3, 2.6, 1.5, 1.0);
        // distance of the turning centre from the middle of the rear axle
        assert!((2.6 / left.tan() + 0.75 - (2.6 / right.tan() - 0.75)).abs() < 1e-12);
        assert_eq!(ackermann_angles(0.0, 2.6, 1.5, 1.0), (0.0, 0.0));
        let (mirror_left, mirror_right) = ackermann_angles(-0.3, 2.6, 1.5, 1.0);
        assert_eq!((mirror_left, mirror_right), (-right, -left));
    }

    #[test]
    fn angles_and_inverse_of_a_rotation() {
        let given = [2.5, -0.3, 0.8];
        let turned = rotation(given);
        let found = angles(&turned);
        let back = turned.invert(turned.apply(Vec3::new(1.0, -2.0, 0.5)));
        for axis in 0..3 {
            assert!((found[axis] - given[axis]).abs() < 1e-14, "{found:?}");
            assert!((back[axis] - [1.0, -2.0, 0.5][axis]).abs() < 1e-14, "{back:?}");
        }
    }

    #[test]
    fn a_rotation_composes_yaw_pitch_and_roll() {
        let (yaw, rest) = (rotation([0.4, 0.0, 0.0]), rotation([0.0, -0.7, 0.2]));
        for (found, expected) in angles(&yaw.compose(&rest)).iter().zip([0.4, -0.7, 0.2]) {
            assert!((found - expected).abs() < 1e-14);
        }
    }
}
