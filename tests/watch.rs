//! `--watch`: a rebuilt plugin takes over with the state of the old one.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::Stdio;
use std::sync::mpsc::{Receiver, channel};

use crate::support::waiting::{PATIENCE, Program};
use crate::support::world::{World, differential};
use crate::support::{Workspace, bad_plugins};

fn workspace() -> Workspace {
    let robot = differential().friction("counter").pose(0, 0, 0).velocity(1, 0, 0);
    World::new().step(0.01).vehicle("a", robot).workspace()
}

/// Run that continues until it is ended.
struct Running {
    child: Program,
    lines: Receiver<String>,
}

impl Running {
    fn begin(workspace: &Workspace) -> Self {
        std::fs::create_dir_all(workspace.path("temporary")).unwrap();
        let mut command = workspace.command();
        command.env("TMPDIR", workspace.path("temporary"));
        command.args(["world.xml", "--duration", "1e9", "--plugin-dir", "plugins", "--watch"]);
        let mut child = Program::start(command.stderr(Stdio::piped()).stdout(Stdio::null()));
        let (sender, lines) = channel();
        let output = child.stderr.take().unwrap();
        std::thread::spawn(move || {
            BufReader::new(output)
                .lines()
                .map_while(Result::ok)
                .all(|line| sender.send(line).is_ok())
        });
        Self { child, lines }
    }

    /// Waits for the first line that contains a text.
    fn says(&self, text: &str) -> String {
        loop {
            let line = self.lines.recv_timeout(PATIENCE).expect(text);
            if line.contains(text) {
                return line;
            }
        }
    }
}

/// Installs a version of the plugin as a linker does: written elsewhere, then moved.
fn install(workspace: &Workspace, macros: &[&str]) {
    let built = bad_plugins::build_of("counter.c", &workspace.path("built"), "counter", macros);
    replace(workspace, &built);
}

fn replace(workspace: &Workspace, with: &Path) {
    std::fs::create_dir_all(workspace.path("plugins")).unwrap();
    let name = bad_plugins::library_name("counter");
    std::fs::rename(with, workspace.path("plugins").join(name)).unwrap();
}

/// Starts a run that watches a plugin.
fn running() -> (Workspace, Running) {
    let workspace = workspace();
    install(&workspace, &[]);
    let running = Running::begin(&workspace);
    (workspace, running)
}

#[test]
fn a_plugin_that_is_built_again_remembers() {
    let (workspace, mut running) = running();
    // give the first version time to be called
    install(&workspace, &["AGAIN"]);
    running.says(": reloaded ");
    // a plugin that cannot take over leaves the old one in use
    replace(&workspace, &workspace.write("text", "no library"));
    running.says("keeping the old plugin");
    install(&workspace, &["SPEAK"]);
    let said = running.says("I remember");
    let calls: f64 =
        said.split("remember ").nth(1).unwrap().split(' ').next().unwrap().parse().unwrap();
    assert!(calls > 0.0, "{said}");
    assert_eq!(running.child.wait().unwrap().code(), Some(11));
}

#[test]
fn a_slot_with_another_name_begins_anew() {
    let (workspace, running) = running();
    install(&workspace, &["AGAIN"]);
    running.says(": reloaded ");
    install(&workspace, &["SPEAK", "RENAMED"]);
    assert!(running.says("I remember").contains("remember 0 calls"));
}

/// A rebuilt library that cannot be used is reported under the name that the user knows, and copies of
/// libraries are gone after a crash.
#[test]
fn the_file_of_the_user_is_named_and_a_crash_leaves_nothing_behind() {
    let (workspace, mut running) = running();
    install(&workspace, &["AGAIN"]);
    running.says(": reloaded plugins/counter");
    replace(&workspace, &workspace.write("text", "no library"));
    let said = running.says("skipped");
    let name = bad_plugins::library_name("counter");
    assert!(said.contains(&format!("skipped plugins/{name}: it is not a shared")), "{said}");
    running.says("keeping the old plugin");
    install(&workspace, &["CRASH"]);
    let said = running.says("SIGSEGV");
    assert!(said.contains(&format!("plugins/{name}")), "{said}");
    running.child.wait().unwrap();
    let left = std::fs::read_dir(workspace.path("temporary")).unwrap();
    let left: Vec<_> = left.map(|entry| entry.unwrap().path()).collect();
    assert!(left.is_empty(), "{left:?}");
}

/// The world file was read again only when a plugin was rebuilt.
#[test]
fn a_changed_world_acts_and_an_invalid_one_does_not() {
    let (workspace, mut running) = running();
    let text = std::fs::read_to_string(workspace.path("world.xml")).unwrap();
    install(&workspace, &["AGAIN"]);
    running.says(": reloaded plugins/counter");
    let write = |text: &str| {
        // in one step, as editors do
        std::fs::rename(workspace.write("new.xml", text), workspace.path("world.xml")).unwrap();
    };
    write(&text.replace("</vehicle>", "<nonsense/></vehicle>"));
    running.says("unknown");
    running.says("keeping the old world");
    write(&text.replace("<simul_timestep>", "<gravity>1.5</gravity><simul_timestep>"));
    running.says(": reloaded world.xml");
    write(&text.replace("name=\"a\"", "name=\"b\""));
    running.says("the worlds differ: the vehicles differ");
    running.says("keeping the old world");
    crate::support::waiting::send(&running.child, libc::SIGTERM);
    assert_eq!(running.child.wait().unwrap().code(), Some(130));
}
