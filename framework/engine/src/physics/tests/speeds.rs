//! Bodies that are so fast, or steps so long, that they could pass through something in one step.

use simhost_sdk::Random;

use super::*;

const THIN: [[f64; 2]; 4] = [[-0.025, -500.0], [0.025, -500.0], [0.025, 500.0], [-0.025, 500.0]];

/// Returns where a body stops that is driven towards a thin wall at x = 20.
fn stop(dt: f64, v: f64, turning: f64, restitution: f64) -> [f64; 2] {
    let mut physics = Physics::new(dt, true);
    let surface = Surface { friction: 0.0, restitution };
    let body = BodySpec { surface, ..spec("a") };
    let state = BodyState { omega: turning, ..moving(0.0, v) };
    let a = physics.add_body(body, &state, 0.0).expect("has an area");
    assert!(physics.add_fixed("wall", &moving(20.0, 0.0), &THIN, [0.0, 1.0], surface));
    let mut most = f64::NEG_INFINITY;
    for _ in 0..(60.0 / v / dt) as usize + 3 {
        physics.step();
        most = most.max(physics.bodies.state(a).position[0]);
    }
    [most, physics.bodies.state(a).velocity[0]]
}

/// A body passed the wall with steps of 0.4 s and more, and when it moved by 10 m per step.
#[test]
fn nothing_passes_a_thin_wall_whatever_the_step() {
    for dt in [5e-3, 0.02, 0.1, 0.25, 0.4, 0.5, 1.0] {
        for v in [0.5, 4.0, 6.0, 18.0, 50.0, 100.0, 900.0] {
            for turning in [0.0, 2.0] {
                let [most, speed] = stop(dt, v, turning, 0.0);
                // one that turns pushes itself off
                let is_right = most < 19.5 && (turning > 0.0 || most > 19.4 && speed <= 0.01);
                assert!(is_right, "{dt} s, {v} m/s, {turning} rad/s: {most} m, {speed} m/s");
            }
        }
    }
}

#[test]
fn a_body_bounces_off_a_thin_wall_whatever_the_step() {
    for dt in [5e-3, 0.1, 0.5, 1.0] {
        for v in [0.5, 6.0, 50.0, 100.0] {
            let [most, speed] = stop(dt, v, 0.0, 0.8);
            assert!(
                most < 19.5 && (speed + 0.8 * v).abs() < 0.01 * v,
                "{dt} s, {v} m/s: {most}, {speed}"
            );
        }
    }
}

/// A body that is struck flies on in the same step, to others that nothing was near before it.
#[test]
fn what_is_struck_does_not_pass_through_what_follows() {
    for seed in 0..60 {
        let mut random = Random::new(Random::new(seed).bits());
        let draw = &mut random;
        let dt = 0.005 * 100f64.powf(draw.uniform());
        let mut physics = Physics::new(dt, true);
        let count = 2 + seed as usize % 4;
        let mut x = 0.0;
        let bodies: Vec<Body> = (0..count)
            .map(|number| {
                let half = 0.02 + 0.4 * draw.uniform();
                let outline = [[-half, -0.5], [half, -0.5], [half, 0.5], [-half, 0.5]];
                let mass = Mass::polygon(1.0 + 20.0 * draw.uniform(), &outline);
                let surface = Surface { friction: 0.0, restitution: (seed % 2) as f64 * 0.5 };
                let spec = BodySpec { mass, outline: &outline, surface, ..spec("s") };
                x += half;
                let speed = if number == 0 { 2.0 + 60.0 * draw.uniform() } else { 0.0 };
                let body = physics.add_body(spec, &moving(x, speed), 0.0).expect("has an area");
                x += half + 0.1 + 3.0 * draw.uniform();
                body
            })
            .collect();
        assert!(physics.add_fixed(
            "wall",
            &moving(x + 5.0, 0.0),
            &THIN,
            [0.0, 1.0],
            spec("").surface
        ));
        for step in 0..(2.0 / dt) as usize + 20 {
            physics.step();
            let mut places: Vec<f64> =
                bodies.iter().map(|one| physics.bodies.state(*one).position[0]).collect();
            places.push(x + 5.0);
            assert!(places.is_sorted(), "seed {seed}, {dt} s, step {step}: {places:?}");
        }
    }
}
