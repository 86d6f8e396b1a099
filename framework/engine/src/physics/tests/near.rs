//! Which bodies are near something.

use super::super::proximity::{BodySearch, work};
use super::{BodyState, Physics, moving, spec};
use crate::physics::Body;

/// Returns bodies in rows of 20, 3 m apart, each at an own speed.
fn rows(count: usize) -> (Physics, Vec<Body>) {
    let mut physics = Physics::new(0.01, true);
    let mut add = |number: usize| {
        let [column, row] = [number % 20, number / 20].map(|k| 3.0 * k as f64);
        let state = BodyState { position: [column, row], ..moving(0.0, 0.0) };
        physics.add_body(spec(&format!("b{number}")), &state, 0.0).expect("has an area")
    };
    let bodies = (0..count).map(&mut add).collect();
    (physics, bodies)
}

#[test]
fn the_search_for_what_is_near_does_not_grow_with_the_number_of_bodies() {
    let examined = [100, 1600].map(|count| {
        let (physics, bodies) = rows(count);
        let mut search = BodySearch::default();
        search.update(&physics.bodies);
        work::take_count();
        assert!(!bodies.iter().any(|body| physics.is_near(*body, 0.03, &search)));
        work::take_count() / count
    });
    assert!(examined.iter().all(|each| *each < 20), "{examined:?}");
}

#[test]
fn a_search_finds_what_is_near_while_bodies_move() {
    let (mut physics, bodies) = rows(60);
    let mut search = BodySearch::default();
    let mut found = 0;
    for step in 0..400 {
        for (number, body) in bodies.iter().enumerate() {
            // from -2 to 2 m/s, so that neighbours meet and leave their boxes
            let speed = 0.5 * ((7 * number) % 9) as f64 - 2.0;
            physics.bodies.set_velocity(*body, [speed, 0.0], 0.3);
        }
        physics.step();
        if step % 10 != 0 {
            continue;
        }
        search.update(&physics.bodies);
        for body in &bodies {
            let is_near = physics.is_near(*body, 0.05, &search);
            assert_eq!(is_near, physics.is_near(*body, 0.05, &BodySearch::default()), "{step}");
            found += usize::from(is_near);
        }
    }
    assert!(found > 100, "bodies meet: {found}");
}
