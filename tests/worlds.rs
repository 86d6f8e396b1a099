//! The worlds in `worlds/` describe themselves, and can be checked, run and printed.

use std::path::{Path, PathBuf};

use crate::support::runs::Run;
use crate::support::world::World;
use crate::support::world_files;

/// Worlds that need plugins, which other tests build.
const WITH_PLUGINS: [&str; 2] = ["c_plugin", "third_party"];

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../worlds")
}

/// Returns the names of all worlds in order.
fn names() -> Vec<String> {
    world_files::all().into_iter().map(|world| world.name).collect()
}

fn complete() -> impl Iterator<Item = String> {
    names().into_iter().filter(|name| !WITH_PLUGINS.contains(&name.as_str()))
}

fn path(name: &str, suffix: &str) -> String {
    folder().join(format!("{name}.{suffix}")).into_os_string().into_string().unwrap()
}

#[test]
fn every_world_begins_with_what_it_shows() {
    for name in names() {
        let text = std::fs::read_to_string(path(&name, "world.xml")).unwrap();
        assert!(text.starts_with("<!-- "), "{name}");
        assert!(text.len() < 64 << 10, "{name}");
    }
}

#[test]
fn every_world_is_free_of_errors_and_warnings() {
    for name in complete() {
        let warnings = World::shared(&name).warnings();
        assert!(warnings.is_empty(), "{name}: {warnings:?}");
    }
}

/// Runs each world and its printed form, for 30 steps or more.
#[test]
fn every_world_runs_the_same_after_printing() {
    let flat = tempfile::tempdir().unwrap();
    let flat = flat.path().join("world.xml");
    for name in complete() {
        let world = folder().join(format!("{name}.world.xml"));
        std::fs::write(&flat, simhost_world::flatten(&world, &Default::default()).unwrap())
            .unwrap();
        // no world has a time step above 10 ms
        let [own, printed] = [&world, &flat].map(|path| World::of_path(path).run(0.3));
        let same = own.table("trajectory.csv") == printed.table("trajectory.csv");
        assert!(same, "{name} runs otherwise after printing");
    }
}

/// Runs a world with its command file for 20 s.
fn commanded(name: &str) -> Run {
    World::shared(name).every(0.1).run(20.0)
}

fn x_and_y(run: &Run, vehicle: &str) -> Vec<(f64, f64)> {
    run.column(vehicle, "x_m").into_iter().zip(run.column(vehicle, "y_m")).collect()
}

#[test]
fn the_commands_of_a_world_drive_into_an_obstacle() {
    let empty = commanded("empty");
    let pushed = x_and_y(&empty, "three_wheels");
    assert!((pushed[pushed.len() - 1].1 - 6.0).abs() > 0.5, "nothing pushed the neighbour");

    let slalom = x_and_y(&commanded("slalom"), "car");
    // left of even cones and right of odd ones, 6 m apart
    for cone in 0..7 {
        let (_, y) = slalom.iter().find(|(x, _)| *x >= f64::from(cone) * 6.0).unwrap();
        let side = if cone % 2 == 0 { 1.0 } else { -1.0 };
        assert!(y * side > 0.8, "cone {cone} is passed at y = {y} m");
    }
    // the barrier is at 42 m, and the front of the car is 2 m ahead of its reference point
    let end = slalom[slalom.len() - 1].0;
    assert!((39.5..=40.2).contains(&end), "the car ends at x = {end} m");

    let crowd = x_and_y(&commanded("crowd"), "robot_1_1");
    // the walls extend 0.15 m from their lines, and the robot 0.26 m from its centre
    assert!(crowd.iter().any(|(x, y)| x.min(*y) < 0.45), "the robot met no wall");
}

/// Each of these worlds ended against a wall, or far outside.
#[test]
fn demos_reach_their_goals_without_a_contact() {
    for (name, goals) in [
        ("office", &[("r1", [6.5, -3.0]), ("r2", [-1.7, -0.2])][..]),
        ("warehouse", &[("truck", [24.8, 4.6]), ("robot", [20.1, 13.4])]),
        ("hill", &[("climber", [26.8, 0.0]), ("skater", [41.7, 30.2]), ("digger", [16.9, -27.0])]),
        (
            "parking",
            &[("tug", [-22.3, 7.3]), ("parked_1", [-7.5, 15.0]), ("parked_7", [10.5, 15.0])],
        ),
    ] {
        let run = World::shared(name).every(0.1).energy().run(60.0);
        let energy = run.table("energy.csv");
        for (vehicle, [x, y]) in goals {
            let path = x_and_y(&run, vehicle);
            let (last, before) = (path[path.len() - 1], path[path.len() - 51]);
            let off = (last.0 - x).hypot(last.1 - y);
            assert!(off < 0.5, "{name}: {vehicle} ends at {last:?}");
            // at rest for the last five seconds
            assert!((last.0 - before.0).hypot(last.1 - before.1) < 0.01, "{name}: {vehicle}");
            // joints do work too, and so do the edges of terrain, where 9 cm of height are 900 J
            let contact = energy.only("vehicle", vehicle).last("contact_j").abs();
            let most = match name {
                "hill" => 1500.0,
                "parking" => 100.0,
                _ => 1e-6,
            };
            assert!(contact < most, "{name}: {vehicle} {contact} J");
        }
    }
    let scans = World::shared("warehouse").every(0.1).run(20.0);
    assert_eq!(scans.readings("scan").rows.len(), 200);
}

/// Ended with exit code 10 in step 1: the cart, whose animation starts 8 m away from its declared pose,
/// had a velocity of 1599 m/s.
#[test]
fn nothing_is_thrown_in_the_distribution_centre() {
    // as long as its <duration>
    let run = World::shared("distribution").every(0.05).run(40.0);
    assert!(run.warnings.is_empty() && run.faults.is_empty(), "{:?}", run.warnings);
    let all = run.table("trajectory.csv");
    let [x, y, vx, vy] = ["x_m", "y_m", "vx_mps", "vy_mps"].map(|column| all.numbers(column));
    for row in 0..x.len() {
        let speed = vx[row].hypot(vy[row]);
        assert!(speed < 2.0, "{:?}: {speed} m/s", all.rows[row]);
        assert!((-10.0..12.0).contains(&x[row]) && y[row].abs() < 7.0, "{:?}", all.rows[row]);
    }
    // the cart has pushed the robots of the middle row 5 m, and left those beside it
    let pushed = x_and_y(&run, "robot_1_1");
    assert!(pushed[pushed.len() - 1].0 > 0.0, "{:?}", pushed.last());
    let beside = x_and_y(&run, "robot_0_0");
    assert!((beside[beside.len() - 1].0 + 4.0).abs() < 0.01, "{:?}", beside.last());
    // the lift is up at 10 s and 30 s, down at 20 s
    let height = all.only("vehicle", "rider").numbers("z_m");
    for (second, expected) in [(0, 0.0), (10, 2.5), (20, 0.0), (30, 2.5), (39, 0.0)] {
        let height = height[20 * second];
        assert!((height - expected).abs() < 0.02, "{height} m at {second} s");
    }
    // the courier is beyond the door
    let courier = x_and_y(&run, "courier");
    assert!(courier[courier.len() - 1].0 > 9.0, "{:?}", courier.last());
}

/// The cars in `tyres` change lanes, stop and stay, with time steps of 1 ms and 5 ms.
#[test]
fn every_tyre_stops_a_car_and_keeps_it() {
    let text = std::fs::read_to_string(path("tyres", "world.xml")).unwrap();
    let [fine, coarse] = ["0.001", "0.005"].map(|dt| {
        let step = "<simul_timestep>0.005</simul_timestep>";
        assert!(text.contains(step));
        let folder = tempfile::tempdir().unwrap();
        let text = text.replace(step, &format!("<simul_timestep>{dt}</simul_timestep>"));
        std::fs::write(folder.path().join("tyres.world.xml"), text).unwrap();
        let commands = folder.path().join("tyres.commands.csv");
        std::fs::copy(path("tyres", "commands.csv"), commands).unwrap();
        World::of_file(folder.path(), "tyres").every(0.5).run(20.0)
    });
    for (lane, tyre) in
        ["fiala", "tmeasy", "magic_formula", "relaxed", "lugre", "wet"].into_iter().enumerate()
    {
        let (track, other) = (x_and_y(&fine, tyre), x_and_y(&coarse, tyre));
        let [rest, end] = [24, 40].map(|row| track[row]);
        assert!((rest.0 - end.0).hypot(rest.1 - end.1) < 1e-4, "{tyre} creeps: {rest:?} {end:?}");
        let sideways = end.1 - 8.0 * lane as f64;
        assert!((2.1..2.6).contains(&sideways), "{tyre} changes its lane by {sideways} m");
        let (x, y) = other[40];
        assert!((x - end.0).hypot(y - end.1) < 0.05, "{tyre} stops at {end:?}, and at {x} {y}");
    }
}
