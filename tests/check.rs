//! `simhost check`: output, exit codes and JSON.

use serde_json::{Value, json};

use crate::support::world::World;
use crate::support::{Workspace, assert_parts};

const GOOD: &str = r#"<mvsim_world version="1.0">
  <vehicle name="robot">
    <dynamics class="differential"/>
    <init_pose>0 0 0</init_pose>
  </vehicle>
</mvsim_world>
"#;

/// Returns a workspace with a valid world, one with two errors and one with a warning.
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

/// Mistakes that are found when models, observers, streams and records are created.
#[test]
fn a_mistake_that_only_a_run_could_find_is_found() {
    let end = "</mvsim_world>";
    for (from, to, part) in [
        (
            "<dynamics class=\"differential\"/>",
            "<dynamics class=\"ackermann\"><f_wheels_x>0</f_wheels_x></dynamics>",
            "f_wheels_x",
        ),
        (
            end,
            "<observer class=\"metrics\" quantities=\"r/poze\"/></mvsim_world>",
            "no quantity matches `r/poze`",
        ),
        (
            end,
            "<stream name=\"a\"><quantity>x/y</quantity></stream></mvsim_world>",
            "no quantity matches `x/y`",
        ),
        (end, "<record>robot/poze</record></mvsim_world>", "did you mean `robot/pose`?"),
    ] {
        let workspace = Workspace::new(&GOOD.replace(from, to));
        for arguments in [&["world.xml", "--duration", "0.1"][..], &["check", "world.xml"]] {
            let outcome = workspace.run(arguments);
            assert_eq!(outcome.code, 12, "{to}: {}", outcome.stderr);
            assert_parts(&outcome.stderr, &["world.xml:", part]);
        }
    }
}

#[test]
fn every_refusal_of_every_model_is_found_with_the_other_mistakes() {
    let waypoints = |times: [f64; 2]| {
        let [a, b] = times.map(|t| format!("<waypoint><t>{t}</t><x>0</x><y>0</y></waypoint>"));
        format!(
            "<vehicle><dynamics class=\"differential\"><controller class=\"trajectory\">{a}{b}\
             </controller></dynamics><init_pose>0 0 0</init_pose></vehicle>\n"
        )
    };
    let text = waypoints([0.0, 0.0]) + &waypoints([3.0, 2.0]) + &waypoints([0.0, 1.0]);
    let errors = World::new().xml(&text).errors();
    let [first, second] = &errors[..] else { panic!("{errors:?}") };
    assert_eq!((first.at.0, second.at.0), (2, 3));
    for error in [first, second] {
        let parts = ["trajectory rejects its parameters", "expected rising times"];
        assert_parts(&error.text, &parts);
    }
}

#[test]
fn twenty_errors_are_shown_and_all_are_counted() {
    let many = format!("{}<vehicle ", "<nonsense/>".repeat(57));
    let workspace = Workspace::new(&GOOD.replace("<vehicle ", &many));
    let check = workspace.run(&["check", "world.xml"]);
    assert_eq!(check.stdout, "world.xml: 57 errors, 0 warnings\n");
    assert_eq!(check.stderr.matches("error: unknown element").count(), 20, "{}", check.stderr);
    assert!(check.stderr.contains("37 more errors are not shown"), "{}", check.stderr);
    let run = workspace.run(&["world.xml"]);
    assert!(run.stderr.contains("cannot be used: 57 errors"), "{}", run.stderr);
}

#[test]
fn the_same_warning_at_many_places_is_shown_at_the_first() {
    let vehicle = "<vehicle><dynamics class=\"differential\"><controller class=\"twist_ideal\">\
        <KP>1</KP><KI>1</KI></controller></dynamics><init_pose>0 0 0</init_pose></vehicle>\n";
    let many = format!("{}<vehicle ", vehicle.repeat(50));
    let workspace = Workspace::new(&GOOD.replace("<vehicle ", &many));
    let outcome = workspace.run(&["check", "world.xml"]);
    assert_eq!(outcome.stdout, "world.xml: ok, 50 warnings\n");
    let count = outcome.stderr.matches("`KP`, `KI` have no effect").count();
    assert_eq!(count, 1, "{}", outcome.stderr);
    let places = "the same at 49 more places: world.xml:3:74, world.xml:4:74, world.xml:5:74, …";
    assert!(outcome.stderr.contains(places), "{}", outcome.stderr);
    let json = workspace.run(&["check", "--json", "world.xml"]);
    let found: Value = serde_json::from_str(&json.stdout).unwrap();
    assert_eq!(found[0]["diagnostics"].as_array().unwrap().len(), 50);
}

#[test]
fn json_holds_every_field() {
    let workspace = three();
    let outcome = workspace.run(&["check", "--json", "world.xml", "wrong.xml", "nowhere.xml"]);
    assert_eq!((outcome.code, outcome.stderr.as_str()), (12, ""));
    let found: Value = serde_json::from_str(&outcome.stdout).unwrap();
    let fine = json!({
        "file": "world.xml", "ok": true, "errors": 0, "warnings": 0, "diagnostics": []
    });
    assert_eq!(found[0], fine);
    assert_eq!((&found[1]["errors"], &found[1]["warnings"]), (&json!(2), &json!(0)));
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
