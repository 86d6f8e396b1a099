//! Velocities and rates of bodies on inclined planes.

use super::*;

fn is_close(found: [f64; 3], expected: [f64; 3]) {
    for axis in 0..3 {
        assert!((found[axis] - expected[axis]).abs() < 1e-12, "{found:?} {expected:?}");
    }
}

#[test]
fn a_body_that_turns_on_a_slope_turns_about_its_normal() {
    // nose up on a slope of 20°, at any heading
    for heading in [0.0, 0.7, 2.0, -1.3] {
        let (sin, cos) = math::sin_cos(heading);
        let slope = 20f64.to_radians();
        let plane = Inclination::of([-slope.sin(), 0.0, slope.cos()], [cos, sin]);
        let rates = plane.angle_rates([0.0; 2], 0.8);
        is_close(Attitude { at: plane, rates }.angular_velocity(), [0.0, 0.0, 0.8]);
    }
}

#[test]
fn velocities_of_the_plane_are_velocities_of_a_body_without_sway() {
    let at = Inclination { pitch: 0.2, roll: -0.3 };
    let level = at.to_level([1.5, -0.7]);
    is_close(at.to_body(level), [1.5, -0.7, 0.0]);
}

#[test]
fn a_plane_that_pitches_and_rolls_adds_the_rates_of_its_angles() {
    let plane = Inclination { pitch: 0.0, roll: 0.0 };
    let rates = plane.angle_rates([0.1, -0.2], 0.5);
    is_close(Attitude { at: plane, rates }.angular_velocity(), [-0.2, 0.1, 0.5]);
}
