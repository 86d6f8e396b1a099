//! Bodies that meet walls and each other at up to 50 m/s.

use super::piles::Draw;
use super::*;

const DYNAMICS: [&str; 2] = ["differential", "differential_4_wheels"];

fn fast_body(draw: &mut Draw, name: &str, [x, y]: [f64; 2], most: f64) -> (String, bool) {
    let yaw = draw.within(-180.0, 180.0);
    let speed = draw.scale(1.0, most);
    let (lx, ly) = (draw.within(0.05, 1.2), draw.within(0.05, 1.2));
    let [a, b] = [0.5 * lx, 0.5 * ly];
    let shape = format!(
        "<shape><pt>{} {}</pt><pt>{a} {}</pt><pt>{a} {b}</pt><pt>{} {b}</pt></shape>",
        -a, -b, -b, -a
    );
    let mass = draw.scale(0.1, 1000.0);
    let turn = if draw.chance(0.3) { draw.within(-3.0, 3.0) } else { 0.0 };
    match draw.count(0, 3) {
        0 | 1 => (
            format!(
                "<vehicle name=\"{name}\"><dynamics class=\"{}\"><chassis mass=\"{mass}\">{shape}\
                 </chassis><controller class=\"twist_ideal\"><V>{speed}</V><W>{turn}</W>\
                 </controller></dynamics><init_pose>{x} {y} {yaw}</init_pose></vehicle>",
                DYNAMICS[draw.count(0, 1)]
            ),
            true,
        ),
        2 => (
            format!(
                "<vehicle name=\"{name}\"><dynamics class=\"{}\"><chassis mass=\"{mass}\">{shape}\
                 </chassis><controller class=\"raw\"/></dynamics>\
                 <init_pose>{x} {y} {yaw}</init_pose><init_vel>{speed} 0 {turn}</init_vel>\
                 </vehicle>",
                DYNAMICS[draw.count(0, 1)]
            ),
            false,
        ),
        _ => (
            format!(
                "<block name=\"{name}\"><mass>{mass}</mass>{shape}\
                 <init_pose>{x} {y} {yaw}</init_pose><init_vel>{speed} 0 {turn}</init_vel></block>"
            ),
            false,
        ),
    }
}

/// A room with walls of 5 cm and fast bodies in it.
fn room(seed: u64) -> (f64, String, Vec<Segment>) {
    let mut draw = Draw::new(seed);
    let dt = draw.scale(1e-4, 0.02);
    let side = 8.0;
    let corners = [[0.0, 0.0], [side, 0.0], [side, side], [0.0, side]];
    let mut walls: Vec<Segment> = (0..4).map(|k| [corners[k], corners[(k + 1) % 4]]).collect();
    walls.push([[2.0, 4.0], [6.0, 4.0]]);
    let points: Vec<String> =
        walls.iter().flatten().map(|[x, y]| format!("<pt>{x} {y}</pt>")).collect();
    let mut text = format!(
        "<walls><wallThickness>0.05</wallThickness><shape>{}</shape></walls>",
        points.concat()
    );
    for cell in 0..8 {
        if draw.chance(0.5) {
            let at = [1.0 + 2.0 * f64::from(cell % 4), 2.0 + 4.0 * f64::from(cell / 4)];
            text += &fast_body(&mut draw, &format!("r{cell}"), at, 50.0).0;
        }
    }
    (dt, text, walls)
}

#[test]
fn rooms() {
    let seeds = std::env::var("SEEDS").unwrap_or("0..40".into());
    let (from, to) = seeds.split_once("..").unwrap();
    let profile = std::env::var("PROFILE").unwrap_or("corrected".into());
    for seed in from.parse::<u64>().unwrap()..to.parse().unwrap() {
        let (dt, text, walls) = room(seed);
        let world = world(&profile, dt, &text);
        let seen = observe(&mut build(&world), 1.0f64.max(50.0 * dt), &walls, &[]);
        println!("{seed} dt {dt:.4} {seen:?}");
    }
}
