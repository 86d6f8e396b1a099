//! Ctrl-C and termination signals at any time, unusable downloads, and standard output that cannot be
//! written.

#[cfg(feature = "https")]
mod downloads;

use libc::{SIGINT, SIGTERM};
use std::io::{BufRead, Read};
use std::path::Path;
use std::process::{Child, Stdio};

use crate::support::waiting::{Program, end_of, send, wait_for, wait_for_handler};
use crate::support::world::{Vehicle, World, differential};
use crate::support::{Workspace, bad_plugins};

fn robot() -> Vehicle {
    differential().pose(0, 0, 0)
}

/// Starts the program with these arguments.
fn start(workspace: &Workspace, arguments: &[&str]) -> Program {
    let mut command = workspace.command();
    command.args(arguments).env("TMPDIR", workspace.path(""));
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    Program::start(&mut command)
}

/// Sends a signal, and expects the program to end with exit code 130.
fn stop(child: &mut Child, signal: libc::c_int) {
    wait_for_handler(child, signal);
    send(child, signal);
    assert_eq!(end_of(child).code(), Some(130));
}

/// Returns the command lines of all processes that contain a path.
fn processes_with(path: &Path) -> Vec<String> {
    let path = path.to_str().unwrap();
    let ids = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    let lines = ids.filter_map(|id| std::fs::read_to_string(id.path().join("cmdline")).ok());
    lines.filter(|line| line.contains(path)).collect()
}

/// A file that did not return while it was loaded was waited for, up to 5 s.
#[test]
fn the_trial_of_a_plugin_stops() {
    let workspace = Workspace::new("");
    let source = "#include <unistd.h>\n__attribute__((constructor)) static void hang(void) {\n\
                  for (;;) sleep(1); }\nint simhost_plugin_v1;\n";
    workspace.write("hang.c", source);
    let library = format!("hang{}", std::env::consts::DLL_SUFFIX);
    let built = std::process::Command::new("cc")
        .args(["-shared", "-fPIC", "-o"])
        .args([workspace.path(&library), workspace.path("hang.c")])
        .status();
    assert!(built.unwrap().success());
    let file = workspace.path(&library);
    let file = file.to_str().unwrap();
    for verb in ["check", "bench", "info"] {
        let mut child = start(&workspace, &["plugin", verb, file]);
        let probes = || processes_with(&workspace.path("")).len() > 1;
        wait_for("the trial", probes);
        stop(&mut child, SIGTERM);
        wait_for("the end of the trial", || processes_with(&workspace.path("")).is_empty());
    }
}

/// Waited up to 10 s for the command, and left its children behind. Now 0.01 s.
#[test]
fn a_shell_command_stops_with_everything_it_started() {
    for (verb, signal) in [("run", SIGTERM), ("check", SIGINT), ("print", SIGTERM)] {
        let sleep = "<variable name=\"x\" value=\"$(sleep 3600 &amp; echo $! &gt; child; wait)\"/>";
        let workspace = World::new().xml(sleep).vehicle("robot", robot()).workspace();
        let mut child = start(&workspace, &[verb, "world.xml", "--allow", "shell"]);
        let read = || std::fs::read_to_string(workspace.path("child")).unwrap_or_default();
        wait_for("the command", || read().ends_with('\n'));
        stop(&mut child, signal);
        // a process that has ended has no command line, also before the system forgets it
        let sleep = format!("/proc/{}/cmdline", read().trim());
        let has_ended = || std::fs::read_to_string(&sleep).is_ok_and(|line| line.is_empty());
        wait_for("the end of the command", || !Path::new(&sleep).exists() || has_ended());
    }
}

/// Loaded the whole world first, which took 2.6 s. Now 0.15 s.
#[test]
fn loading_a_large_world_stops() {
    let workspace = World::new().xml(
        "<variable name=\"begun\" value=\"$(touch begun)\"/>\
         <for var=\"i\" from=\"1\" to=\"150000\"><vehicle><dynamics \
         class=\"differential\"><chassis mass=\"$f{10+i}\"/></dynamics><init_pose>$f{sqrt(i)} \
         $f{2*i} 0</init_pose></vehicle></for>",
    );
    let workspace = workspace.workspace();
    for (verb, signal) in [("run", SIGINT), ("check", SIGTERM)] {
        let begun = workspace.path("begun");
        let mut child = start(&workspace, &[verb, "world.xml", "--allow", "shell"]);
        wait_for("the first element", || begun.exists());
        stop(&mut child, signal);
        std::fs::remove_file(begun).unwrap();
    }
}

/// Ended without exit code 130, and left the processes of the tests behind.
#[test]
fn tests_of_models_stop() {
    for signal in [SIGINT, SIGTERM] {
        let workspace = Workspace::new("");
        let arguments = ["plugin", "check", "simhost/default", "--fuzz", "1000000"];
        let mut child = start(&workspace, &[&arguments[..], &["--timeout", "3600"]].concat());
        let tests = || processes_with(&workspace.path(""));
        wait_for("a test", || !tests().is_empty());
        stop(&mut child, signal);
        wait_for("the end of the tests", || tests().is_empty());
    }
}

/// Ended without exit code 130.
#[test]
fn timing_of_models_stops() {
    let workspace = Workspace::new("");
    let mut child = start(&workspace, &["plugin", "bench", "simhost/multi_body"]);
    stop(&mut child, SIGTERM);
}

/// Took 16 steps between two looks at signals: 0.11 s, and more with more vehicles. Now 0.04 s.
#[test]
fn the_steps_of_many_vehicles_stop() {
    let workspace = World::new().xml(
        "<for var=\"i\" from=\"1\" to=\"20000\"><vehicle><dynamics \
         class=\"differential\"/><init_pose>0 $f{3*i} 0</init_pose></vehicle></for>",
    );
    let workspace = workspace.workspace();
    let mut command = workspace.command();
    command.args(["world.xml", "--duration", "1000", "--verbose"]);
    let mut child = Program::start(command.stdout(Stdio::null()).stderr(Stdio::piped()));
    let mut text = String::new();
    let mut lines = child.stderr.take().unwrap();
    while !text.contains("steps of") {
        let mut byte = [0];
        assert_eq!(lines.read(&mut byte).unwrap(), 1, "{text}");
        text.push(char::from(byte[0]));
    }
    stop(&mut child, SIGINT);
}

/// Starts a run with a friction model in C that executes a statement in step 10, and waits until then.
fn start_with_long_step(name: &str, statement: &str) -> (Workspace, Program) {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("stopping").join(name);
    let body = format!(
        "BAD=static int calls; if (++calls == 10) {{ fclose(fopen(\"begun\", \"w\")); {statement}; }}"
    );
    let macros = ["-includestdio.h", "-includeunistd.h", &body];
    bad_plugins::build_of("contained.c", &folder, "contained", &macros);
    let workspace = Workspace::new(
        "<mvsim_world><vehicle name=\"robot\"><dynamics class=\"differential\"/>\
         <friction class=\"in_force\"/><init_pose>0 0 0</init_pose></vehicle></mvsim_world>",
    );
    let mut command = workspace.command();
    command.args(["world.xml", "--duration", "1000", "--out", "out", "--plugin-dir"]).arg(folder);
    let child = Program::start(command.stdout(Stdio::null()).stderr(Stdio::piped()));
    wait_for("the long step", || workspace.path("begun").exists());
    (workspace, child)
}

fn messages_of(child: &mut Child) -> String {
    let mut text = String::new();
    child.stderr.take().unwrap().read_to_string(&mut text).unwrap();
    text
}

const LONG_STEP: &str = "the run ends after this step; press Ctrl-C again to end it at once";

/// The first Ctrl-C killed a run whose step took more than 0.13 s.
#[test]
fn a_long_step_is_completed() {
    for (signal, is_explained) in [(SIGINT, true), (SIGTERM, false)] {
        let (workspace, mut child) =
            start_with_long_step("sleeps", "unsigned left = 2; while (left) left = sleep(left)");
        send(&child, signal);
        let text = messages_of(&mut child);
        assert_eq!(end_of(&mut child).code(), Some(130), "{text}");
        assert_eq!(text.contains(LONG_STEP), is_explained, "{text}");
        let manifest = std::fs::read_to_string(workspace.path("out/manifest.json")).unwrap();
        assert!(manifest.contains("result_hash"), "{manifest}");
    }
}

#[test]
fn a_second_signal_ends_a_step_that_does_not_return() {
    let (_workspace, mut child) = start_with_long_step("hangs", "for (;;) sleep(1)");
    send(&child, SIGINT);
    let mut lines = std::io::BufReader::new(child.stderr.take().unwrap()).lines();
    assert!(lines.any(|line| line.unwrap().contains(LONG_STEP)));
    send(&child, SIGINT);
    assert_eq!(end_of(&mut child).code(), Some(130));
}

/// Returns the exit code and the messages of a call whose standard output is `output`.
fn with_output(workspace: &Workspace, arguments: &[&str], output: Stdio) -> (Option<i32>, String) {
    let mut command = workspace.command();
    command.args(arguments).stdout(output).stderr(Stdio::piped());
    let outcome = command.output().unwrap();
    (outcome.status.code(), String::from_utf8(outcome.stderr).unwrap())
}

/// Had exit code 0.
#[test]
fn standard_output_that_cannot_be_written_has_code_13() {
    let workspace = World::new().vehicle("robot", robot()).workspace();
    for arguments in [
        &["world.xml", "--duration", "1"][..],
        &["check", "world.xml"],
        &["print", "world.xml"],
        &["schema", "--json"],
        &["plugin", "list"],
        &["plugin", "check", "simhost/raw", "--only", "param-default-in-range"],
        &["--help"],
    ] {
        let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
        let (code, text) = with_output(&workspace, arguments, full.into());
        assert_eq!(code, Some(13), "{arguments:?} to a full disk: {text}");
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        // as with `| head`: whoever reads has seen enough
        let (code, text) = with_output(&workspace, arguments, writer.into());
        let is_silent = !text.contains("error");
        assert!(code == Some(0) && is_silent, "{arguments:?} to a closed pipe: {code:?} {text}");
    }
}
