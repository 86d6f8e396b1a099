//! The platforms in `plugins/platforms`: each kind of dynamics class, loaded as a shared library.

use std::path::PathBuf;
use std::sync::OnceLock;

use crate::support::world::{Model, Vehicle, World, model, vehicle};
use crate::support::{Table, projects};

fn plugin() -> &'static PathBuf {
    static FOLDER: OnceLock<PathBuf> = OnceLock::new();
    FOLDER.get_or_init(projects::platforms)
}

fn world(vehicle: Vehicle) -> World {
    World::new().step(0.005).vehicle("a", vehicle.pose(0, 0, 0)).plugins(plugin())
}

/// Runs a world and returns the trajectory of its vehicle.
fn drive(world: &World, seconds: f64) -> Table {
    let run = world.run(seconds);
    assert!(run.warnings.is_empty(), "{:?}", run.warnings);
    run.table("trajectory.csv").clone()
}

fn near(table: &Table, column: &str, expected: f64, tolerance: f64) {
    let value = table.last(column);
    assert!((value - expected).abs() < tolerance, "{column}: {value}, expected {expected}");
}

fn mecanum() -> World {
    world(vehicle("mecanum").controller("mecanum_pid"))
}

#[test]
fn a_mecanum_platform_goes_any_way() {
    // a wrench-driven class with a controller of its own
    let path = drive(&mecanum().command(0.0, "a", "twist", &[0.4, -0.3, 0.0]), 4.0);
    near(&path, "vx_mps", 0.4, 0.002);
    near(&path, "vy_mps", -0.3, 0.002);
    near(&path, "omega_radps", 0.0, 0.001);
    let path = drive(&mecanum().command(0.0, "a", "twist", &[0.0, 0.0, 0.5]), 4.0);
    near(&path, "omega_radps", 0.5, 0.002);
    near(&path, "x_m", 0.0, 0.01);
    near(&path, "y_m", 0.0, 0.01);
    // it stands still when it is not driven
    let path = drive(&mecanum(), 20.0);
    near(&path, "x_m", 0.0, 1e-9);
}

#[test]
fn a_controller_brings_its_own_command_kind() {
    let raw = world(vehicle("mecanum").controller("mecanum_raw"));
    let path = drive(&raw.command(0.0, "a", "wheel_torques", &[1.0, -1.0, -1.0, 1.0]), 1.0);
    // front left and rear right forward, the others backward: motion to the right
    assert!(path.last("vy_mps") < -0.2, "{}", path.last("vy_mps"));
    near(&path, "vx_mps", 0.0, 1e-6);
    near(&path, "omega_radps", 0.0, 1e-6);
}

#[test]
fn a_tracked_vehicle_skids_in_turns_and_rests() {
    let tracked = |v: f64, w: f64| {
        let controller = model("twist_pid").set("KP", 200).set("KI", 50).set("max_torque", 500);
        world(vehicle("tracked").controller(controller.set("V", v).set("W", w)))
    };
    let straight = drive(&tracked(1.0, 0.0), 6.0);
    near(&straight, "vx_mps", 1.0, 0.01);
    near(&straight, "y_m", 0.0, 1e-6);
    let turning = drive(&tracked(1.0, 20.0), 8.0);
    let omega = turning.last("omega_radps");
    // the tracks alone would give 20°/s, but the ground resists
    assert!(omega > 0.05 && omega < 0.9 * 20f64.to_radians(), "{omega}");
    let resting = drive(&tracked(0.0, 0.0), 60.0);
    near(&resting, "x_m", 0.0, 1e-3);
}

/// Returns a controller that drives at 1 m/s and steers to an angle, deg.
fn steering(angle: u32) -> Model {
    model("front_steer_pid").set("V", 1).set("STEER_ANG", angle)
}

#[test]
fn a_bicycle_turns_on_the_radius_of_its_steering() {
    let path = drive(&world(vehicle("bicycle").controller(steering(15))), 8.0);
    let radius = path.last("vx_mps") / path.last("omega_radps");
    let expected = 1.1 / 15f64.to_radians().tan();
    assert!((radius / expected - 1.0).abs() < 0.03, "{radius} {expected}");
}

#[test]
fn six_wheels_steer_about_one_point() {
    let rover = |wheels: &str| {
        drive(&world(vehicle(model("n_wheel").xml(wheels)).controller(steering(20))), 8.0)
    };
    let six = "<wheel pos=\"0.6 0.4\" steered=\"1\"/><wheel pos=\"0.6 -0.4\" steered=\"1\"/>\
               <wheel pos=\"0 0.4\"/><wheel pos=\"0 -0.4\"/>\
               <wheel pos=\"-0.6 0.4\" steered=\"1\"/>\
               <wheel pos=\"-0.6 -0.4\" steered=\"1\" driven=\"0\"/>";
    let path = rover(six);
    let radius = path.last("vx_mps") / path.last("omega_radps");
    let expected = 0.6 / 20f64.to_radians().tan();
    assert!((radius / expected - 1.0).abs() < 0.03, "{radius} {expected}");
    // the rear wheel of three steers: steering left turns the vehicle right
    let tricycle = "<wheel pos=\"0.4 0.3\"/><wheel pos=\"0.4 -0.3\"/>\
                    <wheel pos=\"-0.4 0\" steered=\"1\" driven=\"0\"/>";
    let omega = rover(tricycle).last("omega_radps");
    assert!((omega - 20f64.to_radians().tan() / 0.8).abs() < 0.03, "{omega}");
}

#[test]
fn wheels_of_a_class_are_checked() {
    for (wheels, said) in [
        ("", "missing `<wheel>` in `<dynamics>`"),
        ("<wheel pos=\"1 0\"/><wheel pos=\"1 0\"/>", "all 2 wheels are at the same position"),
        ("<wheel pos=\"1 0\" steerd=\"1\"/>", "did you mean `steered`"),
        ("<wheel pos=\"1 0\" driven=\"much\"/>", "`driven`"),
    ] {
        let rover = vehicle(model("n_wheel").xml(wheels)).controller("front_steer_pid");
        let errors = world(rover).errors();
        assert!(errors.iter().any(|error| error.text.contains(said)), "{said}: {errors:#?}");
    }
}

/// Returns a kinematic vehicle at 5 m/s that steers to an angle, deg.
fn kinematic(angle: u32) -> World {
    let controller = model("speed_steer").set("V", 5).set("STEER_ANG", angle);
    world(vehicle("kinematic_bicycle").controller(controller))
}

#[test]
fn a_class_that_moves_itself_is_followed_exactly() {
    let path = drive(&kinematic(10), 20.0);
    let (speed, omega) = (path.last("vx_mps"), path.last("omega_radps"));
    assert_eq!(speed, 5.0);
    assert!((omega - 5.0 * 10f64.to_radians().tan() / 2.6).abs() < 1e-12, "{omega}");
    // at constant speed and steering all positions lie on one circle
    let radius = speed / omega;
    let columns = ["x_m", "y_m", "yaw_rad"].map(|name| path.numbers(name));
    let centre = |i: usize| {
        let (sin, cos) = columns[2][i].sin_cos();
        [columns[0][i] - radius * sin, columns[1][i] + radius * cos]
    };
    let rows = columns[0].len();
    let [x, y] = centre(rows / 2);
    for i in rows / 2..rows {
        let [cx, cy] = centre(i);
        assert!((cx - x).abs() < 1e-9 && (cy - y).abs() < 1e-9, "{i}: {cx} {cy}, {x} {y}");
    }
}

#[test]
fn a_class_that_moves_itself_stops_at_a_wall() {
    let block = "<block name=\"wall\"><init_pose>20 0 0</init_pose><static>true</static>\
                 <shape><pt>-0.5 -5</pt><pt>-0.5 5</pt><pt>0.5 5</pt><pt>0.5 -5</pt></shape></block>";
    let path = drive(&kinematic(0).xml(block), 10.0);
    // the front of the chassis is 3.4 m ahead
    near(&path, "x_m", 19.5 - 3.4, 0.03);
    assert!(path.last("vx_mps").abs() < 0.1, "{}", path.last("vx_mps"));
}

#[test]
fn tracks_hold_across_a_slope() {
    let row: Vec<f64> = (0..21).map(|y| 0.1 * f64::from(y)).collect();
    let tracked = world(vehicle("tracked").controller("raw"));
    let table = drive(&tracked.terrain(&vec![row; 21], 1.0, [-10.0, -10.0]), 20.0);
    near(&table, "roll_rad", 0.1f64.atan(), 1e-3);
    near(&table, "y_m", 0.0, 1e-3);
}
