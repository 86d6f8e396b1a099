//! The table of threads in the guide, row by row, witnessed by a plugin in C.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

use crate::support::world::{World, vehicle};
use crate::support::{Workspace, bad_plugins};

/// How a function of the plugin was called.
#[derive(Clone, Copy, Debug)]
struct Calls {
    calls: u64,
    threads: u64,
    /// Largest number of simultaneous calls on one instance.
    most: u64,
    /// Number of calls from threads other than the loading thread.
    elsewhere: u64,
    /// Number of calls of create, destroy, arrange and capacity while another function of the instance ran.
    overlaps: u64,
    /// Number of calls out of the order control, drive, force, measure.
    unordered: u64,
}

/// Number of vehicles that fit into one table, and number from which tables are divided among threads.
const ONE_TABLE: usize = 100;
const MANY_TABLES: usize = 2100;
const STEPS: u64 = 20;

/// Returns a world in which the witness provides every model.
fn world(vehicles: usize) -> World {
    let sensor =
        "<sensor class=\"witness\" name=\"s\"><sensor_period>0.05</sensor_period></sensor>";
    let robot = vehicle("witness").controller("witness").friction("witness").xml(sensor);
    (0..vehicles).fold(World::new().step(0.01).set("duration", 0.2), |world, i| {
        world.vehicle(&format!("v{i}"), robot.clone().pose(3 * (i % 32), 3 * (i / 32), 0))
    })
}

/// Returns the record of the witness for a run on some number of threads.
fn witness(workspace: &Workspace, threads: &str) -> BTreeMap<String, Calls> {
    let plugins = workspace.path("plugins");
    std::fs::create_dir_all(&plugins).unwrap();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let compiled = Command::new("cc")
        .args(["-std=gnu99", "-O1", "-shared", "-fPIC", "-pthread", "-I"])
        .arg(root.join("sdk/c"))
        .arg(root.join("tests/plugins/c/witness.c"))
        .arg("-o")
        .arg(plugins.join(bad_plugins::library_name("witness")))
        .output()
        .expect("this test needs cc");
    assert!(compiled.status.success(), "{}", String::from_utf8_lossy(&compiled.stderr));
    let report = workspace.path("report");
    let mut command = workspace.command();
    command.args(["world.xml", "--plugin-dir", "plugins", "--threads", threads]);
    let output = command.env("WITNESS", &report).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = std::fs::read_to_string(report).unwrap();
    text.lines()
        .map(|line| {
            let (name, numbers) = line.split_once(' ').unwrap();
            let numbers: Vec<u64> = numbers.split(' ').map(|n| n.parse().unwrap()).collect();
            let [calls, threads, most, elsewhere, overlaps, unordered] = numbers[..] else {
                panic!()
            };
            (name.to_owned(), Calls { calls, threads, most, elsewhere, overlaps, unordered })
        })
        .collect()
}

#[test]
fn every_function_is_called_as_the_table_says() {
    for (threads, vehicles) in [("1", ONE_TABLE), ("4", MANY_TABLES)] {
        let workspace = world(vehicles).workspace();
        let seen = witness(&workspace, threads);
        let of = |name: &str| seen[name];
        // at load and at the end: on the thread of the caller, one at a time
        for name in ["create", "destroy", "arrange", "capacity", "memory"] {
            let calls = of(name);
            assert!(calls.calls > 0, "{name} was not called");
            assert_eq!(
                (calls.threads, calls.elsewhere, calls.overlaps),
                (1, 0, 0),
                "{name}: {calls:?}"
            );
        }
        assert_eq!(of("create").calls, of("destroy").calls);
        // vehicles that repeat each other share a call
        assert!((1..=vehicles as u64).contains(&of("arrange").calls));
        // once per wheel
        assert_eq!(of("memory").calls, 2 * vehicles as u64);
        // in every step, in this order, possibly in several parts
        for name in ["control", "drive", "force"] {
            let calls = of(name);
            let elsewhere = threads == "1" || calls.elsewhere > 0;
            assert!(calls.calls >= STEPS && elsewhere, "{name}: {calls:?}");
            // with several tables, another one can be in another phase
            assert!(calls.unordered == 0 || vehicles > ONE_TABLE, "{name}: {calls:?}");
        }
        // one extra call before the first step
        assert!(of("measure").calls > STEPS);
        assert_eq!(of("aim").calls, of("read").calls);
        // on several threads lanes are split, and an instance is called for several parts at once
        let measure = STEPS + 1;
        for (name, times) in [
            ("control", STEPS),
            ("drive", STEPS),
            ("force", STEPS),
            ("measure", measure),
            ("rates", 4 * STEPS),
        ] {
            let calls = of(name);
            if threads == "1" {
                assert_eq!(
                    (calls.calls, calls.threads, calls.most),
                    (times, 1, 1),
                    "{name}: {calls:?}"
                );
            } else {
                let split = calls.calls > times && calls.threads > 1 && calls.most > 1;
                assert!(split, "{name}: {calls:?}");
            }
        }
    }
}
