use serde_json::{Value, json};

use super::super::ParameterWatch;
use super::Caller;

/// A parameter of the session.
const GAIN: &str = "robot.controller.KP";

#[test]
fn parameters_of_models_are_parameters_of_the_node() {
    let caller = Caller::new();
    let names = |request: Value| caller.call("list_parameters", request)["result"]["names"].clone();
    let own = [
        "paused",
        "realtime_factor",
        "robot.controller.KP",
        "robot.dynamics.open",
        "robot.friction.curve",
        "robot.sensor.scan.origin",
        "use_sim_time",
    ];
    assert_eq!(names(json!({})), json!(own));
    assert_eq!(names(json!({"prefixes": ["robot.sensor"]})), json!(["robot.sensor.scan.origin"]));
    assert_eq!(names(json!({"depth": 1})), json!(["paused", "realtime_factor", "use_sim_time"]));
    assert_eq!(names(json!({"prefixes": ["rob"]})), json!([]));
    let all = json!({"names": [own[2], own[3], own[4], own[5], "none"]});
    assert_eq!(caller.call("get_parameter_types", all.clone())["types"], json!([3, 1, 4, 8, 0]));
    let values = caller.call("get_parameters", all)["values"].clone();
    assert_eq!(values[0]["double_value"], 2.0);
    assert_eq!(values[3]["double_array_value"], json!([0.0, 0.5, 1.0]));
    let described =
        caller.call("describe_parameters", json!({"names": [own[2], own[4], "use_sim_time"]}));
    let [gain, curve, clock] = [0, 1, 2].map(|index| described["descriptors"][index].clone());
    assert_eq!(gain["description"], "Gain. Unit: N·m·s/m.");
    assert_eq!(gain["floating_point_range"][0]["from_value"], 0.0);
    assert_eq!(curve["additional_constraints"], "One of: 3, 4");
    assert_eq!(clock["read_only"], true);
}

#[test]
fn parameters_are_set_and_watched() {
    let caller = Caller::new();
    let mut watch = ParameterWatch::new(caller.desk.clone());
    assert_eq!(watch.look("/simhost"), None);
    let set = |name: &str, value: Value| {
        let request = json!({"parameters": [{"name": name, "value": value}]});
        caller.call("set_parameters", request)["results"][0].clone()
    };
    let double = |value: f64| json!({"type": 3, "double_value": value});
    assert_eq!(set(GAIN, double(3.5))["successful"], true);
    let event = watch.look("/simhost").unwrap();
    assert_eq!(event["changed_parameters"][0]["value"]["double_value"], 3.5);
    assert_eq!(
        (&event["node"], event["new_parameters"].as_array().unwrap().len()),
        (&json!("/simhost"), 0)
    );
    assert_eq!(watch.look("/simhost"), None);
    assert_eq!(set(GAIN, double(-1.0))["reason"], "KP is out of range");
    assert_eq!(set(GAIN, json!({"type": 2, "integer_value": 4}))["successful"], true);
    let wrong = set(GAIN, json!({"type": 4, "string_value": "4"}));
    assert_eq!(wrong["reason"], "the type of 'robot.controller.KP' is double; found string");
    assert_eq!(set(GAIN, json!({"type": 3, "double_value": null}))["successful"], false);
    assert_eq!(set("none", double(1.0))["successful"], false);
    assert_eq!(set("use_sim_time", json!({"type": 1, "bool_value": false}))["successful"], false);
    assert_eq!(set("paused", json!({"type": 1, "bool_value": true}))["successful"], true);
    assert!(caller.desk.control.progress().is_paused);
}

#[test]
fn parameters_are_set_together_or_not_at_all() {
    let caller = Caller::new();
    let double = |value: f64| json!({"type": 3, "double_value": value});
    let both = json!({"parameters": [
        {"name": GAIN, "value": double(9.0)}, {"name": GAIN, "value": double(-9.0)},
    ]});
    assert_eq!(caller.call("set_parameters_atomically", both)["result"]["successful"], false);
    assert_eq!(*caller.yard.gain.lock().unwrap(), "2", "nothing has changed");
}
