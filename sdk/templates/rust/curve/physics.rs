//! Properties of a measured curve.

use simhost_sdk::prelude::*;
use simhost_sdk::testing;
use template_name::TemplateName;

/// Returns the value of a command by a curve with these lines.
fn value(curve: &str, command: f64) -> f64 {
    let model: TemplateName = testing::written_actuator(&[("curve", curve)]);
    model.actuate(command, &(), &testing::step(), &mut ())
}

const CURVE: &str = "-1, -0.5\n0, 0\n2, 3\n";

#[test]
fn it_goes_through_the_points_of_the_file() {
    for (command, expected) in [(-1.0, -0.5), (0.0, 0.0), (2.0, 3.0)] {
        assert_eq!(value(CURVE, command), expected);
    }
}

#[test]
fn it_is_linear_between_the_points_and_level_beyond_them() {
    for (command, expected) in [(-0.5, -0.25), (1.0, 1.5), (9.0, 3.0), (-9.0, -0.5)] {
        assert!((value(CURVE, command) - expected).abs() < 1e-12, "{command}");
    }
    assert_eq!(value("5, 7", 0.0), 7.0);
}

#[test]
#[should_panic(expected = "expected two numbers")]
fn a_line_with_something_else_is_refused() {
    value("-1, -0.5\nzero, 0\n", 0.0);
}

#[test]
#[should_panic(expected = "rising commands")]
fn commands_that_fall_are_refused() {
    value("1, 1\n0, 0\n", 0.0);
}
