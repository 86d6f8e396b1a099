//! Piles of bodies that overlap at the start.

use super::*;

fn block(draw: &mut Draw, name: &str, spread: f64, fixed: f64) -> String {
    let (lx, ly) = (draw.scale(0.05, 6.0), draw.scale(0.05, 6.0));
    let (mass, restitution) = (draw.scale(0.001, 1e4), draw.within(0.0, 0.1));
    let fixed = draw.chance(fixed);
    let (x, y, yaw) =
        (draw.within(-spread, spread), draw.within(-spread, spread), draw.within(-180.0, 180.0));
    format!(
        "<block name=\"{name}\"><mass>{mass}</mass><restitution>{restitution}</restitution>\
         <static>{fixed}</static><shape_from_visual/><geometry type=\"box\" lx=\"{lx}\" \
         ly=\"{ly}\" lz=\"1\"/><init_pose>{x} {y} {yaw}</init_pose></block>"
    )
}

const DYNAMICS: [&str; 4] =
    ["differential", "differential_3_wheels", "differential_4_wheels", "ackermann"];

/// Returns a vehicle that nothing drives.
pub(super) fn vehicle(draw: &mut Draw, name: &str, spread: f64) -> String {
    let dynamics = DYNAMICS[draw.count(0, 3)];
    let mass = draw.scale(0.5, 1e4);
    let (x, y, yaw) =
        (draw.within(-spread, spread), draw.within(-spread, spread), draw.within(-180.0, 180.0));
    format!(
        "<vehicle name=\"{name}\"><dynamics class=\"{dynamics}\"><chassis mass=\"{mass}\"/>\
         {UNDRIVEN}</dynamics><init_pose>{x} {y} {yaw}</init_pose></vehicle>"
    )
}

/// Returns the step, s, the elements and the walls of a pile.
fn pile(seed: u64, is_free: bool) -> (f64, String, Vec<Segment>) {
    let mut draw = Draw::new(seed);
    let dt = draw.scale(0.001, 0.05);
    let spread = draw.scale(0.05, 3.0);
    let mut text = String::new();
    let mut walls = Vec::new();
    for number in 0..draw.count(2, 12) {
        let fixed = if is_free { 0.0 } else { 0.15 };
        text += &block(&mut draw, &format!("b{number}"), spread, fixed);
    }
    for number in 0..draw.count(0, 3) {
        text += &vehicle(&mut draw, &format!("v{number}"), spread);
    }
    for _ in 0..if is_free { 0 } else { draw.count(0, 2) } {
        let [x0, y0, x1, y1] = [(); 4].map(|()| draw.within(-5.0, 5.0));
        walls.push([[x0, y0], [x1, y1]]);
        text += &if draw.chance(0.5) {
            thin_wall([[x0, y0], [x1, y1]])
        } else {
            format!(
                "<element class=\"vertical_plane\"><x0>{x0}</x0><y0>{y0}</y0><x1>{x1}</x1>\
                 <y1>{y1}</y1></element>"
            )
        };
    }
    (dt, text, walls)
}

/// Before overlaps were resolved at a bounded speed, bodies left such piles at up to 11 m/s, and
/// undriven vehicles rolled on at up to 2 m/s.
#[test]
fn nothing_is_thrown_out_of_a_pile() {
    for profile in PROFILES {
        for seed in 0..CASES {
            let (dt, text, walls) = pile(seed, false);
            let seen = observe(&mut build(&world(profile, dt, &text)), 10.0, &walls);
            assert!(seen.speed <= SLOW, "{profile} {seed}: {seen:?}");
            assert!(seen.crossed.is_empty(), "{profile} {seed}: {seen:?}");
            assert!(seen.end[0] < 1e-3 && seen.end[1] < 1e-3, "{profile} {seed}: {seen:?}");
        }
    }
}

/// Where light bodies were caught between heavy ones, the contact solver did not separate them: a
/// quarter of such piles still overlapped after 25 s, by up to 1 m.
#[test]
fn piles_in_the_open_come_apart() {
    for seed in 0..CASES {
        let (dt, text, walls) = pile(seed, true);
        let seen = observe(&mut build(&world("corrected", dt, &text)), 25.0, &walls);
        assert!(seen.overlaps.is_empty(), "{seed}: {seen:?}");
        assert!(seen.speed <= SLOW && seen.end == [0.0; 2], "{seed}: {seen:?}");
    }
}
