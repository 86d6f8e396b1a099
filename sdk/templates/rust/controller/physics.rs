//! Properties of a controller that drives to a point.

use simhost_sdk::prelude::*;
use simhost_sdk::testing;
use template_name::{Inputs, TemplateName, Twist};

const MAX_SPEED: f64 = 1.5;
const MAX_TURN: f64 = 1.0;

/// Returns the twist at the origin, heading along x, for a goal.
fn towards(goal_x: f64, goal_y: f64) -> Twist {
    let model: TemplateName =
        testing::controller(&[("max_speed", MAX_SPEED), ("max_turn", MAX_TURN)]);
    let inputs = Inputs { goal_x, goal_y, x: 0.0, y: 0.0, yaw: 0.0 };
    model.control(&inputs, &testing::step(), &mut ())
}

#[test]
fn at_the_goal_it_stands_still() {
    let twist = towards(0.0, 0.0);
    assert_eq!((twist.twist_vx, twist.twist_vy, twist.twist_omega), (0.0, 0.0, 0.0));
}

#[test]
fn it_saturates_far_away() {
    assert_eq!(towards(1e6, 0.0).twist_vx, MAX_SPEED);
    assert_eq!(towards(0.0, 1e6).twist_omega, MAX_TURN);
    assert_eq!(towards(0.0, -1e6).twist_omega, -MAX_TURN);
}

#[test]
fn no_goal_exceeds_the_limits() {
    for x in [-1e9, -3.0, 0.0, 1e-9, 3.0, 1e9] {
        for y in [-1e9, -3.0, 0.0, 1e-9, 3.0, 1e9] {
            let twist = towards(x, y);
            assert!(twist.twist_vx.abs() <= MAX_SPEED, "({x}, {y}) gives {twist:?}");
            assert!(twist.twist_omega.abs() <= MAX_TURN, "({x}, {y}) gives {twist:?}");
        }
    }
}

#[test]
fn left_and_right_are_mirror_images() {
    let (left, right) = (towards(2.0, 0.3), towards(2.0, -0.3));
    assert_eq!((left.twist_vx, left.twist_omega), (right.twist_vx, -right.twist_omega));
}
