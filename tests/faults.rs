//! Models that fault: messages, fault policies, evidence and replay.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use simhost_engine::{Evidence, Replay};

use crate::support::waiting::{end_of, send};
use crate::support::world::{World, differential, model};
use crate::support::{Outcome, Workspace, assert_parts, projects};

/// Builds the plugin whose models fault, and returns its folder.
fn plugin() -> &'static str {
    static BUILT: OnceLock<PathBuf> = OnceLock::new();
    let build = || projects::project("tests/plugins/panics", "panics");
    BUILT.get_or_init(build).to_str().unwrap()
}

/// Returns a world with vehicle `a` on a friction class and vehicle `b` on the default one.
fn of_step(seconds: f64, settings: &str, friction: &str) -> World {
    let robot = |y: u32| differential().controller(model("twist_pid").set("V", 1)).pose(0, y, 0);
    let world = World::new().step(seconds).xml(settings).plugins(Path::new(plugin()));
    world.vehicle("a", robot(0).xml(friction)).vehicle("b", robot(5))
}

/// Returns such a world with steps of 10 ms.
fn world(settings: &str, friction: &str) -> World {
    of_step(0.01, settings, friction)
}

fn run(workspace: &Workspace, more: &[&str]) -> Outcome {
    let arguments = ["world.xml", "--plugin-dir", plugin(), "--duration", "2", "--out", "out"];
    workspace.run(&[&arguments[..], more].concat())
}

fn replay(workspace: &Workspace, more: &[&str]) -> Outcome {
    workspace.run(&[&["plugin", "replay", "out/fault-1.json"], more].concat())
}

#[test]
fn a_fault_tells_its_inputs_and_is_replayed() {
    let workspace = world("", "<friction class=\"counts\"/>").workspace();
    let outcome = run(&workspace, &[]);
    assert_eq!(outcome.code, 11, "{}", outcome.stderr);
    for part in [
        "at 0.09 s, vehicle 'a', wheel l: faulty/counts",
        "output `fx` is not finite",
        "inputs: vx = ",
        "normal_force = 93.195",
        // the states before the call
        "states: calls = 12",
        "simhost plugin replay out/fault-1.json",
    ] {
        assert!(outcome.stderr.contains(part), "{part}\n{}", outcome.stderr);
    }
    let again = replay(&workspace, &[]);
    assert_eq!(again.code, 11, "{}{}", again.stdout, again.stderr);
    for part in ["calls = 12", "fx = NaN N", "calls = 13", "the same fault occurred"] {
        assert!(again.stdout.contains(part), "{part}\n{}", again.stdout);
    }
    // the evidence decides, and the state of the model continues from call to call
    let file = workspace.path("out/fault-1.json");
    let text = std::fs::read_to_string(&file).unwrap();
    let (before, after) = text.split_once("\"states\"").unwrap();
    let earlier = after.replacen("12.0", "10.0", 1);
    assert_ne!(earlier, after, "{after}");
    std::fs::write(&file, format!("{before}\"states\"{earlier}")).unwrap();
    let steps = replay(&workspace, &["--steps", "9"]);
    assert_eq!(steps.code, 0, "{}", steps.stdout);
    assert!(steps.stdout.contains("call 3: returned a number that is not finite"));
    assert!(!steps.stdout.contains("call 4"), "{}", steps.stdout);
    assert!(steps.stdout.contains("the fault did not occur"));
    std::fs::write(&file, text.replacen('{', "[", 1)).unwrap();
    let outcome = replay(&workspace, &[]);
    assert_eq!(outcome.code, 12, "{}", outcome.stdout);
    assert!(outcome.stderr.contains("is not an evidence file"), "{}", outcome.stderr);
}

/// A number that is not finite is a fault of the sensor that returned it.
#[test]
fn readings_and_rays_that_are_not_finite_are_faults_of_the_sensor() {
    for (ray, output) in [("false", "distance"), ("true", "angle")] {
        let sensor = format!("<sensor class=\"blind\" name=\"eye\"><ray>{ray}</ray></sensor>");
        let expected = format!("output `{output}` is not finite");
        world("", &sensor).fault(2.0, &["vehicle 'a', sensor 'eye': faulty/blind", &expected]);
    }
}

#[test]
fn the_memory_of_a_lane_is_evidence_too() {
    let fault = world("", "<friction class=\"counts\"/>").fault(2.0, &[]);
    let mut evidence = fault.evidence();
    // ten times, eight bytes each
    assert_eq!(evidence["memory"].as_str().unwrap().len(), 2 * 8 * 10);
    evidence["memory"] = "0102".into();
    let error = fault.replay_of(evidence).err().unwrap();
    assert!(error.contains("found 2 bytes, expected a multiple of 8"), "{error}");
}

#[test]
fn policies_tell_kinds_of_faults_apart() {
    let (late, never) = ("<friction class=\"panics_late\"/>", "<friction class=\"not_a_number\"/>");
    let disable = "<plugin_faults on=\"panic\" action=\"disable\"/>";
    let run = world(disable, late).run(2.0);
    assert_parts(&run.faults.concat(), &["disabled at 1 s, vehicle 'a'"]);
    world(disable, never).fault(2.0, &[]);
    // a later policy takes precedence
    let both = format!("<plugin_faults action=\"disable\"/>{}", disable.replace("disable", "stop"));
    world(&both, late).fault(2.0, &[]);
    world(&both, never).run(2.0);
}

#[test]
fn default_friction_takes_over() {
    let counts = "<friction class=\"counts\"/>";
    let run = world("<plugin_faults action=\"fallback\"/>", counts).run(2.0);
    let expected = "default friction took over at 0.09 s, vehicle 'a'";
    assert_parts(&run.faults.concat(), &[expected]);
    // 0.1 s of another model hardly changes the distance
    let [a, b] = ["a", "b"].map(|vehicle| run.last(vehicle, "x_m"));
    assert!((a - b).abs() < 0.1 && a > 1.5, "{a} {b}");
    let disabled = world("<plugin_faults action=\"disable\"/>", counts).run(2.0);
    assert!(disabled.last("a", "x_m") < 0.6 * a, "{}", disabled.last("a", "x_m"));
    assert_eq!(disabled.last("b", "x_m"), b);
}

#[test]
fn a_model_may_want_shorter_steps() {
    let stiff = "<friction class=\"stiff\"/>";
    let said = "does not support so large a step in `force`: a step of at most 0.001 s works";
    world("", stiff).fault(2.0, &[said]);
    of_step(0.001, "", stiff).run(2.0);
    let outcome = run(&world("", stiff).workspace(), &[]);
    assert_eq!(outcome.code, 11);
    assert_parts(&outcome.stderr, &["<simul_timestep>0.001</simul_timestep>"]);
}

#[test]
fn a_call_that_never_returns_ends_the_run() {
    let hangs = world("", "<friction class=\"hangs\"/>").workspace();
    let outcome = run(&hangs, &["--watchdog", "0.3"]);
    assert_eq!(outcome.code, 11);
    let said = "faulty/hangs";
    assert!(outcome.stderr.contains(said) && outcome.stderr.contains("at 0.5 s has not returned"));
    // a call that is quick enough does not end the run
    let outcome = run(&world("", "").workspace(), &["--watchdog", "30"]);
    assert_eq!(outcome.code, 0, "{}", outcome.stderr);
}

/// Never ended at the first signal. At the second one, the rows of the last quarter of a second were
/// lost.
#[cfg(unix)]
#[test]
fn a_call_that_never_returns_can_be_interrupted() {
    let workspace = world("", "<friction class=\"hangs\"/>").workspace();
    let mut child = workspace
        .command()
        .args(["world.xml", "--plugin-dir", plugin(), "--duration", "2", "--out", "out"])
        .stdout(std::process::Stdio::null())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(child.stderr.take().unwrap()).lines().map_while(Result::ok);
    assert!(lines.any(|line| line == "hanging"));
    // the first one alone ends it after five seconds
    send(&child, libc::SIGTERM);
    send(&child, libc::SIGINT);
    assert_eq!(end_of(&mut child).code(), Some(130));
    let rows = std::fs::read_to_string(workspace.path("out/trajectory.csv")).unwrap();
    assert!(rows.ends_with('\n') && rows.contains("\n0.5,"), "{rows}");
}

#[cfg(unix)]
#[test]
fn a_crash_in_native_code_is_named() {
    use std::os::unix::process::ExitStatusExt;
    for (parameter, signal, name) in [("", 11, "SIGSEGV"), ("<abort>true</abort>", 6, "SIGABRT")] {
        let friction = format!("<friction class=\"crashes\">{parameter}</friction>");
        let workspace = world("", &friction).workspace();
        let arguments = ["world.xml", "--plugin-dir", plugin(), "--duration", "2"];
        let output = workspace.command().args(arguments).output().unwrap();
        let text = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.signal(), Some(signal), "{text}");
        for part in ["faulty/crashes", "`force`", "vehicle 'a', wheel l", "at 0.5 s", name] {
            assert!(text.contains(part), "{part}\n{text}");
        }
    }
}

#[test]
fn evidence_of_something_else_is_refused() {
    let fault = world("", "<friction class=\"counts\"/>").fault(2.0, &[]);
    for (place, value, said) in [
        ("/evidence", serde_json::json!(7), "format 7"),
        ("/class", "faulty/gone".into(), "missing friction class `faulty/gone`"),
        ("/inputs/0/name", "velocity".into(), "its inputs were [velocity, "),
    ] {
        let mut evidence = fault.evidence();
        *evidence.pointer_mut(place).unwrap() = value;
        let error = fault.replay_of(evidence).err().unwrap();
        assert!(error.contains(said), "{said}: {error}");
    }
}

/// Evidence was written of calls that fault only.
#[test]
fn a_call_without_a_fault_is_captured_and_replayed() {
    let robot = differential().controller(model("twist_pid").set("V", 1)).pose(0, 0, 0);
    let gps = "<sensor class=\"imu\" name=\"gps\"><sensor_period>0.1</sensor_period></sensor>";
    let world = World::new().step(0.005).set("duration", 1).vehicle("r", robot.xml(gps));
    let workspace = world.workspace();
    let calls = ["r/wheel/l_wheel/force@0.3", "r/controller/control", "r/dynamics/drive@0.5"];
    let calls = calls.map(|call| call.replace("l_wheel", "l"));
    let mut arguments = vec![];
    for call in
        calls.iter().map(String::as_str).chain(["r/sensor/gps/read@0.42", "r/dynamics/measure@7"])
    {
        arguments.extend(["--capture", call]);
    }
    let outcome = workspace.simulate(&arguments);
    assert!(outcome.stderr.contains("no call of r/dynamics/measure at 7 s"), "{}", outcome.stderr);
    for (number, phase, time) in
        [(1, "force", 0.3), (2, "control", 0.0), (3, "drive", 0.5), (4, "read", 0.5)]
    {
        let file = format!("out/call-{number}.json");
        let evidence = std::fs::read_to_string(workspace.path(&file)).unwrap();
        let evidence: Evidence = serde_json::from_str(&evidence).unwrap();
        assert_eq!((evidence.phase.as_str(), evidence.code), (phase, 0));
        assert!((evidence.time - time).abs() < 0.011, "{phase} at {}", evidence.time);
        // in a unit test
        let mut replay = Replay::new(&evidence, &crate::support::runs::catalogue()).unwrap();
        let replayed = replay.step();
        assert_eq!(replayed.fault.0, 0);
        // some readings are unknown
        let [found, expected] = [&replayed.outputs, &evidence.outputs].map(|o| format!("{o:?}"));
        assert_eq!(found, expected, "{phase}");
        let outcome = workspace.run(&["plugin", "replay", &file]);
        assert_eq!(outcome.code, 0, "{}{}", outcome.stdout, outcome.stderr);
        let is_same = outcome.stdout.contains("the outputs are the same as in the run");
        assert!(is_same, "{}", outcome.stdout);
    }
    let outcome = workspace.run(&["world.xml", "--capture", "r/wheel/l/forc@1"]);
    let hint = "unknown call `r/wheel/l/forc`\nhelp: did you mean `r/wheel/l/force`?";
    assert_eq!(outcome.code, 2, "{}", outcome.stderr);
    assert!(outcome.stderr.contains(hint), "{}", outcome.stderr);
}
