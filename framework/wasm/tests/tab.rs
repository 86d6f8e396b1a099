//! The session of a tab, in a native program.

#![allow(clippy::unwrap_used)]

use std::path::PathBuf;

use serde_json::{Value, json};
use simhost::{Options, Session, seconds};
use simhost_live::LiveMessage;
use simhost_wasm::{OpenRequest, Tab};

fn request(world: &str) -> OpenRequest {
    let world = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../worlds")).join(world);
    OpenRequest { world, out: None, seed: None, paused: true, commands: None }
}

fn send(tab: &Tab, message: &Value) {
    tab.receive(&LiveMessage::Text(message.to_string())).unwrap();
}

fn texts(messages: &[LiveMessage]) -> Vec<Value> {
    let texts = messages.iter().filter_map(|message| match message {
        LiveMessage::Text(text) => Some(serde_json::from_str(text).unwrap()),
        LiveMessage::Binary(_) => None,
    });
    texts.collect()
}

/// Calls a service, and returns its response.
fn ask(tab: &Tab, greeting: &[Value], name: &str, request: &Value) -> Value {
    let services = greeting.iter().find(|one| one["op"] == "advertiseServices").unwrap();
    let all = services["services"].as_array().unwrap();
    let service = all.iter().find(|one| one["name"] == name).unwrap();
    let id = service["id"].as_u64().unwrap() as u32;
    let head = [id, 5, 4].map(u32::to_le_bytes).concat();
    let call = [&[2], &head[..], b"json", request.to_string().as_bytes()].concat();
    tab.messages();
    tab.receive(&LiveMessage::Binary(call)).unwrap();
    let response = tab.messages().into_iter().find_map(|message| match message {
        LiveMessage::Binary(bytes) if bytes[0] == 3 => Some(bytes),
        _ => None,
    });
    serde_json::from_slice(&response.unwrap()[17..]).unwrap()
}

#[test]
fn services_are_answered_in_the_same_thread() {
    let tab = Tab::open(&request("demo.world.xml")).unwrap();
    tab.advance().unwrap();
    let greeting = texts(&tab.messages());
    assert_eq!(greeting[0]["op"], "serverInfo");
    assert_eq!(greeting[0]["name"], "demo");
    let ask = |name: &str, request: &Value| ask(&tab, &greeting, name, request);
    let described = ask("/simhost/describe", &json!({}));
    assert_eq!(described["success"], true);
    assert!(described["message"].as_str().unwrap().contains("\"robot\""));
    // the session is paused, and makes these steps at once
    let stepped = ask("/simhost/step", &json!({"steps": 3}));
    assert_eq!(stepped["success"], true);
    tab.advance().unwrap();
    let removed = ask("/simhost/remove", &json!({"entity": "robot"}));
    assert_eq!(removed["success"], true);
    tab.advance().unwrap();
    assert!(!tab.save_world().unwrap().contains("<vehicle name=\"robot\""));
}

#[test]
fn samples_reach_the_client() {
    let tab = Tab::open(&request("demo.world.xml")).unwrap();
    let greeting = texts(&tab.messages());
    let channels = greeting.iter().filter(|one| one["op"] == "advertise");
    let channels = channels.flat_map(|one| one["channels"].as_array().unwrap());
    let odometry = channels.into_iter().find(|one| one["topic"] == "/robot/odometry").unwrap();
    let subscription = json!({"id": 9, "channelId": odometry["id"]});
    send(&tab, &json!({"op": "subscribe", "subscriptions": [subscription]}));
    tab.advance().unwrap();
    let is_sample = |message: &LiveMessage| matches!(message, LiveMessage::Binary(bytes) if bytes[..5] == [1, 9, 0, 0, 0]);
    assert!(tab.messages().iter().any(is_sample));
}

#[test]
fn a_tab_has_the_result_of_a_session() {
    let mut request = request("demo.world.xml");
    request.paused = false;
    let tab = Tab::open(&request).unwrap();
    tab.run_to(1.0).unwrap();
    let mut session = Session::open(&request.world, Options::default()).unwrap();
    session.run_until(seconds(1.0)).unwrap();
    assert_eq!(tab.hash(), format!("{:032x}", session.simulation().result_hash()));
}

#[test]
fn errors_of_a_world_are_the_report_of_a_check() {
    let folder = std::env::temp_dir().join(format!("simhost-tab-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let world = folder.join("wrong.world.xml");
    let text = "<mvsim_world>\n  <include file=\"missing.xml\"/>\n  <variable name=\"a\" value=\"$(date)\"/>\n</mvsim_world>";
    std::fs::write(&world, text).unwrap();
    let opened = Tab::open(&OpenRequest { world, ..request("") });
    std::fs::remove_dir_all(folder).unwrap();
    let report: Value = serde_json::from_str(&opened.err().unwrap()).unwrap();
    let found = report[0]["diagnostics"].as_array().unwrap();
    let lines: Vec<_> = found.iter().map(|one| one["line"].as_u64().unwrap()).collect();
    assert_eq!(lines, [2, 3], "{report:#}");
}
