//! The committed result hash of each world. Within one build the state hash is also the same on 1, 2
//! and 4 threads and after a restored snapshot.
//!
//! `UPDATE_EXPECT=1 cargo test -p simhost --test hashes` rewrites `tests/data/hashes.csv`.
//! `tests/hash_across_builds.sh` compares other builds with it.

#![allow(clippy::unwrap_used)]

#[path = "support/projects.rs"]
mod projects;
mod support;
#[path = "support/world_files.rs"]
mod world_files;
#[path = "support/world_plugins.rs"]
mod world_plugins;

use std::path::PathBuf;

use support::Workspace;
use world_files::WorldFile;

/// Long enough for vehicles to meet what stands in their way, s.
const DURATION: f64 = 10.0;

struct Run<'a> {
    world: &'a WorldFile,
    plugins: &'a [PathBuf],
    workspace: Workspace,
}

#[derive(Debug, PartialEq)]
struct Hashes {
    state: String,
    result: String,
}

impl Run<'_> {
    /// Runs the world and returns the hashes at its end.
    fn hashes(&self, more: &[&str]) -> Hashes {
        let mut command = self.workspace.command();
        let duration = DURATION.to_string();
        command.arg(&self.world.path).args(["--duration", &duration, "--hash-every", &duration]);
        if let Some(commands) = &self.world.commands {
            command.arg("--commands").arg(commands);
        }
        for folder in self.plugins {
            command.arg("--plugin-dir").arg(folder);
        }
        let output = command.args(more).output().unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let hash = |prefix: &str| {
            let line = text.lines().find_map(|line| line.strip_prefix(prefix)).unwrap();
            line.split(' ').next().unwrap().to_owned()
        };
        Hashes { state: hash("state hash "), result: hash("result hash ") }
    }
}

#[test]
fn every_world_has_its_result_hash_whatever_the_threads() {
    let plugins = world_plugins::folders();
    let mut table = "world,duration_s,result_hash\n".to_owned();
    for world in world_files::all() {
        let name = &world.name;
        let run = Run { world: &world, plugins: &plugins, workspace: Workspace::new("") };
        let hashes = run.hashes(&["--snapshot-every", "4", "--snapshot-dir", "kept"]);
        for threads in ["2", "4"] {
            assert_eq!(run.hashes(&["--threads", threads]), hashes, "{name} on {threads} threads");
        }
        let kept = std::fs::read_dir(run.workspace.path("kept")).unwrap();
        let kept: Vec<PathBuf> = kept.map(|file| file.unwrap().path()).collect();
        assert_eq!(kept.len(), 2);
        for file in kept {
            let resumed = run.hashes(&["--resume", file.to_str().unwrap()]);
            assert_eq!(resumed, hashes, "{name} from {}", file.display());
        }
        table += &format!("{name},{DURATION},{}\n", hashes.result);
    }
    let file = projects::root().join("tests/data/hashes.csv");
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        std::fs::write(&file, &table).unwrap();
    }
    let help = "results changed; if that is intended, run: UPDATE_EXPECT=1 cargo test -p simhost --test hashes";
    assert_eq!(std::fs::read_to_string(&file).unwrap(), table, "{help}");
}
