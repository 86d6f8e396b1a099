//! `simhost check`: what it prints, its exit codes, and its JSON.

#![allow(clippy::unwrap_used)]

mod support;

use serde_json::{Value, json};
use support::Workspace;

const GOOD: &str = r#"<mvsim_world version="1.0">
  <vehicle name="robot">
    <dynamics class="differential"/>
    <init_pose>0 0 0</init_pose>
  </vehicle>
</mvsim_world>
"#;

/// A workspace with one world that is right, one with two errors, one with a warning.
fn three() -> Workspace {
    let workspace = Workspace::new(GOOD);
    workspace.write("wrong.xml", &GOOD.replace("init_pose", "init_pos"));
    let warned = GOOD.replace("<vehicle ", "<b2d_vel_iters>8</b2d_vel_iters>\n  <vehicle ");
    workspace.write("warned.xml", &warned);
    workspace
}

#[test]
fn every_file_gets_a_line_on_standard_output() {
    let workspace = three();
    let outcome = workspace.run(&["check", "world.xml", "wrong.xml", "warned.xml"]);
    assert_eq!(outcome.code, 12, "{}", outcome.stderr);
    let lines: Vec<&str> = outcome.stdout.lines().collect();
    let expected =
        ["world.xml: ok", "wrong.xml: 2 errors, 0 warnings", "warned.xml: ok, 1 warning"];
    assert_eq!(lines, expected, "{}", outcome.stderr);
    for place in ["wrong.xml:4:6", "warned.xml:2:4"] {
        assert!(outcome.stderr.contains(place), "no {place} in {}", outcome.stderr);
    }
}

#[test]
fn warnings_alone_are_no_failure() {
    let workspace = three();
    assert_eq!(workspace.run(&["check", "world.xml", "warned.xml"]).code, 0);
    assert_eq!(workspace.run(&["check", "nowhere.xml", "world.xml"]).code, 12);
    let unknown = GOOD.replace("<vehicle ", "<nonsense/><vehicle ");
    workspace.write("unknown.xml", &unknown);
    assert_eq!(workspace.run(&["check", "unknown.xml"]).code, 12);
    assert_eq!(workspace.run(&["check", "unknown.xml", "--lenient"]).code, 0);
    assert_eq!(workspace.run(&["check", "unknown.xml", "--compat", "mvsim-1.2"]).code, 0);
}

#[test]
fn what_is_wrong_with_the_command_line_has_code_2() {
    let workspace = three();
    workspace.write("other.xml", &GOOD.replace("version=\"1.0\"", "compat=\"corrected\""));
    for arguments in [
        &["check"][..],
        &["check", "world.xml", "--duration", "1"],
        &["check", "wrong.xml", "other.xml", "--compat", "mvsim-1.2"],
    ] {
        let outcome = workspace.run(arguments);
        assert_eq!(outcome.code, 2, "{arguments:?}: {}", outcome.stderr);
    }
}

#[test]
fn a_mistake_that_only_the_models_know_is_found() {
    let workspace = Workspace::new(&GOOD.replace(
        "<dynamics class=\"differential\"/>",
        "<dynamics class=\"ackermann\"><f_wheels_x>0</f_wheels_x></dynamics>",
    ));
    let run = workspace.run(&["world.xml", "--duration", "0.1"]);
    let check = workspace.run(&["check", "world.xml"]);
    assert_eq!((run.code, check.code), (12, 12), "{}\n{}", run.stderr, check.stderr);
}

#[test]
fn json_holds_every_field() {
    let workspace = three();
    let outcome = workspace.run(&["check", "--json", "world.xml", "wrong.xml", "nowhere.xml"]);
    assert_eq!((outcome.code, outcome.stderr.as_str()), (12, ""));
    let found: Value = serde_json::from_str(&outcome.stdout).unwrap();
    assert_eq!(found[0], json!({ "file": "world.xml", "ok": true, "diagnostics": [] }));
    assert_eq!((&found[1]["file"], &found[1]["ok"]), (&json!("wrong.xml"), &json!(false)));
    let misspelt = found[1]["diagnostics"].as_array().unwrap();
    let misspelt = misspelt
        .iter()
        .find(|found| found["message"].to_string().contains("`<init_pos>`"))
        .unwrap();
    assert_eq!(misspelt["severity"], "error");
    assert!(misspelt["label"].is_string() && misspelt["notes"].is_array(), "{misspelt}");
    assert_eq!(misspelt["file"], "wrong.xml");
    let place = ["line", "column", "end_line", "end_column"].map(|key| misspelt[key].as_u64());
    assert_eq!(place, [Some(4), Some(6), Some(4), Some(14)]);
    let missing = &found[2]["diagnostics"][0];
    assert_eq!((&missing["file"], &missing["line"]), (&Value::Null, &Value::Null));
    assert!(missing["message"].to_string().contains("nowhere.xml"), "{missing}");
}

#[test]
fn plugins_are_looked_for() {
    let workspace = three();
    let outcome = workspace.run(&["check", "world.xml", "--plugin-dir", "nowhere"]);
    assert_eq!(outcome.code, 12, "{}", outcome.stderr);
    assert!(outcome.stderr.contains("nowhere"), "{}", outcome.stderr);
}
