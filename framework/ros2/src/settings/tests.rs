//! Settings from texts.

use super::*;

#[test]
fn names_are_resolved_in_the_namespace_and_remapped() {
    let rules = ["/amr1/laser1/scan:=/amr1/scan", "odom:=wheel_odom", "/fleet/imu:=/imu"];
    let settings = Ros2Settings {
        namespace: "/fleet".to_owned(),
        remappings: rules.iter().map(|rule| rule.parse().unwrap()).collect(),
        ..Ros2Settings::default()
    };
    for (name, expected) in [
        ("/clock", "/clock"),
        ("map", "/fleet/map"),
        ("odom", "/fleet/wheel_odom"),
        ("imu", "/imu"),
        ("/amr1/laser1/scan", "/amr1/scan"),
    ] {
        assert_eq!(settings.resolve(name), expected);
    }
    for wrong in ["odom", "odom:=", ":=odom", "a b:=c", "odom:=2d"] {
        assert!(wrong.parse::<Remapping>().is_err(), "{wrong}");
    }
}

#[test]
fn settings_are_read_from_texts() {
    assert_eq!(endpoint("tcp/localhost:7447").unwrap(), "tcp/localhost:7447");
    assert_eq!(endpoint("[::1]:7447").unwrap(), "tcp/[::1]:7447");
    for wrong in ["", "localhost", "udp/localhost:7447", "tcp/:7447", "tcp/a:99999", "w.xml"] {
        assert!(endpoint(wrong).is_err(), "{wrong}");
    }
    assert_eq!(namespace("fleet/a/").unwrap(), "/fleet/a");
    assert_eq!(namespace("/").unwrap(), "");
    assert!(namespace("/a b").is_err());
    assert_eq!(domain("12").unwrap(), 12);
    assert!(domain("233").is_err() && domain("-1").is_err() && domain("x").is_err());
    assert_eq!("per-robot".parse::<TransformTopics>().unwrap(), TransformTopics::PerRobot);
    let error = "foxy".parse::<RosDistribution>().unwrap_err().to_string();
    assert!(error.contains("jazzy") && error.contains("foxy"), "{error}");
}
