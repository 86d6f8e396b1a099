//! The committed state hash of each world: the same on 1, 2 and 4 threads and after a restored snapshot.
//!
//! `UPDATE_EXPECT=1 cargo test -p simhost --test hashes` writes `tests/data/hashes.csv` anew. Other builds are held
//! against it by `tests/hash_across_builds.sh`.

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

impl Run<'_> {
    /// The state hash at the end of the run.
    fn hash(&self, more: &[&str]) -> String {
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
        let line = text.lines().find_map(|line| line.strip_prefix("state hash ")).unwrap();
        line.split(' ').next().unwrap().to_owned()
    }
}

#[test]
fn every_world_ends_in_its_state_whatever_the_threads() {
    let plugins = world_plugins::folders();
    let mut table = "world,duration_s,hash\n".to_owned();
    for world in world_files::all() {
        let name = &world.name;
        let run = Run { world: &world, plugins: &plugins, workspace: Workspace::new("") };
        let hash = run.hash(&["--snapshot-every", "4", "--snapshot-dir", "kept"]);
        for threads in ["2", "4"] {
            assert_eq!(run.hash(&["--threads", threads]), hash, "{name} on {threads} threads");
        }
        let kept = std::fs::read_dir(run.workspace.path("kept")).unwrap();
        let kept: Vec<PathBuf> = kept.map(|file| file.unwrap().path()).collect();
        assert_eq!(kept.len(), 2);
        for file in kept {
            let resumed = run.hash(&["--resume", file.to_str().unwrap()]);
            assert_eq!(resumed, hash, "{name} from {}", file.display());
        }
        table += &format!("{name},{DURATION},{hash}\n");
    }
    let file = projects::root().join("tests/data/hashes.csv");
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        std::fs::write(&file, &table).unwrap();
    }
    let help = "results have changed; if they should have: UPDATE_EXPECT=1 cargo test -p simhost --test hashes";
    assert_eq!(std::fs::read_to_string(&file).unwrap(), table, "{help}");
}
