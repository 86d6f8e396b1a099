//! Ports that do not fit are refused when a world is loaded, and the message names both sides.

mod kind;
mod vehicle;

use std::path::{Path, PathBuf};

use crate::support::bad_plugins;
use crate::support::world::{Model, World, model, vehicle};

/// Returns a world whose vehicle has models of a folder, and this controller.
fn world(controller: Model, plugins: &Path) -> World {
    let car = vehicle("tricycle").controller(controller).friction("tyre");
    let car = car.xml("<sensor class=\"probe\" name=\"eye\"/>\n").pose(0, 0, 0);
    World::new().step(0.01).vehicle("car", car).plugins(plugins)
}

/// Returns such a world with the controller of the folder.
fn own(plugins: &Path) -> World {
    world(model("pilot").set("speed", 9), plugins)
}

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

const FRICTION: &str = "world.xml:6:18";
const DYNAMICS: &str = "world.xml:4:18";
const CONTROLLER: &str = "world.xml:4:47";
const SENSOR: &str = "world.xml:7:16";

fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join("ports").join(name)
}

#[test]
fn ports_that_fit_are_accepted() {
    let plugins = folder("right");
    let library = bad_plugins::build_of("ports.c", &plugins, "ports", &[]);
    let warnings = own(&plugins).warnings();
    assert!(warnings.is_empty(), "{warnings:?}");
    let failures = bad_plugins::failures(&library, "descriptor-ports");
    assert!(failures.is_empty(), "{failures:?}");
}

#[test]
fn each_mistake_is_refused_with_both_sides() {
    let mut missed = Vec::new();
    for Mistake { name, change, expected, by_kind } in
        kind::MISTAKES.iter().chain(vehicle::MISTAKES)
    {
        let plugins = folder(name);
        let library = bad_plugins::build_of("ports.c", &plugins, "ports", &[change]);
        let text: String = own(&plugins).errors().into_iter().map(|error| error.rendered).collect();
        for part in expected.iter().filter(|part| !text.contains(*part)) {
            missed.push(format!("{name} has no `{part}`:\n{text}"));
        }
        let failures = bad_plugins::failures(&library, "descriptor-ports");
        if failures.is_empty() == *by_kind {
            missed.push(format!("plugin check {name}: {failures:?}"));
        }
    }
    assert!(missed.is_empty(), "{}", missed.join("\n"));
}

/// A vehicle whose velocity is imposed needs no actuators, but what it reads must exist.
#[test]
fn an_imposed_velocity_excuses_actuators_only() {
    let measured = "MEASURE_OUT=ONE(\"odometry_vx\",\"m/s\"),PUBLISHED(\"load\",\"N\")";
    let build = |name: &str, inputs: &str| {
        let plugins = folder(name);
        bad_plugins::build_of("ports.c", &plugins, "ports", &[inputs, measured]);
        plugins
    };
    let plugins = build("imposed", "DRIVE_IN=ONE(\"push\",\"N·m\"),ONE(\"vx\",\"m/s\")");
    world(model("twist_ideal"), &plugins).open();
    let plugins = build("imposed_unknown", "DRIVE_IN=ONE(\"push\",\"N·m\"),ONE(\"vxx\",\"m/s\")");
    let errors = world(model("twist_ideal"), &plugins).errors();
    let has = |part: &str| errors.iter().any(|error| error.text.contains(part));
    assert!(has("nothing provides input `vxx`") && !has("`push` of phase"), "{errors:#?}");
}

#[test]
fn a_run_calls_models_that_read_wheels_in_every_phase() {
    let plugins = folder("right_run");
    bad_plugins::build_of("ports.c", &plugins, "ports", &[]);
    assert_eq!(own(&plugins).run(0.3).readings("eye").numbers("sum_radps"), [0.0; 3]);
}

/// The input contradicts the kind of the controller, which is not reported again as a misfit.
#[test]
fn a_mistake_is_reported_once() {
    let plugins = folder("once");
    let change = "CONTROL_IN=ONE(\"spin\",\"rad/s\"),ONE(\"load\",\"N\"),SIMHOST_COMMAND_PORT(\"speed\",\"m/s\",\"\",\"speed\")";
    bad_plugins::build_of("ports.c", &plugins, "ports", &[change]);
    let errors = own(&plugins).errors();
    assert_eq!(errors.len(), 1, "{errors:#?}");
}
