//! Piles of bodies that overlap at the start.

use std::fmt::Write as _;

use super::*;

pub(super) struct Draw(Random);

impl Draw {
    pub fn new(seed: u64) -> Self {
        Self(Random::new(Random::new(seed).bits()))
    }
    pub fn within(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.0.uniform()
    }
    /// Logarithmically.
    pub fn scale(&mut self, low: f64, high: f64) -> f64 {
        low * (high / low).powf(self.0.uniform())
    }
    pub fn chance(&mut self, part: f64) -> bool {
        self.0.uniform() < part
    }
    pub fn count(&mut self, low: usize, high: usize) -> usize {
        self.within(low as f64, high as f64 + 1.0) as usize
    }
}

fn block(draw: &mut Draw, name: &str, spread: f64) -> String {
    let (lx, ly) = (draw.scale(0.05, 6.0), draw.scale(0.05, 6.0));
    let (mass, restitution) = (draw.scale(0.001, 1e4), draw.within(0.0, 0.1));
    let fixed = draw.chance(0.15) && std::env::var("FREE").is_err();
    let (x, y, yaw) =
        (draw.within(-spread, spread), draw.within(-spread, spread), draw.within(-180.0, 180.0));
    format!(
        "<block name=\"{name}\"><mass>{mass}</mass><restitution>{restitution}</restitution>\
         <static>{fixed}</static><shape_from_visual/><geometry type=\"box\" lx=\"{lx}\" ly=\"{ly}\" lz=\"1\"/>\
         <init_pose>{x} {y} {yaw}</init_pose></block>"
    )
}

const DYNAMICS: [&str; 4] =
    ["differential", "differential_3_wheels", "differential_4_wheels", "ackermann"];

pub(super) fn vehicle(draw: &mut Draw, name: &str, spread: f64) -> String {
    let dynamics = DYNAMICS[draw.count(0, 3)];
    let mass = draw.scale(0.5, 1e4);
    let (x, y, yaw) =
        (draw.within(-spread, spread), draw.within(-spread, spread), draw.within(-180.0, 180.0));
    format!(
        "<vehicle name=\"{name}\"><dynamics class=\"{dynamics}\"><chassis mass=\"{mass}\"/>\
         <controller class=\"raw\"/></dynamics><init_pose>{x} {y} {yaw}</init_pose></vehicle>"
    )
}

/// A pile, its walls and the time step.
pub(super) fn pile(seed: u64) -> (f64, String, Vec<Segment>) {
    let mut draw = Draw::new(seed);
    let dt = draw.scale(0.001, 0.05);
    let spread = draw.scale(0.05, 3.0);
    let mut text = String::new();
    let mut walls = Vec::new();
    for number in 0..draw.count(2, 12) {
        text += &block(&mut draw, &format!("b{number}"), spread);
    }
    for number in 0..draw.count(0, 3) {
        text += &vehicle(&mut draw, &format!("v{number}"), spread);
    }
    let walled = if std::env::var("FREE").is_err() { 2 } else { 0 };
    for _ in 0..draw.count(0, walled) {
        let ends = [(); 4].map(|()| draw.within(-5.0, 5.0));
        let [x0, y0, x1, y1] = ends;
        if draw.chance(0.5) {
            let _ = write!(
                text,
                "<walls><wallThickness>0.05</wallThickness><shape><pt>{x0} {y0}</pt>\
                 <pt>{x1} {y1}</pt></shape></walls>"
            );
        } else {
            let _ = write!(
                text,
                "<element class=\"vertical_plane\"><x0>{x0}</x0><y0>{y0}</y0><x1>{x1}</x1>\
                 <y1>{y1}</y1></element>"
            );
        }
        walls.push([[x0, y0], [x1, y1]]);
    }
    (dt, text, walls)
}

#[test]
fn piles() {
    let seeds = std::env::var("SEEDS").unwrap_or("0..40".into());
    let (from, to) = seeds.split_once("..").unwrap();
    let profile = std::env::var("PROFILE").unwrap_or("corrected".into());
    for seed in from.parse::<u64>().unwrap()..to.parse().unwrap() {
        let (dt, text, walls) = pile(seed);
        let world = world(&profile, dt, &text);
        let seen = observe(
            &mut build(&world),
            std::env::var("T").map_or(10.0, |t| t.parse().unwrap()),
            &walls,
            &[],
        );
        println!("{seed} dt {dt:.4} {seen:?}");
    }
}
