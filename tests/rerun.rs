//! Output folders as records of runs: what they hold, repeating a run from one, and who may write to one.

use std::process::{Child, Stdio};

use serde_json::Value;

use crate::support::waiting::wait_for;
use crate::support::{Outcome, Workspace, assert_parts, bad_plugins};

/// Vehicles with noisy scans that run into things, a random start, and an included class.
const WORLD: &str = r#"<mvsim_world version="1.0"><simul_timestep>0.005</simul_timestep>
<include file="robot.xml"/>
<vehicle name="a" class="robot"><init_pose>0 $f{0.1*rand()} 0</init_pose></vehicle>
<vehicle name="b" class="robot"><init_pose>4 0.2 180</init_pose></vehicle>
<block name="crate"><mass>5</mass><init_pose>2 0.4 20</init_pose></block></mvsim_world>"#;

const ROBOT: &str = r#"<vehicle:class name="robot"><dynamics class="differential">
<controller class="twist_pid"><V>1</V><W>0.05</W></controller></dynamics>
<sensor class="laser" name="scan"><sensor_period>0.08</sensor_period><nrays>31</nrays>
<range_std_noise>0.02</range_std_noise></sensor></vehicle:class>"#;

const COMMANDS: &str = "time_s,vehicle,kind,v1,v2,v3\n0.5,a,twist,1.2,0,0.1\n1,b,twist,0.5,0,0.4\n";

const RUN: &[&str] =
    &["world.xml", "--commands", "commands.csv", "--duration", "2", "--out", "out"];

fn workspace() -> Workspace {
    let workspace = Workspace::new(WORLD);
    workspace.write("robot.xml", ROBOT);
    workspace.write("commands.csv", COMMANDS);
    workspace
}

fn run(workspace: &Workspace, more: &[&str]) -> Outcome {
    let outcome = workspace.run(&[RUN, more].concat());
    assert_eq!(outcome.code, 0, "{more:?}\n{}", outcome.stderr);
    outcome
}

fn rerun(workspace: &Workspace, more: &[&str]) -> Outcome {
    workspace.run(&[&["rerun", "out"], more].concat())
}

fn assert_agrees(outcome: &Outcome) {
    assert_eq!(outcome.code, 0, "{}{}", outcome.stdout, outcome.stderr);
    assert!(outcome.stdout.contains(" agrees\n"), "{}", outcome.stdout);
}

fn manifest(workspace: &Workspace) -> Value {
    let text = std::fs::read_to_string(workspace.path("out/manifest.json")).unwrap();
    serde_json::from_str(&text).unwrap()
}

fn edit(workspace: &Workspace, name: &str, edit: impl FnOnce(String) -> String) {
    let text = std::fs::read_to_string(workspace.path(name)).unwrap();
    workspace.write(name, &edit(text));
}

/// Removes the end of a run, as if it had been killed.
fn kill(workspace: &Workspace) {
    let mut manifest = manifest(workspace);
    manifest.as_object_mut().unwrap().remove("end").unwrap();
    workspace.write("out/manifest.json", &manifest.to_string());
}

#[test]
fn a_run_is_repeated_without_its_world_and_its_commands() {
    let workspace = workspace();
    run(&workspace, &["--seed", "7", "--record", "a/pose", "--energy", "--hash-every", "0.5"]);
    for name in ["world.xml", "robot.xml", "commands.csv"] {
        std::fs::remove_file(workspace.path(name)).unwrap();
    }
    let outcome = rerun(&workspace, &["--out", "again", "--threads", "2"]);
    assert_agrees(&outcome);
    assert_parts(&outcome.stdout, &["repeated 400 steps, 2 s, 2 inputs\n", "files in again"]);
    for name in ["trajectory.csv", "a.scan.csv", "quantities.csv", "energy.csv", "hash.csv"] {
        let read = |folder: &str| std::fs::read(workspace.path(folder).join(name)).unwrap();
        assert!(read("out") == read("again"), "{name}");
    }
    // a repeated run can be repeated, too
    assert_agrees(&workspace.run(&["rerun", "again"]));
    let manifest = manifest(&workspace);
    assert_eq!(manifest["seed"], 7);
    assert_eq!(manifest["commands"]["file"], "commands.csv");
    let files = manifest["files"].as_array().unwrap();
    for name in ["inputs.jsonl", "world.flat.xml", "trajectory.svg", "a.scan.csv", "energy.csv"] {
        assert!(files.iter().any(|file| file == name), "{name} in {files:?}");
    }
}

/// Rows of parameters act at their time, and a repeated run has them too.
#[test]
fn a_file_of_commands_sets_parameters() {
    let workspace = workspace();
    let speed = |workspace: &Workspace| {
        let path = workspace.table("trajectory.csv").only("vehicle", "b").numbers("omega_radps");
        path.last().copied().unwrap()
    };
    run(&workspace, &[]);
    let before = speed(&workspace);
    // the gains of its motors are 0 from then on
    workspace.write("commands.csv", &format!("{COMMANDS}1.1,,parameter,b/controller/KP,0\n"));
    run(&workspace, &[]);
    assert_ne!(speed(&workspace), before);
    assert_agrees(&rerun(&workspace, &[]));
    workspace.write("commands.csv", "1,,parameter,b/controller/KQ,0\n");
    let outcome = workspace.run(RUN);
    assert_ne!(outcome.code, 0);
    assert_parts(&outcome.stderr, &["b/controller/KQ"]);
}

#[test]
fn options_that_affect_the_result_are_recorded() {
    let unknown = WORLD.replace("<block ", "<shape_of_things/><block ");
    for (world, options) in [
        (WORLD, &["--compat", "mvsim-1.2"][..]),
        (&unknown, &["--lenient", "--seed", "3"]),
        (WORLD, &["--builtin", "off=sensors", "--builtin", "off=actuators"]),
        (WORLD, &["--log-period", "0.5", "--snapshot-every", "0.5"]),
    ] {
        let workspace = workspace();
        workspace.write("world.xml", world);
        if options.contains(&"off=sensors") {
            let (before, _) = ROBOT.split_once("<sensor").unwrap();
            workspace.write("robot.xml", &format!("{before}</vehicle:class>"));
        }
        run(&workspace, options);
        assert_agrees(&rerun(&workspace, &[]));
    }
}

#[test]
fn a_resumed_run_is_repeated_without_the_original_snapshot() {
    let workspace = workspace();
    run(&workspace, &["--snapshot-every", "0.7"]);
    std::fs::rename(workspace.path("out"), workspace.path("first")).unwrap();
    run(&workspace, &["--resume", "first/step-140.snapshot"]);
    std::fs::remove_dir_all(workspace.path("first")).unwrap();
    assert_agrees(&rerun(&workspace, &["--out", "again"]));
    let read = |folder: &str| std::fs::read(workspace.path(folder).join("wheels.csv")).unwrap();
    assert!(read("out") == read("again"));
    // into the folder with the snapshot, which is kept
    run(&workspace, &["--snapshot-every", "0.5"]);
    run(&workspace, &["--resume", "out/step-300.snapshot"]);
    assert!(workspace.path("out/step-300.snapshot").exists());
    assert!(!workspace.path("out/step-200.snapshot").exists());
    assert_agrees(&rerun(&workspace, &[]));
}

#[test]
fn a_run_that_failed_fails_again() {
    let workspace = workspace();
    workspace.write("commands.csv", "0.5,a,twist,9e5,0,0\n0.5,b,twist,9e5,0,0\n");
    let outcome = workspace.run(&[RUN, &["--max-speed", "1.1"]].concat());
    assert_eq!(outcome.code, 10, "{}", outcome.stderr);
    let outcome = rerun(&workspace, &[]);
    assert_agrees(&outcome);
    assert_parts(&outcome.stdout, &["ended as the run did: at ", "diverged"]);
    edit(&workspace, "out/manifest.json", |text| {
        text.replace("\"max_speed\": 1.1", "\"max_speed\": 1e3")
    });
    let outcome = rerun(&workspace, &[]);
    assert_eq!(outcome.code, 1, "{}", outcome.stdout);
    assert_parts(
        &outcome.stdout,
        &["result hash differs", "end: recorded at ", "found ended without"],
    );
}

#[test]
fn another_result_is_explained() {
    let workspace = workspace();
    run(&workspace, &[]);
    edit(&workspace, "out/world.flat.xml", |text| text.replace("<mass>5</mass>", "<mass>6</mass>"));
    edit(&workspace, "out/manifest.json", |text| {
        let version = format!("\"simhost\": \"{}\"", env!("CARGO_PKG_VERSION"));
        text.replace(&version, "\"simhost\": \"0.0.7\"")
    });
    let outcome = rerun(&workspace, &[]);
    assert_eq!(outcome.code, 1, "{}{}", outcome.stdout, outcome.stderr);
    let parts = [
        "result hash differs: recorded ",
        "version of simhost: recorded 0.0.7; found",
        "world.flat.xml: recorded ",
    ];
    assert_parts(&outcome.stdout, &parts);
    assert_parts(&outcome.stderr, &["help: ", "simhost diff"]);
}

#[test]
fn a_killed_run_is_repeated_to_its_last_recorded_step() {
    let workspace = workspace();
    run(&workspace, &[]);
    kill(&workspace);
    edit(&workspace, "out/trajectory.csv", |text| {
        let at = text.find("\n1.5,a").unwrap();
        text[..at + 30].to_owned()
    });
    let outcome = rerun(&workspace, &[]);
    assert_eq!(outcome.code, 0, "{}", outcome.stderr);
    // the last whole row is that of the step before
    assert_parts(&outcome.stdout, &["repeated 299 steps", "has recorded none"]);
    assert_parts(&outcome.stderr, &["note: the run was killed"]);
    // a line of an input that was cut off
    std::fs::remove_file(workspace.path("out/trajectory.csv")).unwrap();
    edit(&workspace, "out/inputs.jsonl", |text| text[..text.len() - 9].to_owned());
    let outcome = rerun(&workspace, &[]);
    assert_eq!(outcome.code, 0, "{}", outcome.stderr);
    assert_parts(&outcome.stdout, &["repeated 100 steps, 0.5 s, 1 inputs"]);
    assert_parts(&outcome.stderr, &["the last line of inputs.jsonl is not complete"]);
}

#[test]
fn inputs_that_are_missing_at_the_end_are_reported() {
    let workspace = workspace();
    run(&workspace, &[]);
    edit(&workspace, "out/inputs.jsonl", |text| text.lines().next().unwrap().to_owned() + "\n");
    let outcome = rerun(&workspace, &[]);
    assert_eq!(outcome.code, 0, "{}", outcome.stderr);
    assert_parts(&outcome.stderr, &["1 inputs at the end of inputs.jsonl are missing"]);
    assert_parts(&outcome.stdout, &["repeated 100 steps"]);
}

#[test]
fn damaged_records_are_refused_with_file_and_line() {
    type Edit = fn(&str) -> String;
    let edits: &[(&str, Edit, &[&str])] = &[
        (
            "manifest.json",
            |text| text[..text.len() / 2].to_owned(),
            &["manifest.json: not a manifest of a run", "EOF"],
        ),
        ("manifest.json", |_| "{}".to_owned(), &["manifest.json: not a manifest of simhost"]),
        ("inputs.jsonl", |text| format!("{{}}\n{text}"), &["inputs.jsonl:1: expected an input"]),
        (
            "inputs.jsonl",
            |text| text.replace("\"sequence\":2", "\"sequence\":1"),
            &["inputs.jsonl:2: input number 1 is out of order"],
        ),
        (
            "inputs.jsonl",
            |text| text.replace("1.2,", "NaN,"),
            &["inputs.jsonl:1: expected an input"],
        ),
    ];
    let workspace = workspace();
    run(&workspace, &[]);
    for (name, change, parts) in edits {
        let path = format!("out/{name}");
        let good = std::fs::read_to_string(workspace.path(&path)).unwrap();
        workspace.write(&path, &change(&good));
        let outcome = rerun(&workspace, &[]);
        assert_eq!(outcome.code, 12, "{parts:?}: {}", outcome.stderr);
        assert_parts(&outcome.stderr, &[parts, &["help: "][..]].concat());
        workspace.write(&path, &good);
    }
    for name in ["manifest.json", "inputs.jsonl", "world.flat.xml"] {
        let gone = workspace.path("gone");
        std::fs::rename(workspace.path("out").join(name), &gone).unwrap();
        let outcome = rerun(&workspace, &[]);
        assert_eq!(outcome.code, 12, "{name}: {}", outcome.stderr);
        assert_parts(&outcome.stderr, &[name]);
        std::fs::rename(gone, workspace.path("out").join(name)).unwrap();
    }
    let outcome = rerun(&workspace, &["--out", "out"]);
    assert_eq!(outcome.code, 2, "{}", outcome.stderr);
    assert_agrees(&rerun(&workspace, &[]));
}

#[test]
fn plugins_are_needed_again() {
    let friction = "<friction class=\"magic\"/></vehicle:class>";
    let workspace = workspace();
    workspace.write("robot.xml", &ROBOT.replace("</vehicle:class>", friction));
    let library = bad_plugins::build(&workspace.path("plugins"), "magic", &[]);
    run(&workspace, &["--plugin-dir", "plugins"]);
    let sum = manifest(&workspace)["plugins"][0]["sha256"].as_str().unwrap().to_owned();
    let outcome = rerun(&workspace, &[]);
    assert_eq!(outcome.code, 12, "{}", outcome.stderr);
    assert_parts(&outcome.stderr, &["missing plugin ", &sum, "--plugin-dir", "plugins"]);
    assert_agrees(&rerun(&workspace, &["--plugin-dir", "plugins"]));
    std::fs::remove_file(library).unwrap();
    let push = "IN_CALL=for (size_t i = batch->first; i < batch->first + batch->count; i++) \
        batch->outputs[0][i] = 20.0, batch->outputs[1][i] = batch->outputs[2][i] = 0.0; return 0";
    bad_plugins::build(&workspace.path("other"), "magic", &["VERSION=\"2.0.0\"", push]);
    let outcome = rerun(&workspace, &["--plugin-dir", "other"]);
    assert_eq!(outcome.code, 1, "{}{}", outcome.stdout, outcome.stderr);
    let parts =
        ["result hash differs", "plugin acme/tyres", &sum, "version 2.0.0", "friction acme/magic"];
    assert_parts(&outcome.stdout, &parts);
}

#[test]
fn files_of_an_earlier_run_are_replaced_and_others_are_safe() {
    let workspace = workspace();
    run(&workspace, &["--record", "a/pose", "--snapshot-every", "1"]);
    workspace.write("out/notes.txt", "mine");
    run(&workspace, &[]);
    for (name, exists) in
        [("quantities.csv", false), ("step-200.snapshot", false), ("notes.txt", true)]
    {
        assert_eq!(workspace.path("out").join(name).exists(), exists, "{name}");
    }
    // a run that cannot start removes nothing
    let outcome = workspace.run(&[RUN, &["--record", "none/pose"]].concat());
    assert_eq!(outcome.code, 2, "{}", outcome.stderr);
    assert_agrees(&rerun(&workspace, &[]));

    std::fs::create_dir(workspace.path("thesis")).unwrap();
    workspace.write("thesis/thesis.tex", "");
    let foreign = |more: &[&str]| {
        workspace.run(&[&["world.xml", "--duration", "1", "--out", "thesis"], more].concat())
    };
    let outcome = foreign(&[]);
    assert_eq!(outcome.code, 13, "{}", outcome.stderr);
    assert_parts(&outcome.stderr, &["thesis is not empty", "thesis.tex", "help: ", "--force"]);
    assert_eq!(std::fs::read_dir(workspace.path("thesis")).unwrap().count(), 1);
    assert_eq!(foreign(&["--force"]).code, 0);
    assert!(workspace.path("thesis/thesis.tex").exists());
    assert_eq!(foreign(&[]).code, 0, "it has a manifest now");
}

/// Starts a run without an end, and waits until it has written rows.
fn endless(workspace: &Workspace) -> Child {
    let mut command = workspace.command();
    command.args(["world.xml", "--commands", "commands.csv", "--out", "out", "--duration", "1e6"]);
    command.args(["--log-period", "0.1"]).stdout(Stdio::null()).stderr(Stdio::null());
    let child = command.spawn().unwrap();
    let rows = workspace.path("out/trajectory.csv");
    wait_for("rows", || std::fs::metadata(&rows).is_ok_and(|about| about.len() > 10_000));
    child
}

#[test]
fn a_folder_belongs_to_one_session() {
    let workspace = workspace();
    let mut child = endless(&workspace);
    let outcome = workspace.run(RUN);
    assert_eq!(outcome.code, 13, "{}", outcome.stderr);
    assert_parts(&outcome.stderr, &["out is in use by another session", "help: "]);
    assert!(manifest(&workspace).get("end").is_none());
    child.kill().unwrap();
    child.wait().unwrap();
    // a run that was killed is repeated, and holds no lock
    let outcome = rerun(&workspace, &[]);
    assert_eq!(outcome.code, 0, "{}", outcome.stderr);
    assert_parts(&outcome.stdout, &["2 inputs", "the run has recorded none"]);
    run(&workspace, &[]);
}

#[test]
fn recordings_are_not_evidence() {
    let workspace = workspace();
    run(&workspace, &[]);
    workspace.write("run.mcap", "");
    for (words, part) in [
        (&["replay", "run.mcap"][..], "simhost play run.mcap"),
        (&["plugin", "replay", "out"], "simhost play out"),
        (&["plugin", "replay", "out/manifest.json"], "is not an evidence file"),
    ] {
        let outcome = workspace.run(words);
        assert_eq!(outcome.code, 12, "{words:?}: {}", outcome.stderr);
        assert_parts(&outcome.stderr, &[part]);
    }
}
