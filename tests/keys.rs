//! Keys that control a run, and the terminal after any end of it.

use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::Command;

use crate::support::world::{Vehicle, World, differential};
use crate::support::{SIMHOST, Workspace, bad_plugins, pty::Terminal};

fn world(robot: Vehicle) -> Workspace {
    World::new().step(0.01).vehicle("robot", robot.pose(0, 0, 0)).workspace()
}

/// Name of a file in the folder of a run that exists once the run reads keys.
const KEYS: &str = "keys";

/// Starts a run on a terminal that lasts until something ends it.
fn start(workspace: &Workspace, arguments: &[&str]) -> Terminal {
    let mut command = workspace.command();
    command.args(["world.xml", "--duration", "100000", "--clock", "realtime"]).args(arguments);
    let terminal = Terminal::start(command);
    terminal.wait_for_keys(true);
    workspace.write(KEYS, "");
    terminal
}

/// Starts a recorded run of a robot on a terminal.
fn recorded() -> (Workspace, Terminal) {
    let workspace = world(differential());
    let terminal = start(&workspace, &["--out", "out"]);
    (workspace, terminal)
}

/// Returns the inputs that a run has recorded, in order, without their numbers.
fn inputs(workspace: &Workspace) -> Vec<String> {
    let text = std::fs::read_to_string(workspace.path("out/inputs.jsonl")).unwrap();
    let inputs = text.lines().filter_map(|line| {
        let line: serde_json::Value = serde_json::from_str(line).unwrap();
        let find = |value: &serde_json::Value| value["input"].as_str().map(str::to_owned);
        find(&line).or_else(|| find(&line["input"]))
    });
    inputs.collect()
}

#[test]
fn q_ends_a_run_and_completes_its_files() {
    let (workspace, mut terminal) = recorded();
    terminal.press("q");
    assert_eq!(terminal.end().code(), Some(0), "{}", terminal.screen());
    assert!(terminal.screen().contains("files in out"), "{}", terminal.screen());
    let rows = workspace.table("trajectory.csv").rows;
    assert!(!rows.is_empty());
    assert_eq!(inputs(&workspace), ["stop"]);
    let manifest = std::fs::read_to_string(workspace.path("out/manifest.json")).unwrap();
    assert!(manifest.contains("result_hash"), "{manifest}");
}

#[test]
fn space_pauses_and_a_dot_steps() {
    let (workspace, mut terminal) = recorded();
    terminal.press(" ");
    terminal.wait_for("paused");
    std::thread::sleep(std::time::Duration::from_millis(200)); // the summary names pauses of 50 ms
    for count in 1..=3 {
        terminal.press(".");
        terminal.wait_until("a step", |_| inputs(&workspace).len() == 1 + count);
    }
    terminal.press(" ");
    terminal.wait_until("the end of the pause", |_| inputs(&workspace).len() == 5);
    terminal.press("q");
    assert_eq!(terminal.end().code(), Some(0), "{}", terminal.screen());
    assert_eq!(inputs(&workspace), ["pause", "step", "step", "step", "resume", "stop"]);
    assert!(terminal.screen().contains("s of pauses: "), "{}", terminal.screen());
}

#[test]
fn plus_and_minus_change_the_pace() {
    let (workspace, mut terminal) = recorded();
    terminal.press("+++");
    terminal.wait_for("8x");
    terminal.press("----");
    terminal.wait_for("0.5x");
    terminal.press("q");
    assert_eq!(terminal.end().code(), Some(0), "{}", terminal.screen());
    let paces = std::fs::read_to_string(workspace.path("out/inputs.jsonl")).unwrap();
    assert_eq!(paces.matches("\"pace\"").count(), 7, "{paces}");
}

#[test]
fn ctrl_c_still_interrupts() {
    let workspace = world(differential());
    for keys in ["\x03", " \x03"] {
        let mut terminal = start(&workspace, &[]);
        terminal.press(keys);
        assert_eq!(terminal.end().code(), Some(130), "{}", terminal.screen());
    }
}

#[test]
fn the_terminal_is_restored_after_signals() {
    let workspace = world(differential());
    for signal in [libc::SIGTERM, libc::SIGHUP] {
        let mut terminal = start(&workspace, &[]);
        terminal.signal(signal);
        assert_eq!(terminal.end().code(), Some(130), "{signal}");
    }
    for signal in [libc::SIGQUIT, libc::SIGSEGV, libc::SIGABRT, libc::SIGUSR2, libc::SIGALRM] {
        let mut terminal = start(&workspace, &[]);
        terminal.signal(signal);
        assert_eq!(terminal.end().signal(), Some(signal));
    }
}

/// `exit` of a library runs no code of the program, and a crash none that could be left out.
#[test]
fn the_terminal_is_restored_after_a_plugin_ends_the_process() {
    for (name, statement, end) in [
        ("late_exit", "exit(0)", (Some(11), None)),
        ("late_crash", "crash()", (None, Some(libc::SIGSEGV))),
        ("late_trap", "__builtin_trap()", (None, Some(libc::SIGILL))),
    ] {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("keys").join(name);
        let late = format!("BAD=if (access(\"{KEYS}\", F_OK) == 0) {statement}");
        bad_plugins::build_of("contained.c", &folder, "contained", &[&late]);
        let workspace = world(differential().friction("in_force"));
        let mut terminal = start(&workspace, &["--plugin-dir", folder.to_str().unwrap()]);
        let status = terminal.end();
        let found = (status.code(), status.signal());
        let trapped = statement.contains("trap") && status.signal() == Some(libc::SIGTRAP);
        assert!(found == end || trapped, "{name}: {found:?}\n{}", terminal.screen());
    }
}

/// Returns a shell with job control that runs a script.
fn shell(workspace: &Workspace, script: &str) -> Terminal {
    let mut command = Command::new("sh");
    command.args(["-c", &format!("set -m\n{script}")]);
    command.current_dir(workspace.path("")).env("SIMHOST", SIMHOST);
    Terminal::start(command)
}

#[test]
fn a_run_that_is_stopped_gives_the_terminal_back_until_it_continues() {
    let workspace = world(differential());
    let run = "\"$SIMHOST\" world.xml --duration 100000 --clock realtime";
    let script = format!("{run}\necho stop''ped\nread line\nfg\necho code $?");
    let mut terminal = shell(&workspace, &script);
    terminal.wait_for_keys(true);
    terminal.press("\x1a");
    terminal.wait_for("stopped");
    terminal.wait_for_keys(false);
    terminal.press("\n");
    terminal.wait_for_keys(true);
    terminal.press("q");
    terminal.wait_for("code 0");
    assert_eq!(terminal.end().code(), Some(0), "{}", terminal.screen());
}

#[test]
fn a_run_in_the_background_leaves_the_terminal_alone() {
    let workspace = world(differential());
    let run = "\"$SIMHOST\" world.xml --duration 0.5 --clock realtime";
    let mut terminal = shell(&workspace, &format!("{run} &\nwait $!\necho code $?"));
    terminal.wait_until("the end", |terminal| {
        assert!(!terminal.reads_keys());
        terminal.screen().contains("code 0")
    });
    assert_eq!(terminal.end().code(), Some(0), "{}", terminal.screen());
}

#[test]
fn keys_are_not_read_if_the_output_is_not_a_terminal() {
    let workspace = world(differential());
    let script = "\"$SIMHOST\" world.xml --duration 0.3 --clock realtime 2> text\necho code $?";
    let mut terminal = shell(&workspace, script);
    terminal.wait_until("the end", |terminal| {
        assert!(!terminal.reads_keys());
        terminal.screen().contains("code 0")
    });
    terminal.end();
}
