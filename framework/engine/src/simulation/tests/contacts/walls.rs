//! Bodies that meet walls and each other at up to 50 m/s, or are squeezed.

use super::*;

/// Returns the position of a robot at the end of a run.
fn driven_into(profile: &str, dt: f64, v: f64, wall: &str, seconds: f64) -> f64 {
    let controller = format!("<controller class=\"twist_ideal\"><V>{v}</V></controller>");
    let text = robot("r", "0 0 0", &controller) + wall;
    let mut simulation = build(&world(profile, dt, &text));
    observe(&mut simulation, seconds, &[]);
    let ([x, _], v) = vehicle_at(&simulation, "r");
    // in the profile mvsim-1.2 the velocity is imposed after the step, and the contact takes it away again in the next one
    assert!(v < 0.01 || profile == "mvsim-1.2", "{profile}: the wall has taken away {v} m/s");
    observe(&mut simulation, 0.1, &[]);
    let ([later, _], _) = vehicle_at(&simulation, "r");
    assert!((later - x).abs() < 0.001, "{profile}: the wall has moved it from {x} to {later}");
    later
}

/// The robot reached x = 1.236 m in 3 s, 0.5 m inside the wall that begins at 1.5 m and ends at 2.5 m,
/// and came out on the other side later.
#[test]
fn an_ideal_twist_stops_at_a_thick_wall() {
    let wall = "<walls><wallThickness>1</wallThickness><shape><pt>2 -5</pt><pt>2 5</pt></shape>\
        </walls>";
    for profile in PROFILES {
        for (dt, v) in [(0.001, 3.6), (0.001, 20.0), (0.0001, 0.5), (0.02, 50.0)] {
            let x = driven_into(profile, dt, v, wall, 3.0);
            assert!((x - 1.25).abs() < 0.01, "{profile}, {v} m/s, {dt} s: it stopped at {x}");
        }
    }
}

/// At 50 m/s and steps of 20 ms, a robot moves by 1 m in a step, 20 times the thickness of the wall.
#[test]
fn an_ideal_twist_stops_at_a_thin_wall() {
    for profile in PROFILES {
        for (dt, v) in [(0.0001, 50.0), (0.005, 50.0), (0.02, 50.0), (0.02, 12.0)] {
            let x = driven_into(profile, dt, v, &thin_wall([[2.3, -5.0], [2.3, 5.0]]), 1.0);
            assert!((x - 2.025).abs() < 0.01, "{profile}, {v} m/s, {dt} s: it stopped at {x}");
        }
    }
}

/// Two robots that drive towards each other at 10 m/s ended up 0.23 m beyond each other after 2 s.
#[test]
fn two_ideal_twists_do_not_pass_through_each_other() {
    let controller = "<controller class=\"twist_ideal\"><V>10</V></controller>";
    let text = robot("a", "-3 0 0", controller) + &robot("b", "3 0 180", controller);
    for profile in PROFILES {
        for dt in [0.0005, 0.005, 0.02] {
            let mut simulation = build(&world(profile, dt, &text));
            observe(&mut simulation, 2.0, &[]);
            let [a, b] = ["a", "b"].map(|name| vehicle_at(&simulation, name).0[0]);
            assert!((b - a - 0.5).abs() < 0.01, "{profile}, {dt} s: {a} and {b}");
        }
    }
}

/// The vehicle left the place between the wall and the actor, who walks at 1.4 m/s, at 10.7 m/s, and
/// at 13.1 m/s in the profile mvsim-1.2.
#[test]
fn a_squeezed_vehicle_is_not_expelled() {
    let text = thin_wall([[0.3, -5.0], [0.3, 5.0]])
        + &robot("r", "0 0.05 0", UNDRIVEN)
        + "<actor name=\"p\"><init_pose>-3 0 0</init_pose><path loop=\"false\"><waypoint>1 0 0\
           </waypoint></path></actor>";
    for profile in PROFILES {
        let walls = [[[0.3, -5.0], [0.3, 5.0]]];
        let seen = observe(&mut build(&world(profile, 0.005, &text)), 4.0, &walls);
        assert!(seen.speed <= SLOW && seen.crossed.is_empty(), "{profile}: {seen:?}");
    }
}

fn fast_body(draw: &mut Draw, name: &str, [x, y]: [f64; 2]) -> String {
    let (yaw, speed) = (draw.within(-180.0, 180.0), draw.scale(1.0, 50.0));
    let [a, b] = [(); 2].map(|()| draw.within(0.025, 0.6));
    let outline =
        format!("<pt>{} {}</pt><pt>{a} {}</pt><pt>{a} {b}</pt><pt>{} {b}</pt>", -a, -b, -b, -a);
    let mass = draw.scale(0.1, 1000.0);
    let turn = if draw.chance(0.3) { draw.within(-3.0, 3.0) } else { 0.0 };
    let pose = format!("<init_pose>{x} {y} {yaw}</init_pose>");
    let velocity = format!("<init_vel>{speed} 0 {turn}</init_vel>");
    let vehicle = |controller: &str, more: &str| {
        format!(
            "<vehicle name=\"{name}\"><dynamics class=\"differential_4_wheels\"><chassis \
             mass=\"{mass}\"><shape>{outline}</shape></chassis>{controller}</dynamics>{pose}{more}\
             </vehicle>"
        )
    };
    match draw.count(0, 3) {
        0 | 1 => {
            let degrees = turn.to_degrees();
            let command = format!("<V>{speed}</V><W>{degrees}</W>");
            vehicle(&format!("<controller class=\"twist_ideal\">{command}</controller>"), "")
        }
        2 => vehicle(UNDRIVEN, &velocity),
        _ => format!(
            "<block name=\"{name}\"><mass>{mass}</mass><shape>{outline}</shape>{pose}{velocity}\
             </block>"
        ),
    }
}

/// Returns the step, s, the elements and the walls of a room with fast bodies.
fn room(seed: u64) -> (f64, String, Vec<Segment>) {
    let mut draw = Draw::new(seed);
    let dt = draw.scale(1e-4, 0.02);
    let corners = [[0.0, 0.0], [8.0, 0.0], [8.0, 8.0], [0.0, 8.0]];
    let mut walls: Vec<Segment> = (0..4).map(|k| [corners[k], corners[(k + 1) % 4]]).collect();
    walls.push([[2.0, 4.0], [6.0, 4.0]]);
    let mut text: String = walls.iter().map(|wall| thin_wall(*wall)).collect();
    for cell in 0..8 {
        if draw.chance(0.5) {
            let at = [1.0 + 2.0 * f64::from(cell % 4), 2.0 + 4.0 * f64::from(cell / 4)];
            text += &fast_body(&mut draw, &format!("r{cell}"), at);
        }
    }
    (dt, text, walls)
}

#[test]
fn nothing_passes_the_walls_of_a_room() {
    for profile in PROFILES {
        for seed in 0..CASES {
            let (dt, text, walls) = room(seed);
            let mut simulation = build(&world(profile, dt, &text));
            let seen = observe(&mut simulation, f64::max(0.5, 50.0 * dt), &walls);
            assert!(seen.crossed.is_empty(), "{profile} {seed}: {seen:?}");
            assert!(seen.speed <= 50.0 * (1.0 + TOLERANCE), "{profile} {seed}: {seen:?}");
        }
    }
}
