//! Names of topics and frames in worlds of different kinds.

use super::*;

fn stream(name: &str, kind: simhost_streams::StreamType, source: &str) -> Arc<Stream> {
    let period = (source != "host").then_some(0.1);
    let source = source.to_owned();
    Arc::new(Stream { source, period, ..Stream::new(name, kind.into()) })
}

fn robot(name: &str) -> Vec<Arc<Stream>> {
    let of = |rest: &str| format!("{name}/{rest}");
    vec![
        stream(&of("odometry"), types::Odometry::TYPE, "host"),
        stream(&of("ground_truth"), types::Odometry::TYPE, "host"),
        stream(&of("laser1/scan"), types::LaserScan::TYPE, "simhost/laser"),
        stream(&of("top/points"), types::PointCloud::TYPE, "simhost/lidar3d"),
        stream(&of("front/rgb/image"), types::Image::TYPE, "simhost/camera"),
    ]
}

fn topics(settings: &Ros2Settings, streams: &[Arc<Stream>]) -> Vec<String> {
    let names = Names::new(settings, streams, None);
    streams.iter().map(|stream| names.topic(stream)).collect()
}

#[test]
fn a_single_robot_has_the_names_of_mvsim_without_its_own() {
    let mut streams = robot("amr 1");
    let settings = Ros2Settings::default();
    let expected = ["odom", "base_pose_ground_truth", "laser1", "top_points", "front/image_raw"];
    assert_eq!(topics(&settings, &streams), expected);
    streams.extend(robot("b"));
    let several = topics(&settings, &streams);
    assert_eq!(several[0], "amr_1/odom");
    assert_eq!(several[7], "b/laser1");
    let forced = Ros2Settings { is_prefix_forced: true, ..settings.clone() };
    assert_eq!(topics(&forced, &robot("a"))[0], "a/odom");
    let plain = Ros2Settings { names: Some(NameStyle::Plain), ..settings };
    assert_eq!(topics(&plain, &robot("a"))[2], "a/laser1/scan");
}

#[test]
fn a_robot_that_comes_later_does_not_rename_the_first_one() {
    let settings = Ros2Settings::default();
    let first = Names::new(&settings, &robot("a"), None);
    let both: Vec<_> = robot("a").into_iter().chain(robot("b")).collect();
    let names = Names::new(&settings, &both, Some(first.alone()));
    assert_eq!(names.topic(&both[0]), "odom");
    assert_eq!(names.topic(&both[5]), "b/odom");
}

#[test]
fn frames_have_names_of_vehicles_unless_these_have_transforms_of_their_own() {
    let both: Vec<_> = robot("a").into_iter().chain(robot("b")).collect();
    let mut settings = Ros2Settings::default();
    let names = Names::new(&settings, &both, None);
    assert_eq!(names.frame("a/base_link"), "a/base_link");
    settings.transforms = TransformTopics::PerRobot;
    let names = Names::new(&settings, &both, None);
    assert_eq!(names.frame("a/wheel/fl"), "wheel/fl");
    assert_eq!(names.frame("map"), "map");
    assert_eq!(names.frame("block/a"), "block/a");
}

#[test]
fn worlds_with_the_planning_interface_have_the_names_of_autoware() {
    let mut streams = robot("ego");
    streams.push(stream(
        "ego/control_mode_report",
        types::ControlModeReport::TYPE,
        "simhost/planning_interface",
    ));
    streams.push(stream(
        "ego/state/velocity_report",
        types::VelocityReport::TYPE,
        "simhost/planning_reports",
    ));
    let found = topics(&Ros2Settings::default(), &streams);
    assert_eq!(found[5..], ["output/control_mode_report", "output/twist"]);
    assert_eq!(found[0], "odom");
}
