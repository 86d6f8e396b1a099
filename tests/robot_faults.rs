//! Faults of robots: severities, onsets, effects on the dynamics, and their files.
//!
//! Tests `j6_7_…` check item J6.7 of the checklist of the "Autonomous Driving Lab" simulator. The rates of
//! its random faults are per call of a loop; these are per simulated second.

use crate::support::{Outcome, Table, Workspace};

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
fn car(faults: &str) -> String {
    let wheel = |tag: &str, place: &str| {
        format!("<{tag} {place} mass=\"12\" width=\"0.2\" diameter=\"0.62\"/>")
    };
    format!(
        "<vehicle name=\"a\"><init_pose>0 0 0</init_pose><init_vel>{SPEED} 0 0</init_vel>{faults}\
         <sensor class=\"laser\" name=\"scan\"><sensor_period>0.1</sensor_period></sensor>\
         <dynamics class=\"ackermann\">{}{}{}{}<f_wheels_x>2.5</f_wheels_x>\
         <f_wheels_d>1.5</f_wheels_d><chassis mass=\"1000\" zmin=\"0.2\" zmax=\"1.5\"><shape>\
         <pt>-0.8 -0.85</pt><pt>3.3 -0.85</pt><pt>3.3 0.85</pt><pt>-0.8 0.85</pt></shape></chassis>\
         <controller class=\"pedals\"/></dynamics><friction class=\"default\"><mu>0.9</mu>\
         <C_damping>0</C_damping></friction></vehicle>",
        wheel("rl_wheel", "pos=\"0 0.75\""),
        wheel("rr_wheel", "pos=\"0 -0.75\""),
        wheel("fl_wheel", ""),
        wheel("fr_wheel", ""),
    )
}

fn workspace(dt: f64, faults: &str, commands: &str) -> Workspace {
    let world =
        format!("<mvsim_world><simul_timestep>{dt}</simul_timestep>{}</mvsim_world>", car(faults));
    let workspace = Workspace::new(&world);
    let commands = format!("time_s,vehicle,kind,v1,v2,v3\n0,a,pedals,0,0,0\n{commands}");
    workspace.write("commands.csv", &commands);
    workspace
}

fn simulate(workspace: &Workspace, duration: &str, more: &[&str]) -> Outcome {
    let arguments = [&["--duration", duration, "--commands", "commands.csv"], more].concat();
    workspace.simulate(&arguments)
}

/// Returns the distance from the time at which the brakes act, 1 s, to the stop, m.
fn stopping_distance(fault: &str) -> f64 {
    let workspace = workspace(0.002, fault, &format!("1,a,pedals,0,{BRAKE},0\n"));
    simulate(&workspace, "14", &[]);
    let path = workspace.table("trajectory.csv");
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
    let workspace = workspace(0.01, fault, "0.5,a,pedals,0,0,0.1\n1,a,pedals,0,0,-0.1\n");
    simulate(&workspace, "3", &[]);
    let wheel = workspace.table("wheels.csv").only("wheel", "fl");
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
    let workspace = workspace(0.01, fault, "");
    simulate(&workspace, "3", &[]);
    let times: Vec<i64> = workspace
        .table("a.scan.csv")
        .numbers("time_s")
        .iter()
        .map(|time| (time * 10.0).round() as i64)
        .collect();
    let expected: Vec<i64> = (1..=10).chain(21..=30).collect();
    assert_eq!(times, expected);
}

fn memory(workspace: &Workspace) -> Table {
    workspace.table("robot_faults.csv")
}

#[test]
fn j6_7_entries_have_sensor_severity_code_time_and_text() {
    let faults = "<fault sensor=\"engine\" severity=\"failure\" code=\"7\" at=\"0.25\" \
                  text='it is \"hot\", and smells'/>\
                  <fault sensor=\"oil\" severity=\"service_required\" at=\"0\"/>";
    let workspace = workspace(0.1, faults, "");
    simulate(&workspace, "1", &[]);
    let text = std::fs::read_to_string(workspace.path("out/robot_faults.csv")).unwrap();
    let expected = "time_s,vehicle,sensor,severity,level,code,text\n\
                    0,a,oil,service_required,2000,0,\n\
                    0.25,a,engine,failure,5000,7,\"it is \"\"hot\"\", and smells\"\n";
    assert_eq!(text, expected);
    let quiet = Workspace::new(&format!("<mvsim_world>{}</mvsim_world>", car("")));
    quiet.simulate(&["--duration", "0.1"]);
    assert!(!quiet.path("out/robot_faults.csv").exists());
}

#[test]
fn j6_7_random_faults_have_a_rate_per_simulated_second() {
    let faults = "<fault sensor=\"oil\" severity=\"critical\" rate=\"3\"/>";
    let times = |dt: f64, seed: &str| {
        let workspace = workspace(dt, faults, "");
        simulate(&workspace, "100", &["--seed", seed, "--log-period", "10"]);
        memory(&workspace).numbers("time_s")
    };
    let coarse = times(0.05, "1");
    // 300 with a standard deviation of 17
    assert!((coarse.len() as f64 - 300.0).abs() < 70.0, "{}", coarse.len());
    assert_eq!(times(0.01, "1"), coarse);
    assert_ne!(times(0.05, "2"), coarse);
}

#[test]
fn a_fault_that_is_present_does_not_occur_again() {
    let effect = "target=\"steer\" effect=\"off\"";
    let count = |more: &str| {
        let fault = format!("<fault sensor=\"motor\" severity=\"damaged\" rate=\"20\" {more}/>");
        let workspace = workspace(0.05, &fault, "");
        simulate(&workspace, "20", &["--log-period", "10"]);
        memory(&workspace).rows.len()
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
    let workspace = workspace(0.01, faults, "0.5,a,pedals,0,0,0.1\n2,a,pedals,0,0,0\n");
    let hash = |more: &[&str]| {
        let outcome = simulate(&workspace, "4", &[&["--hash-every", "4"], more].concat());
        let line = outcome.stdout.lines().find(|line| line.starts_with("state hash")).unwrap();
        line.to_owned()
    };
    let kept = workspace.path("kept");
    std::fs::create_dir(&kept).unwrap();
    let places = ["--snapshot-every", "1.5", "--snapshot-dir", kept.to_str().unwrap()];
    let whole = hash(&[&places[..], &["--threads", "1"]].concat());
    assert_eq!(hash(&["--threads", "4"]), whole);
    let snapshot = kept.join("step-150.snapshot");
    assert_eq!(hash(&["--resume", snapshot.to_str().unwrap()]), whole);
}

/// Returns the errors of a world with a fault.
fn errors(fault: &str) -> String {
    let workspace = workspace(0.01, fault, "");
    let outcome = workspace.run(&["check", "world.xml"]);
    assert_eq!(outcome.code, 12, "{}", outcome.stderr);
    outcome.stderr + &outcome.stdout
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
        let found = errors(&fault);
        assert!(found.contains(expected), "{fault}: expected {expected}\n{found}");
        assert!(found.contains("world.xml:1:"), "{found}");
    }
}

#[test]
fn names_of_ones_own_are_accepted_for_sensors() {
    let workspace = workspace(0.01, "<fault sensor=\"gripper\" severity=\"ok\" at=\"0.1\"/>", "");
    simulate(&workspace, "0.2", &[]);
    assert_eq!(memory(&workspace).rows.len(), 1);
}
