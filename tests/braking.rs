//! Brakes that lock wheels: stopping distances, what the slip of a wheel shows, ground with two kinds of
//! grip, and a controller that keeps wheels from locking.

use std::path::{Path, PathBuf};

use crate::support::bad_plugins;
use crate::support::runs::Run;
use crate::support::world::{Model, World, ackermann, model};

/// All friction classes. Those from the fourth to the seventh one can have a relaxation length.
const FRICTION: [&str; 8] = [
    "default",
    "wardiagnemma",
    "ellipse",
    "fiala",
    "tmeasy",
    "magic_formula",
    "burckhardt",
    "lugre",
];

/// Torques of all brakes together, N·m: one that locks no wheel, and others that lock all.
const TORQUES: [f64; 4] = [400.0, 3e3, 9e3, 1e6];

/// Cars of 500 kg that brake from 30 m/s, one for each friction class, some with a relaxation
/// length.
fn braking(dt: f64, torque: f64) -> (World, Vec<String>) {
    let plain = FRICTION.map(|class| (class.to_owned(), model(class)));
    let relaxed = FRICTION[3..7]
        .iter()
        .map(|class| (format!("relaxed_{class}"), model(class).set("relaxation_length", 0.4)));
    let (mut world, mut names) = (World::new().step(dt), Vec::new());
    for (place, (name, friction)) in plain.into_iter().chain(relaxed).enumerate() {
        let pedals = model("pedals").set("brake_torque", torque);
        let car = ackermann().controller(pedals).friction(friction);
        world = world.vehicle(&name, car.pose(0, 10 * place, 0).velocity(30, 0, 0));
        names.push(name);
    }
    (world, names)
}

/// Returns the name of each car and where it stands.
fn stops(dt: f64, torque: f64) -> Vec<(String, f64)> {
    let (world, names) = braking(dt, torque);
    let run = world.every(9.0).run(9.0);
    let stop = |name: String| {
        let speed = run.last(&name, "vx_mps");
        assert!(speed.abs() < 1e-3, "{name} at {dt} s, {torque} N·m: {speed} m/s");
        let x = run.last(&name, "x_m");
        (name, x)
    };
    names.into_iter().map(stop).collect()
}

#[test]
fn stopping_distances_depend_on_neither_the_step_nor_the_torque_that_locks() {
    let locked = stops(0.000_5, 9e3);
    for torque in TORQUES {
        let limit = stops(0.000_5, torque);
        if torque > 9e3 {
            for ((name, x), (_, with_less)) in limit.iter().zip(&locked) {
                assert!(
                    (x / with_less - 1.0).abs() < 1e-3,
                    "{name}, {torque} N·m: {x}, {with_less}"
                );
            }
        }
        for dt in [0.005, 0.01] {
            for ((name, x), (_, limit)) in stops(dt, torque).iter().zip(&limit) {
                let off = x / limit - 1.0;
                assert!(off.abs() < 5e-3, "{name} at {dt} s, {torque} N·m: {x} m of {limit} m");
            }
        }
    }
}

#[test]
fn a_locked_wheel_has_the_slip_ratio_minus_one_and_a_rolling_one_almost_none() {
    for (torque, least, most) in [(9e3, -1.0, -1.0), (200.0, -0.1, 0.0)] {
        let (world, names) = braking(0.005, torque);
        let world = names.iter().fold(world, |world, name| {
            world
                .record(&format!("{name}/wheel/*/kappa"))
                .record(&format!("{name}/wheel/*/lateral"))
        });
        let run = world.every(1.0).run(1.0);
        let table = run.table("quantities.csv");
        for column in table.header.iter().filter(|column| column.contains("/wheel/")) {
            let slip = table.last(column);
            let is_ratio = column.contains("kappa");
            let [least, most] = if is_ratio { [least, most] } else { [0.0, 0.0] };
            assert!(least - 1e-6 <= slip && slip <= most + 1e-6, "{column}, {torque} N·m: {slip}");
            assert!(
                !is_ratio || torque > 1e3 || slip < -1e-4 || !is_tyre(column),
                "{column}: {slip}"
            );
        }
    }
}

/// Returns whether a quantity belongs to a car with tyres.
fn is_tyre(column: &str) -> bool {
    FRICTION[3..].iter().any(|class| column.contains(class))
}

/// Builds the controller that keeps wheels from locking and returns the folder of the library.
fn anti_lock() -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("braking");
    bad_plugins::build_of("anti_lock.c", &folder, "anti_lock", &[]);
    folder
}

/// Returns the run of a car that brakes from 25 m/s on dry ground, with `ice` on its left.
fn brake(dt: f64, controller: Model, ice: bool, plugins: &Path) -> Run {
    let car = ackermann().controller(controller).friction("magic_formula");
    let car = car.pose(0, 0, 0).velocity(25, 0, 0);
    let world = World::new().step(dt).vehicle("car", car).plugins(plugins);
    let ground = "<element class=\"property_region\"><property_name>friction_mu</property_name>\
        <value_double>0.2</value_double><x_min>-100</x_min><x_max>300</x_max>\
        <y_min>0</y_min><y_max>100</y_max></element>";
    let world = if ice { world.xml(ground) } else { world };
    world.record("car/wheel/*/kappa").every(0.02).run(12.0)
}

#[test]
fn a_controller_keeps_wheels_from_locking_and_a_car_on_ice_and_asphalt_on_its_course() {
    let plugins = anti_lock();
    let pedals = || model("pedals").set("brake_torque", 9e3);
    let yaw = |run: &Run, row: usize| run.column("car", "yaw_rad")[row];
    let [spins, stays] =
        [pedals(), model("anti_lock")].map(|with| brake(0.001, with, true, &plugins));
    for dt in [0.001, 0.005, 0.01] {
        let run = brake(dt, model("anti_lock"), false, &plugins);
        let slips = run.table("quantities.csv");
        for wheel in ["rl", "rr", "fl", "fr"] {
            let slips = slips.numbers(&format!("car/wheel/{wheel}/kappa [1]"));
            let fast = slips.iter().zip(run.column("car", "vx_mps")).filter(|(_, v)| *v > 2.0);
            let least = fast.map(|(slip, _)| *slip).fold(0.0, f64::min);
            assert!(least > -0.8, "{wheel} at {dt} s locks: {least}");
        }

        let locked = brake(dt, pedals(), true, &plugins);
        let (early, expected) = (yaw(&locked, 20), yaw(&spins, 20));
        assert!((early / expected - 1.0).abs() < 0.03, "{dt} s: {early} rad, not {expected}");
        assert!(yaw(&locked, 600).abs() > 1.0, "{dt} s: it does not spin");
        let kept = brake(dt, model("anti_lock"), true, &plugins);
        assert!(yaw(&kept, 600).abs() < 0.02, "{dt} s: {} rad", yaw(&kept, 600));
        let (stop, expected) = (kept.last("car", "x_m"), stays.last("car", "x_m"));
        assert!((stop / expected - 1.0).abs() < 5e-3, "{dt} s: {stop} m, not {expected}");
    }
}

/// Bristles that sway let a car with `lugre` creep down a slope, by up to 3 mm/s.
#[test]
fn brakes_hold_every_tyre_on_a_slope() {
    for dt in [0.001, 0.005] {
        let (world, names) = braking(dt, 9e3);
        let text = world.content().replace("<init_vel>30 0 0", "<init_vel>1 0 0");
        for degrees in [0.0, 10.0] {
            let run = World::new().step(dt).xml(&text).slope(degrees).every(1.0).run(12.0);
            for name in names.iter().filter(|name| degrees == 0.0 || *name != "lugre") {
                let x = run.column(name, "x_m");
                let moved = (x[12] - x[6]).abs();
                assert!(moved < 2e-5, "{name} at {dt} s, {degrees}°: {} mm", 1e3 * moved);
            }
        }
    }
}
