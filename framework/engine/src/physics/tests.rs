//! Motion, contacts and joints of bodies.

use std::sync::Arc;

use simhost_scene::{MassProperties as Mass, OccupancyGrid};
use simhost_world::{BodyRef, GridMap, Joint, JointKind, Span};

use super::*;

mod compass;
mod impacts;
mod near;
mod speeds;

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

fn grid_map(grid: OccupancyGrid) -> GridMap {
    GridMap {
        grid: Arc::new(grid),
        collides: true,
        restitution: 0.01,
        lateral_friction: 0.5,
        height: f64::INFINITY,
        semantic: None,
        span: Span::default(),
    }
}

fn moving(x: f64, vx: f64) -> BodyState {
    BodyState { position: [x, 0.0], heading: [1.0, 0.0], velocity: [vx, 0.0], omega: 0.0 }
}

fn push(physics: &mut Physics, body: Body, vx: f64, steps: usize) {
    for _ in 0..steps {
        physics.bodies.set_velocity(body, [vx, 0.0], 0.0);
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
        physics.bodies.set_velocity(body, [0.0, 0.0], 1.0);
        physics.step();
    }
    let state = *physics.bodies.state(body);
    let [x, y] = state.transform([0.3, 0.0]);
    assert!((x - 0.3).abs() < 1e-12 && y.abs() < 1e-12, "the centre of mass stays: {x} {y}");
    assert!((state.pose().yaw - (5.0 - std::f64::consts::TAU)).abs() < 1e-12);
}

#[test]
fn a_body_stops_at_another_on_the_same_storey_only() {
    for (z, meets) in [(0.0, true), (1.0, false), (0.9, true)] {
        let mut physics = Physics::new(0.005, true);
        let a = physics.add_body(spec("a"), &moving(0.0, 1.0), 0.0).expect("has an area");
        let b = physics.add_body(spec("b"), &moving(3.0, 0.0), z).expect("has an area");
        push(&mut physics, a, 1.0, 800);
        let gap = physics.bodies.state(b).position[0] - physics.bodies.state(a).position[0];
        assert_eq!(gap > 0.99, meets, "at height {z} the gap is {gap}");
    }
}

#[test]
fn a_fast_body_does_not_pass_through_a_wall() {
    let mut physics = Physics::new(0.005, true);
    let a = physics.add_body(spec("a"), &moving(0.0, 0.0), 0.0).expect("has an area");
    assert!(physics.add_fixed("wall", &moving(20.0, 0.0), &SQUARE, [0.0, 1.0], spec("").surface));
    push(&mut physics, a, 15.0, 600);
    let x = physics.bodies.state(a).position[0];
    assert!((18.9..19.05).contains(&x), "it stopped at {x}");
}

/// Adds long walls along x at a distance on both sides, m.
fn add_walls(physics: &mut Physics, distance: f64) {
    let side = [[-50.0, -0.1], [50.0, -0.1], [50.0, 0.1], [-50.0, 0.1]];
    for y in [-distance, distance] {
        let state = BodyState { position: [0.0, y], ..moving(0.0, 0.0) };
        assert!(physics.add_fixed("wall", &state, &side, [0.0, 1.0], spec("").surface));
    }
}

#[test]
fn a_body_between_walls_is_left_alone_until_it_is_about_to_touch_one() {
    let mut physics = Physics::new(0.005, true);
    let a = physics.add_body(spec("a"), &moving(0.0, 2.0), 0.0).expect("has an area");
    add_walls(&mut physics, 1.3);
    for step in 0..1000 {
        push(&mut physics, a, 2.0, 1);
        assert!(physics.is_free(), "something moved it in step {step}");
        let RigidBody { searched, wide, has_company, .. } = physics.bodies[a.number()];
        let searched = searched.circle;
        assert!(has_company && searched.radius < wide.radius);
        // what others know about the body holds within the wide circle
        let [dx, dy] = [0, 1].map(|axis| searched.centre[axis] - wide.centre[axis]);
        assert!(dx.hypot(dy) + searched.radius <= wide.radius * (1.0 + 1e-9), "step {step}");
    }
    for _ in 0..300 {
        physics.bodies.set_velocity(a, [0.0, 2.0], 0.0);
        physics.step();
    }
    let y = physics.bodies.state(a).position[1];
    assert!(!physics.is_free() && (0.69..0.72).contains(&y), "it stopped at {y}");
}

/// A body of 4 m by 1 m.
const LONG: [[f64; 2]; 4] = [[-2.0, -0.5], [2.0, -0.5], [2.0, 0.5], [-2.0, 0.5]];

#[test]
fn a_long_body_is_left_alone_until_it_turns_into_a_wall() {
    for omega in [0.05, -0.7, 5.0] {
        let mut physics = Physics::new(0.005, true);
        let long = BodySpec { outline: &LONG, ..spec("long") };
        let body = physics.add_body(long, &moving(0.0, 2.0), 0.0).expect("has an area");
        add_walls(&mut physics, 0.9);
        for step in 0..1000 {
            push(&mut physics, body, 2.0, 1);
            assert!(physics.is_free(), "something moved it in step {step}");
        }
        for step in 0..4000 {
            physics.bodies.set_velocity(body, [0.0, 0.0], omega);
            physics.step();
            let state = physics.bodies.state(body);
            let top = LONG.map(|corner| state.transform(corner)[1].abs());
            let top = top.into_iter().fold(0.0, f64::max);
            assert!(
                top < 0.81,
                "a corner is {top} m from the middle in step {step} at {omega} rad/s"
            );
        }
        assert!(!physics.is_free(), "it met the walls at {omega} rad/s");
    }
}

#[test]
fn long_bodies_pass_each_other_alone_and_meet_when_they_turn() {
    let mut physics = Physics::new(0.005, true);
    let states = [moving(-8.0, 2.0), BodyState { position: [8.0, 1.5], ..moving(0.0, 0.0) }];
    let [a, b] = states.map(|state| {
        let long = BodySpec { outline: &LONG, ..spec("long") };
        physics.add_body(long, &state, 0.0).expect("has an area")
    });
    for step in 0..800 {
        physics.bodies.set_velocity(a, [2.0, 0.0], 0.0);
        physics.bodies.set_velocity(b, [-2.0, 0.0], 0.0);
        physics.step();
        assert!(physics.is_free(), "something moved them in step {step}");
    }
    for _ in 0..400 {
        physics.bodies.set_velocity(a, [0.0, 0.0], 0.4);
        physics.bodies.set_velocity(b, [0.0, 0.0], 0.0);
        physics.step();
    }
    // the corner of one in the frame of the other
    let [x, y] = physics.bodies.state(a).transform([2.0, 0.5]);
    let BodyState { position, heading: [cos, sin], .. } = *physics.bodies.state(b);
    let side = cos * (y - position[1]) - sin * (x - position[0]);
    assert!(!physics.is_free() && (-0.6..-0.49).contains(&side), "a corner is at {side} m");
}

#[test]
fn overlapping_bodies_are_reported_and_pushed_apart_slowly() {
    let mut physics = Physics::new(0.005, true);
    let a = physics.add_body(spec("a"), &moving(0.0, 0.0), 0.0).expect("has an area");
    let b = physics.add_body(spec("b"), &moving(0.3, 0.0), 0.0).expect("has an area");
    let named = physics.overlaps().expect("few pairs").named;
    assert_eq!(named, [("a".to_owned(), "b".to_owned())]);
    let mut greatest = 0f64;
    for _ in 0..1000 {
        let before = physics.bodies.state(a).position;
        push(&mut physics, a, 0.0, 1);
        physics.bodies.set_velocity(b, [0.0, 0.0], 0.0);
        greatest = greatest.max((physics.bodies.state(a).position[0] - before[0]).abs() / 0.005);
    }
    assert!(greatest <= 1.0, "pushed at {greatest} m/s");
    assert!(physics.bodies.state(b).position[0] - physics.bodies.state(a).position[0] > 0.95);
}

#[test]
fn a_kinematic_body_arrives_and_pushes() {
    let mut physics = Physics::new(0.005, true);
    let a = physics.add_kinematic(spec("a"), &moving(0.0, 0.0), 0.0).expect("has an area");
    let b = physics.add_body(spec("b"), &moving(1.5, 0.0), 0.0).expect("has an area");
    for step in 1..=200 {
        physics.move_kinematic(a, [0.005 * f64::from(step), 0.0], [1.0, 0.0]);
        physics.step();
    }
    assert_eq!(physics.bodies.state(a).position, [1.0, 0.0]);
    assert!(physics.bodies.state(b).position[0] > 1.98);
}

fn joint(kind: JointKind, anchors: [[f64; 2]; 2]) -> Joint {
    let bodies = [BodyRef::Vehicle(0), BodyRef::Vehicle(1)];
    Joint { name: String::new(), kind, bodies, anchors, span: Span::default() }
}

fn distance(physics: &Physics, [a, b]: [Body; 2], anchors: [[f64; 2]; 2]) -> f64 {
    let [p, q] = [
        physics.bodies.state(a).transform(anchors[0]),
        physics.bodies.state(b).transform(anchors[1]),
    ];
    ((p[0] - q[0]).powi(2) + (p[1] - q[1]).powi(2)).sqrt()
}

/// Moves the first of two joined bodies about and returns the least and the greatest distance of
/// their anchors, m.
fn anchor_distances(kind: JointKind, anchors: [[f64; 2]; 2], gap: f64) -> (f64, f64) {
    let mut physics = Physics::new(0.005, true);
    let a = physics.add_body(spec("a"), &moving(0.0, 0.0), 0.0).expect("has an area");
    let b = physics.add_body(spec("b"), &moving(-gap, 0.0), 0.0).expect("has an area");
    physics.add_joint(&joint(kind, anchors), [JointEnd::Body(a), JointEnd::Body(b)]);
    let (mut least, mut greatest) = (f64::INFINITY, 0f64);
    for step in 0..12_000 {
        let time = 0.005 * f64::from(step);
        let omega = 0.8 * (0.5 * time).sin();
        let yaw = physics.bodies.state(a).pose().yaw;
        physics.bodies.set_velocity(a, [1.5 * yaw.cos(), 1.5 * yaw.sin()], omega);
        physics.step();
        let now = distance(&physics, [a, b], anchors);
        (least, greatest) = (least.min(now), greatest.max(now));
    }
    (least, greatest)
}

#[test]
fn a_pin_drifts_less_than_a_millimetre_in_a_minute() {
    let anchors = [[-0.6, 0.0], [0.6, 0.0]];
    let (_, greatest) = anchor_distances(JointKind::Pin { limits: None }, anchors, 1.2);
    assert!(greatest < 1e-3, "the anchors part by {greatest} m");
}

#[test]
fn a_rope_stays_within_its_lengths() {
    let kind = JointKind::Rope { min_length: 0.2, max_length: 2.0, stiffness: 0.0, damping: 0.0 };
    let (least, greatest) = anchor_distances(kind, [[-0.5, 0.0], [0.5, 0.0]], 1.3);
    assert!(greatest > 1.9 && greatest < 2.02, "greatest length {greatest} m");
    assert!(least > 0.19, "least length {least} m");
}

#[test]
fn a_rope_keeps_its_minimum_length() {
    let mut physics = Physics::new(0.005, true);
    let a = physics.add_body(spec("a"), &moving(0.0, 0.0), 0.0).expect("has an area");
    let b = physics.add_body(spec("b"), &moving(2.0, 0.0), 0.0).expect("has an area");
    let kind = JointKind::Rope { min_length: 1.5, max_length: 3.0, stiffness: 0.0, damping: 0.0 };
    physics.add_joint(&joint(kind, [[0.0, 0.0]; 2]), [JointEnd::Body(a), JointEnd::Body(b)]);
    for _ in 0..400 {
        physics.bodies.set_velocity(a, [1.0, 0.0], 0.0);
        physics.step();
        assert!(distance(&physics, [a, b], [[0.0, 0.0]; 2]) > 1.49);
    }
    assert!(physics.bodies.state(b).position[0] > 3.0, "the rope pushes the other body");
}

#[test]
fn a_pin_turns_up_to_its_limits() {
    let mut physics = Physics::new(0.005, true);
    let start = BodyState { heading: [0.0, 1.0], ..moving(0.0, 0.0) };
    let a = physics.add_body(spec("a"), &start, 0.0).expect("has an area");
    let limits = Some([-0.5, 0.3]);
    let fixed = JointEnd::Fixed(simhost_scene::Pose2::default());
    let anchors = [[0.0, 0.0], [0.0, 0.0]];
    physics.add_joint(&joint(JointKind::Pin { limits }, anchors), [fixed, JointEnd::Body(a)]);
    for (omega, end) in [(1.0, 0.3), (-1.0, -0.5)] {
        for _ in 0..600 {
            physics.bodies.set_velocity(a, [0.0, 0.0], omega);
            physics.step();
        }
        let turned = physics.bodies.state(a).pose().yaw - std::f64::consts::FRAC_PI_2;
        assert!((turned - end).abs() < 0.02, "turned by {turned} rad, expected {end}");
    }
}

#[test]
fn a_map_stops_a_body_at_its_contour_from_any_angle() {
    // the right half is solid
    let cells = (0..40 * 40).map(|i| if i % 40 >= 20 { -100 } else { 100 }).collect();
    let grid = OccupancyGrid::new([-4.0, -4.0], 0.2, [40, 40], cells).expect("a valid map");
    let map = grid_map(grid);
    for degrees in [0.0, 10.0, 33.0, 45.0, 61.0, 80.0] {
        let mut physics = Physics::new(0.005, true);
        physics.add_grid(&map).expect("few cells");
        let (sin, cos) = f64::to_radians(degrees).sin_cos();
        let heading = [cos, sin];
        let start = BodyState { position: [-2.0, 0.1], heading, ..moving(0.0, 0.0) };
        let body = physics.add_body(spec("a"), &start, 0.0).expect("has an area");
        for _ in 0..600 {
            physics.bodies.set_velocity(body, [1.0, 0.0], 0.0);
            physics.step();
            let corners = SQUARE.map(|corner| physics.bodies.state(body).transform(corner)[0]);
            let front = corners.into_iter().fold(f64::NEG_INFINITY, f64::max);
            assert!(front < 0.005, "at {degrees}° the corner is {front} m inside");
        }
        let corners = SQUARE.map(|corner| physics.bodies.state(body).transform(corner)[0]);
        let front = corners.into_iter().fold(f64::NEG_INFINITY, f64::max);
        assert!(front > -0.005, "at {degrees}° it stops at {front} m from the contour");
    }
}

#[test]
fn the_search_for_overlaps_grows_with_the_number_of_bodies() {
    let examined = [400, 800, 1600].map(|count| {
        let mut physics = Physics::new(0.005, true);
        let names: Vec<String> = (0..count).map(|k| format!("b{k}")).collect();
        for (number, name) in names.iter().enumerate() {
            // every second body overlaps the next one in its row of 20
            let [column, row] = [number % 20, number / 20].map(|k| k as f64);
            let x = 1.3 * column - 0.4 * (column % 2.0);
            let state = BodyState { position: [x, 1.3 * row], ..moving(0.0, 0.0) };
            physics.add_body(spec(name), &state, 0.0).expect("has an area");
        }
        super::overlaps::work::take_count();
        let expected = (0..count).step_by(2).map(|k| (names[k].clone(), names[k + 1].clone()));
        let overlaps = physics.overlaps().expect("few pairs");
        assert_eq!(overlaps.count, count / 2);
        assert_eq!(overlaps.named, expected.take(overlaps.named.len()).collect::<Vec<_>>());
        super::overlaps::work::take_count()
    });
    assert!(
        examined[1] <= 2 * examined[0] + 100 && examined[2] <= 2 * examined[1] + 100,
        "{examined:?}"
    );
}

#[test]
fn rapier_gets_obstacles_when_bodies_come_near_them() {
    let mut physics = Physics::new(0.01, true);
    let surface = Surface { friction: 0.0, restitution: 0.0 };
    for number in 0..60 {
        let mut at = moving(f64::from(number), 0.0);
        at.position[1] = 1.0;
        assert!(physics.add_fixed("wall", &at, &SQUARE, [0.0, 1.0], surface));
    }
    let body = physics.add_body(spec("a"), &moving(0.0, 0.0), 0.0).expect("has an area");
    let mut known = Vec::new();
    for _ in 0..1000 {
        physics.bodies.set_velocity(body, [5.0, 0.5], 0.0);
        physics.step();
        known.push(physics.solver.counterparts.world.colliders.len());
        let [_, y] = physics.bodies.state(body).position;
        assert!(!physics.is_free() && y < 0.01, "the body is at y = {y} m");
    }
    assert!(known[0] < 10 && known[999] > 50 && known.is_sorted(), "{known:?}");
    for _ in 0..100 {
        physics.bodies.set_velocity(body, [0.0, -1.0], 0.0);
        physics.step();
    }
    assert!(physics.is_free() && physics.solver.counterparts.world.colliders.is_empty());
}

#[test]
fn bodies_are_found_by_their_colliders() {
    let mut physics = Physics::new(0.005, true);
    for k in 0..5 {
        physics.add_fixed("wall", &moving(-9.0, 0.0), &SQUARE, [0.0, 1.0], spec("").surface);
        physics.add_body(spec("a"), &moving(2.0 * f64::from(k), 0.0), 0.0).expect("has an area");
    }
    physics.add_counterparts();
    let counterparts = &physics.solver.counterparts;
    let of_body = |number: usize| counterparts.body_of(counterparts.collider(number));
    assert_eq!([0, 1, 2, 3, 4].map(of_body), [0, 1, 2, 3, 4].map(Some));
    let others = counterparts.world.colliders.iter().map(|(handle, _)| handle);
    assert_eq!(others.filter(|handle| counterparts.body_of(*handle).is_none()).count(), 5);
}
