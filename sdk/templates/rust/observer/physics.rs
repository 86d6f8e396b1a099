//! Properties of an observer that measures a distance.

use simhost_sdk::prelude::*;
use simhost_sdk::testing::{self, Watched};
use template_name::TemplateName;

const POSE: [(&str, &str, usize); 1] = [("car/pose", "m", 6)];

/// Returns the time at which an observer for 5 m ends the run of a vehicle on a straight line at an
/// angle, at 2 m/s.
fn ends_at(angle: f64) -> Option<f64> {
    let model: TemplateName = testing::observer(&[("vehicle", "car"), ("distance", "5")]);
    let mut run = Watched::start(&model, &POSE, None).unwrap();
    let stops = |step: &u32| {
        let time = f64::from(*step) * 0.01;
        let (x, y) = (2.0 * time * angle.cos() - 7.0, 2.0 * time * angle.sin() + 3.0);
        run.sample(time, &[x, y, 0.0, angle, 0.0, 0.0]) != Flow::Continue
    };
    (0..1000).find(stops).map(|step| f64::from(step) * 0.01)
}

#[test]
fn the_distance_does_not_depend_on_the_direction() {
    for angle in [0.0, 1.0, 2.5, -1.5] {
        let time = ends_at(angle).unwrap();
        assert!((time - 2.5).abs() < 0.011, "{angle}: {time}");
    }
}

#[test]
fn a_vehicle_at_rest_does_not_end_the_run() {
    let model: TemplateName = testing::observer(&[("vehicle", "car")]);
    let mut run = Watched::start(&model, &POSE, None).unwrap();
    for step in 0..100 {
        assert_eq!(run.sample(f64::from(step), &[4.0, -2.0, 0.0, 1.0, 0.0, 0.0]), Flow::Continue);
    }
}

#[test]
fn the_file_has_the_distance_and_the_time() {
    let folder = std::env::temp_dir().join(format!("template_name-{}", std::process::id()));
    let model: TemplateName = testing::observer(&[("vehicle", "car")]);
    let mut run = Watched::start(&model, &POSE, Some(&folder)).unwrap();
    run.sample(0.0, &[1.0, 1.0, 0.0, 0.0, 0.0, 0.0]);
    run.sample(2.0, &[4.0, 5.0, 0.0, 0.0, 0.0, 0.0]);
    run.end(EndReason::Duration, "").unwrap();
    let text = std::fs::read_to_string(folder.join("test.csv")).unwrap();
    std::fs::remove_dir_all(folder).unwrap();
    assert_eq!(text, "distance_m,time_s\n5,2\n");
}
