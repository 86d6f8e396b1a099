//! Allowed dependencies between crates.

use std::collections::{BTreeMap, BTreeSet};
use std::process::Command;

use crate::source::root;

/// The crates of the project that each member of the workspace uses, exactly. Tests are not counted.
const USES: &[(&str, &[&str])] = &[
    ("simhost-abi", &[]),
    ("simhost-derive", &[]),
    ("simhost-sdk", &["abi", "derive"]),
    ("simhost-friction", &["sdk"]),
    ("simhost-tyres", &["sdk"]),
    ("simhost-actuators", &["sdk"]),
    ("simhost-dynamics", &["actuators", "sdk"]),
    ("simhost-controllers", &["sdk"]),
    ("simhost-environment", &["sdk"]),
    ("simhost-sensors", &["sdk"]),
    ("simhost-observers", &["sdk"]),
    ("simhost-commonroad", &["sdk"]),
    ("simhost-planning", &["sdk"]),
    ("simhost-platforms", &["sdk"]),
    ("simhost-trajectory", &["sdk"]),
    ("simhost-lab", &["sdk"]),
    ("simhost-learned", &["planning", "sdk"]),
    ("simhost-scene", &[]),
    ("simhost-assets", &["scene"]),
    ("simhost-fetch", &[]),
    ("simhost-streams", &[]),
    ("simhost-record", &["streams"]),
    ("simhost-mcap", &["streams"]),
    ("simhost-runs", &["mcap", "model", "record", "streams"]),
    ("simhost-pictures", &["model", "runs", "scene", "world"]),
    ("simhost-live", &["streams"]),
    ("simhost-sensing", &["scene"]),
    ("simhost-gpu", &[]),
    ("simhost-model", &["abi"]),
    ("simhost-registry", &["abi", "model", "sdk"]),
    ("simhost-validator", &["abi", "model", "registry", "sdk"]),
    ("simhost-world", &["abi", "assets", "fetch", "model", "scene"]),
    ("simhost-engine", &["abi", "model", "scene", "sdk", "sensing", "world"]),
];

/// Members that may use any other: programs, which put the parts together.
const PROGRAMS: &[&str] = &["simhost", "simhost-cli", "simhost-validation", "simhost-benches"];

/// Libraries that only some members may use.
const RESTRICTED: &[(&str, &[&str])] = &[
    ("abi_stable", &["simhost-abi"]),
    ("libloading", &["simhost-registry"]),
    ("rapier2d-f64", &["simhost-engine"]),
    ("quick-xml", &["simhost-assets", "simhost-validator", "simhost-world"]),
    ("image", &["simhost-assets"]),
    ("gltf", &["simhost-assets"]),
    ("ureq", &["simhost-fetch"]),
    ("plotters", &["simhost-pictures", "simhost-validation"]),
    ("csv", &["simhost-record", "simhost-runs"]),
    ("parquet", &["simhost-record"]),
    ("zmij", &["simhost-record"]),
    ("zstd", &["simhost-mcap"]),
    ("tract-onnx", &["simhost-learned"]),
    ("wgpu", &["simhost-gpu"]),
    ("clap", &["simhost-cli"]),
    ("anyhow", &[]),
];

struct Member {
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
            (text(&package["name"]), Member { uses })
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
        let allowed: BTreeSet<String> =
            allowed.iter().map(|short| format!("simhost-{short}")).collect();
        let used = members[*name].uses.iter().filter(|name| name.starts_with("simhost"));
        let used: BTreeSet<String> = used.cloned().collect();
        assert_eq!(used, allowed, "{name}");
    }
}

/// As a plugin of a stranger could: nothing of the host, of the system or of the boundary below.
#[test]
fn plugins_use_the_sdk_and_error_types_alone() {
    let members = members();
    let families = USES.iter().filter(|(_, uses)| *uses == ["sdk"]);
    for (name, _) in families {
        let mut uses = members[*name].uses.iter();
        assert!(uses.all(|used| used == "simhost-sdk" || used == "thiserror"), "{name}");
    }
}

#[test]
fn libraries_stay_where_they_belong() {
    for (member, Member { uses }) in members() {
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
        "syn",
        "unicode-ident",
    ];
    assert_eq!(names.collect::<Vec<_>>(), expected);
}
