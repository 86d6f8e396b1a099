//! The committed result hash of each world. Within one build the state hash is also the same on any number
//! of threads and after a restored snapshot.
//!
//! `UPDATE_EXPECT=1 cargo test hashes` rewrites `tests/data/hashes.csv`.
//! `tests/hash_across_builds.sh` compares other builds with it.

use std::path::PathBuf;

use crate::support::{
    OPTIMISED, Workspace, projects,
    world_files::{self, WorldFile},
    world_plugins,
};

/// Simulated time of each run, long enough for vehicles to reach obstacles, s.
const DURATION: f64 = 10.0;

struct Run<'a> {
    world: &'a WorldFile,
    plugins: &'a [PathBuf],
    workspace: &'a Workspace,
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
    check(&world_plugins::folders(), |world| !world_plugins::needs_cpp(world));
}

#[test]
#[ignore = "needs a C++ compiler"]
fn a_world_with_a_model_in_cpp_has_its_result_hash() {
    check(&world_plugins::folders_with_cpp(), world_plugins::needs_cpp);
}

/// Compares the worlds that are wanted with their rows of the committed table.
fn check(plugins: &[PathBuf], is_wanted: impl Fn(&WorldFile) -> bool) {
    let file = projects::root().join("tests/data/hashes.csv");
    let table = std::fs::read_to_string(&file).unwrap();
    let mut rows: Vec<String> = table.lines().map(str::to_owned).collect();
    let mut changed = Vec::new();
    for world in world_files::all().into_iter().filter(is_wanted) {
        let workspace = Workspace::new("");
        let row = format!("{},{DURATION},{}", world.name, hash(&world, plugins, &workspace));
        let start = format!("{},", world.name);
        match rows.iter().position(|row| row.starts_with(&start)) {
            Some(index) if rows[index] == row => continue,
            Some(index) => rows[index] = row,
            None => rows.push(row),
        }
        changed.push(world.name);
    }
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        std::fs::write(&file, rows.join("\n") + "\n").unwrap();
        return;
    }
    let help = "results changed; if that is intended, run: UPDATE_EXPECT=1 cargo test hashes";
    assert!(changed.is_empty(), "{changed:?}: {help}");
}

/// Returns the result hash of a world, which is the same on 2 threads, and after each of two restored
/// snapshots on 1 and 4 threads; tests that are not optimised restore the last one only.
fn hash(world: &WorldFile, plugins: &[PathBuf], workspace: &Workspace) -> String {
    let name = &world.name;
    let run = Run { world, plugins, workspace };
    let kept = ["--snapshot-every", "4", "--snapshot-dir", "kept", "--threads", "2"];
    let hashes = run.hashes(&kept);
    let kept = std::fs::read_dir(run.workspace.path("kept")).unwrap();
    let mut kept: Vec<PathBuf> = kept.map(|file| file.unwrap().path()).collect();
    kept.sort();
    assert_eq!(kept.len(), 2);
    let first = if OPTIMISED { 0 } else { 1 };
    for (file, threads) in kept.iter().zip(["1", "4"]).skip(first) {
        let resumed = run.hashes(&["--resume", file.to_str().unwrap(), "--threads", threads]);
        assert_eq!(resumed, hashes, "{name} from {} on {threads} threads", file.display());
    }
    hashes.result
}
