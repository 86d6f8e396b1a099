//! Animated bodies and actors among bodies that nothing drives.

use std::fmt::Write as _;

use super::piles::{Draw, vehicle};
use super::*;

/// An animation whose stretches are at most `most` m/s fast.
fn animation(draw: &mut Draw, most: f64) -> String {
    let mut text = "<animation type=\"keyframes\">".to_owned();
    let mut time = if draw.chance(0.3) { draw.within(0.1, 3.0) } else { 0.0 };
    let mut at = if draw.chance(0.5) { [0.0; 2] } else { [(); 2].map(|()| draw.within(-4.0, 4.0)) };
    let start = at;
    let count = draw.count(1, 4);
    for number in 0..=count {
        let yaw = draw.within(-180.0, 180.0);
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
        let (mass, lx, ly) =
            (draw.scale(0.001, 1e4), draw.scale(0.05, 2.0), draw.scale(0.05, 2.0));
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
    let walls: Vec<Segment> = vec![[[-5.0, -5.0], [5.0, -5.0]], [[-5.0, 5.0], [5.0, 5.0]]];
    for [[x0, y0], [x1, y1]] in &walls {
        let _ = write!(
            text,
            "<walls><wallThickness>0.05</wallThickness><shape><pt>{x0} {y0}</pt><pt>{x1} {y1}</pt>\
             </shape></walls>"
        );
    }
    (dt, text, walls)
}

#[test]
fn crowds() {
    let seeds = std::env::var("SEEDS").unwrap_or("0..40".into());
    let (from, to) = seeds.split_once("..").unwrap();
    let profile = std::env::var("PROFILE").unwrap_or("corrected".into());
    for seed in from.parse::<u64>().unwrap()..to.parse().unwrap() {
        let (dt, text, walls) = crowd(seed);
        let world = world(&profile, dt, &text);
        let seen = observe(&mut build(&world), 10.0, &walls, &["a0", "a1", "a2", "a3"]);
        println!("{seed} dt {dt:.4} {seen:?}");
    }
}
