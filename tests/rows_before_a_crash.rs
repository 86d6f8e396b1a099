//! The output files of a run that a plugin ends.

use std::path::Path;

use crate::support::world::{World, differential};
use crate::support::{Workspace, bad_plugins};

/// Report of a crash without a known call of a model.
const OUTSIDE: &str = "error: the process crashed outside the calls of models (SIG";

/// Runs a vehicle with a laser, whose friction model executes a statement from 0.5 s on. Returns the exit
/// code.
fn run(name: &str, statement: &str) -> (Workspace, std::process::Output) {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("rows").join(name);
    let place = folder.join(bad_plugins::library_name("contained"));
    let place = format!("LIBRARY=\"{}\"", place.display());
    bad_plugins::build_of("contained.c", &folder, "contained", &[statement, &place]);
    let robot = differential().friction("in_force").pose(0, 0, 0);
    let robot = robot.xml("<sensor class=\"laser\" name=\"s\"/>");
    let workspace = World::new().step(0.01).vehicle("a", robot).workspace();
    let arguments = ["world.xml", "--duration", "1", "--out", "out", "--plugin-dir"];
    let output = workspace.command().args(arguments).arg(folder).output().unwrap();
    (workspace, output)
}

/// A destructor of a library runs when the process ends.
#[test]
fn a_crash_at_the_end_of_the_process_loses_no_rows() {
    let (workspace, output) = run("destructor", "BAD=crashes_at_end=1");
    let text = String::from_utf8_lossy(&output.stderr);
    let said = "error: a library crashed while it was unloaded (SIGSEGV, invalid address)";
    assert!(text.contains(said) && text.contains("note: loaded plugin files: "), "{text}");
    let rows = std::fs::read_to_string(workspace.path("out/trajectory.csv")).unwrap();
    assert_eq!(rows.lines().count(), 102, "{rows}");
}

/// The files had no rows, and some no header. After a crash outside a call, nothing was printed.
#[test]
fn the_rows_before_a_crash_are_complete() {
    let in_call = "bad/in_force (";
    for (name, statement, code, part) in [
        ("crash", "BAD=crash()", None, in_call),
        ("abort", "BAD=abort()", None, in_call),
        ("exit", "BAD=exit(0)", Some(11), in_call),
        ("thread", "BAD=on_a_thread(crash_there)", None, OUTSIDE),
        ("far", "BAD=damage_host(batch_outputs)", None, "error: "),
    ] {
        let (workspace, output) = run(name, statement);
        let text = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), code, "{name}: {text}");
        assert!(text.contains(part), "{name}: {text}");
        if part == OUTSIDE {
            assert!(text.contains("note: the last call was bad/in_force ("), "{text}");
            assert!(text.contains("note: loaded plugin files: "), "{text}");
        }
        // the memory of the host is overwritten as well
        let is_damaged = name == "far" && text.contains("of simhost was in use or damaged");
        if code.is_none() && !is_damaged {
            assert!(text.contains("note: the files of the run end with the last step"), "{text}");
        }
        for (file, columns, rows) in
            [("trajectory", 11, 50), ("odometry", 11, 50), ("wheels", 12, 100), ("a.s", 0, 1)]
        {
            let text = std::fs::read_to_string(workspace.path(&format!("out/{file}.csv"))).unwrap();
            assert!(text.starts_with("time_s,") && text.ends_with('\n'), "{name} {file}: {text}");
            let lines: Vec<usize> = text.lines().map(|line| line.split(',').count()).collect();
            assert!(lines.iter().all(|count| *count == lines[0]), "{name} {file}");
            assert!(columns == 0 || lines[0] == columns, "{name} {file}");
            assert!(lines.len() > rows || is_damaged, "{name} {file}: {} rows", lines.len() - 1);
        }
    }
}

/// `_exit` runs no code of the host, so the last half of a second of wall time can be lost.
#[test]
fn the_rows_until_half_a_second_before_an_immediate_end_are_complete() {
    let statement = "BAD=if (batch_time > 0.8) usleep(60000); if (batch_time > 0.985) _exit(7)";
    let (workspace, output) = run("sleep", statement);
    assert_eq!(output.status.code(), Some(7));
    for file in ["trajectory", "wheels"] {
        let text = std::fs::read_to_string(workspace.path(&format!("out/{file}.csv"))).unwrap();
        assert!(text.ends_with('\n'), "{text}");
        let last: f64 = text.lines().last().unwrap().split(',').next().unwrap().parse().unwrap();
        // about 60 ms of wall time per step of 10 ms
        assert!(last > 0.8, "{file} ends at {last} s");
    }
}

/// The code of a library that was overwritten in place changed under the run, which ended with SIGBUS.
#[test]
fn a_library_that_is_overwritten_during_a_run_stays() {
    let (workspace, output) = run("overwritten", "BAD=overwrite()");
    let text = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{:?} {text}", output.status);
    assert!(workspace.table("trajectory.csv").last("time_s") > 0.99);
}

/// A copy is loaded under the name of the library, and finds the files next to it.
#[test]
fn a_library_finds_libraries_beside_it() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("rows").join("beside");
    let helper = "BESIDE=helper";
    bad_plugins::build_of("contained.c", &folder, "libhelper", &["DEFINES_HELPER", "VENDOR=\"h\""]);
    let search = format!("-L{}", folder.display());
    let options = [helper, "BAD=beside()", &search, "-Wl,-rpath,$ORIGIN", "-Wl,--no-as-needed"];
    let options: Vec<&str> = options.into_iter().chain(["-lhelper"]).collect();
    bad_plugins::build_of("contained.c", &folder, "contained", &options);
    let robot = differential().friction("bad/in_force").pose(0, 0, 0);
    let workspace = World::new().step(0.01).vehicle("a", robot).workspace();
    let mut command = workspace.command();
    command.args(["world.xml", "--duration", "1", "--plugin-dir"]).arg(folder);
    let output = command.output().unwrap();
    let text = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && text.contains("help from beside"), "{text}");
}

/// A write beyond the largest size of a file ended the process with SIGXFSZ, in the middle of a row.
#[test]
fn a_file_that_may_not_grow_ends_with_a_whole_row() {
    use std::os::unix::process::CommandExt;
    let robot = differential().pose(0, 0, 0);
    let workspace = World::new().step(0.001).vehicle("a", robot).workspace();
    let mut command = workspace.command();
    command.args(["world.xml", "--duration", "20", "--out", "out"]);
    // SAFETY: `setrlimit` is async-signal-safe, and its argument is valid.
    unsafe {
        command.pre_exec(|| {
            let limit = libc::rlimit { rlim_cur: 300_001, rlim_max: 300_001 };
            libc::setrlimit(libc::RLIMIT_FSIZE, &raw const limit);
            Ok(())
        });
    }
    let output = command.output().unwrap();
    let text = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(13), "{:?} {text}", output.status);
    assert!(text.contains("File too large"), "{text}");
    let rows = std::fs::read_to_string(workspace.path("out/wheels.csv")).unwrap();
    assert!(rows.ends_with('\n') && rows.len() > 299_000, "{}", &rows[rows.len() - 99..]);
}
