//! Topics of transforms and markers.

use simhost_streams::Stamp;

use super::*;
use crate::settings::TransformTopics;

fn world() -> Vec<Arc<Stream>> {
    let odometry =
        |name: &str| Stream::new(format!("{name}/odometry"), types::Odometry::TYPE.into());
    let frames = ["a/odom", "a/base_link", "b/odom", "b/base_link", "block/crate"];
    let parents = ["map", "a/odom", "map", "b/odom", "map"];
    let owned = |texts: &[&str]| texts.iter().map(|text| (*text).to_owned()).collect();
    let tf = Stream {
        labels: owned(&frames),
        label_frames: owned(&parents),
        ..Stream::new("tf", types::Transforms::TYPE.into())
    };
    let all = [odometry("a"), odometry("b"), tf];
    all.map(Arc::new).into()
}

/// A topic with the parent, the child and x of each of its transforms.
type Frames = (String, Vec<(String, String, f64)>);

fn frames(settings: &Ros2Settings) -> Vec<Frames> {
    let streams = world();
    let names = Names::new(settings, &streams, None);
    let numbers: Vec<f64> = (0..30).map(f64::from).collect();
    let all = routes(settings, &names, &streams).pop().unwrap();
    let layout = ros::Layout::new(&ros::schema(&types::Transforms::TYPE)).unwrap();
    let read = |route: Route| {
        let bytes = route.encode(&Sample::new(Stamp(0), &numbers));
        let message = layout.decode(&bytes).unwrap();
        let list = message["transforms"].as_array().unwrap().iter();
        let text = |value: &serde_json::Value| value.as_str().unwrap().to_owned();
        let list = list.map(|one| {
            let parent = text(&one["header"]["frame_id"]);
            let x = one["transform"]["translation"]["x"].as_f64().unwrap();
            (parent, text(&one["child_frame_id"]), x)
        });
        (route.name.clone(), list.collect())
    };
    all.into_iter().map(read).collect()
}

fn transform(parent: &str, child: &str, x: f64) -> (String, String, f64) {
    (parent.to_owned(), child.to_owned(), x)
}

#[test]
fn transforms_are_common_or_those_of_each_robot() {
    let mut settings = Ros2Settings::default();
    let common = frames(&settings);
    assert_eq!(common.len(), 1);
    assert_eq!(common[0].0, "/tf");
    assert_eq!(common[0].1[3], transform("b/odom", "b/base_link", 9.0));
    settings.transforms = TransformTopics::PerRobot;
    let own = frames(&settings);
    let names: Vec<&str> = own.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["a/tf", "b/tf"]);
    let expected = [
        transform("map", "odom", 6.0),
        transform("odom", "base_link", 9.0),
        transform("map", "block/crate", 12.0),
    ];
    assert_eq!(own[1].1, expected);
}

#[test]
fn a_localisation_can_publish_the_transform_to_the_odometry() {
    let settings = Ros2Settings { has_localisation: false, ..Ros2Settings::default() };
    let children: Vec<String> =
        frames(&settings)[0].1.iter().map(|(_, child, _)| child.clone()).collect();
    assert_eq!(children, ["a/base_link", "b/base_link", "block/crate"]);
}

#[test]
fn markers_of_a_vehicle_are_those_of_its_label() {
    let marker = |kind: f64, points: usize| {
        let mut numbers = vec![kind; 14];
        numbers.push(points as f64);
        numbers.resize(15 + 3 * points, 0.5);
        numbers
    };
    let of = |markers: &[Vec<f64>]| [vec![markers.len() as f64], markers.concat()].concat();
    let (first, second) = (of(&[marker(1.0, 2), marker(2.0, 0)]), of(&[marker(3.0, 1)]));
    let all = [first.clone(), second.clone()].concat();
    assert_eq!(markers_of(&all, 0), first);
    assert_eq!(markers_of(&all, 1), second);
    assert!(markers_of(&all, 2).is_empty());
    assert!(markers_of(&all[..5], 1).is_empty());
}
