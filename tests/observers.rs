//! Observers of a world: what they get, when they end a run, and how their failures are contained.

use std::collections::BTreeMap;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};

use simhost::{Error, Out, Selection, seconds};
use simhost_mcap::McapSink;

use crate::support::waiting::{Program, at_once, wait_for};
use crate::support::world::{World, differential, model};
use crate::support::{Outcome, Table, Workspace, assert_parts, bad_plugins};

/// Returns a world with one robot that drives straight on at about 1 m/s, and these elements.
fn world(elements: &str) -> World {
    let robot = differential().controller(model("twist_pid").set("V", 1)).pose(0, 0, 0);
    let robot = robot.xml("<sensor class=\"laser\" name=\"scan\"/>\n");
    World::new().step(0.01).vehicle("r", robot).xml(elements)
}

/// Builds the library of observers with a statement that some of them execute, and returns its folder.
fn plugin(name: &str, macros: &[&str]) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("observers").join(name);
    bad_plugins::build_of("observers.c", &folder, "observers", macros);
    folder
}

fn run(elements: &str, more: &[&str]) -> (Workspace, Outcome) {
    let workspace = world(elements).workspace();
    let outcome = workspace.run(&[&["world.xml"], more].concat());
    (workspace, outcome)
}

/// Returns the result hash in the manifest of a run.
fn result_hash(workspace: &Workspace) -> String {
    let text = std::fs::read_to_string(workspace.path("out/manifest.json")).unwrap();
    let manifest: serde_json::Value = serde_json::from_str(&text).unwrap();
    manifest["end"]["result_hash"].as_str().unwrap().to_owned()
}

const FAR: &str = "<observer class=\"stop_when\" name=\"far\"><quantity>r/pose</quantity>\
                   <index>0</index><above>2</above></observer>";

#[test]
fn a_stop_condition_ends_the_run_with_its_reason_on_any_number_of_threads() {
    let mut hashes = Vec::new();
    for threads in [1, 2, 4] {
        let run = world(FAR).threads(threads).run(10.0);
        assert_eq!(run.stop.as_deref(), Some("observer 'far': r/pose[0] is above 2 m"));
        let x = run.column("r", "x_m");
        assert!(x.len() == 215 && x[214] > 2.0 && x[213] <= 2.0, "{x:?}");
        let parts = ["\"stopped_by\": \"far\"", "\"reason\": \"r/pose[0] is above"];
        assert_parts(&run.read("manifest.json"), &parts);
        hashes.push(run.hashes);
    }
    assert!(hashes.iter().all(|hash| *hash == hashes[0]), "{hashes:?}");
}

#[test]
fn a_duration_still_ends_the_run_and_the_first_of_several_observers_counts() {
    let (_, outcome) = run(FAR, &["--duration", "1"]);
    assert_eq!(outcome.code, 0, "{}", outcome.stderr);
    assert!(outcome.stdout.contains("simulated 1 s") && !outcome.stdout.contains("ended by"));

    let later = FAR.replace("far", "second");
    let (_, outcome) = run(&format!("{FAR}{later}"), &[]);
    assert_parts(&outcome.stdout, &["ended by observer 'far'"]);
    let (_, outcome) = run(&format!("{later}{FAR}"), &[]);
    assert_parts(&outcome.stdout, &["ended by observer 'second'"]);

    let (_, outcome) = run(FAR, &[]);
    let parts = ["simulated 2.14 s", "ended by observer 'far': r/pose[0] is above 2 m"];
    assert_parts(&outcome.stdout, &parts);
    assert_parts(&outcome.stderr, &["the run ends when an observer ends it"]);

    // a condition that holds at the start ends the run before its first step
    let at_once = FAR.replace("above>2</above", "below>2</below");
    let (workspace, outcome) = run(&at_once, &["--out", "out"]);
    assert_eq!(outcome.code, 0, "{}", outcome.stderr);
    assert_parts(&outcome.stdout, &["simulated 0 s", "is below 2 m"]);
    assert_eq!(workspace.table("trajectory.csv").rows.len(), 1);

    // an observer that cannot end a run does not change the default duration
    let recorder = "<observer class=\"recorder\" quantities=\"r/pose\"/>";
    let (_, outcome) = run(recorder, &[]);
    assert_parts(&outcome.stderr, &["the run ends after 10 s"]);
}

/// An observer that takes the name of a file of the run cannot start, and a run that cannot start leaves the
/// results in its folder as they are.
#[test]
fn a_run_that_cannot_start_leaves_earlier_results() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out");
    let metrics = world("<observer class=\"metrics\" quantities=\"**\"/>");
    metrics.run_into(&out, 1.0, |_, _| {});
    let files = || {
        let files = std::fs::read_dir(&out).unwrap();
        let files = files.map(|file| file.unwrap().path());
        files.map(|file| (file.clone(), std::fs::read(file).unwrap())).collect::<BTreeMap<_, _>>()
    };
    let before = files();
    for name in ["trajectory.csv", "manifest.json", "r.scan.csv"] {
        let observer = "<observer class=\"recorder\" quantities=\"r/pose\" file=\"NAME\"/>";
        let (mut session, _) = world(&observer.replace("NAME", name)).open_in(Some(Out::new(&out)));
        let error = session.run_steps(1).unwrap_err().to_string();
        let expected = format!("`{name}` is a file of the run; expected another name");
        assert_parts(&error, &[&expected]);
        drop(session);
        assert!(files() == before, "{name}: {:?} {:?}", files().keys(), before.keys());
    }
    // so does a pattern that selects nothing
    let (mut session, _) = world("").open_in(Some(Out::new(&out)));
    let selection = Selection { patterns: vec!["nothing".to_owned()], ..Selection::default() };
    let sink = Box::new(McapSink::new(&out.join("run.mcap")));
    assert!(matches!(session.attach(sink, &selection), Err(Error::Input(_))));
    drop(session);
    assert!(files() == before);
}

/// Hashes, snapshots and all other files are the same with and without observers.
#[test]
fn observers_change_no_results() {
    let watched = format!(
        "{}<observer class=\"metrics\" quantities=\"**\" every=\"0.03\"/>\
         <observer class=\"recorder\" quantities=\"**\" every=\"0.5\"/>",
        FAR.replace("<above>2<", "<above>100<")
    );
    let (plain, observed) = (world("").run(2.0), world(&watched).run(2.0));
    for name in ["trajectory.csv", "wheels.csv", "r.scan.csv"] {
        assert!(plain.table(name) == observed.table(name), "{name} differs");
    }
    assert_eq!(plain.hashes, observed.hashes);
    let [snapshot, other] = ["", &watched].map(|elements| world(elements).snapshot(1.0));
    assert!(snapshot.to_bytes() == other.to_bytes());

    // a snapshot of the world without observers is resumed with observers
    let resumed = world(&watched).resume(&snapshot, 2.0);
    assert_eq!(plain.hashes, resumed.hashes);
    // observers start anew at the snapshot
    assert_eq!(resumed.table("recorder3.csv").numbers("time_s"), [1.0, 1.5, 2.0]);
}

#[test]
fn a_period_sets_the_samples_and_results_stay_the_same_without_output() {
    let elements = "<observer class=\"recorder\" name=\"slow\" every=\"0.25\" quantities=\"r/pose, world/time\"/>\
                    <observer class=\"recorder\" name=\"fast\" quantities=\"world/time\" file=\"sub/fast.csv\"/>";
    let run = world(elements).run(1.1);
    let slow = run.table("slow.csv");
    assert_eq!(slow.numbers("time_s"), [0.0, 0.25, 0.5, 0.75, 1.0]);
    assert_eq!(slow.numbers("world/time [s]"), [0.0, 0.25, 0.5, 0.75, 1.0]);
    assert_eq!(slow.header[2], "r/pose[0] [m]");
    let at = |row: usize| run.column("r", "x_m")[row];
    assert_eq!(slow.numbers("r/pose[0] [m]"), [0, 25, 50, 75, 100].map(at));
    assert_eq!(Table::read(&run.path("sub/fast.csv")).rows.len(), 111);

    // without an output folder nothing is written
    let (mut session, _) = world(elements).open();
    session.run_until(seconds(1.1)).unwrap();
    assert!(session.finish().unwrap().is_empty());
    assert_eq!(
        simhost::tables::result_hash(session.simulation()),
        format!("{:032x}", run.hashes[1])
    );
}

#[test]
fn metrics_have_extremes_means_and_the_end_of_the_run() {
    let metrics = "<observer class=\"metrics\" quantities=\"r/twist, r/sensor/scan/*\" file=\"m.json\" every=\"0.7\"/>\
                   <observer class=\"metrics\" quantities=\"r/twist\"/>";
    let run = world(&format!("{FAR}{metrics}")).run(10.0);
    let json: serde_json::Value = serde_json::from_str(&run.read("m.json")).unwrap();
    assert_eq!(json["end"]["reason"], "stop");
    assert_eq!(json["end"]["text"], "observer 'far': r/pose[0] is above 2 m");
    assert_eq!(json["end"]["step"], 214);
    let speed = &json["quantities"]["r/twist[0]"];
    let vx = run.column("r", "vx_mps");
    // the last state counts, although no sample was due
    let sampled = [vx[0], vx[70], vx[140], vx[210], vx[214]];
    assert_eq!(speed["final"], vx[214]);
    assert_eq!(speed["max"], sampled.iter().copied().fold(f64::MIN, f64::max));
    assert!((speed["mean"].as_f64().unwrap() - sampled.iter().sum::<f64>() / 5.0).abs() < 1e-12);
    let csv = run.read("metrics3.csv");
    assert_eq!(csv.lines().next(), Some("quantity,unit,min,min_at_s,max,max_at_s,mean,final"));
    assert_eq!(csv.lines().count(), 4, "{csv}");
}

#[test]
fn files_that_are_written_twice_are_warned_of() {
    let one = "<observer class=\"metrics\" quantities=\"r/pose\" file=\"m.csv\"/>";
    let run = world(&format!("{one}{one}")).run(0.1);
    let parts = ["observer 'metrics2'", "it overwrites ", "m.csv, the file of another observer"];
    assert_parts(&run.faults.concat(), &parts);
}

#[test]
fn mistakes_in_a_world_are_explained() {
    let far = |from: &str, to: &str| FAR.replace(from, to);
    for (elements, parts) in [
        (far("stop_when", "stop_wen"), &["unknown observer class `stop_wen`", "stop_when"][..]),
        (
            far("r/pose", "r/poze"),
            &["observer 'far': no quantity matches `r/poze`", "did you mean `r/pose`?"],
        ),
        (far("<above>2</above>", ""), &["missing limit; give `above`, `below` or both"]),
        (far("above>", "abov>"), &["abov", "above"]),
        (
            far("<index>0</index>", "<index>6</index>"),
            &["observer 'far'", "failed in `start`", "`index` is 6, expected less than 6"],
        ),
        (far("name=\"far\"", "every=\"0\""), &["every", "greater than 0"]),
        (far("class=\"stop_when\" ", ""), &["missing `class`"]),
        (format!("{FAR}{FAR}"), &["duplicate observer name: `far`"]),
        (
            far("stop_when", "laser"),
            &["`laser` is a sensor; did you mean `<sensor class=\"laser\">`?"],
        ),
        (
            "<sensor class=\"metrics\"/>".into(),
            &[
                "`metrics` is an observer; did you mean `<observer class=\"metrics\">`?",
                "directly inside the world",
            ],
        ),
        (
            "<observer class=\"metrics\" quantities=\"r/pose\" file=\"../m.csv\"/>".into(),
            &["`../m.csv` is not a file in the output folder"],
        ),
        (
            "<observer class=\"metrics\" quantities=\"r/pose\" file=\"m.txt\"/>".into(),
            &["ends in .csv or .json"],
        ),
        ("<observer class=\"metrics\"/>".into(), &["missing `quantities`"]),
    ] {
        let line =
            if elements.contains("<sensor class=\"metrics") { "\"metrics" } else { "<observer" };
        world(&elements).fails(line, parts);
    }
}

/// An observer that fails is named, and the run continues without it.
#[test]
fn a_failing_observer_does_not_end_the_run() {
    let folder = plugin("fault", &[]);
    let folder = folder.to_str().unwrap();
    let elements = "<observer class=\"in_step\" name=\"a\"/><observer class=\"in_end\" name=\"b\"/>\
                    <observer class=\"elsewhere\" name=\"c\"/><observer class=\"good\" name=\"d\"/>";
    let more = ["--duration", "1", "--out", "out", "--plugin-dir", folder];
    let (workspace, outcome) = run(elements, &more);
    assert_eq!(outcome.code, 0, "{}", outcome.stderr);
    assert_parts(
        &outcome.stderr,
        &[
            "warning: at 0.5 s, observer 'a': bad/in_step (",
            "panicked in `step`: out of ideas",
            "warning: at 1 s, observer 'b': bad/in_end (",
            "in `end`: it names the file `../elsewhere.txt`, which is not in the output folder",
        ],
    );
    assert_parts(
        &outcome.stdout,
        &["simulated 1 s", "disabled at 0.5 s, observer 'a'", "3 warnings"],
    );
    let (plain, _) = run("", &["--duration", "1", "--out", "out"]);
    assert_eq!(result_hash(&plain), result_hash(&workspace));
    // the others have got all samples
    let text = std::fs::read_to_string(workspace.path("out/d.txt")).unwrap();
    assert!(text.ends_with(" 101 1  at 1\n"), "{text}");

    // the fault can be repeated
    let outcome = workspace.run(&["replay", "out/fault-1.json"]);
    assert_eq!(outcome.code, 0, "{}", outcome.stderr);
    assert_parts(&outcome.stdout, &["`step` for observer 'a' at 0.5 s", "the fault did not occur"]);
    let outcome = workspace.run(&["replay", "out/fault-2.json"]);
    assert_eq!(outcome.code, 11, "{}", outcome.stderr);
    assert_parts(&outcome.stdout, &["`end` for observer 'b'", "the same fault occurred"]);
}

#[test]
fn a_run_that_only_a_failing_observer_could_end_is_a_failure() {
    let folder = plugin("fault", &[]);
    let more = ["--plugin-dir", folder.to_str().unwrap()];
    let (_, outcome) = run("<observer class=\"in_step\" name=\"a\"/>", &more);
    assert_eq!(outcome.code, 11, "{}", outcome.stderr);
    assert_parts(
        &outcome.stderr,
        &["observer 'a'", "the last observer that could end it has failed", "give a --duration"],
    );
}

#[test]
fn an_observer_that_cannot_begin_is_an_error_of_the_world() {
    let folder = plugin("fault", &[]);
    for (class, parts) in [
        ("in_select", &["observer 'a'", "bad/in_select panicked in `select`: out of ideas"][..]),
        ("in_start", &["observer 'a'", "bad/in_start panicked in `start`: out of ideas"]),
        ("no_table", &["bad/no_table cannot be used", "`simhost.observer/1`"]),
    ] {
        let world = world(&format!("<observer class=\"{class}\" name=\"a\"/>"));
        let errors = world.plugins(&folder).errors();
        let [error] = &errors[..] else { panic!("{class}: {errors:?}") };
        assert_parts(&error.text, parts);
    }
}

#[test]
fn a_call_that_crashes_ends_the_process_or_hangs_is_named() {
    for (name, statement) in
        [("crash", "BAD=crash()"), ("exit", "BAD=exit(0)"), ("loop", "BAD=loop()")]
    {
        let folder = plugin(name, &[statement]);
        let functions = ["select", "start", "step", "end", "destroy"];
        at_once(functions, |function| {
            let elements = format!("<observer class=\"in_{function}\" name=\"a\"/>");
            let workspace = world(&elements).workspace();
            let more = ["--duration", "0.6", "--watchdog", "0.3", "--plugin-dir"];
            let mut command = workspace.command();
            let output = command.arg("world.xml").args(more).arg(&folder).output().unwrap();
            let text = String::from_utf8_lossy(&output.stderr);
            let call = format!("in `{function}` for observer 'a'");
            assert_parts(&text, &[&format!("bad/in_{function} ("), &call]);
            match name {
                "crash" => assert_eq!(output.status.signal(), Some(libc::SIGSEGV), "{text}"),
                _ => assert_eq!(output.status.code(), Some(11), "{text}"),
            }
        });
    }
}

/// Observers learn how a run ends, also if a model ends it.
#[test]
fn observers_learn_the_reason_of_the_end() {
    let folder = plugin("fault", &[]);
    let faulty = Path::new(env!("CARGO_TARGET_TMPDIR")).join("observers/contained");
    bad_plugins::build_of("contained.c", &faulty, "contained", &[]);
    let folders =
        ["--plugin-dir", folder.to_str().unwrap(), "--plugin-dir", faulty.to_str().unwrap()];
    let reason = |elements: &str, more: &[&str]| {
        let (workspace, outcome) = run(elements, &[&["--out", "out"][..], &folders, more].concat());
        let text = std::fs::read_to_string(workspace.path("out/a.txt"));
        (outcome.code, text.unwrap_or_else(|error| panic!("{error}: {}", outcome.stderr)))
    };
    let good = "<observer class=\"good\" name=\"a\"/>";
    let (code, text) = reason(good, &["--duration", "0.1"]);
    assert!(code == 0 && text.ends_with("11 1  at 0.1\n"), "{code} {text}");
    let (code, text) = reason("<observer class=\"good\" name=\"a\" limit=\"0.2\"/>", &[]);
    assert!(code == 0 && text.ends_with(" 2 observer 'a': time is up at 0.21\n"), "{code} {text}");
    // a block that is faster than the limit of divergence
    let diverges = format!(
        "{good}<block name=\"b\"><geometry type=\"box\" lx=\"1\" ly=\"1\" lz=\"1\"/><mass>1</mass>\
         <init_pose>9 9 0</init_pose><init_vel>1e7 0 0</init_vel></block>"
    );
    let (code, text) = reason(&diverges, &["--duration", "1"]);
    assert!(code == 10 && text.contains(" 3 "), "{code} {text}");
}

/// Waits until a file has a text.
fn await_text(path: &Path, text: &str) {
    wait_for(text, || std::fs::read_to_string(path).is_ok_and(|content| content.contains(text)));
}

/// Interrupts a run, whose observer then completes its file.
fn interrupt(child: &mut Program, workspace: &Workspace) {
    // SAFETY: the process is ours and has not been waited for.
    unsafe { libc::kill(child.id() as i32, libc::SIGINT) };
    assert_eq!(child.wait().unwrap().code(), Some(130));
    let text = std::fs::read_to_string(workspace.path("out/a.txt")).unwrap();
    assert!(text.contains(" 4 interrupted at "), "{text}");
}

#[test]
fn a_rebuilt_observer_ends_and_begins_again() {
    let folder = plugin("rebuilt", &[]);
    let workspace = world("<observer class=\"good\" name=\"a\"/>").workspace();
    let mut command = workspace.command();
    command.args([
        "world.xml",
        "--duration",
        "1e9",
        "--log-period",
        "1000",
        "--out",
        "out",
        "--watch",
    ]);
    let mut child = Program::start(command.arg("--plugin-dir").arg(&folder));
    await_text(&workspace.path("out/trajectory.csv"), "time_s");
    // written elsewhere and then moved, as linkers do
    let built =
        bad_plugins::build_of("observers.c", &workspace.path("b"), "observers", &["BAD=loop()"]);
    std::fs::rename(built, folder.join(bad_plugins::library_name("observers"))).unwrap();
    await_text(&workspace.path("out/a.txt"), " 5 the plugin was rebuilt at ");
    interrupt(&mut child, &workspace);
}

#[test]
fn an_interrupted_run_completes_the_files_of_observers() {
    let folder = plugin("fault", &[]);
    let workspace = world("<observer class=\"good\" name=\"a\" every=\"0.5\"/>").workspace();
    let mut command = workspace.command();
    command.args(["world.xml", "--log-period", "1000", "--out", "out", "--plugin-dir"]).arg(folder);
    let mut child = Program::start(command.stdout(std::process::Stdio::null()));
    await_text(&workspace.path("out/trajectory.csv"), "time_s");
    interrupt(&mut child, &workspace);
}

#[test]
fn plugin_commands_know_observers() {
    let workspace = Workspace::new("");
    let folder = plugin("fault", &[]);
    let folder = folder.to_str().unwrap();
    let output = |arguments: &[&str]| {
        let outcome = workspace.run(&[arguments, &["--plugin-dir", folder]].concat());
        assert_eq!(outcome.code, 0, "{}", outcome.stderr);
        outcome.stdout
    };
    assert_parts(
        &output(&["plugin", "list"]),
        &["observer    simhost/stop_when", "observer    bad/good"],
    );
    let doc = output(&["plugin", "doc", "stop_when"]);
    let parts = [
        "observer simhost/stop_when",
        "It can end the run.",
        "quantity",
        "<observer class=\"stop_when\">",
    ];
    assert_parts(&doc, &parts);
    assert_parts(&output(&["plugin", "doc", "bad/reads"]), &["It does not end the run."]);
    assert_parts(&output(&["plugin", "bench", "bad/good"]), &["observer", "simhost/stop_when"]);
    let info = output(&["plugin", "info", "simhost/metrics"]);
    assert_parts(&info, &["observer", "quantities"]);
}
