//! Runs that are resumed from a snapshot: bit for bit, with other commands, or refused.

use std::collections::BTreeMap;

use crate::support::world::{World, differential, model};
use crate::support::{Outcome, Workspace};

/// Vehicles that collide with walls, a crate, each other and an actor; a trailer on a pin, a rope, a gate that
/// moves, noisy scans, regulators with memory.
const WORLD: &str = r#"<mvsim_world version="1.0"><simul_timestep>0.005</simul_timestep>
<random_seed>5</random_seed>
<vehicle:class name="robot"><dynamics class="differential">
<controller class="twist_pid"><V>1</V><W>0.05</W></controller></dynamics>
<sensor class="laser" name="scan"><sensor_period>0.08</sensor_period><nrays>31</nrays>
<range_std_noise>0.02</range_std_noise></sensor></vehicle:class>
<vehicle name="a" class="robot"><init_pose>0 0 0</init_pose></vehicle>
<vehicle name="b" class="robot"><init_pose>4 0.2 180</init_pose></vehicle>
<vehicle name="c" class="robot"><init_pose>0 -2 0</init_pose><friction class="wardiagnemma"/></vehicle>
<block name="crate"><mass>5</mass><init_pose>2 0.4 20</init_pose></block>
<block name="cart"><mass>8</mass><init_pose>-1 -2 0</init_pose></block>
<block name="sledge"><mass>3</mass><init_pose>-3 -2 0</init_pose></block>
<joint type="pin" body_a="c" body_b="cart" anchor_a="-0.4 0" anchor_b="0.6 0"/>
<joint type="rope" body_a="cart" body_b="sledge" max_length="1.5"/>
<actor name="walker"><init_pose>3 -1 0</init_pose>
<path><waypoint>5 -1 0</waypoint><waypoint>0 1 0</waypoint></path></actor>
<walls><shape><pt>-3 -3</pt><pt>7 -3</pt><pt>7 -3</pt><pt>7 3</pt></shape></walls></mvsim_world>"#;

const COMMANDS: &str = "time_s,vehicle,kind,v1,v2,v3\n0.5,a,twist,1.2,0,0.1\n2,b,twist,0.5,0,0.4\n\
                        2.5,c,twist,1,0,-0.3\n3.2,a,twist,-0.5,0,0\n";

const ALL: &[&str] =
    &["world.xml", "--commands", "commands.csv", "--duration", "4", "--hash-every", "0.1"];

fn workspace() -> Workspace {
    let workspace = Workspace::new(WORLD);
    workspace.write("commands.csv", COMMANDS);
    workspace
}

fn run(workspace: &Workspace, more: &[&str]) -> Outcome {
    workspace.run(&[ALL, more].concat())
}

fn succeed(workspace: &Workspace, more: &[&str]) -> Outcome {
    let outcome = run(workspace, more);
    assert_eq!(outcome.code, 0, "{more:?}\n{}", outcome.stderr);
    outcome
}

/// Returns the CSV files of a folder.
fn tables(workspace: &Workspace, folder: &str) -> BTreeMap<String, String> {
    let files = std::fs::read_dir(workspace.path(folder)).unwrap().map(|file| file.unwrap().path());
    let tables = files.filter(|file| file.extension().is_some_and(|suffix| suffix == "csv"));
    let name = |file: &std::path::Path| file.file_name().unwrap().to_str().unwrap().to_owned();
    tables.map(|file| (name(&file), std::fs::read_to_string(&file).unwrap())).collect()
}

/// Returns the header and the rows after a time.
fn after(table: &str, time: f64) -> String {
    let is_later =
        |line: &&str| line.split(',').next().unwrap().parse().is_ok_and(|t: f64| t > time);
    let (header, rows) = table.split_once('\n').unwrap();
    let rows: String = rows.lines().filter(is_later).map(|line| format!("{line}\n")).collect();
    format!("{header}\n{rows}")
}

#[test]
fn a_resumed_run_has_the_rows_of_an_unbroken_one() {
    let workspace = workspace();
    let whole = succeed(&workspace, &["--out", "plain"]);
    succeed(&workspace, &["--out", "whole", "--snapshot-every", "0.7"]);
    // taking snapshots changes nothing
    assert!(tables(&workspace, "plain") == tables(&workspace, "whole"));
    let hash = |outcome: &Outcome| {
        outcome.stdout.lines().find(|line| line.starts_with("state hash")).unwrap().to_owned()
    };
    for (step, time) in [(140, 0.7), (280, 1.4), (420, 2.1), (560, 2.8), (700, 3.5)] {
        let file = format!("whole/step-{step}.snapshot");
        let out = format!("from-{step}");
        let outcome = succeed(&workspace, &["--out", &out, "--resume", &file]);
        assert!(outcome.stdout.contains(&format!("resumed at {time} s")), "{}", outcome.stdout);
        assert_eq!(hash(&outcome), hash(&whole), "from step {step}");
        let tails = tables(&workspace, &out);
        assert_eq!(tails.len(), 7, "{:?}", tails.keys());
        for (name, unbroken) in tables(&workspace, "plain") {
            assert!(tails[&name] == after(&unbroken, time), "{name} from {time} s");
        }
    }
    // rows at the log period, and on several threads
    let sparse = ["--log-period", "0.3", "--threads", "2"];
    succeed(&workspace, &[&sparse[..], &["--out", "sparse"]].concat());
    let resume = ["--out", "rest", "--resume", "whole/step-280.snapshot"];
    succeed(&workspace, &[&sparse[..], &resume].concat());
    let whole = tables(&workspace, "sparse");
    assert!(tables(&workspace, "rest")["wheels.csv"] == after(&whole["wheels.csv"], 1.4));
}

#[test]
fn a_snapshot_of_a_resumed_run_is_the_same_file() {
    let workspace = workspace();
    succeed(&workspace, &["--out", "out", "--snapshot-every", "1"]);
    let more =
        ["--resume", "out/step-200.snapshot", "--snapshot-every", "1", "--snapshot-dir", "later"];
    succeed(&workspace, &more);
    for step in [400, 600, 800] {
        let read =
            |folder: &str| std::fs::read(workspace.path(&format!("{folder}/step-{step}.snapshot")));
        assert!(read("out").unwrap() == read("later").unwrap(), "step {step}");
    }
    assert!(!workspace.path("later/step-200.snapshot").exists());
    // nothing half written stays
    let names = std::fs::read_dir(workspace.path("later")).unwrap();
    assert_eq!(names.count(), 3);
}

#[test]
fn a_snapshot_is_taken_up_with_other_commands_and_another_seed() {
    let workspace = workspace();
    succeed(&workspace, &["--out", "out", "--snapshot-every", "1"]);
    let fork = ["--resume", "out/step-400.snapshot", "--out", "fork"];
    workspace.write("other.csv", "1,a,twist,9,0,0\n2,b,twist,0.5,0,0.4\n2.5,a,twist,-1,0,0\n");
    let other = [&["world.xml", "--duration", "5", "--commands", "other.csv"], &fork[..]].concat();
    assert_eq!(workspace.run(&other).code, 0);
    let end = |folder: &str| tables(&workspace, folder)["trajectory.csv"].clone();
    let (first, forked) = (after(&end("out"), 2.0), end("fork"));
    // the row of 1 s is past; up to 2.5 s nothing is different
    let upto = |rows: &str| rows.lines().take_while(|row| !row.starts_with("2.505,")).count();
    let same = upto(&first);
    assert!(same > 300 && first.lines().take(same).eq(forked.lines().take(same)));
    assert!(first.lines().nth(same + 30) != forked.lines().nth(same + 30));
    assert!(forked.lines().last().unwrap().starts_with("5,"));

    succeed(&workspace, &[&fork[..], &["--seed", "6"]].concat());
    let seeded = tables(&workspace, "fork");
    let whole = tables(&workspace, "out");
    assert!(seeded["trajectory.csv"] == after(&whole["trajectory.csv"], 2.0));
    assert!(seeded["a.scan.csv"] != after(&whole["a.scan.csv"], 2.0));
    // a seed on the command line takes precedence
    succeed(&workspace, &["--seed", "6", "--out", "six", "--snapshot-every", "2"]);
    succeed(&workspace, &["--resume", "six/step-400.snapshot", "--out", "rest"]);
    let six = tables(&workspace, "six");
    assert!(tables(&workspace, "rest")["a.scan.csv"] == after(&six["a.scan.csv"], 2.0));
}

/// A changed `<duration>` used to be refused with exit code 12: "the world has changed".
#[test]
fn a_run_can_be_resumed_with_another_duration() {
    let lasting = |duration: &str| {
        WORLD.replace("<random_seed>", &format!("<duration>{duration}</duration><random_seed>"))
    };
    let workspace = workspace();
    workspace.write("short.xml", &lasting("2"));
    workspace.write("long.xml", &lasting("4"));
    let run = |world: &str, more: &[&str]| {
        let all = [&[world, "--commands", "commands.csv", "--hash-every", "0.1"], more].concat();
        let outcome = workspace.run(&all);
        assert_eq!(outcome.code, 0, "{}", outcome.stderr);
        outcome
    };
    run("short.xml", &["--out", "short", "--snapshot-every", "2"]);
    let whole = run("long.xml", &["--out", "whole"]);
    let rest = run("long.xml", &["--out", "rest", "--resume", "short/step-400.snapshot"]);
    let hash = |outcome: &Outcome| {
        let line = outcome.stdout.lines().find(|line| line.starts_with("state hash"));
        line.unwrap().to_owned()
    };
    assert_eq!(hash(&rest), hash(&whole));
    assert!(hash(&whole).ends_with("after step 800"), "{}", hash(&whole));
}

/// What is said when a world is made of the first one by a replacement.
fn refused(workspace: &Workspace, from: &str, to: &str, more: &[&str]) -> Outcome {
    assert!(WORLD.contains(from), "{from}");
    workspace.write("other.xml", &WORLD.replace(from, to));
    let resume = ["other.xml", "--duration", "4", "--resume", "out/step-400.snapshot"];
    workspace.run(&[&resume[..], more].concat())
}

#[test]
fn what_does_not_fit_is_refused() {
    let workspace = workspace();
    succeed(&workspace, &["--out", "out", "--snapshot-every", "2"]);
    for (from, to, says) in [
        ("name=\"a\"", "name=\"d\"", "it has vehicle 'a', the world has vehicle 'd'"),
        ("0.005</simul", "0.004</simul", "its step is 0.005 s, that of the world is 0.004 s"),
        ("\"wardiagnemma\"", "\"ellipse\"", "the world has no friction simhost/wardiagnemma"),
    ] {
        let outcome = refused(&workspace, from, to, &["--resume-anyway"]);
        assert_eq!(outcome.code, 12, "{to}: {}", outcome.stderr);
        assert!(outcome.stderr.contains(says), "{says}\n{}", outcome.stderr);
        assert!(
            outcome.stderr.contains("help: use the world and the plugins that"),
            "{}",
            outcome.stderr
        );
    }
    // where all has a place it may be forced
    let change = ("<V>1</V>", "<V>2</V>");
    let outcome = refused(&workspace, change.0, change.1, &[]);
    assert_eq!(outcome.code, 12);
    for part in [
        "step-400.snapshot does not fit",
        "the world, or a file to which it refers, has changed",
        "--resume-anyway",
    ] {
        assert!(outcome.stderr.contains(part), "{part}\n{}", outcome.stderr);
    }
    let outcome = refused(&workspace, change.0, change.1, &["--resume-anyway"]);
    assert_eq!(outcome.code, 0, "{}", outcome.stderr);
    // bodies that have no place for what is remembered of them
    let outcome = refused(
        &workspace,
        "<block name=\"crate\"",
        "<block name=\"x\"><mass>1</mass>\
        <init_pose>5 2 0</init_pose></block><block name=\"crate\"",
        &["--resume-anyway"],
    );
    assert_eq!(outcome.code, 12);
    assert!(outcome.stderr.contains("damaged, or"), "{}", outcome.stderr);
    // white space and the place of the file do not count
    let outcome = refused(&workspace, "<random_seed>", "\n  <random_seed>", &[]);
    assert_eq!(outcome.code, 0, "{}", outcome.stderr);
    // a duration before the snapshot
    let over = ["world.xml", "--duration", "1", "--resume", "out/step-400.snapshot"];
    let outcome = workspace.run(&over);
    assert_eq!(outcome.code, 2);
    assert!(outcome.stderr.contains("which counts from the start"), "{}", outcome.stderr);
    let outcome = workspace.run(&["world.xml", "--snapshot-every", "1"]);
    assert_eq!(outcome.code, 2);
    assert!(outcome.stderr.contains("--snapshot-dir"), "{}", outcome.stderr);
}

#[test]
fn a_file_that_is_no_good_snapshot_is_told() {
    let workspace = workspace();
    succeed(&workspace, &["--out", "out", "--snapshot-every", "2"]);
    let good = std::fs::read(workspace.path("out/step-400.snapshot")).unwrap();
    let mut newer = good.clone();
    newer[17] = 200;
    let mut bent = good.clone();
    bent[good.len() / 2] ^= 1;
    for (bytes, says) in [
        (&b"time_s,x\n"[..], "the file is not a snapshot"),
        (&good[..good.len() / 2], "is damaged: its checksum is wrong"),
        (&good[..19], "is damaged: it is too short"),
        (&bent, "is damaged: its checksum is wrong"),
        (&newer, "the snapshot has format 200; this program supports formats up to 2"),
    ] {
        std::fs::write(workspace.path("bad"), bytes).unwrap();
        let outcome = run(&workspace, &["--resume", "bad"]);
        assert_eq!(outcome.code, 12, "{says}: {}", outcome.stderr);
        assert!(outcome.stderr.contains(says), "{says}\n{}", outcome.stderr);
        assert!(outcome.stderr.contains("help: "), "{}", outcome.stderr);
    }
    let outcome = run(&workspace, &["--resume", "out"]);
    assert_eq!(outcome.code, 12);
    assert!(outcome.stderr.contains("the file is not a snapshot"), "{}", outcome.stderr);
    let outcome = run(&workspace, &["--resume", "nowhere"]);
    assert_eq!(outcome.code, 12);
    assert!(outcome.stderr.contains("failed to read nowhere"), "{}", outcome.stderr);
}

/// Friction with unlimited grip, and torques from a command file from 1.5 s on.
fn runaway() -> World {
    let grip = model("default").set("mu", "1e300");
    World::new()
        .step(0.01)
        .vehicle("a", differential().controller("raw").friction(grip).pose(0, 0, 0))
        .vehicle("b", differential().pose(0, 5, 0))
}

#[test]
fn a_run_that_diverges_leaves_its_last_good_state() {
    let workspace = runaway().workspace();
    workspace.write("commands.csv", "time_s,vehicle,kind,v1,v2\n2.345,a,torque,1e9,1e9\n");
    let run = |more: &[&str]| {
        let all = ["world.xml", "--commands", "commands.csv", "--duration", "4"];
        workspace.run(&[&all[..], more].concat())
    };
    let outcome = run(&["--out", "out"]);
    assert_eq!(outcome.code, 10, "{}", outcome.stderr);
    let names = std::fs::read_dir(workspace.path("out")).unwrap();
    let names = names.map(|file| file.unwrap().file_name().into_string().unwrap());
    let file = names.filter(|name| name.ends_with(".snapshot")).collect::<Vec<_>>().concat();
    let step = file.strip_prefix("diverged-").unwrap().strip_suffix(".snapshot").unwrap();
    for part in [
        &format!("(step {step}), vehicle 'a' diverged: position"),
        "the limits are 1000 m/s and 10000 rad/s",
        "dynamics simhost/differential",
        "friction simhost/default",
        "controller simhost/raw",
        "(linked in)",
        &format!("out/{file} holds the state at 2 s"),
        "help: reduce <simul_timestep>, or check for gains",
    ] {
        assert!(outcome.stderr.contains(part), "{part}\n{}", outcome.stderr);
    }
    // the resumed run ends in the same way; the limits are not part of the state
    let from = format!("out/{file}");
    let again = run(&["--resume", &from, "--out", "again"]);
    let first = |outcome: &Outcome| outcome.stderr.lines().next().unwrap().to_owned();
    assert_eq!((again.code, first(&again)), (10, first(&outcome)));
    let files = tables(&workspace, "again");
    assert!(files["wheels.csv"] == after(&tables(&workspace, "out")["wheels.csv"], 2.0));
    // other limits give another end
    let bold = run(&["--resume", &from, "--max-speed", "1e30", "--max-yaw-rate", "1e30"]);
    assert_eq!(bold.code, 0, "{}", bold.stderr);
    let slow = run(&["--max-speed", "0.001"]);
    assert!(slow.stderr.contains("the limits are 0.001 m/s"), "{}", slow.stderr);
    assert!(slow.stderr.contains("add --out DIR to keep the last snapshot"), "{}", slow.stderr);
}
