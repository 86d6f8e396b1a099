//! Faults of robots: severities, onsets, effects on the dynamics, and their files.
//!
//! Tests `j6_7_…` check item J6.7 of the checklist of the "Autonomous Driving Lab" simulator. The rates of
//! its random faults are per call of a loop; these are per simulated second.

use crate::support::runs::Run;
use crate::support::world::{Vehicle, World, model, vehicle};

/// Speed at which the cars begin, m/s.
const SPEED: f64 = 10.0;
/// Torque of all brakes together, N·m.
const BRAKE: f64 = 1500.0;
/// Mass of a car with its wheels, kg.
const MASS: f64 = 1048.0;
/// Radius of its wheels, m.
const RADIUS: f64 = 0.31;
/// Moment of inertia of one of its four wheels, kg·m².
const WHEEL: f64 = 0.5 * 12.0 * RADIUS * RADIUS;

/// Returns a car that drives straight ahead with these faults.
fn car(faults: &str) -> Vehicle {
    let wheel = |tag: &str, place: &str| {
        format!("<{tag} {place} mass=\"12\" width=\"0.2\" diameter=\"0.62\"/>")
    };
    let dynamics = model("ackermann")
        .xml(&wheel("rl_wheel", "pos=\"0 0.75\""))
        .xml(&wheel("rr_wheel", "pos=\"0 -0.75\""))
        .xml(&wheel("fl_wheel", ""))
        .xml(&wheel("fr_wheel", ""))
        .set("f_wheels_x", 2.5)
        .set("f_wheels_d", 1.5)
        .xml(
            "<chassis mass=\"1000\" zmin=\"0.2\" zmax=\"1.5\"><shape><pt>-0.8 -0.85</pt>\
             <pt>3.3 -0.85</pt><pt>3.3 0.85</pt><pt>-0.8 0.85</pt></shape></chassis>",
        );
    vehicle(dynamics)
        .controller("pedals")
        .friction(model("default").set("mu", 0.9).set("C_damping", 0))
        .pose(0, 0, 0)
        .velocity(SPEED, 0, 0)
        .xml("<sensor class=\"laser\" name=\"scan\"><sensor_period>0.1</sensor_period></sensor>\n")
        .xml(faults)
}

/// Returns a world with this car, whose pedals are not pressed.
fn world(dt: f64, faults: &str) -> World {
    World::new().step(dt).vehicle("a", car(faults)).command(0.0, "a", "pedals", &[0.0; 3])
}

/// Returns the distance from the time at which the brakes act, 1 s, to the stop, m.
fn stopping_distance(fault: &str) -> f64 {
    let run = world(0.002, fault).command(1.0, "a", "pedals", &[0.0, BRAKE, 0.0]).run(14.0);
    let path = run.table("trajectory.csv");
    let (times, places, speeds) =
        (path.numbers("time_s"), path.numbers("x_m"), path.numbers("vx_mps"));
    assert!(speeds.last().unwrap().abs() < 1e-3, "{:?}", speeds.last());
    let start = times.iter().position(|time| *time >= 1.0 - 1e-9).unwrap();
    places.last().unwrap() - places[start]
}

/// A brake of torque T slows a car of mass m with wheels of inertia I and radius r down by
/// T/r / (m + 4·I/r²), so that it stops after v²/(2a).
fn expected_distance(share: f64) -> f64 {
    let slowed = share * BRAKE / RADIUS / (MASS + 4.0 * WHEEL / (RADIUS * RADIUS));
    SPEED * SPEED / (2.0 * slowed)
}

#[test]
fn j6_7_a_damaged_brake_lengthens_the_stop_by_the_closed_form() {
    let fault = |target: &str, effect: &str| {
        format!(
            "<fault sensor=\"brake\" severity=\"damaged\" code=\"12\" at=\"1\" target=\"{target}\" \
             {effect}/>"
        )
    };
    let cases = [
        (String::new(), 1.0),
        (fault("brake_torque", "effect=\"scale\" value=\"0.4\""), 0.4),
        (fault("controller/brake_torque", "effect=\"scale\" value=\"0.4\""), 0.4),
        (fault("dynamics/brake_torque", "effect=\"scale\" value=\"0.4\""), 0.4),
        (fault("brake_torque", "effect=\"offset\" value=\"-600\""), 0.6),
        // the class gives 60 % to the front axle, half of it to each wheel
        (fault("wheel/fl/brake_torque", "effect=\"off\""), 0.7),
    ];
    for (fault, share) in cases {
        let (found, expected) = (stopping_distance(&fault), expected_distance(share));
        assert!((found / expected - 1.0).abs() < 0.02, "{fault}: {found} m, expected {expected} m");
    }
}

#[test]
fn j6_7_a_stuck_steering_keeps_its_angle_until_the_fault_ends() {
    let fault = "<fault sensor=\"steering\" severity=\"failure\" at=\"1\" until=\"2\" \
                 target=\"steer\" effect=\"stuck\"/>";
    let world = world(0.01, fault).command(0.5, "a", "pedals", &[0.0, 0.0, 0.1]);
    let run = world.command(1.0, "a", "pedals", &[0.0, 0.0, -0.1]).run(3.0);
    let wheel = run.table("wheels.csv").only("wheel", "fl");
    let steps = wheel.numbers("time_s").into_iter().zip(wheel.numbers("steer_rad"));
    for (time, angle) in steps.filter(|(time, _)| *time > 0.505) {
        let is_left = time < 2.005;
        assert_eq!(angle > 0.0, is_left, "{angle} rad at {time} s");
    }
}

#[test]
fn a_sensor_that_drops_out_has_no_rows() {
    let fault = "<fault sensor=\"scan\" severity=\"failure\" at=\"1\" duration=\"1\" \
                 target=\"scan\" effect=\"dropout\"/>";
    let times = world(0.01, fault).run(3.0).readings("scan").numbers("time_s");
    let times: Vec<i64> = times.iter().map(|time| (time * 10.0).round() as i64).collect();
    let expected: Vec<i64> = (1..=10).chain(21..=30).collect();
    assert_eq!(times, expected);
}

#[test]
fn j6_7_entries_have_sensor_severity_code_time_and_text() {
    let faults = "<fault sensor=\"engine\" severity=\"failure\" code=\"7\" at=\"0.25\" \
                  text='it is \"hot\", and smells'/>\
                  <fault sensor=\"oil\" severity=\"service_required\" at=\"0\"/>";
    let text = world(0.1, faults).run(1.0).read("robot_faults.csv");
    let expected = "time_s,vehicle,sensor,severity,level,code,text\n\
                    0,a,oil,service_required,2000,0,\n\
                    0.25,a,engine,failure,5000,7,\"it is \"\"hot\"\", and smells\"\n";
    assert_eq!(text, expected);
    assert!(!world(0.1, "").run(0.1).path("robot_faults.csv").exists());
}

/// Returns the times at which faults occurred.
fn onsets(run: &Run) -> Vec<f64> {
    run.table("robot_faults.csv").numbers("time_s")
}

#[test]
fn j6_7_random_faults_have_a_rate_per_simulated_second() {
    let faults = "<fault sensor=\"oil\" severity=\"critical\" rate=\"3\"/>";
    let times = |dt: f64, seed: u64| onsets(&world(dt, faults).seed(seed).every(10.0).run(100.0));
    let coarse = times(0.05, 1);
    // 300 with a standard deviation of 17
    assert!((coarse.len() as f64 - 300.0).abs() < 70.0, "{}", coarse.len());
    assert_eq!(times(0.01, 1), coarse);
    assert_ne!(times(0.05, 2), coarse);
}

#[test]
fn a_fault_that_is_present_does_not_occur_again() {
    let effect = "target=\"steer\" effect=\"off\"";
    let count = |more: &str| {
        let fault = format!("<fault sensor=\"motor\" severity=\"damaged\" rate=\"20\" {more}/>");
        onsets(&world(0.05, &fault).every(10.0).run(20.0)).len()
    };
    assert_eq!(count(effect), 1);
    // one begins about 0.05 s after the end of the one before
    let count = count(&format!("{effect} duration=\"0.95\""));
    assert!((17..=21).contains(&count), "{count}");
}

#[test]
fn runs_with_faults_repeat_and_resume() {
    let faults = "<fault sensor=\"motor\" severity=\"damaged\" rate=\"2\" duration=\"0.3\" \
                  target=\"wheel/fl/steer\" effect=\"offset\" value=\"0.05\"/>\
                  <fault sensor=\"scan\" severity=\"damaged\" rate=\"2\" duration=\"0.3\" \
                  target=\"scan\" effect=\"stuck\"/>\
                  <fault sensor=\"steering\" severity=\"failure\" at=\"1\" target=\"steer\" \
                  effect=\"stuck\"/>";
    let world = world(0.01, faults).command(0.5, "a", "pedals", &[0.0, 0.0, 0.1]);
    world.command(2.0, "a", "pedals", &[0.0; 3]).repeats(1.5, 4.0);
}

#[test]
fn mistakes_are_reported_with_the_nearest_name() {
    let with = |more: &str| format!("<fault sensor=\"brake\" severity=\"damaged\" {more}/>");
    let on = |target: &str, effect: &str| with(&format!("at=\"1\" target=\"{target}\" {effect}"));
    let off = "effect=\"off\"";
    let cases = [
        ("<fault sensor=\"braek\" severity=\"ok\" at=\"1\"/>".to_owned(), "did you mean `brake`?"),
        ("<fault sensor=\"scam\" severity=\"ok\" at=\"1\"/>".to_owned(), "did you mean `scan`?"),
        ("<fault sensor=\"oil\" severity=\"criticl\" at=\"1\"/>".to_owned(), "`critical`?"),
        ("<fault severity=\"ok\" at=\"1\"/>".to_owned(), "missing `sensor`"),
        ("<fault sensor=\"oil\" at=\"1\"/>".to_owned(), "missing `severity`"),
        (with(""), "missing `at` or `rate`"),
        (with("at=\"1\" rate=\"1\""), "`at` and `rate` exclude each other"),
        (with("at=\"-1\""), "`at` is out of range: -1"),
        (with("rate=\"-1e-4\""), "`rate` is out of range"),
        (with("at=\"nan\""), "`at` is not a number"),
        (with("at=\"3\" until=\"2\""), "the fault ends at 2 s, and begins at 3 s"),
        (with("at=\"3\" until=\"4\" duration=\"1\""), "exclude each other"),
        (with("at=\"3\" duration=\"0\""), "`duration` is out of range"),
        (with("at=\"3\" code=\"-1\""), "`code` is out of range"),
        (with("at=\"3\" code=\"1.5\""), "`code` is not a whole number"),
        (with("at=\"3\" value=\"1\""), "`value` of `<fault>` has no effect"),
        (with("at=\"3\" sensr=\"1\""), "sensr"),
        (on("steeer", off), "did you mean `steer`?"),
        (on("brake_torque", "effect=\"scal\" value=\"1\""), "did you mean `scale`?"),
        (on("brake_torque", "effect=\"scale\""), "missing `value` of effect `scale`"),
        (on("brake_torque", "effect=\"stuck\" value=\"1\""), "does not take a `value`"),
        (on("wheel/fx/steer", off), "unknown wheel `fx`"),
        (on("wheel/fl/brake_torqe", off), "did you mean `wheel/fl/brake_torque`?"),
        (on("wheel/fl/torque_front_left", off), "has one value per vehicle"),
        (on("scan/rang", off), "did you mean `range`?"),
        (on("scan", "effect=\"offset\" value=\"1\""), "have different units"),
        (on("scan/range", "effect=\"dropout\""), "cannot drop out"),
        (on("sensor/scen", off), "did you mean `sensor/scan`?"),
        (with("at=\"1\" effect=\"off\""), "missing `target`"),
        (with("at=\"1\" target=\"steer\""), "missing `effect`"),
    ];
    for (fault, expected) in cases {
        world(0.01, &fault).fails("<fault", &[expected]);
    }
}

#[test]
fn names_of_ones_own_are_accepted_for_sensors() {
    let run = world(0.01, "<fault sensor=\"gripper\" severity=\"ok\" at=\"0.1\"/>").run(0.2);
    assert_eq!(onsets(&run).len(), 1);
}
