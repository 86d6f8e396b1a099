//! The example of a sink.

#![allow(clippy::unwrap_used)]

#[path = "../../../docs/examples/custom_sink.rs"]
#[allow(dead_code)]
mod example;

use std::path::Path;

#[test]
fn a_sink_adds_up_the_way_of_each_vehicle() {
    let world = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../worlds/demo.world.xml");
    let folder = tempfile::tempdir().unwrap();
    let text = example::drive(&world, folder.path()).unwrap();
    let mut lines = text.lines();
    assert_eq!(lines.next(), Some("stream,way_m,top_speed_mps"));
    let robot = lines.find(|line| line.starts_with("robot/ground_truth,")).unwrap();
    let numbers: Vec<f64> = robot.split(',').skip(1).map(|cell| cell.parse().unwrap()).collect();
    // a twist of 1 m/s for 5 s, after the start
    assert!((4.0..5.1).contains(&numbers[0]) && (0.9..1.3).contains(&numbers[1]), "{robot}");
}
