//! The schemas, their committed hashes and the committed reference page.
//!
//! `UPDATE_EXPECT=1 cargo test schema` rewrites them.

use simhost_world::schema;

use crate::support::runs::catalogue;
use crate::support::{Workspace, golden, projects};

fn held(committed: &str, made: &str) {
    golden::file(&projects::root().join(committed), made);
}

/// Generated schemas are not in the repository. Their hashes are, so that a change is seen.
#[test]
fn the_generated_schemas_have_the_committed_hashes() {
    let mut files: Vec<(String, String)> = xsd();
    files.push(("vehicle.schema.json".to_owned(), schema::vehicle_file(&catalogue())));
    let mut made = String::from("file,bytes,xxh3\n");
    for name in ["simhost.xsd", "vehicle.xsd", "block.xsd", "actor.xsd", "vehicle.schema.json"] {
        let (_, text) = files.iter().find(|(file, _)| file == name).unwrap();
        let hash = xxhash_rust::xxh3::xxh3_64(text.as_bytes());
        made += &format!("{name},{},{hash:016x}\n", text.len());
    }
    held("tests/data/schemas.csv", &made);
}

/// Returns the schemas of files in XML by name.
fn xsd() -> Vec<(String, String)> {
    let files = schema::xsd(&catalogue()).into_iter();
    files.map(|(name, text)| (name.to_string(), text)).collect()
}

/// A parameter of a sensor belongs to the sensors of vehicles and of the world.
#[test]
fn the_schema_defines_each_parameter_once_per_form() {
    let files = xsd();
    let (_, text) = files.iter().find(|(name, _)| name == "simhost.xsd").unwrap();
    for form in ["element", "attribute"] {
        let definition = format!("<xs:{form} name=\"vert_nrays\"");
        assert_eq!(text.matches(&definition).count(), 1, "{form}");
    }
}

/// Prints or writes what the library generates.
#[test]
fn schemas_are_printed_or_written() {
    let workspace = Workspace::new("");
    let printed = |format: &str| {
        let outcome = workspace.run(&["schema", format]);
        assert_eq!(outcome.code, 0, "{}", outcome.stderr);
        outcome.stdout
    };
    let of_vehicles = schema::vehicle_file(&catalogue());
    assert!(printed("--vehicle") == of_vehicles);
    assert!(printed("--markdown") == schema::markdown(&catalogue()));
    assert!(printed("--json") == schema::json(&catalogue()));
    printed("--xsd");
    workspace.run(&["schema", "--xsd", "--out", "a/b"]);
    workspace.run(&["schema", "--vehicle", "--out", "a/b"]);
    let read = |name: &str| std::fs::read_to_string(workspace.path(name)).unwrap();
    for (name, text) in xsd() {
        assert!(read(&name) == text && read(&format!("a/b/{name}")) == text, "{name}");
    }
    assert!(read("a/b/vehicle.schema.json") == of_vehicles);
    let refused = workspace.run(&["schema", "--json", "--out", "a"]);
    assert_eq!(refused.code, 2, "{}", refused.stderr);
}

#[test]
fn the_reference_for_people_is_up_to_date() {
    held("docs/src/world-reference.md", &schema::markdown(&catalogue()));
}

#[test]
fn the_schema_for_programs_is_json() {
    let text = schema::json(&catalogue());
    let made: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert!(text.contains("max_range"), "the laser's parameters are in it");
    assert!(made.is_object());
}
