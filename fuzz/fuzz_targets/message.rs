#![no_main]

use std::sync::Arc;

use libfuzzer_sys::fuzz_target;
use simhost_streams::ros::{self, Layout, Schema};
use simhost_streams::{Effect, Stream, types};

fuzz_target!(|bytes: &[u8]| {
    // messages of each kind of input, in both forms
    let command = Effect::Command { vehicle: "robot".to_owned(), kind: "twist".to_owned() };
    let pose = Effect::Pose { entity: "robot".to_owned() };
    let inputs = [
        (types::Twist::TYPE, command.clone()),
        (types::AckermannDrive::TYPE, command),
        (types::Pose::TYPE, pose),
        (types::Parameter::TYPE, Effect::Parameter),
        (types::Bool::TYPE, Effect::Pause),
        (types::Count::TYPE, Effect::Step),
        (types::Number::TYPE, Effect::Pace),
        (types::Recording::TYPE, Effect::Recording),
    ];
    let text = std::str::from_utf8(bytes);
    for (kind, effect) in inputs {
        let stream = Stream { effect: Some(effect), ..Stream::new("input", Arc::new(kind)) };
        let _ = ros::input_from_cdr(&stream, bytes);
        let _ = text.map(|text| ros::input_from_json(&stream, text));
    }
    // a definition, and a message of it behind a zero
    let (definition, message) = match bytes.iter().position(|byte| *byte == 0) {
        Some(at) => bytes.split_at(at),
        None => (bytes, bytes),
    };
    let Ok(text) = std::str::from_utf8(definition) else { return };
    let schema = Schema { name: "a/msg/A".to_owned(), text: text.to_owned() };
    if let Ok(layout) = Layout::new(&schema) {
        let _ = layout.visit(message, &mut |_, _| {});
    }
});
