//! The XML Schema and the reference page, checked against the names that the loader reads.

use std::path::Path;
use std::process::Command;

use serde_json::Value;
use simhost_world::{LoadError, LoadOptions, Loaded, MissingAssets, schema};

use crate::{Catalogue, world_with};

fn document() -> Value {
    serde_json::from_str(&schema::json(&Catalogue::new())).unwrap()
}

fn section<'d>(document: &'d Value, id: &str) -> &'d Value {
    let mut sections = document["sections"].as_array().unwrap().iter();
    sections.find(|section| section["id"] == id).unwrap()
}

fn text<'v>(value: &'v Value, key: &str) -> &'v str {
    value[key].as_str().unwrap_or_default()
}

/// Returns a value that an entry accepts.
fn sample(entry: &Value) -> String {
    let default = text(entry, "default");
    match text(entry, "type") {
        "number" | "angle" | "integer" => match default.parse::<f64>() {
            Ok(_) => default.to_owned(),
            Err(_) => (entry["min"].as_f64().unwrap_or(0.0) + 1.0).to_string(),
        },
        "boolean" => "true".to_owned(),
        "color" => "#102030".to_owned(),
        "choice" => text(entry, "values").to_owned() + entry["values"][0].as_str().unwrap(),
        "row" => {
            let count = entry["values"][0].as_str().unwrap().split_whitespace().count();
            vec!["1"; count].join(" ")
        }
        "class" => match text(entry, "name") {
            _ if !default.is_empty() && !default.contains(' ') => default.to_owned(),
            _ => "?".to_owned(),
        },
        "list" => "1 2 3".to_owned(),
        _ if !default.is_empty() && !default.contains(',') => default.to_owned(),
        _ => "sample".to_owned(),
    }
}

/// Returns an element with all of its attributes and child elements.
fn element(document: &Value, tag: &str, id: &str, class: Option<&str>) -> String {
    let section = section(document, id);
    let (mut attributes, mut children) = (String::new(), String::new());
    for entry in section["entries"].as_array().unwrap() {
        let name = text(entry, "name");
        // which sensors and ports there are depends on classes
        if ["include", "for", "if", "variable", "connect"].contains(&name) {
            continue;
        }
        if text(entry, "form") == "attribute" {
            let value = match (name, id) {
                ("class", _) => class.map(str::to_owned),
                ("port", "actuator") => Some("torque_left".to_owned()),
                ("wheels", "axle") => Some("l_wheel".to_owned()),
                _ => None,
            };
            attributes += &format!(" {name}=\"{}\"", value.unwrap_or_else(|| sample(entry)));
            continue;
        }
        match entry["sections"].as_array() {
            Some(sections) => {
                for section in sections {
                    let id = section.as_str().unwrap();
                    children += &element(document, name, id, model_class(id));
                }
            }
            None if text(entry, "type") == "presence" => children += &format!("<{name}/>"),
            None => children += &format!("<{name}>{}</{name}>", sample(entry)),
        }
    }
    if section["has_text"] == true {
        children += "1 2 3";
    }
    format!("<{tag}{attributes}>{children}</{tag}>\n")
}

fn model_class(id: &str) -> Option<&str> {
    Some(match id {
        "dynamics" => "differential",
        "controller" => "twist_pid",
        "friction" => "default",
        "sensor" | "sensor_2" => "laser",
        "suspension_2" => "suspension",
        "vehicle" | "block" | "actor" => "sample",
        other => other,
    })
}

/// Returns a world that contains every name of the format.
fn everything() -> String {
    let namespaces = "mvsim_world xmlns:vehicle=\"urn:simhost:vehicle\" \
        xmlns:block=\"urn:simhost:block\" xmlns:actor=\"urn:simhost:actor\"";
    let world = element(&document(), "mvsim_world", "mvsim_world", None);
    world.replacen("mvsim_world", namespaces, 1)
}

fn messages(result: Result<Loaded, LoadError>) -> Vec<String> {
    let diagnostics = match result {
        Ok(loaded) => loaded.warnings,
        Err(error) => error.diagnostics,
    };
    diagnostics.into_iter().map(|diagnostic| diagnostic.message).collect()
}

/// In debug builds, the reader also asserts that it asks only for names of its section.
#[test]
fn every_name_of_the_vocabulary_is_read_and_none_is_unknown() {
    let options =
        LoadOptions { missing_assets: MissingAssets::Placeholder, ..LoadOptions::default() };
    let messages = messages(world_with(&everything(), &[], &options));
    assert!(messages.len() > 10, "{messages:#?}");
    for message in &messages {
        for wrong in ["unknown", "is not a ", "out of range", "cannot parse"] {
            assert!(!message.contains(wrong), "{message}");
        }
    }
}

#[test]
fn names_are_unique_in_their_section_and_have_a_meaning() {
    let document = document();
    let sections = document["sections"].as_array().unwrap();
    assert!(sections.len() > 30);
    for section in sections.iter().chain(document["models"].as_array().unwrap()) {
        let entries = section["entries"].as_array().unwrap();
        assert!(entries.len() < 64);
        let mut names: Vec<_> =
            entries.iter().map(|e| (text(e, "name"), text(e, "form"))).collect();
        let count = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), count, "{}", text(section, "tag"));
    }
}

#[test]
fn the_reference_lists_tags_and_parameters() {
    let page = schema::markdown(&Catalogue::new());
    for expected in [
        "## `<mvsim_world>`",
        "| `<gravity>` | number, m/s², ≥ 0 | 9.81 | Gravity. |",
        "## `<element class=\"skybox\">`",
        "## friction `default`",
        "| `mass=\"…\"` | number, kg, > 0 | 2 | Mass. |",
        "∅: the solver chooses the number of iterations itself",
    ] {
        assert!(page.contains(expected), "{expected}\n{page}");
    }
}

/// Validates a file with `xmllint`. Returns `None` if `xmllint` is not installed.
fn validate(directory: &Path, world: &Path) -> Option<String> {
    let output = Command::new("xmllint")
        .args(["--noout", "--schema"])
        .arg(directory.join("simhost.xsd"))
        .arg(world)
        .output()
        .ok()?;
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    Some(if output.status.success() { String::new() } else { text })
}

#[test]
fn the_schema_accepts_every_known_name_and_no_others() {
    let directory = tempfile::tempdir().unwrap();
    for (name, text) in schema::xsd(&Catalogue::new()) {
        std::fs::write(directory.path().join(name), text).unwrap();
    }
    let shipped = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../worlds/demo.world.xml");
    let shipped = std::fs::read_to_string(shipped).unwrap();
    let path = directory.path().join("world.xml");
    let problems = |text: &str| {
        std::fs::write(&path, text).unwrap();
        validate(directory.path(), &path)
    };
    let world = everything().replace(" xmlns:x", "");
    let Some(found) = problems(&world) else { return };
    assert_eq!(found, "");
    assert_eq!(problems(&shipped), Some(String::new()));
    let expression =
        "<mvsim_world><gravity>$f{9+1}</gravity><duration>${d|0x1F}</duration></mvsim_world>";
    assert_eq!(problems(expression), Some(String::new()));
    for wrong in [
        "<mvsim_world><gravitty>1</gravitty></mvsim_world>",
        "<mvsim_world><gravity>1kg</gravity></mvsim_world>",
        "<mvsim_world><vehicle><init_pose>1 2</init_pose></vehicle></mvsim_world>",
        "<mvsim_world><gui><ortho>maybe</ortho></gui></mvsim_world>",
        "<mvsim_world><plugin_faults action=\"go on\"/></mvsim_world>",
    ] {
        assert_ne!(problems(wrong), Some(String::new()), "{wrong}");
    }
}

/// A parameter with a name that the host reads itself keeps its default silently, so models cannot have one.
#[test]
fn models_cannot_have_the_names_that_the_host_reads() {
    let document = document();
    let sections = document["sections"].as_array().unwrap();
    for kind in simhost_abi::Kind::ALL {
        let of_kind = sections.iter().filter(|section| text(section, "model") == kind.tag());
        let names = of_kind.flat_map(|section| section["entries"].as_array().unwrap());
        // of MVSim's own controllers; a `<suspension>` without a class is a group of parameters
        let is_shared = |name: &str| name.ends_with("_torque") || name == "suspension";
        let names = names.map(|entry| text(entry, "name")).filter(|name| !is_shared(name));
        let names: std::collections::BTreeSet<_> = names.collect();
        assert_eq!(names, kind.host_keys().iter().copied().collect(), "{}", kind.tag());
    }
}
