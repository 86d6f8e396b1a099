//! Bodies that meet, miss and slide.

use super::*;

const SQUARE: [[f64; 2]; 4] = [[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]];

fn spec(name: &str) -> BodySpec<'static> {
    BodySpec {
        name: name.to_owned(),
        mass: Mass::polygon(10.0, &SQUARE),
        outline: &SQUARE,
        span: [0.0, 1.0],
        surface: Surface { friction: 0.0, restitution: 0.0 },
    }
}

fn moving(x: f64, vx: f64) -> BodyState {
    BodyState { position: [x, 0.0], heading: [1.0, 0.0], velocity: [vx, 0.0], omega: 0.0 }
}

fn push(physics: &mut Physics, body: Body, vx: f64, steps: usize) {
    for _ in 0..steps {
        physics.set_velocity(body, [vx, 0.0], 0.0);
        physics.step();
    }
}

#[test]
fn a_free_body_turns_about_its_centre_of_mass() {
    let mut physics = Physics::new(0.005, true);
    let mut eccentric = spec("a");
    eccentric.mass.centre = [0.3, 0.0];
    let state = BodyState { omega: 1.0, ..moving(0.0, 0.0) };
    let body = physics.add_body(eccentric, &state, 0.0).expect("a square has an area");
    for _ in 0..1000 {
        physics.set_velocity(body, [0.0, 0.0], 1.0);
        physics.step();
    }
    let state = *physics.state(body);
    let [x, y] = state.transform([0.3, 0.0]);
    assert!((x - 0.3).abs() < 1e-12 && y.abs() < 1e-12, "the centre of mass stays: {x} {y}");
    assert!((state.pose().yaw - (5.0 - std::f64::consts::TAU)).abs() < 1e-12);
}

#[test]
fn a_body_stops_at_another_and_not_on_another_storey() {
    for (z, meets) in [(0.0, true), (1.0, false), (0.9, true)] {
        let mut physics = Physics::new(0.005, true);
        let a = physics.add_body(spec("a"), &moving(0.0, 1.0), 0.0).expect("has an area");
        let b = physics.add_body(spec("b"), &moving(3.0, 0.0), z).expect("has an area");
        push(&mut physics, a, 1.0, 800);
        let gap = physics.state(b).position[0] - physics.state(a).position[0];
        assert_eq!(gap > 0.99, meets, "at height {z} the gap is {gap}");
    }
}

#[test]
fn a_fast_body_is_held_in_time() {
    let mut physics = Physics::new(0.005, true);
    let a = physics.add_body(spec("a"), &moving(0.0, 0.0), 0.0).expect("has an area");
    assert!(physics.add_fixed("wall", &moving(20.0, 0.0), &SQUARE, [0.0, 1.0], spec("").surface));
    push(&mut physics, a, 15.0, 600);
    let x = physics.state(a).position[0];
    assert!((18.9..19.05).contains(&x), "it stopped at {x}");
}

#[test]
fn an_overlap_is_told_and_pushed_apart_slowly() {
    let mut physics = Physics::new(0.005, true);
    let a = physics.add_body(spec("a"), &moving(0.0, 0.0), 0.0).expect("has an area");
    let b = physics.add_body(spec("b"), &moving(0.3, 0.0), 0.0).expect("has an area");
    assert_eq!(physics.overlaps(), [("a".to_owned(), "b".to_owned())]);
    let mut greatest = 0f64;
    for _ in 0..1000 {
        let before = physics.state(a).position;
        push(&mut physics, a, 0.0, 1);
        physics.set_velocity(b, [0.0, 0.0], 0.0);
        greatest = greatest.max((physics.state(a).position[0] - before[0]).abs() / 0.005);
    }
    assert!(greatest <= 1.0, "pushed at {greatest} m/s");
    assert!(physics.state(b).position[0] - physics.state(a).position[0] > 0.95);
}

#[test]
fn a_driven_body_arrives_and_pushes() {
    let mut physics = Physics::new(0.005, true);
    let a = physics.add_driven(spec("a"), &moving(0.0, 0.0), 0.0).expect("has an area");
    let b = physics.add_body(spec("b"), &moving(1.5, 0.0), 0.0).expect("has an area");
    for step in 1..=200 {
        physics.drive_to(a, [0.005 * f64::from(step), 0.0], [1.0, 0.0]);
        physics.step();
    }
    assert_eq!(physics.state(a).position, [1.0, 0.0]);
    assert!(physics.state(b).position[0] > 1.98);
}
