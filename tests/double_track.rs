//! Four wheels with a torque each, with every friction class.

use crate::support::runs::Run;
use crate::support::world::{World, model, vehicle};

/// Runs vehicle `a` with one command: torques fl, fr, rl, rr in N·m and the steering angle in rad.
fn run(friction: &str, steering: &str, command: [f64; 5], seconds: f64) -> Run {
    let dynamics = model("double_track").set("steering", steering);
    let car = vehicle(dynamics).controller("wheel_torques").friction(friction);
    let world = World::new().step(0.002).vehicle("a", car.pose(0, 0, 0).velocity(3, 0, 0));
    let run = world.command(0.0, "a", "wheel_torques", &command).run(seconds);
    assert!(run.warnings.is_empty(), "{:?}", run.warnings);
    run
}

const FRICTIONS: [&str; 3] = ["default", "ellipse", "wardiagnemma"];

#[test]
fn it_follows_its_steering_on_every_friction() {
    for friction in FRICTIONS {
        let run = run(friction, "ackermann", [0.0, 0.0, 0.0, 0.0, 0.1], 3.0);
        let radius = run.last("a", "vx_mps") / run.last("a", "omega_radps");
        let expected = 1.3 / 0.1_f64.tan();
        assert!((radius / expected - 1.0).abs() < 0.05, "{friction}: {radius} {expected}");
    }
}

#[test]
fn torque_on_any_wheel_drives_and_on_one_side_turns() {
    for friction in FRICTIONS {
        let speed = |torques| {
            let run = run(friction, "ackermann", torques, 2.0);
            [run.last("a", "vx_mps"), run.last("a", "omega_radps")]
        };
        let [coasting, _] = speed([0.0; 5]);
        let [front, _] = speed([20.0, 20.0, 0.0, 0.0, 0.0]);
        let [rear, _] = speed([0.0, 0.0, 20.0, 20.0, 0.0]);
        assert!(front > coasting + 0.2 && (front - rear).abs() < 0.02, "{friction}");
        // more torque on the left turns the vehicle to the right
        let [_, turn] = speed([40.0, 0.0, 40.0, 0.0, 0.0]);
        let [_, other] = speed([0.0, 40.0, 0.0, 40.0, 0.0]);
        assert!(turn < -1e-3 && (turn + other).abs() < 1e-6, "{friction}: {turn} {other}");
    }
}

#[test]
fn parallel_wheels_turn_alike() {
    let angles = |steering| {
        let run = run("default", steering, [0.0, 0.0, 0.0, 0.0, 0.3], 0.1);
        let all = run.table("wheels.csv").numbers("steer_rad");
        [all[all.len() - 2], all[all.len() - 1]]
    };
    assert_eq!(angles("parallel"), [0.3, 0.3]);
    let [left, right] = angles("ackermann");
    assert!(left > 0.3 && right < 0.3, "{left} {right}");
    // Ackermann geometry: cot δ_right − cot δ_left = track width / wheelbase
    assert!((1.0 / right.tan() - 1.0 / left.tan() - 2.0 / 1.3).abs() < 1e-9);
}
