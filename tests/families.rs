//! Every built-in family as a shared library: the same bytes over every world in `worlds/`.

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

/// Packages of each family, by the word of `--builtin off=…`.
const FAMILIES: [(&str, &[&str]); 4] = [
    ("friction", &["simhost-friction", "simhost-tyres"]),
    ("dynamics", &["simhost-dynamics", "simhost-commonroad"]),
    ("controllers", &["simhost-controllers", "simhost-trajectory", "simhost-commonroad"]),
    ("sensors", &["simhost-sensors"]),
];

/// The files that a run writes, by name.
fn files(workspace: &Workspace, out: &str) -> Vec<(String, Vec<u8>)> {
    let entries = std::fs::read_dir(workspace.path(out)).unwrap();
    let mut files: Vec<(String, Vec<u8>)> = entries
        .map(|entry| entry.unwrap())
        .map(|entry| {
            let name = entry.file_name().into_string().unwrap();
            (name, std::fs::read(entry.path()).unwrap())
        })
        .collect();
    // which tells the libraries apart
    files.retain(|(name, _)| name != "manifest.json");
    files.sort();
    files
}

#[test]
fn shared_libraries_give_the_same_bytes_as_what_is_linked_in() {
    let mut needed = world_plugins::folders();
    needed.push(projects::family("simhost-platforms", &[]));
    let shared: Vec<(&str, Vec<PathBuf>)> = FAMILIES
        .iter()
        .map(|(family, packages)| {
            let build = |package: &&str| projects::family(package, &["shared"]);
            (*family, packages.iter().map(build).collect())
        })
        .collect();
    for world_files::WorldFile { name: of, path, commands } in world_files::all() {
        let workspace = Workspace::new("");
        let run = |out: &str, folders: &[PathBuf], more: &[String]| {
            let mut command = workspace.command();
            command.arg(&path).args(["--duration", "2", "--log-period", "0.05", "--out", out]);
            // the whole state, beside what the files show of it
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
        for (family, folders) in &shared {
            let off = ["--builtin".to_owned(), format!("off={family}")];
            let loaded = run(family, folders, &off);
            for ((name, linked), (_, loaded)) in linked.iter().zip(&loaded) {
                assert!(linked == loaded, "{of}: {name} differs with {family}");
            }
            assert_eq!(linked.len(), loaded.len());
        }
    }
}
