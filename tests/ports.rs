//! Ports that do not fit are refused when a world is loaded, and the message names both sides.

mod kind;
mod vehicle;

use std::path::{Path, PathBuf};

use crate::support::{Outcome, Workspace, bad_plugins};

const WORLD: &str = r#"<mvsim_world version="1.0">
  <simul_timestep>0.01</simul_timestep>
  <vehicle name="car">
    <dynamics class="tricycle">
      <controller class="pilot"><speed>9</speed></controller>
    </dynamics>
    <friction class="tyre"/>
    <sensor class="probe" name="eye"/>
    <init_pose>0 0 0</init_pose>
  </vehicle>
</mvsim_world>
"#;

/// A change of the ports of `tests/plugins/c/ports.c`, and parts of the error.
struct Mistake {
    name: &'static str,
    change: &'static str,
    expected: &'static [&'static str],
    /// Whether `plugin check` finds it without a world.
    by_kind: bool,
}

const fn of_kind(
    name: &'static str,
    change: &'static str,
    expected: &'static [&'static str],
) -> Mistake {
    Mistake { name, change, expected, by_kind: true }
}

const fn of_world(
    name: &'static str,
    change: &'static str,
    expected: &'static [&'static str],
) -> Mistake {
    Mistake { name, change, expected, by_kind: false }
}

const FRICTION: &str = "world.xml:7:22";
const DYNAMICS: &str = "world.xml:4:22";
const CONTROLLER: &str = "world.xml:5:26";
const SENSOR: &str = "world.xml:8:20";

fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join("ports").join(name)
}

fn check(world: &str, plugins: &Path) -> Outcome {
    let plugins = plugins.to_str().unwrap();
    Workspace::new(world).run(&["check", "world.xml", "--plugin-dir", plugins])
}

#[test]
fn ports_that_fit_are_accepted() {
    let plugins = folder("right");
    let library = bad_plugins::build_of("ports.c", &plugins, "ports", &[]);
    let outcome = check(WORLD, &plugins);
    assert_eq!((outcome.code, &*outcome.stdout), (0, "world.xml: ok\n"), "{}", outcome.stderr);
    let outcome = plugin_check(&library);
    assert!(
        outcome.stdout.contains("ok  descriptor-ports") || outcome.code == 0,
        "{}",
        outcome.stdout
    );
}

fn plugin_check(library: &Path) -> Outcome {
    let arguments = ["plugin", "check", library.to_str().unwrap(), "--only", "descriptor-ports"];
    Workspace::new("").run(&arguments)
}

#[test]
fn each_mistake_is_refused_with_both_sides() {
    let mut missed = Vec::new();
    for Mistake { name, change, expected, by_kind } in
        kind::MISTAKES.iter().chain(vehicle::MISTAKES)
    {
        let plugins = folder(name);
        let library = bad_plugins::build_of("ports.c", &plugins, "ports", &[change]);
        let outcome = check(WORLD, &plugins);
        let text = outcome.stderr;
        if outcome.code != 12 {
            missed.push(format!("{name} ends with {}:\n{text}", outcome.code));
        }
        for part in expected.iter().filter(|part| !text.contains(*part)) {
            missed.push(format!("{name} has no `{part}`:\n{text}"));
        }
        let outcome = plugin_check(&library);
        if (outcome.code != 0) != *by_kind {
            missed.push(format!("plugin check {name}: {}\n{}", outcome.code, outcome.stdout));
        }
    }
    assert!(missed.is_empty(), "{}", missed.join("\n"));
}

/// A vehicle whose velocity is imposed needs no actuators, but what it reads must exist.
#[test]
fn an_imposed_velocity_excuses_actuators_only() {
    let world = WORLD.replace(
        "<controller class=\"pilot\"><speed>9</speed>",
        "<controller class=\"twist_ideal\">",
    );
    let measured = "MEASURE_OUT=ONE(\"odometry_vx\",\"m/s\"),PUBLISHED(\"load\",\"N\")";
    let build = |name: &str, inputs: &str| {
        let plugins = folder(name);
        bad_plugins::build_of("ports.c", &plugins, "ports", &[inputs, measured]);
        plugins
    };
    let plugins = build("imposed", "DRIVE_IN=ONE(\"push\",\"N·m\"),ONE(\"vx\",\"m/s\")");
    let outcome = check(&world, &plugins);
    assert_eq!(outcome.code, 0, "{}", outcome.stderr);
    let plugins = build("imposed_unknown", "DRIVE_IN=ONE(\"push\",\"N·m\"),ONE(\"vxx\",\"m/s\")");
    let outcome = check(&world, &plugins);
    assert_eq!(outcome.code, 12);
    assert!(outcome.stderr.contains("nothing provides input `vxx`"), "{}", outcome.stderr);
    assert!(!outcome.stderr.contains("`push` of phase"), "{}", outcome.stderr);
}

#[test]
fn a_run_calls_models_that_read_wheels_in_every_phase() {
    let plugins = folder("right_run");
    bad_plugins::build_of("ports.c", &plugins, "ports", &[]);
    let workspace = Workspace::new(WORLD);
    workspace.simulate(&["--duration", "0.3", "--plugin-dir", plugins.to_str().unwrap()]);
    assert_eq!(workspace.table("car.eye.csv").numbers("sum_radps"), [0.0; 3]);
}

/// The input contradicts the kind of the controller, which is not reported again as a misfit.
#[test]
fn a_mistake_is_reported_once() {
    let plugins = folder("once");
    let change = "CONTROL_IN=ONE(\"spin\",\"rad/s\"),ONE(\"load\",\"N\"),SIMHOST_COMMAND_PORT(\"speed\",\"m/s\",\"\",\"speed\")";
    bad_plugins::build_of("ports.c", &plugins, "ports", &[change]);
    let outcome = check(WORLD, &plugins);
    assert!(outcome.stdout.contains("1 error, 0 warnings"), "{}{}", outcome.stdout, outcome.stderr);
}
