//! Runs that are resumed from a snapshot: bit for bit, with other commands, or refused.

use std::collections::BTreeMap;

use simhost::{Fit, Snapshot, seconds};

use crate::support::world::{World, differential, model};
use crate::support::{Outcome, Table, Workspace, assert_parts};

/// Vehicles that collide with walls, a crate, each other and an actor; a trailer on a pin, a rope, a gate that
/// moves, noisy scans, regulators with memory.
const INSIDE: &str = r#"<random_seed>5</random_seed>
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
<walls><shape><pt>-3 -3</pt><pt>7 -3</pt><pt>7 -3</pt><pt>7 3</pt></shape></walls>
"#;

fn world() -> World {
    World::new()
        .step(0.005)
        .xml(INSIDE)
        .command(0.5, "a", "twist", &[1.2, 0.0, 0.1])
        .command(2.0, "b", "twist", &[0.5, 0.0, 0.4])
        .command(2.5, "c", "twist", &[1.0, 0.0, -0.3])
        .command(3.2, "a", "twist", &[-0.5, 0.0, 0.0])
}

/// The same commands as a file.
const COMMANDS: &str = "time_s,vehicle,kind,v1,v2,v3\n0.5,a,twist,1.2,0,0.1\n2,b,twist,0.5,0,0.4\n\
                        2.5,c,twist,1,0,-0.3\n3.2,a,twist,-0.5,0,0\n";

const ALL: &[&str] =
    &["world.xml", "--commands", "commands.csv", "--duration", "4", "--hash-every", "0.1"];

fn workspace() -> Workspace {
    let workspace = world().workspace();
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

/// Returns the rows of a table after a time, s.
fn rows_after(table: &Table, time: f64) -> Vec<Vec<String>> {
    let times = table.numbers("time_s");
    let rows = table.rows.iter().zip(times).filter(|(_, t)| *t > time);
    rows.map(|(row, _)| row.clone()).collect()
}

#[test]
fn a_resumed_run_has_the_rows_of_an_unbroken_one() {
    // taking snapshots changes nothing, either
    let whole = world().repeats(2.1, 4.0);
    let times = [0.7, 1.4, 2.1, 2.8, 3.5];
    for (snapshot, time) in world().snapshots(&times).iter().zip(times) {
        let rest = world().resume(snapshot, 4.0);
        assert_eq!(rest.hashes, whole.hashes, "from {time} s");
        assert_eq!(rest.tables.len(), 6, "{:?}", rest.tables.keys());
        for (name, unbroken) in &whole.tables {
            let same = rest.tables[name].rows == rows_after(unbroken, time);
            assert!(same, "{name} from {time} s");
        }
    }
    // rows at the log period, and on several threads
    let sparse = world().every(0.3).threads(2);
    let (whole, rest) = (sparse.run(4.0), sparse.resume(&world().snapshot(1.4), 4.0));
    assert!(rest.table("wheels.csv").rows == rows_after(whole.table("wheels.csv"), 1.4));
}

#[test]
fn a_snapshot_of_a_resumed_run_is_the_same_file() {
    let whole = world().snapshots(&[1.0, 2.0, 3.0, 4.0]);
    let (mut session, _) = world().open();
    session.restore(&whole[0]).unwrap();
    for (later, time) in whole[1..].iter().zip([2.0, 3.0, 4.0]) {
        session.run_until(seconds(time)).unwrap();
        assert!(session.snapshot().unwrap().to_bytes() == later.to_bytes(), "{time} s");
    }
}

#[test]
fn a_snapshot_is_taken_up_with_other_commands_and_another_seed() {
    let (whole, snapshot) = (world().run(5.0), world().snapshot(2.0));
    let other = World::new().step(0.005).xml(INSIDE);
    let other = other
        .command(1.0, "a", "twist", &[9.0, 0.0, 0.0])
        .command(2.0, "b", "twist", &[0.5, 0.0, 0.4])
        .command(2.5, "a", "twist", &[-1.0, 0.0, 0.0]);
    let forked = other.resume(&snapshot, 5.0);
    let first = rows_after(whole.table("trajectory.csv"), 2.0);
    let forked = &forked.table("trajectory.csv").rows;
    // the row of 1 s is past; up to 2.5 s nothing is different
    let same = first.iter().take_while(|row| row[0] != "2.505").count();
    assert!(same == 300 && first[..same] == forked[..same]);
    assert!(first[same + 30] != forked[same + 30]);
    assert_eq!(forked.last().unwrap()[0], "5");

    let seeded = world().seed(6).resume(&snapshot, 5.0);
    assert!(seeded.table("trajectory.csv").rows == first);
    let scans = rows_after(whole.table("a.scan.csv"), 2.0);
    assert!(seeded.table("a.scan.csv").rows != scans);
    let six = world().seed(6);
    let (whole, rest) = (six.run(4.0), six.resume(&six.snapshot(2.0), 4.0));
    assert!(rest.table("a.scan.csv").rows == rows_after(whole.table("a.scan.csv"), 2.0));
}

/// A seed on the command line takes precedence over the seed of the world, and a resumed run takes
/// the seed of its snapshot.
#[test]
fn a_resumed_run_has_the_seed_of_its_snapshot() {
    let workspace = workspace();
    succeed(&workspace, &["--seed", "6", "--out", "six", "--snapshot-every", "2"]);
    succeed(&workspace, &["--resume", "six/step-400.snapshot", "--out", "rest"]);
    let six = tables(&workspace, "six");
    assert!(tables(&workspace, "rest")["a.scan.csv"] == after(&six["a.scan.csv"], 2.0));
}

/// A changed `<duration>` used to be refused with exit code 12: "the world has changed".
#[test]
fn a_run_can_be_resumed_with_another_duration() {
    let lasting = |duration: u32| world().set("duration", duration);
    let (whole, rest) = (lasting(4).run(4.0), lasting(4).resume(&lasting(2).snapshot(2.0), 4.0));
    assert_eq!(rest.hashes, whole.hashes);
}

/// Returns the world with a replacement.
fn changed(from: &str, to: &str) -> World {
    let text = format!("<simul_timestep>0.005</simul_timestep>\n{INSIDE}");
    assert!(text.contains(from), "{from}");
    World::new().xml(&text.replace(from, to))
}

#[test]
fn what_does_not_fit_is_refused() {
    let snapshot = world().snapshot(2.0);
    let forced = |world: &World| {
        let forced = world.open().0.restore_with(&snapshot, Fit::Slots);
        forced.map_err(|error| error.to_string())
    };
    for (from, to, says) in [
        ("name=\"a\"", "name=\"d\"", "it has vehicle 'a', the world has vehicle 'd'"),
        ("0.005</simul", "0.004</simul", "its step is 0.005 s, that of the world is 0.004 s"),
        ("\"wardiagnemma\"", "\"ellipse\"", "the world has no friction simhost/wardiagnemma"),
    ] {
        let world = changed(from, to);
        let (reasons, may_be_forced) = world.misfit(&snapshot);
        assert_parts(&reasons, &[says]);
        assert!(!may_be_forced && forced(&world).is_err(), "{reasons}");
    }
    // where all has a place it may be forced
    let world = changed("<V>1</V>", "<V>2</V>");
    let (reasons, may_be_forced) = world.misfit(&snapshot);
    assert_parts(&reasons, &["the world, or a file to which it refers, has changed"]);
    assert!(may_be_forced, "{reasons}");
    forced(&world).unwrap();
    // bodies that have no place for what is remembered of them
    let more = "<block name=\"x\"><mass>1</mass><init_pose>5 2 0</init_pose></block>";
    let world = changed("<block name=\"crate\"", &format!("{more}<block name=\"crate\""));
    assert_parts(&forced(&world).unwrap_err(), &["damaged, or"]);
    // white space does not count
    changed("<random_seed>", "\n  <random_seed>").resume(&snapshot, 2.1);
}

#[test]
fn the_program_says_how_to_resume() {
    let workspace = workspace();
    succeed(&workspace, &["--out", "out", "--snapshot-every", "2"]);
    let refused = |from: &str, to: &str, more: &[&str], parts: &[&str]| {
        workspace.write("other.xml", &world().text().replace(from, to));
        let resume = ["other.xml", "--duration", "4", "--resume", "out/step-400.snapshot"];
        let outcome = workspace.run(&[&resume[..], more].concat());
        assert_eq!(outcome.code, 12, "{to}: {}", outcome.stderr);
        assert_parts(&outcome.stderr, parts);
    };
    let help = "help: use the world and the plugins that";
    refused("name=\"a\"", "name=\"d\"", &["--resume-anyway"], &[help]);
    refused("<V>1", "<V>2", &[], &["step-400.snapshot does not fit", "--resume-anyway"]);
    workspace.write("bad", "time_s,x\n");
    let bad = "the file is not a snapshot";
    for (arguments, code, parts) in [
        // a duration before the snapshot
        (
            &["--duration", "1", "--resume", "out/step-400.snapshot"][..],
            2,
            &["which counts from the start"][..],
        ),
        (&["--snapshot-every", "1"], 2, &["--snapshot-dir"]),
        (&["--resume", "bad"], 12, &[bad, "help: "]),
        (&["--resume", "out"], 12, &[bad]),
        (&["--resume", "nowhere"], 12, &["failed to read nowhere"]),
    ] {
        let outcome = workspace.run(&[&["world.xml"], arguments].concat());
        assert_eq!(outcome.code, code, "{arguments:?}: {}", outcome.stderr);
        assert_parts(&outcome.stderr, parts);
    }
    // later snapshots go to a folder of their own, in which nothing half written stays
    let later = ["--snapshot-every", "1", "--snapshot-dir", "later"];
    let outcome =
        succeed(&workspace, &[&["--resume", "out/step-400.snapshot"], &later[..]].concat());
    assert_parts(&outcome.stdout, &["resumed at 2 s", "after step 800"]);
    assert!(workspace.path("later/step-800.snapshot").exists());
    assert!(!workspace.path("later/step-400.snapshot").exists());
    assert_eq!(std::fs::read_dir(workspace.path("later")).unwrap().count(), 2);
}

#[test]
fn a_file_that_is_no_good_snapshot_is_told() {
    let good = world().snapshot(0.1).to_bytes();
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
        let error = Snapshot::from_bytes(bytes).err().unwrap().to_string();
        assert!(error.contains(says), "{says}: {error}");
    }
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
        &format!("(step {step}), vehicle 'a', wheel l diverged: it spins at "),
        "the limit is 100000 rad/s",
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
    // another limit gives another end
    workspace.write("commands.csv", "time_s,vehicle,kind,v1,v2\n2.345,a,torque,10,10\n");
    let slow = run(&["--max-speed", "0.001"]);
    assert!(slow.stderr.contains("the limits are 0.001 m/s"), "{}", slow.stderr);
    assert!(slow.stderr.contains("add --out DIR to keep the last snapshot"), "{}", slow.stderr);
}
