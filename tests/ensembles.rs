//! `simhost run --members`: tables of metrics, members alone, and how an ensemble ends.

use serde_json::Value;

use crate::support::world::{World, differential, model};
use crate::support::{Table, Workspace, assert_parts};

/// Returns a folder with a world in which a robot with a laser drives.
fn workspace() -> Workspace {
    let robot = differential().controller(model("twist_pid").set("V", 1)).pose(0, 0, 0);
    let robot = robot.xml("<sensor class=\"laser\" name=\"scan\"/>\n");
    World::new().step(0.01).vehicle("r", robot).workspace()
}

/// Returns the seed and the result hash in the manifest of a run.
fn seed_and_hash(workspace: &Workspace, folder: &str) -> [String; 2] {
    let text = std::fs::read(workspace.path(folder).join("manifest.json")).unwrap();
    let manifest: Value = serde_json::from_slice(&text).unwrap();
    let hash = manifest["end"]["result_hash"].as_str().unwrap();
    [manifest["seed"].to_string(), hash.to_owned()]
}

const MEMBERS: [&str; 9] = [
    "world.xml",
    "--members",
    "3",
    "--vary",
    "r/friction/mu=uniform:0.3:1",
    "--vary",
    "r/pose=list:0 0 0,\"1\" 2 0.5",
    "--seed",
    "7",
];

#[test]
fn an_ensemble_writes_a_row_per_member_which_a_run_alone_repeats() {
    let workspace = workspace();
    let mut arguments = MEMBERS.to_vec();
    arguments[6] = "r/pose=list:0 0 0,1 2 0.5";
    arguments.extend(["--set", "r/cmd_vel=1 0 0.2", "--duration", "1.005", "--threads", "2"]);
    let metrics = ["--metric", "max:r/twist[0]", "--metric", "final:r/sensor/scan/range[0]"];
    let each = [&arguments[..], &metrics, &["--each", "--out", "out"]].concat();
    let outcome = workspace.run(&each);
    assert_eq!(outcome.code, 0, "{}", outcome.stderr);
    let parts = ["3 members: 3 reached 1 s\n", "300 steps of 10 ms", "out/metrics.csv"];
    assert_parts(&outcome.stdout, &parts);
    let Table { header, rows } = workspace.table("metrics.csv");
    let columns = [
        "member",
        "seed",
        "r/cmd_vel",
        "r/friction/mu",
        "r/pose",
        "max:r/twist[0] [m/s]",
        "final:r/sensor/scan/range[0] [m]",
        "end",
        "time_s",
        "steps",
        "result_hash",
    ];
    assert_eq!(header, columns);
    let seeds: Vec<&str> = rows.iter().map(|row| &*row[1]).collect();
    assert_eq!(seeds, ["7", "8", "9"]);
    for (number, row) in rows.iter().enumerate() {
        assert_eq!(
            [&*row[4], &*row[7], &*row[9]],
            [["0 0 0", "1 2 0.5"][number % 2], "duration", "100"]
        );
        let of_files = seed_and_hash(&workspace, &format!("out/member-{number}"));
        assert_eq!(of_files, [&*row[1], &*row[10]]);
    }
    assert_ne!(rows[0][10], rows[2][10]);
    let alone = [&arguments[..], &metrics, &["--member", "2", "--out", "alone"]].concat();
    assert_eq!(workspace.run(&alone).code, 0);
    assert_eq!(seed_and_hash(&workspace, "alone"), [&*rows[2][1], &*rows[2][10]]);
    let again = workspace.run(&["rerun", "alone"]);
    assert_eq!(again.code, 0, "{}", again.stdout);
    let whole = workspace.run(&["rerun", "out"]);
    assert_eq!(whole.code, 0, "{}{}", whole.stdout, whole.stderr);
    assert_parts(&whole.stdout, &["repeated 3 members", "the rows of 3 members agree"]);
    let table = std::fs::read_to_string(workspace.path("out/metrics.csv")).unwrap();
    let hash = &*rows[0][10];
    let wrong = hash.chars().rev().collect::<String>();
    assert_ne!(hash, wrong);
    std::fs::write(workspace.path("out/metrics.csv"), table.replace(hash, &wrong)).unwrap();
    let other = workspace.run(&["rerun", "out"]);
    assert_eq!(other.code, 1, "{}{}", other.stdout, other.stderr);
    assert_parts(&other.stdout, &["member 0 differs: recorded result hash "]);
    // an ensemble that cannot start destroys nothing, and one that starts removes the files of the earlier one
    let before = std::fs::read(workspace.path("out/metrics.csv")).unwrap();
    let wrong = [&arguments[..], &["--metric", "max:r/twst", "--out", "out"]].concat();
    assert_eq!(workspace.run(&wrong).code, 2);
    assert_eq!(std::fs::read(workspace.path("out/metrics.csv")).unwrap(), before);
    workspace.simulate(&["--duration", "0.1"]);
    assert!(
        !workspace.path("out/metrics.csv").exists() && !workspace.path("out/member-1").exists()
    );
}

#[test]
fn members_that_fail_are_named_and_fail_the_ensemble_only_together() {
    let workspace = workspace();
    let run = |speeds: &str| {
        let vary = format!("r/cmd_vel/vx=list:{speeds}");
        workspace.run(&[
            "world.xml",
            "--members",
            "3",
            "--vary",
            &vary,
            "--max-speed",
            "1.5",
            "--duration",
            "2",
        ])
    };
    let some = run("1,3,1");
    assert_eq!(some.code, 0, "{}", some.stderr);
    assert_parts(
        &some.stdout,
        &["3 members: 2 reached 2 s, 1 diverged\n  member 1: ", "'r' diverged"],
    );
    let all = run("3,4,5");
    assert_eq!(all.code, 10, "{}", all.stdout);
    assert_parts(&all.stdout, &["3 members: 3 diverged\n"]);
    assert_parts(&all.stderr, &["all members have failed; the first one: ", "'r' diverged"]);
}

/// Numbers that observers write are columns of the table.
#[test]
fn metrics_come_from_observers() {
    let robot = differential().controller(model("twist_pid").set("V", 1)).pose(0, 0, 0);
    let observer = "<observer class=\"metrics\" name=\"most\" quantities=\"r/twist\"/>";
    let workspace = World::new().step(0.01).vehicle("r", robot).xml(observer).workspace();
    let run = [
        "world.xml",
        "--members",
        "3",
        "--duration",
        "1",
        "--vary",
        "r/friction/mu=list:0.2,0.5,0.9",
    ];
    let metrics = [
        "--metric",
        "max:r/twist[0]",
        "--metric",
        "observed:most.csv:r/twist[0]:max",
        "--metric-period",
        "0.01",
    ];
    let outcome = workspace.run(&[&run[..], &metrics, &["--out", "out"]].concat());
    assert_eq!(outcome.code, 0, "{}", outcome.stderr);
    let Table { header, rows } = workspace.table("metrics.csv");
    let at = |name: &str| header.iter().position(|one| one.starts_with(name)).unwrap();
    let (own, observed) = (at("max:r/twist[0]"), at("observed:most.csv"));
    assert!(rows.iter().all(|row| row[own] == row[observed] && row[own] != "nan"), "{rows:?}");
    // without a folder, observers write nothing
    let outcome = workspace.run(&[&run[..], &metrics].concat());
    assert_eq!(outcome.code, 2, "{}", outcome.stderr);
    assert_parts(&outcome.stderr, &["no folder for the files of observers"]);
}

#[test]
fn options_of_single_runs_are_refused_before_anything_runs() {
    let workspace = workspace();
    for (more, code, part) in [
        (
            &["--energy", "--out", "out"][..],
            2,
            "--each to write the files of each member, or --member K",
        ),
        (&["--clock", "realtime"], 2, "help: add --member K to run member K alone"),
        (&["--resume", "x"], 2, "--resume has no meaning for an ensemble"),
        (&["--member", "3"], 2, "unknown member 3; the members are 0 to 2"),
        (&["--max-memory", "1K"], 15, "(--max-memory)"),
        (&[], 12, "cannot vary 'r/pose': a value is '\"1\" 2 0.5'"),
    ] {
        let outcome = workspace.run(&[&MEMBERS[..], more].concat());
        assert_eq!(outcome.code, code, "{more:?}: {}", outcome.stderr);
        assert_parts(&outcome.stderr, &[part]);
        assert!(!workspace.path("out").exists());
    }
}

#[cfg(unix)]
#[test]
fn an_interrupted_ensemble_writes_the_rows_so_far() {
    use crate::support::waiting::{end_of, send, wait_for};

    let workspace = workspace();
    let mut child = workspace
        .command()
        .args(["world.xml", "--members", "4", "--duration", "1000000", "--out", "out", "-q"])
        .spawn()
        .unwrap();
    wait_for("the manifest", || workspace.path("out/manifest.json").exists());
    send(&child, libc::SIGINT);
    assert_eq!(end_of(&mut child).code(), Some(130));
    let Table { header, rows } = workspace.table("metrics.csv");
    let end = header.iter().position(|name| name == "end").unwrap();
    assert!(rows.len() == 4 && rows.iter().all(|row| row[end] == "running"), "{rows:?}");
}

/// The world is expanded once, so that what it draws is the same in all members and runs.
#[test]
fn random_values_of_the_world_that_members_share_are_named_once() {
    let text = "<mvsim_world>\n<variable name=\"mu\" value=\"$f{0.5 + 0.1 * rand()}\"/>\n<simul_timestep>0.01</simul_timestep>\n\
                <for var=\"i\" from=\"1\" to=\"3\"><vehicle name=\"r${i}\">\n<init_pose>$f{randn()} ${i} 0</init_pose>\
                <dynamics class=\"differential\"/><friction mu=\"${mu}\"/></vehicle></for>\n</mvsim_world>\n";
    let workspace = Workspace::new(text);
    let shared = "same random values of the world file: rand() and randn() are evaluated once, with the seed of the \
                  world: variable 'mu' (world.xml:2), a value (world.xml:5)\nhelp: draw what is to differ with a distribution";
    let members = ["world.xml", "--duration", "0.1", "--members"];
    let outcome = workspace.run(&[&members[..], &["3"]].concat());
    assert_eq!(outcome.code, 0, "{}", outcome.stderr);
    assert_parts(&outcome.stderr, &["warning: all members have the ", shared]);
    assert_eq!(outcome.stderr.matches("rand()").count(), 1, "{}", outcome.stderr);
    let alone = workspace.run(&[&members[..], &["1"]].concat());
    assert!(!alone.stderr.contains("rand()"), "{}", alone.stderr);
    workspace.write("plan.toml", "world = 'world.xml'\nduration = 0.1\nrepeat = 3\n");
    let study = workspace.run(&["sweep", "plan.toml", "--out", "study"]);
    assert_eq!(study.code, 0, "{}", study.stderr);
    assert_parts(&study.stderr, &["warning: all runs have the ", shared]);
    // a value that is given is not drawn
    workspace.write("world.xml", &text.replace("$f{randn()}", "0"));
    let given = workspace.run(&[&members[..], &["3", "--set", "variable/mu=0.7"]].concat());
    assert_eq!(given.code, 0, "{}", given.stderr);
    assert!(!given.stderr.contains("rand()"), "{}", given.stderr);
}
