//! The schemas, their committed hashes and the committed reference page.
//!
//! `UPDATE_EXPECT=1 cargo test schema` rewrites them.

use crate::support::{Workspace, golden, projects};

fn held(committed: &str, made: &str) {
    golden::file(&projects::root().join(committed), made);
}

/// Generated schemas are not in the repository. Their hashes are, so that a change is seen.
#[test]
fn the_generated_schemas_have_the_committed_hashes() {
    let workspace = Workspace::new("");
    for format in ["--xsd", "--vehicle"] {
        let outcome = workspace.run(&["schema", format, "--out", "schema"]);
        assert_eq!(outcome.code, 0, "{}", outcome.stderr);
    }
    let mut made = String::from("file,bytes,xxh3\n");
    for name in ["simhost.xsd", "vehicle.xsd", "block.xsd", "actor.xsd", "vehicle.schema.json"] {
        let text = std::fs::read(workspace.path("schema").join(name)).unwrap();
        let hash = xxhash_rust::xxh3::xxh3_64(&text);
        made += &format!("{name},{},{hash:016x}\n", text.len());
    }
    held("tests/data/schemas.csv", &made);
}

/// A parameter of a sensor belongs to the sensors of vehicles and to those of the world.
#[test]
fn the_schema_defines_each_parameter_once_per_form() {
    let workspace = Workspace::new("");
    workspace.run(&["schema", "--xsd"]);
    let text = std::fs::read_to_string(workspace.path("simhost.xsd")).unwrap();
    for form in ["element", "attribute"] {
        let definition = format!("<xs:{form} name=\"vert_nrays\"");
        assert_eq!(text.matches(&definition).count(), 1, "{form}");
    }
}

#[test]
fn the_schema_of_vehicle_files_is_printed_or_written() {
    let workspace = Workspace::new("");
    let printed = workspace.run(&["schema", "--vehicle"]).stdout;
    workspace.run(&["schema", "--vehicle", "--out", "a/b"]);
    let written = std::fs::read_to_string(workspace.path("a/b/vehicle.schema.json")).unwrap();
    assert_eq!(written, printed);
    let refused = workspace.run(&["schema", "--json", "--out", "a"]);
    assert_eq!(refused.code, 2, "{}", refused.stderr);
}

#[test]
fn the_reference_for_people_is_up_to_date() {
    let outcome = Workspace::new("").run(&["schema", "--markdown"]);
    assert_eq!(outcome.code, 0, "{}", outcome.stderr);
    held("docs/src/world-reference.md", &outcome.stdout);
}

#[test]
fn the_schema_for_programs_is_json() {
    let outcome = Workspace::new("").run(&["schema", "--json"]);
    let made: serde_json::Value = serde_json::from_str(&outcome.stdout).unwrap();
    assert!(outcome.stdout.contains("max_range"), "the laser's parameters are in it");
    assert!(made.is_object());
}
