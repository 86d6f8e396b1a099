//! Every built-in family as a shared library gives the same bytes in every world of `worlds/`.

use std::path::{Path, PathBuf};

use crate::support::{
    Workspace, projects,
    world_files::{self, WorldFile},
    world_plugins,
};

/// Families, by the value of `--builtin off=…`.
const FAMILIES: [&str; 8] = [
    "actuators",
    "friction",
    "dynamics",
    "controllers",
    "sensors",
    "observers",
    "environments",
    "suspensions",
];

/// Packages with the models of all families.
const PACKAGES: [&str; 14] = [
    "simhost-actuators",
    "simhost-cars",
    "simhost-lab",
    "simhost-friction",
    "simhost-tyres",
    "simhost-dynamics",
    "simhost-commonroad",
    "simhost-planning",
    "simhost-controllers",
    "simhost-trajectory",
    "simhost-sensors",
    "simhost-suspension",
    "simhost-observers",
    "simhost-environment",
];

/// Returns the files that a run wrote, sorted by name.
fn files(workspace: &Workspace, out: &str) -> Vec<(PathBuf, Vec<u8>)> {
    let mut files = Vec::new();
    let root = workspace.path(out);
    add_files(&root, &root, &mut files);
    // it names the libraries
    files.retain(|(name, _)| name != Path::new("manifest.json"));
    files.sort();
    files
}

/// Adds the files of a folder, also of the folders in it, such as the clouds of a lidar, by their path from `root`.
fn add_files(root: &Path, folder: &Path, files: &mut Vec<(PathBuf, Vec<u8>)>) {
    for entry in std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
        if entry.is_dir() {
            add_files(root, &entry, files);
        } else {
            let bytes = std::fs::read(&entry).unwrap();
            files.push((entry.strip_prefix(root).unwrap().to_owned(), bytes));
        }
    }
}

#[test]
#[ignore = "builds all families again, and needs a C++ compiler"]
fn shared_libraries_give_the_same_bytes_as_linked_in_models() {
    compare(world_plugins::folders(), |world| !world_plugins::needs_cpp(world));
    compare(world_plugins::folders_with_cpp(), world_plugins::needs_cpp);
}

/// Runs worlds with all families linked in and loaded, and compares all files.
fn compare(mut needed: Vec<PathBuf>, is_wanted: impl Fn(&WorldFile) -> bool) {
    needed.push(projects::platforms());
    let shared = PACKAGES.map(|package| projects::family(package, &["shared"]));
    let off = FAMILIES.map(|family| format!("--builtin=off={family}"));
    for WorldFile { name: of, path, commands } in world_files::all().into_iter().filter(is_wanted) {
        let workspace = Workspace::new("");
        let run = |out: &str, folders: &[PathBuf], more: &[String]| {
            let mut command = workspace.command();
            command.arg(&path).args(["--duration", "2", "--log-period", "0.05", "--out", out]);
            // hash.csv covers the whole state
            command.args(["--hash-every", "0.5"]);
            for folder in folders.iter().chain(&needed) {
                command.arg("--plugin-dir").arg(folder);
            }
            command
                .args(commands.iter().flat_map(|file| [PathBuf::from("--commands"), file.clone()]));
            let output = command.args(more).output().unwrap();
            let text = String::from_utf8_lossy(&output.stderr).into_owned();
            assert!(output.status.success(), "{of}: {text}");
            files(&workspace, out)
        };
        let linked = run("linked", &[], &[]);
        assert!(linked.len() >= 4, "{of}");
        let loaded = run("loaded", &shared, &off);
        for ((name, linked), (_, loaded)) in linked.iter().zip(&loaded) {
            assert!(linked == loaded, "{of}: {name:?} differs");
        }
        assert_eq!(linked.len(), loaded.len());
    }
}
