//! The committed schema and reference page are up to date.
//!
//! `UPDATE_EXPECT=1 cargo test -p simhost-cli --test schema` rewrites them.

#![allow(clippy::unwrap_used)]

mod support;

use std::path::Path;

use support::Workspace;

fn held(committed: &str, made: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(committed);
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        std::fs::write(&path, made).unwrap();
    }
    let text = std::fs::read_to_string(&path).unwrap();
    assert!(text == made, "{committed} has drifted: run this test with UPDATE_EXPECT=1");
}

#[test]
fn the_schema_for_editors_is_up_to_date() {
    let workspace = Workspace::new("<mvsim_world/>");
    let outcome = workspace.run(&["schema", "--xsd", "--out", "schema"]);
    assert_eq!(outcome.code, 0, "{}", outcome.stderr);
    for name in ["simhost.xsd", "vehicle.xsd", "block.xsd", "actor.xsd"] {
        let made = std::fs::read_to_string(workspace.path("schema").join(name)).unwrap();
        held(&format!("worlds/schema/{name}"), &made);
    }
}

#[test]
fn the_reference_for_people_is_up_to_date() {
    let outcome = Workspace::new("<mvsim_world/>").run(&["schema", "--markdown"]);
    assert_eq!(outcome.code, 0, "{}", outcome.stderr);
    held("docs/src/world-reference.md", &outcome.stdout);
}

#[test]
fn the_schema_of_vehicle_files_is_up_to_date() {
    let outcome = Workspace::new("<mvsim_world/>").run(&["schema", "--vehicle"]);
    assert_eq!(outcome.code, 0, "{}", outcome.stderr);
    held("worlds/schema/vehicle.schema.json", &outcome.stdout);
}

#[test]
fn the_schema_for_programs_is_json() {
    let outcome = Workspace::new("<mvsim_world/>").run(&["schema", "--json"]);
    let made: serde_json::Value = serde_json::from_str(&outcome.stdout).unwrap();
    assert!(outcome.stdout.contains("max_range"), "the laser's parameters are in it");
    assert!(made.is_object());
}
