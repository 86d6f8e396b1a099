//! Output folders as records of runs: what they hold, repeating a run from one, and who may write to one.

use std::path::Path;
use std::process::{Child, Stdio};

use serde_json::Value;
use simhost::output::{Manifest, Recorded};
use simhost::{Error, Limits, Options, Out, Session, TimedCommand, seconds};

use crate::support::runs::{catalogue, catalogue_of};
use crate::support::waiting::wait_for;
use crate::support::{Outcome, Table, Workspace, assert_parts, bad_plugins};

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

/// Opens the world in the process of the test, with a record in the folder `out` and the commands of the file.
fn open(workspace: &Workspace, change: impl FnOnce(&mut Options)) -> Result<Session, Error> {
    let out = Some(Out::new(workspace.path("out")));
    let mut options = Options { catalogue: Some(catalogue()), out, ..Options::default() };
    change(&mut options);
    let mut session = Session::open(workspace.path("world.xml"), options)?;
    let twist = |time, vehicle: &str, values: [f64; 3]| {
        let (vehicle, kind) = (vehicle.to_owned(), "twist".to_owned());
        TimedCommand { time, vehicle, kind, values: values.to_vec() }
    };
    let commands = vec![twist(0.5, "a", [1.2, 0.0, 0.1]), twist(1.0, "b", [0.5, 0.0, 0.4])];
    session.edit().set_commands(commands).unwrap();
    Ok(session)
}

/// `--set` makes the difference that a session makes, and a repeated run makes it again.
#[test]
fn values_that_the_command_line_fixes_are_repeated() {
    let workspace = workspace();
    let set = [
        "--set",
        "a/controller/KP=35",
        "--set",
        "a/pose/y=0.3",
        "--set",
        "b/velocity=0.5 0 0.1",
        "--set",
        "a/cmd_vel/vx=0.7",
        "--set",
        "seed=5",
        "--energy",
    ];
    run(&workspace, &set);
    let recorded = Recorded::read(&workspace.path("out")).unwrap();
    assert_eq!(recorded.manifest.seed, 5);
    let acting: Vec<String> =
        recorded.inputs.list.iter().map(|one| format!("{:?}", one.input)).collect();
    assert!(acting[0].contains("a/controller/KP"), "{acting:?}");
    assert_agrees(&rerun(&workspace, &[]));

    let fixed = recorded.end().unwrap().result_hash.clone();
    let mut session = open(&workspace, |options| {
        options.out = None;
        (options.seed, options.load.seed) = (Some(5), Some(5));
    })
    .unwrap();
    session.edit().set_parameter("a/controller/KP", "35").unwrap();
    let start = session.world().description().unwrap().vehicles[0].pose;
    session.edit().set_pose("a", [start.x, 0.3, start.yaw]).unwrap();
    session.edit().set_velocity("b", [0.5, 0.0, 0.1]).unwrap();
    let twist = simhost::Twist { vx: 0.7, vy: 0.0, omega: 0.0 };
    session.vehicle("a").unwrap().command(twist).unwrap();
    session.run_until(seconds(2.0)).unwrap();
    assert_eq!(format!("{:032x}", session.simulation().result_hash()), fixed);

    for (set, code, part) in [
        (&["--set", "a/pose/y=uniform:0:1"][..], 2, "expected one value"),
        (&["--set", "a/pos/y=1"], 12, "did you mean 'a/pose/y'?"),
        (&["--set", "seed=x"], 2, "expected a whole number"),
        (&["--set", "seed=1", "--seed", "2"], 2, "the seed is given twice"),
    ] {
        let outcome = workspace.run(&[&["world.xml"], set].concat());
        assert_eq!(outcome.code, code, "{}", outcome.stderr);
        assert!(outcome.stderr.contains(part), "{}", outcome.stderr);
    }
}

/// Makes such a run of 2 s.
fn record(workspace: &Workspace) {
    let mut session = open(workspace, |_| {}).unwrap();
    session.run_until(seconds(2.0)).unwrap();
    session.finish().unwrap();
}

/// Returns the record of a run.
fn recorded(folder: &Path) -> Recorded {
    Recorded::read(folder).unwrap()
}

/// Repeats a run on two threads, and returns the session and whether the results are the same.
fn repeat(recorded: &Recorded, change: impl FnOnce(&mut Options)) -> (Session, Option<bool>) {
    let mut options = Options { catalogue: Some(catalogue()), threads: 2, ..Options::default() };
    change(&mut options);
    let mut session = Session::reopen(recorded, options).unwrap();
    let is_same = session.repeat(recorded).unwrap();
    (session, is_same)
}

/// Returns what a repeated run says to differ from the recorded one.
fn differences(recorded: &Recorded, session: &mut Session) -> String {
    let flat = std::fs::read_to_string(recorded.world()).unwrap();
    let found: Manifest = session.record().manifest(Some(&flat)).unwrap();
    let list = recorded.differences(&found);
    list.iter().map(|one| format!("{}: {}; {}\n", one.what, one.recorded, one.found)).collect()
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
    let mut session = open(&workspace, |options| options.out = None).unwrap();
    session.run_until(seconds(0.7)).unwrap();
    let snapshot = session.snapshot().unwrap();
    let mut session = open(&workspace, |_| {}).unwrap();
    session.restore(&snapshot).unwrap();
    session.run_until(seconds(2.0)).unwrap();
    session.finish().unwrap();
    let recorded = recorded(&workspace.path("out"));
    let again = workspace.path("again");
    let (mut session, is_same) =
        repeat(&recorded, |options| options.out = Some(Out::new(again.clone())));
    assert_eq!(is_same, Some(true));
    session.finish().unwrap();
    let rows = |folder: &Path| Table::read(&folder.join("wheels.csv")).rows;
    assert!(rows(&again).ends_with(&rows(recorded.folder())));
}

/// A run continues in the folder of the snapshot that it resumes, which is kept.
#[test]
fn the_snapshot_of_a_run_that_continues_in_its_folder_stays() {
    let workspace = workspace();
    run(&workspace, &["--snapshot-every", "0.5"]);
    run(&workspace, &["--resume", "out/step-300.snapshot"]);
    assert!(workspace.path("out/step-300.snapshot").exists());
    assert!(!workspace.path("out/step-200.snapshot").exists());
    assert_agrees(&rerun(&workspace, &[]));
}

#[test]
fn a_run_that_failed_fails_again() {
    let workspace = workspace();
    let slow = Limits { speed: 1.1, ..Limits::default() };
    let mut session = open(&workspace, |options| options.limits = slow).unwrap();
    let error = session.run_until(seconds(2.0)).unwrap_err();
    assert!(matches!(error, Error::Step(_)), "{error}");
    session.finish().unwrap();
    let first = recorded(&workspace.path("out"));
    assert_parts(first.failure().unwrap(), &["diverged"]);
    assert_eq!(repeat(&first, |_| {}).1, Some(true));
    edit(&workspace, "out/manifest.json", |text| {
        text.replace("\"max_speed\": 1.1", "\"max_speed\": 1e3")
    });
    assert_eq!(repeat(&recorded(&workspace.path("out")), |_| {}).1, Some(false));
}

/// Everything that the verb says about a result: agreement, differences, and a run that was killed.
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
    kill(&workspace);
    edit(&workspace, "out/inputs.jsonl", |text| text[..text.len() - 9].to_owned());
    let outcome = rerun(&workspace, &[]);
    assert_eq!(outcome.code, 0, "{}", outcome.stderr);
    assert_parts(&outcome.stdout, &["1 inputs", "has recorded none"]);
    let parts = ["note: the run was killed", "the last line of inputs.jsonl is not complete"];
    assert_parts(&outcome.stderr, &parts);
    let outcome = rerun(&workspace, &["--out", "out"]);
    assert_eq!(outcome.code, 2, "{}", outcome.stderr);
}

#[test]
fn a_killed_run_is_repeated_to_its_last_recorded_step() {
    let workspace = workspace();
    record(&workspace);
    kill(&workspace);
    edit(&workspace, "out/trajectory.csv", |text| {
        let at = text.find("\n1.5,a").unwrap();
        text[..at + 30].to_owned()
    });
    let (session, is_same) = repeat(&recorded(&workspace.path("out")), |_| {});
    // the last whole row is that of the step before
    assert_eq!((session.steps(), is_same), (299, None));
    // a line of an input that was cut off
    std::fs::remove_file(workspace.path("out/trajectory.csv")).unwrap();
    edit(&workspace, "out/inputs.jsonl", |text| text[..text.len() - 9].to_owned());
    let recorded = recorded(&workspace.path("out"));
    assert!(recorded.inputs.is_cut && recorded.inputs.list.len() == 1);
    let (session, is_same) = repeat(&recorded, |_| {});
    assert_eq!((session.steps(), is_same), (100, None));
}

#[test]
fn inputs_that_are_missing_at_the_end_are_reported() {
    let workspace = workspace();
    record(&workspace);
    edit(&workspace, "out/inputs.jsonl", |text| text.lines().next().unwrap().to_owned() + "\n");
    let recorded = recorded(&workspace.path("out"));
    assert_eq!(recorded.missing_inputs(), 1);
    assert_eq!(repeat(&recorded, |_| {}).0.steps(), 100);
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
    record(&workspace);
    let refused = || Recorded::read(&workspace.path("out")).err().map(|error| error.to_string());
    for (name, change, parts) in edits {
        let path = format!("out/{name}");
        let good = std::fs::read_to_string(workspace.path(&path)).unwrap();
        workspace.write(&path, &change(&good));
        assert_parts(&refused().unwrap(), &[parts, &["help: "][..]].concat());
        workspace.write(&path, &good);
    }
    for name in ["manifest.json", "inputs.jsonl"] {
        let gone = workspace.path("gone");
        std::fs::rename(workspace.path("out").join(name), &gone).unwrap();
        assert_parts(&refused().unwrap(), &[name]);
        std::fs::rename(gone, workspace.path("out").join(name)).unwrap();
    }
    assert_eq!(refused(), None);
    assert_eq!(repeat(&recorded(&workspace.path("out")), |_| {}).1, Some(true));
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
    let recorded = recorded(&workspace.path("out"));
    assert_eq!(recorded.missing_plugins(&catalogue()).len(), 1);
    let with = |folder: &str| {
        let models = catalogue_of(&[workspace.path(folder)]);
        assert!(recorded.missing_plugins(&models).is_empty());
        repeat(&recorded, |options| options.catalogue = Some(models))
    };
    assert_eq!(with("plugins").1, Some(true));
    std::fs::remove_file(library).unwrap();
    let push = "IN_CALL=for (size_t i = batch->first; i < batch->first + batch->count; i++) \
        batch->outputs[0][i] = 20.0, batch->outputs[1][i] = batch->outputs[2][i] = 0.0; return 0";
    bad_plugins::build(&workspace.path("other"), "magic", &["VERSION=\"2.0.0\"", push]);
    let (mut session, is_same) = with("other");
    assert_eq!(is_same, Some(false));
    let parts = ["plugin acme/tyres", &sum, "version 2.0.0", "friction acme/magic"];
    assert_parts(&differences(&recorded, &mut session), &parts);
}

#[test]
fn files_of_an_earlier_run_are_replaced_and_others_are_safe() {
    let workspace = workspace();
    run(&workspace, &["--record", "a/pose", "--snapshot-every", "1"]);
    workspace.write("out/notes.txt", "mine");
    record(&workspace);
    for (name, exists) in
        [("quantities.csv", false), ("step-200.snapshot", false), ("notes.txt", true)]
    {
        assert_eq!(workspace.path("out").join(name).exists(), exists, "{name}");
    }
    // a run that cannot start removes nothing
    let unknown = |options: &mut Options| {
        let tables = options.out.as_mut().and_then(|out| out.tables.as_mut());
        tables.unwrap().record.push("none/pose".to_owned());
    };
    assert!(matches!(open(&workspace, unknown), Err(Error::Quantity { .. })));
    assert_eq!(repeat(&recorded(&workspace.path("out")), |_| {}).1, Some(true));

    std::fs::create_dir(workspace.path("thesis")).unwrap();
    workspace.write("thesis/thesis.tex", "");
    let foreign = |is_forced: bool| {
        let session = open(&workspace, |options| {
            let mut out = Out::new(workspace.path("thesis"));
            out.force = is_forced;
            options.out = Some(out);
        });
        session.and_then(|mut session| session.run_steps(1).and_then(|_| session.finish()))
    };
    let error = foreign(false).unwrap_err().to_string();
    assert_parts(&error, &["thesis is not empty", "thesis.tex", "help: ", "--force"]);
    assert_eq!(std::fs::read_dir(workspace.path("thesis")).unwrap().count(), 1);
    foreign(true).unwrap();
    assert!(workspace.path("thesis/thesis.tex").exists());
    // it has a manifest now
    foreign(false).unwrap();
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
