//! The CommonRoad models in a world: the body follows the pure model, and obstacles stop it.

#![allow(clippy::print_stdout)]

use simhost_commonroad::defects::Defects;
use simhost_commonroad::models::f1tenth::CAR;
use simhost_commonroad::models::{drift, f1tenth, kinematic, multi_body, single_track, trailer};
use simhost_commonroad::parameters::{BMW_320I, TRUCK_TRAILER, VehicleParameters};
use simhost_commonroad::rk4;

use crate::support::runs::Run;
use crate::support::world::{COMMONROAD, Vehicle, World, model, vehicle};

const NONE: Defects = Defects::NONE;

/// Returns a vehicle that begins at 15 m/s.
fn car(class: &str) -> Vehicle {
    let car = vehicle(class).controller("steering_rate_acceleration");
    car.pose(0, 0, 0).velocity(15, 0, 0)
}

/// Runs vehicle `a` of a class with commands `time,steering rate,acceleration`.
fn run(class: &str, more: &str, step: f64, seconds: f64, commands: &[[f64; 3]]) -> Run {
    let world = World::new().step(step).vehicle("a", car(class)).xml(more);
    let world = commands.iter().fold(world, |world, [time, rate, a]| {
        world.command(*time, "a", "steering_rate_acceleration", &[*rate, *a])
    });
    let run = world.run(seconds);
    assert!(run.warnings.is_empty(), "{:?}", run.warnings);
    run
}

/// A steering step, then braking: positions of the pure model after 3 s with a time step of 1 ms.
fn pure<const N: usize>(
    rates: impl Fn(&[f64; N], [f64; 2]) -> [f64; N],
    mut x: [f64; N],
) -> [f64; N] {
    for i in 0..3000 {
        let input = STEER[if i < 1000 { 0 } else { 1 }];
        x = rk4::step(&x, 1e-3, |x| rates(x, [input[1], input[2]]));
    }
    x
}

/// Time in s, steering rate in rad/s and acceleration in m/s² of each command.
const STEER: [[f64; 3]; 2] = [[0.0, 0.05, 0.0], [1.0, -0.02, -2.0]];

/// Returns the largest difference between two poses, m or rad.
fn apart_by(one: [f64; 3], other: [f64; 3]) -> f64 {
    let turn = (one[2] - other[2]).rem_euclid(std::f64::consts::TAU);
    let turn = turn.min(std::f64::consts::TAU - turn);
    (one[0] - other[0]).abs().max((one[1] - other[1]).abs()).max(turn)
}

#[test]
fn a_world_run_is_the_pure_trajectory() {
    let even = VehicleParameters { tyre: BMW_320I.tyre.without_shifts(), ..BMW_320I };
    let core = [0.0, 0.0, 0.0, 15.0, 0.0, 0.0, 0.0];
    let ks = pure(|x, u| kinematic::derivative(&BMW_320I, x, u), [0.0, 0.0, 0.0, 15.0, 0.0]);
    let kst = pure(
        |x, u| trailer::derivative(&TRUCK_TRAILER, x, u, NONE),
        [0.0, 0.0, 0.0, 15.0, 0.0, 0.0],
    );
    let st = pure(|x, u| single_track::derivative(&BMW_320I, x, u, NONE), core);
    let mut start = [15.0 / even.r_w; 9];
    start[..7].copy_from_slice(&core);
    let std = pure(|x, u| drift::derivative(&even, x, u, NONE), start);
    let start = multi_body::initial(&even, core);
    let mb = pure(|x, u| multi_body::derivative(&even, x, u, NONE), start);
    let car = pure(|x, u| f1tenth::derivative(&CAR, x, u, NONE), core);
    for (class, expected) in [
        ("kinematic_single_track", [ks[0], ks[1], ks[4]]),
        ("kinematic_single_track_trailer", [kst[0], kst[1], kst[4]]),
        ("single_track", [st[0], st[1], st[4]]),
        ("single_track_drift", [std[0], std[1], std[4]]),
        ("multi_body", [mb[0], mb[1], mb[4]]),
        ("f1tenth_single_track", [car[0], car[1], car[4]]),
    ] {
        let path = run(class, "", 0.001, 3.0, &STEER);
        let found = ["x_m", "y_m", "yaw_rad"].map(|column| path.last("a", column));
        let apart = apart_by(found, expected);
        println!("{class}: {apart:e} m or rad apart after 3 s");
        assert!(apart < 1e-12, "{class}: {found:?}, expected {expected:?}");
        // the model takes five steps per time step of the world
        let coarse = run(class, "", 0.005, 3.0, &STEER);
        let found = ["x_m", "y_m", "yaw_rad"].map(|column| coarse.last("a", column));
        let apart = apart_by(found, expected);
        assert!(apart < 1e-9, "{class}: {apart} with steps of 5 ms");
    }
}

#[test]
fn a_wall_stops_every_model() {
    let wall = "<block name=\"wall\"><init_pose>30 0 0</init_pose><static>true</static>\
                <shape><pt>-0.5 -5</pt><pt>-0.5 5</pt><pt>0.5 5</pt><pt>0.5 -5</pt></shape></block>";
    for (class, front) in [
        ("kinematic_single_track", 3.5),
        ("kinematic_single_track_trailer", 4.3),
        ("single_track", 2.3),
        ("single_track_drift", 2.3),
        ("multi_body", 2.3),
        // the default wheels are larger than the body
        ("f1tenth_single_track", 0.15875 + 0.2),
    ] {
        // the engine keeps pushing
        let path = run(class, wall, 0.005, 6.0, &[[0.0, 0.0, 1.0]]);
        let (x, vx) = (path.last("a", "x_m"), path.last("a", "vx_mps"));
        assert!((x - (29.5 - front)).abs() < 0.05 && vx.abs() < 0.3, "{class}: {x} {vx}");
    }
}

#[test]
fn what_begins_backwards_rolls_on_backwards() {
    for class in COMMONROAD {
        let car = vehicle(class).controller("steering_rate_acceleration");
        let path = World::new().vehicle("a", car.pose(0, 0, 0).velocity(-4, 0, 0)).run(1.0);
        let (x, vx) = (path.last("a", "x_m"), path.last("a", "vx_mps"));
        assert!((x + 4.0).abs() < 0.1 && (vx + 4.0).abs() < 0.1, "{class}: {x} m, {vx} m/s");
    }
}

#[test]
fn a_vehicle_slides_along_a_wall() {
    // sliding along a wall at an angle: no fault, and the wall holds
    let wall = "<block name=\"wall\"><init_pose>20 6 0</init_pose><static>true</static>\
                <shape><pt>-30 -0.5</pt><pt>-30 0.5</pt><pt>30 0.5</pt><pt>30 -0.5</pt></shape></block>";
    for class in ["single_track", "single_track_drift", "multi_body"] {
        let path = run(class, wall, 0.002, 3.0, &[[0.0, 0.2, 0.0], [1.0, 0.0, 0.0]]);
        assert!(path.column("a", "y_m").iter().all(|y| *y < 5.5), "{class}");
        // no speed is left towards the wall, but most of it along the wall
        let (vx, vy) = (path.last("a", "vx_mps"), path.last("a", "vy_mps"));
        assert!(vx > 5.0 && vx < 15.0 && vy.abs() < 0.5, "{class}: {vx} {vy}");
    }
}

#[test]
fn the_hitch_angle_is_recorded() {
    let run = run("kinematic_single_track_trailer", "", 0.001, 3.0, &STEER);
    let expected = pure(
        |x, u| trailer::derivative(&TRUCK_TRAILER, x, u, NONE),
        [0.0, 0.0, 0.0, 15.0, 0.0, 0.0],
    )[5];
    let found = run.table("wheels.csv").last("steer_rad");
    assert!((found - expected).abs() < 1e-12, "{found} {expected}");
}

#[test]
fn the_f1tenth_command_layer_drives() {
    let car = vehicle("f1tenth_single_track").controller("f1tenth").pose(0, 0, 0);
    let world = World::new().step(0.01).vehicle("a", car);
    let path = world.command(0.0, "a", "speed_steer", &[4.0, 0.2]).run(1.0);
    assert!(path.warnings.is_empty(), "{:?}", path.warnings);
    // the gym ends at (2.035, 1.797) with its jump at 0.5 m/s and steps of 10 ms, the blend at (2.031, 1.803)
    for (column, expected) in [("x_m", 2.031), ("y_m", 1.803), ("omega_radps", 2.163)] {
        let found = path.last("a", column);
        assert!((found - expected).abs() < 2e-3, "{column}: {found}, expected {expected}");
    }
    let steer = path.table("wheels.csv").last("steer_rad");
    assert!((steer - 0.192).abs() < 1e-9, "{steer}");
}

#[test]
fn a_car_has_no_trailer() {
    let car = vehicle(model("kinematic_single_track_trailer").set("parameters", "bmw_320i"));
    let car = car.controller("steering_rate_acceleration").pose(0, 0, 0);
    let errors = World::new().vehicle("a", car).errors();
    assert!(errors.iter().any(|error| error.text.contains("has no trailer")), "{errors:#?}");
}

/// Before, a car that had spun slid on at 3 m/s for 16 s, because the command 0 drove its rear wheels whenever its forward
/// velocity was negative.
#[test]
fn a_car_that_has_spun_stops_when_it_is_told_to() {
    let car = vehicle("single_track_drift").controller("f1tenth");
    let world = World::new()
        .step(0.001)
        .vehicle("v", car.pose(0, 0, 0))
        .command(0.0, "v", "speed_steer", &[8.0, 0.0])
        .command(2.0, "v", "speed_steer", &[8.0, 0.5])
        .command(4.0, "v", "speed_steer", &[0.0, 0.0]);
    let run = world.every(0.1).run(10.0);
    let [vx, vy] = ["vx_mps", "vy_mps"].map(|name| run.last("v", name));
    assert!(vx.hypot(vy) < 1e-3, "{vx}, {vy} m/s");
}
