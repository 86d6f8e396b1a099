//! The output files of a run that a plugin ends.

use std::path::Path;

use crate::support::world::{World, differential};
use crate::support::{Workspace, bad_plugins};

/// Runs a vehicle with a laser, whose friction model executes a statement from 0.5 s on. Returns the exit
/// code.
fn run(name: &str, statement: &str) -> (Workspace, Option<i32>) {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("rows").join(name);
    bad_plugins::build_of("contained.c", &folder, "contained", &[statement]);
    let robot = differential().friction("in_force").pose(0, 0, 0);
    let robot = robot.xml("<sensor class=\"laser\" name=\"s\"/>");
    let workspace = World::new().step(0.01).vehicle("a", robot).workspace();
    let arguments = ["world.xml", "--duration", "1", "--out", "out", "--plugin-dir"];
    let output = workspace.command().args(arguments).arg(folder).output().unwrap();
    (workspace, output.status.code())
}

/// The files had no rows, and some no header.
#[test]
fn the_rows_before_a_crash_are_complete() {
    for (name, statement, code) in [
        ("crash", "BAD=crash()", None),
        ("abort", "BAD=abort()", None),
        ("exit", "BAD=exit(0)", Some(11)),
    ] {
        let (workspace, ended) = run(name, statement);
        assert_eq!(ended, code);
        for (file, columns, rows) in
            [("trajectory", 11, 50), ("odometry", 11, 50), ("wheels", 12, 100), ("a.s", 0, 1)]
        {
            let text = std::fs::read_to_string(workspace.path(&format!("out/{file}.csv"))).unwrap();
            assert!(text.starts_with("time_s,") && text.ends_with('\n'), "{name} {file}: {text}");
            let lines: Vec<usize> = text.lines().map(|line| line.split(',').count()).collect();
            assert!(lines.iter().all(|count| *count == lines[0]), "{name} {file}");
            assert!(columns == 0 || lines[0] == columns, "{name} {file}");
            assert!(lines.len() > rows, "{name} {file}: {} rows, {rows}", lines.len() - 1);
        }
    }
}

/// `_exit` runs no code of the host, so the last half of a second of wall time can be lost.
#[test]
fn the_rows_until_half_a_second_before_an_immediate_end_are_complete() {
    let statement = "BAD=usleep(60000); if (batch_time > 0.985) _exit(7)";
    let (workspace, ended) = run("sleep", statement);
    assert_eq!(ended, Some(7));
    for file in ["trajectory", "wheels"] {
        let text = std::fs::read_to_string(workspace.path(&format!("out/{file}.csv"))).unwrap();
        assert!(text.ends_with('\n'), "{text}");
        let last: f64 = text.lines().last().unwrap().split(',').next().unwrap().parse().unwrap();
        // about 60 ms of wall time per step of 10 ms
        assert!(last > 0.8, "{file} ends at {last} s");
    }
}
