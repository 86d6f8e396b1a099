//! Animated bodies and actors among bodies that nothing drives.

use std::fmt::Write as _;

use super::piles::vehicle;
use super::*;

/// An animation whose stretches are at most `most` m/s fast.
fn animation(draw: &mut Draw, most: f64) -> String {
    let mut text = "<animation type=\"keyframes\">".to_owned();
    let mut time = if draw.chance(0.3) { draw.within(0.1, 3.0) } else { 0.0 };
    let mut at = if draw.chance(0.5) { [0.0; 2] } else { [(); 2].map(|()| draw.within(-4.0, 4.0)) };
    let start = at;
    let count = draw.count(1, 4);
    for number in 0..=count {
        let yaw = draw.within(-1.0, 1.0);
        let _ = write!(text, "<time_pose>{time} {} {} {yaw}</time_pose>", at[0], at[1]);
        let to = [(); 2].map(|()| draw.within(-4.0, 4.0));
        let to = if number + 1 == count && draw.chance(0.4) { start } else { to };
        let distance = speed([to[0] - at[0], to[1] - at[1]]);
        // some stretches are jumps
        time += if draw.chance(0.2) { 1e-4 } else { distance / most + 0.1 };
        at = to;
    }
    text + "</animation>"
}

fn animated(draw: &mut Draw, name: &str) -> String {
    let speed = draw.scale(0.2, 5.0);
    let motion = animation(draw, speed);
    let (x, y) = (draw.within(-3.0, 3.0), draw.within(-3.0, 3.0));
    let (lx, ly) = (draw.scale(0.05, 4.0), draw.scale(0.05, 4.0));
    match draw.count(0, 4) {
        0 => format!(
            "<block name=\"{name}\"><shape_from_visual/><geometry type=\"box\" lx=\"{lx}\" \
             ly=\"{ly}\" lz=\"1\"/><init_pose>{x} {y} 0</init_pose>{motion}</block>"
        ),
        1 => format!(
            "<vehicle name=\"{name}\"><dynamics class=\"differential\"><controller class=\"raw\"/>\
             </dynamics><init_pose>{x} {y} 0</init_pose>{motion}</vehicle>"
        ),
        2 => format!(
            "<element class=\"vertical_plane\"><x0>{x}</x0><y0>{y}</y0><x1>{}</x1><y1>{y}</y1>\
             {motion}</element>",
            x + lx
        ),
        3 => format!("<actor name=\"{name}\"><init_pose>{x} {y} 0</init_pose>{motion}</actor>"),
        _ => {
            let mut path = String::new();
            for _ in 0..draw.count(1, 4) {
                let (x, y) = (draw.within(-3.0, 3.0), draw.within(-3.0, 3.0));
                let _ = write!(path, "<waypoint animation=\"run\">{x} {y} 90</waypoint>");
            }
            format!(
                "<actor name=\"{name}\"><init_pose>{x} {y} 0</init_pose><path>{path}</path></actor>"
            )
        }
    }
}

/// A crowd of bodies and what moves among them.
fn crowd(seed: u64) -> (f64, String, Vec<Segment>) {
    let mut draw = Draw::new(seed);
    let dt = draw.scale(0.001, 0.05);
    let mut text = String::new();
    for number in 0..draw.count(1, 8) {
        let (mass, lx, ly) = (draw.scale(0.001, 1e4), draw.scale(0.05, 2.0), draw.scale(0.05, 2.0));
        let (x, y) = (draw.within(-4.0, 4.0), draw.within(-4.0, 4.0));
        let _ = write!(
            text,
            "<block name=\"b{number}\"><mass>{mass}</mass><shape_from_visual/><geometry \
             type=\"box\" lx=\"{lx}\" ly=\"{ly}\" lz=\"1\"/><init_pose>{x} {y} 0</init_pose></block>"
        );
    }
    for number in 0..draw.count(0, 4) {
        text += &vehicle(&mut draw, &format!("v{number}"), 4.0);
    }
    for number in 0..draw.count(1, 4) {
        text += &animated(&mut draw, &format!("a{number}"));
    }
    let walls = vec![[[-5.0, -5.0], [5.0, -5.0]], [[-5.0, 5.0], [5.0, 5.0]]];
    text.extend(walls.iter().map(|wall| thin_wall(*wall)));
    (dt, text, walls)
}

/// Bodies that animations and actors push, squeeze and jump onto.
#[test]
fn animations_throw_nothing() {
    for profile in PROFILES {
        for seed in 0..CASES {
            let (dt, text, walls) = crowd(seed);
            let seen = observe(&mut build(&world(profile, dt, &text)), 10.0, &walls);
            // the corners of a rectangle are up to twice as fast as its energy alone would make it, and strike others
            let bound = 2.0 * seen.driven_speed.max(SLOW) * (1.0 + TOLERANCE);
            assert!(seen.speed <= bound, "{profile} {seed}: {seen:?}");
            assert!(seen.crossed.is_empty(), "{profile} {seed}: {seen:?}");
        }
    }
}

/// The gate starts at its first keyframe on one robot, jumps onto another and back. The jumps threw
/// them at 607 m/s.
#[test]
fn a_gate_that_jumps_throws_nothing() {
    let gate = "<element class=\"vertical_plane\"><x0>0</x0><y0>-1</y0><x1>0</x1><y1>1</y1>\
        <animation type=\"keyframes\"><time_pose>0 3 0 0</time_pose><time_pose>2 3 0 0</time_pose>\
        <time_pose>2.001 0 0 0</time_pose><time_pose>4 0 0 0</time_pose></animation></element>";
    let text =
        gate.to_owned() + &robot("r", "3.1 0 0", UNDRIVEN) + &robot("s", "0.1 0 0", UNDRIVEN);
    for profile in PROFILES {
        let mut simulation = build(&world(profile, 0.005, &text));
        assert_eq!(simulation.blueprint.overlaps.count, 1, "the gate is on the first robot");
        let seen = observe(&mut simulation, 10.0, &[]);
        assert!(seen.speed <= SLOW, "{profile}: {seen:?}");
        for (name, from) in [("r", 3.1), ("s", 0.1)] {
            let ([x, _], _) = vehicle_at(&simulation, name);
            let moved = x - from;
            assert!((0.15..0.25).contains(&moved), "{profile}: {name} moved by {moved}");
        }
    }
}

/// Every kind of animated body is at the pose of its animation at the start, with its velocity.
#[test]
fn animated_bodies_start_where_their_animations_do() {
    let animation = "<animation type=\"keyframes\"><time_pose>0 4 1 0</time_pose>\
        <time_pose>2 6 1 0</time_pose></animation>";
    let at = |y: f64| format!("<init_pose>1 {y} 0</init_pose>");
    let text = format!(
        "<block name=\"b\">{}{animation}</block><vehicle name=\"v\"><dynamics \
         class=\"differential\">{UNDRIVEN}</dynamics>{}{animation}</vehicle><actor name=\"a\">{}\
         {animation}</actor><element class=\"vertical_plane\"><x0>0</x0><y0>-1</y0><x1>0</x1>\
         <y1>1</y1>{}{animation}</element>",
        at(0.0),
        at(10.0),
        at(20.0),
        at(30.0)
    );
    let simulation = build(&world("corrected", 0.005, &text));
    assert_eq!(simulation.state.physics.bodies.len(), 4);
    for body in (0..4).map(Body::numbered) {
        let state = simulation.state.physics.bodies.state(body);
        let found = (state.position[0], state.position[1] % 10.0, state.velocity, state.omega);
        assert_eq!(
            found,
            (5.0, 1.0, [1.0, 0.0], 0.0),
            "{}",
            simulation.state.physics.bodies.name(body)
        );
    }
}
