//! Clocks and the log of runs: J1.1 to J1.4, J1.11 and J6.8 of the driving-lab manual. Clocks of
//! sessions are in `framework/simhost/tests/clocks.rs`.

use std::time::{Duration, Instant};

use crate::support::world::{World, differential, model};
use crate::support::{Outcome, Workspace};

/// Returns a world with one robot that drives.
fn robot(step: &str) -> World {
    let robot = differential().controller(model("twist_pid").set("V", 1)).pose(0, 0, 0);
    World::new().set("simul_timestep", step).vehicle("robot", robot)
}

fn world(step: &str) -> Workspace {
    robot(step).workspace()
}

/// Runs a world with a clock, and returns the wall time.
fn timed(workspace: &Workspace, arguments: &[&str]) -> (Outcome, Duration) {
    let start = Instant::now();
    let outcome = workspace.run(&[&["world.xml"], arguments].concat());
    assert_eq!(outcome.code, 0, "{}", outcome.stderr);
    (outcome, start.elapsed())
}

#[test]
fn j1_1_thirty_hertz_for_one_second_end_at_one_second() {
    for step in ["$f{1/30}", "0.03333333333333333"] {
        let run = robot(step).run(1.0);
        assert!(run.warnings.is_empty(), "{step}: {:?}", run.warnings);
        let times = run.column("robot", "time_s");
        assert_eq!((times.len(), *times.last().unwrap()), (31, 1.0), "{step}");
    }
}

#[test]
fn j1_1_a_duration_between_two_steps_ends_at_the_last_whole_step() {
    let workspace = world("0.03");
    let outcome = workspace.simulate(&["--duration", "1"]);
    assert_eq!(
        outcome.stderr,
        "the duration of 1 s is not a multiple of the time step of 0.03 s; the run ends at 0.99 s\n"
    );
    let times = workspace.table("trajectory.csv").numbers("time_s");
    assert_eq!(*times.last().unwrap(), 0.99);
}

#[test]
fn j1_2_all_clocks_write_the_same_files() {
    let workspace = world("0.005");
    let files = ["fixed", "realtime:4", "max"].map(|clock| {
        workspace.simulate(&["--duration", "0.4", "--clock", clock]);
        std::fs::read(workspace.path("out/trajectory.csv")).unwrap()
    });
    assert!(files[0] == files[1] && files[0] == files[2]);
}

#[test]
fn j1_3_two_seconds_in_real_time_take_two_seconds() {
    let (outcome, wall) = timed(&world("0.02"), &["--duration", "2", "--clock", "realtime"]);
    assert!(wall >= Duration::from_millis(1800), "{wall:?}");
    assert!(outcome.stdout.contains("simulated 2 s"), "{}", outcome.stdout);
}

#[test]
fn j1_4_max_follows_wall_time() {
    let (_, wall) = timed(&world("0.001"), &["--duration", "0.5", "--clock", "max"]);
    assert!(wall >= Duration::from_millis(490), "{wall:?}");
}

#[test]
fn j1_11_a_factor_changes_the_wall_time() {
    let workspace = world("0.01");
    let (_, slow) = timed(&workspace, &["--duration", "0.2", "--clock", "realtime:0.25"]);
    assert!(slow >= Duration::from_millis(790), "{slow:?}");
    let (_, fast) = timed(&workspace, &["--duration", "50", "--clock", "realtime:500"]);
    assert!(fast >= Duration::from_millis(90), "{fast:?}");
}

#[test]
fn delays_are_reported_once() {
    // a step of 1 µs of wall time cannot be made
    let (outcome, _) = timed(&world("0.001"), &["--duration", "40", "--clock", "realtime:1000000"]);
    assert_eq!(outcome.stderr.lines().count(), 1, "{}", outcome.stderr);
    assert!(outcome.stderr.contains("frames began late, by up to "), "{}", outcome.stderr);
}

#[test]
fn wrong_clocks_levels_and_durations_are_usage_errors() {
    let workspace = world("0.01");
    for (option, value, message) in [
        ("--clock", "realtme", "unknown clock 'realtme'; did you mean 'realtime'?"),
        (
            "--clock",
            "realtime:0",
            "the factor of the clock is '0'; expected a number from 0.000001",
        ),
        ("--clock", "realtime:-1", "the factor of the clock is '-1'"),
        ("--clock", "realtime:nan", "the factor of the clock is 'NaN'"),
        ("--clock", "max:2", "the clock 'max' has no factor"),
        ("--log", "inf", "possible values: error, warn, info, debug, trace"),
        ("--duration", "-1", "expected a number greater than 0"),
    ] {
        let outcome = workspace.run(&["world.xml", option, value]);
        assert_eq!(outcome.code, 2, "{option} {value}");
        assert!(outcome.stderr.contains(message), "{option} {value}: {}", outcome.stderr);
    }
}

/// Returns the lines of a log without their times.
fn lines(text: &str) -> Vec<String> {
    text.lines().map(|line| line.get(11..).unwrap_or(line).to_owned()).collect()
}

#[test]
fn j6_8_the_log_has_levels() {
    let workspace = world("0.01");
    let mut counts = Vec::new();
    for level in ["error", "warn", "info", "debug", "trace"] {
        let outcome = workspace.run(&["world.xml", "--duration", "0.2", "--log", level]);
        assert_eq!(outcome.code, 0, "{}", outcome.stderr);
        counts.push(lines(&outcome.stderr).len());
    }
    assert_eq!(counts[0], 0);
    assert!(counts.is_sorted() && counts[2] > counts[1] && counts[4] > counts[3], "{counts:?}");
}

#[test]
fn j6_8_the_log_is_written_to_the_output_folder() {
    let workspace = world("0.01");
    workspace.write("c.csv", "time_s,vehicle,kind,v1,v2,v3\n0.1,robot,twist,1,0,0.5\n");
    let outcome =
        workspace.simulate(&["--duration", "0.205", "--log", "debug", "--commands", "c.csv"]);
    assert!(outcome.stderr.starts_with("the duration of 0.205 s"), "{}", outcome.stderr);
    let text = std::fs::read_to_string(workspace.path("out/simhost.log")).unwrap();
    let lines = lines(&text);
    for part in [
        "INFO  world opened vehicles=1 step=0.01",
        "INFO  run begun t=0.0 clock=fixed",
        "INFO  the duration of 0.205 s",
        "DEBUG input t=0.1 step=10 input=Command { vehicle: \"robot\"",
        "INFO  session finished t=0.2 steps=20",
    ] {
        assert!(lines.iter().any(|line| line.starts_with(part)), "no `{part}` in:\n{text}");
    }
    // without a log, the folder has none
    workspace.simulate(&["--duration", "0.2"]);
    assert!(!workspace.path("out/simhost.log").exists());
}

#[test]
fn j6_8_errors_of_a_run_are_in_its_log() {
    let workspace = world("0.01");
    let outcome = workspace.run(&[
        "world.xml",
        "--duration",
        "1",
        "--max-speed",
        "0.01",
        "--out",
        "out",
        "--log",
        "error",
    ]);
    assert_eq!(outcome.code, 10, "{}", outcome.stderr);
    let text = std::fs::read_to_string(workspace.path("out/simhost.log")).unwrap();
    assert!(text.contains("ERROR") && text.contains("robot"), "{text}");
}
