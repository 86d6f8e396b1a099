//! Four wheels with a torque each, with every friction class.

#![allow(clippy::unwrap_used)]

mod support;

use support::{Table, Workspace};

/// Runs vehicle `a` with one command: torques fl, fr, rl, rr in N·m and the steering angle in rad.
fn run(friction: &str, steering: &str, command: [f64; 5], seconds: &str) -> Workspace {
    let workspace = Workspace::new(&format!(
        "<mvsim_world><simul_timestep>0.002</simul_timestep><vehicle name=\"a\">\
         <init_pose>0 0 0</init_pose><init_vel>3 0 0</init_vel><dynamics class=\"double_track\">\
         <steering>{steering}</steering><controller class=\"wheel_torques\"/></dynamics>\
         <friction class=\"{friction}\"/></vehicle></mvsim_world>"
    ));
    let values = command.map(|value| value.to_string()).join(",");
    let header = "time_s,vehicle,kind,v1,v2,v3,v4,v5";
    workspace.write("commands.csv", &format!("{header}\n0,a,wheel_torques,{values}\n"));
    let outcome = workspace.simulate(&["--duration", seconds, "--commands", "commands.csv"]);
    assert!(outcome.stdout.contains("no warnings"), "{}", outcome.stderr);
    workspace
}

fn last(table: &Table, column: &str) -> f64 {
    *table.numbers(column).last().unwrap()
}

const FRICTIONS: [&str; 3] = ["default", "ellipse", "wardiagnemma"];

#[test]
fn it_follows_its_steering_on_every_friction() {
    for friction in FRICTIONS {
        let path =
            run(friction, "ackermann", [0.0, 0.0, 0.0, 0.0, 0.1], "3").table("trajectory.csv");
        let radius = last(&path, "vx_mps") / last(&path, "omega_radps");
        let expected = 1.3 / 0.1_f64.tan();
        assert!((radius / expected - 1.0).abs() < 0.05, "{friction}: {radius} {expected}");
    }
}

#[test]
fn torque_on_any_wheel_drives_and_on_one_side_turns() {
    for friction in FRICTIONS {
        let speed = |torques| {
            let path = run(friction, "ackermann", torques, "2").table("trajectory.csv");
            [last(&path, "vx_mps"), last(&path, "omega_radps")]
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
        let wheels = run("default", steering, [0.0, 0.0, 0.0, 0.0, 0.3], "0.1").table("wheels.csv");
        let all = wheels.numbers("steer_rad");
        [all[all.len() - 2], all[all.len() - 1]]
    };
    assert_eq!(angles("parallel"), [0.3, 0.3]);
    let [left, right] = angles("ackermann");
    assert!(left > 0.3 && right < 0.3, "{left} {right}");
    // Ackermann geometry: cot δ_right − cot δ_left = track width / wheelbase
    assert!((1.0 / right.tan() - 1.0 / left.tan() - 2.0 / 1.3).abs() < 1e-9);
}
