//! Allowed dependencies between crates.

use std::collections::{BTreeMap, BTreeSet};
use std::process::Command;

use super::source::root;

/// The crates of the project that each member of the workspace uses, exactly. Tests are not counted.
const USES: &[(&str, &[&str])] = &[
    ("simhost-abi", &[]),
    ("simhost-derive", &[]),
    ("simhost-vectors", &[]),
    ("simhost-sdk", &["abi", "derive", "vectors"]),
    ("simhost-friction", &["sdk"]),
    ("simhost-tyres", &["sdk"]),
    ("simhost-suspension", &["sdk"]),
    ("simhost-actuators", &["sdk"]),
    ("simhost-dynamics", &["actuators", "sdk"]),
    ("simhost-controllers", &["sdk", "suspension"]),
    ("simhost-environment", &["sdk"]),
    ("simhost-sensors", &["sdk"]),
    ("simhost-observers", &["sdk"]),
    ("simhost-commonroad", &["sdk"]),
    ("simhost-planning", &["sdk"]),
    ("simhost-platforms", &["sdk"]),
    ("simhost-trajectory", &["sdk"]),
    ("simhost-cars", &["sdk", "suspension", "tyres"]),
    ("simhost-lab", &["sdk"]),
    ("simhost-learned", &["planning", "sdk"]),
    ("simhost-scene", &["vectors"]),
    ("simhost-assets", &["files", "scene"]),
    ("simhost-fetch", &[]),
    ("simhost-files", &[]),
    ("simhost-urdf", &["assets", "files", "model", "scene", "xml"]),
    ("simhost-xml", &[]),
    ("simhost-opendrive", &["model", "scene", "xml"]),
    ("simhost-openscenario", &["", "model", "opendrive", "sdk", "world", "xml"]),
    ("simhost-streams", &["vectors"]),
    ("simhost-record", &["files", "model", "streams"]),
    ("simhost-mcap", &["files", "streams"]),
    ("simhost-runs", &["files", "mcap", "model", "record", "streams"]),
    ("simhost-pictures", &["files", "model", "runs", "scene", "vectors", "world"]),
    ("simhost-services", &["files", "streams"]),
    ("simhost-live", &["services", "streams"]),
    ("simhost-web", &["live", "scene", "streams", "world"]),
    ("simhost-ros2", &["services", "streams"]),
    ("simhost-sensing", &["scene", "vectors"]),
    ("simhost-gpu", &["vectors"]),
    ("simhost-model", &["abi", "files"]),
    ("simhost-registry", &["abi", "files", "model", "sdk"]),
    ("simhost-cosim", &["abi", "files", "model", "registry", "sdk", "xml"]),
    ("simhost-sandbox", &["abi", "model", "registry", "sdk"]),
    ("simhost-validator", &["abi", "files", "model", "registry", "sdk"]),
    ("simhost-world", &["abi", "assets", "fetch", "files", "model", "opendrive", "scene"]),
    ("simhost-engine", &["abi", "files", "model", "scene", "sdk", "sensing", "vectors", "world"]),
];

/// Members that may use any other: programs, bindings, studies, and the list of families, which put the parts together.
const PROGRAMS: &[&str] = &[
    "simhost",
    "simhost-capi",
    "simhost-cli",
    "simhost-desk",
    "simhost-families",
    "simhost-fmi",
    "simhost-fmu",
    "simhost-python",
    "simhost-sweep",
    "simhost-validation",
    "simhost-benches",
    "simhost-wasm",
];

/// Libraries that only some members may use.
const RESTRICTED: &[(&str, &[&str])] = &[
    ("abi_stable", &["simhost-abi"]),
    ("libloading", &["simhost-cosim", "simhost-registry"]),
    ("rapier2d-f64", &["simhost-engine"]),
    ("wasmtime", &["simhost-sandbox"]),
    (
        "quick-xml",
        &[
            "simhost-assets",
            "simhost-cli",
            "simhost-fmi",
            "simhost-pictures",
            "simhost-validation",
            "simhost-validator",
            "simhost-world",
        ],
    ),
    ("image", &["simhost-assets"]),
    ("gltf", &["simhost-assets"]),
    ("ureq", &["simhost-fetch"]),
    ("plotters", &["simhost-pictures", "simhost-validation"]),
    ("csv", &["simhost-observers", "simhost-record", "simhost-runs"]),
    ("parquet", &["simhost-record"]),
    ("zmij", &["simhost-record"]),
    ("zstd", &["simhost-mcap"]),
    ("tract-onnx", &["simhost-learned"]),
    ("wgpu", &["simhost-gpu"]),
    ("zenoh", &["simhost-ros2"]),
    ("clap", &["simhost-cli"]),
    ("pyo3", &["simhost-python"]),
    ("numpy", &["simhost-python"]),
    ("anyhow", &[]),
];

struct Member {
    /// Path of its manifest below the root.
    folder: String,
    /// Libraries that it uses outside of its tests.
    uses: BTreeSet<String>,
}

fn members() -> BTreeMap<String, Member> {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--no-deps", "--offline", "--format-version", "1"])
        .current_dir(root())
        .output()
        .unwrap();
    let metadata: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let text = |value: &serde_json::Value| value.as_str().unwrap().to_owned();
    let packages = metadata["packages"].as_array().unwrap().iter();
    packages
        .map(|package| {
            let dependencies = package["dependencies"].as_array().unwrap().iter();
            let uses = dependencies.filter(|dependency| dependency["kind"].as_str() != Some("dev"));
            let uses = uses.map(|dependency| text(&dependency["name"])).collect();
            let manifest = text(&package["manifest_path"]);
            let folder = manifest.strip_prefix(&format!("{}/", root().display())).unwrap();
            (text(&package["name"]), Member { folder: folder.to_owned(), uses })
        })
        .collect()
}

#[test]
fn every_member_uses_exactly_what_it_may() {
    let members = members();
    let mut listed: BTreeSet<&str> = USES.iter().map(|(name, _)| *name).collect();
    listed.extend(PROGRAMS);
    let found: BTreeSet<&str> = members.keys().map(String::as_str).collect();
    assert_eq!(found, listed, "members of the workspace and of the list differ");
    for (name, allowed) in USES {
        let allowed: BTreeSet<String> = allowed
            .iter()
            .map(|short| format!("simhost-{short}").trim_end_matches('-').to_owned())
            .collect();
        let used = members[*name].uses.iter().filter(|name| name.starts_with("simhost"));
        let used: BTreeSet<String> = used.cloned().collect();
        assert_eq!(used, allowed, "{name}");
    }
}

/// As third-party plugins do: ordinary libraries and other plugins, but no crate of the host.
#[test]
fn plugins_use_no_crate_of_the_host() {
    let members = members();
    let is_host = |name: &str| {
        let host = members.get(name).is_some_and(|member| member.folder.starts_with("framework/"));
        host || name == "simhost-abi"
    };
    assert!(is_host("simhost-engine"));
    let plugins = members.iter().filter(|(_, member)| member.folder.starts_with("plugins/"));
    for (name, plugin) in plugins {
        assert!(!plugin.uses.iter().any(|used| is_host(used)), "{name}");
    }
}

/// An optimisation across crates takes its level from the crate of the program, which loses vector code if it is
/// compiled for size.
#[test]
fn published_programs_are_optimised_for_speed() {
    let manifest = std::fs::read_to_string(root().join("Cargo.toml")).unwrap();
    let profiles = manifest.split("\n[profile.");
    let body = |name: &str| profiles.clone().find_map(|part| part.strip_prefix(name)).unwrap();
    assert!(body("release]").contains("\nlto = \"off\"\n"));
    assert!(body("dist]").contains("\nlto = \"fat\"\n"));
    assert!(body("dist.package]").contains("\nsimhost-cli.opt-level = 3\n"));
}

/// The registry refuses the vendor of simhost in a library that is not of this list.
#[test]
fn every_family_can_be_loaded_as_a_library() {
    let own = std::fs::read_to_string(root().join("framework/registry/src/library.rs")).unwrap();
    let members = members();
    let families = members.iter().filter(|(_, member)| member.folder.starts_with("plugins/"));
    for (name, family) in families {
        let source = root().join(&family.folder).with_file_name("src/lib.rs");
        let is_own = std::fs::read_to_string(source).unwrap().contains("vendor: \"simhost\"");
        assert_eq!(own.contains(&format!("    \"{name}\",\n")), is_own, "{name}");
    }
}

#[test]
fn libraries_stay_where_they_belong() {
    for (member, Member { uses, .. }) in members() {
        for (library, allowed) in RESTRICTED {
            let allowed = allowed.contains(&member.as_str());
            assert!(allowed || !uses.contains(*library), "{member} uses {library}");
        }
    }
}

/// The first build of a plugin has to be short, and these are all the crates that it
/// compiles (`rustversion` on Wasm alone).
#[test]
fn a_plugin_compiles_few_crates() {
    let lock = std::fs::read_to_string(root().join("docs/examples/burckhardt/Cargo.lock")).unwrap();
    let names = lock.lines().filter_map(|line| line.strip_prefix("name = \"")?.strip_suffix('"'));
    let expected = [
        "burckhardt",
        "inventory",
        "libm",
        "proc-macro2",
        "quote",
        "rustversion",
        "simhost-abi",
        "simhost-derive",
        "simhost-sdk",
        "simhost-vectors",
        "syn",
        "unicode-ident",
    ];
    assert_eq!(names.collect::<Vec<_>>(), expected);
}
