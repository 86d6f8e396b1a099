//! Properties of a friction model, whatever its parameters.

use simhost_sdk::prelude::*;
use simhost_sdk::testing;
use template_name::TemplateName;

const MU: f64 = 0.8;

fn force(wheel: &Wheel) -> Force {
    let model: TemplateName = testing::friction(&[("mu", MU)]);
    model.force(wheel, &testing::step(), &mut ())
}

/// Returns a wheel that slides over the ground at this velocity, m/s.
fn sliding(x: f64, y: f64) -> Wheel {
    let rolling = testing::wheel();
    Wheel { vx: rolling.spin * rolling.radius + x, vy: y, ..rolling }
}

/// Returns sliding velocities in all directions, from a creep to a skid.
fn slides() -> impl Iterator<Item = (f64, f64)> {
    let directions = [(1.0, 0.0), (-1.0, 0.0), (0.0, 1.0), (0.0, -1.0), (0.6, 0.8), (-0.8, 0.6)];
    let speeds = [1e-6, 1e-3, 0.1, 1.0, 30.0];
    directions.into_iter().flat_map(move |(x, y)| speeds.map(|speed| (speed * x, speed * y)))
}

#[test]
fn a_rolling_wheel_feels_no_force() {
    let force = force(&testing::wheel());
    assert_eq!((force.fx.abs(), force.fy.abs()), (0.0, 0.0));
}

#[test]
fn the_force_opposes_the_sliding() {
    for (x, y) in slides() {
        let force = force(&sliding(x, y));
        assert!(force.fx * x + force.fy * y < 0.0, "({x}, {y}) gives {force:?}");
    }
}

#[test]
fn left_and_right_are_mirror_images() {
    for (x, y) in slides() {
        let (left, right) = (force(&sliding(x, y)), force(&sliding(x, -y)));
        assert_eq!((left.fx, left.fy, left.spin_torque), (right.fx, -right.fy, right.spin_torque));
    }
}

#[test]
fn the_ground_holds_no_more_than_mu_times_the_load() {
    for (x, y) in slides() {
        let wheel = sliding(x, y);
        let force = force(&wheel);
        let limit = MU * wheel.normal_force * (1.0 + 1e-12);
        assert!(force.fx.hypot(force.fy) <= limit, "({x}, {y}) gives {force:?}");
    }
}

#[test]
fn numbers_are_finite_without_load_and_at_rest() {
    for normal_force in [0.0, 100.0] {
        for (vx, vy, spin) in [(0.0, 0.0, 0.0), (1.0, 0.5, 0.0), (0.0, 0.0, 50.0)] {
            let force = force(&Wheel { vx, vy, spin, normal_force, ..testing::wheel() });
            assert!([force.fx, force.fy, force.spin_torque].iter().all(|n| n.is_finite()));
        }
    }
}
