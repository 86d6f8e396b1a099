//! Places of centres of mass and wheels as quantities.
//!
//! Test `j6_6_…` checks the quantities of item J6.6 of the checklist of the "Autonomous Driving Lab" simulator,
//! whose plotter records them in each step; J4.3 of it states that wheels keep their distance to the
//! centre of mass.

use crate::support::Table;
use crate::support::world::{Vehicle, World, model, vehicle};

/// Length of a step, s.
const DT: f64 = 0.005;
/// Heights of the reference point, m: the car stands on a level plane.
const HEIGHT: f64 = 0.0;

/// A car whose centre of mass is ahead of its reference point and left of its middle, with wheels of
/// different radii.
fn car() -> Vehicle {
    let dynamics = model("ackermann").set("f_wheels_x", 2.5).set("f_wheels_d", 1.5).xml(
        "<rl_wheel pos=\"0 0.75\" mass=\"12\" width=\"0.2\" diameter=\"0.7\"/>\
         <rr_wheel pos=\"0 -0.75\" mass=\"12\" width=\"0.2\" diameter=\"0.7\"/>\
         <fl_wheel mass=\"12\" width=\"0.2\" diameter=\"0.6\"/>\
         <fr_wheel mass=\"12\" width=\"0.2\" diameter=\"0.6\"/>\
         <chassis mass=\"1000\" zmin=\"0.2\" zmax=\"1.4\"><shape><pt>-0.8 -0.7</pt><pt>3.3 -0.7</pt>\
         <pt>3.3 0.95</pt><pt>-0.8 0.95</pt></shape></chassis>",
    );
    let car = vehicle(dynamics).controller("pedals").friction(model("default").set("mu", 0.9));
    car.pose(1, 2, 30).velocity(6, 0, 0)
}

fn columns(table: &Table, quantity: &str, unit: &str, count: usize) -> Vec<Vec<f64>> {
    (0..count).map(|index| table.numbers(&format!("{quantity}[{index}] [{unit}]"))).collect()
}

#[test]
fn j6_6_centre_of_mass_and_wheels_have_places_in_the_world() {
    let world = World::new().step(DT).vehicle("a", car());
    let world = world.command(0.0, "a", "pedals", &[200.0, 0.0, 0.2]);
    let world = ["a/centre_of_mass*", "a/wheel/*/position", "a/pose"]
        .iter()
        .fold(world, |w, p| w.record(p));
    let run = world.run(3.0);
    let table = run.table("quantities.csv");
    let pose = columns(table, "a/pose", "m", 3);
    let yaw = table.numbers("a/pose[3] [rad]");
    let place = columns(table, "a/centre_of_mass", "m", 3);
    let velocity = columns(table, "a/centre_of_mass_velocity", "m/s", 2);
    let wheel = |name: &str| columns(table, &format!("a/wheel/{name}/position"), "m", 3);
    let wheels = ["rl", "rr", "fl", "fr"].map(wheel);

    let (mut session, _) = world.open();
    let manifest = serde_json::to_value(session.record().manifest(None).unwrap()).unwrap();
    let centre = &manifest["vehicles"][0]["centre_of_mass_m"];
    let [x, y] = [0, 1].map(|axis| centre[axis].as_f64().unwrap());
    assert!(x > 1.0 && y > 0.1, "{x} {y}");

    let mounted = [[0.0, 0.75, 0.35], [0.0, -0.75, 0.35], [2.5, 0.75, 0.3], [2.5, -0.75, 0.3]];
    for row in 0..yaw.len() {
        let (sin, cos) = yaw[row].sin_cos();
        let at =
            |[x, y]: [f64; 2]| [pose[0][row] + cos * x - sin * y, pose[1][row] + sin * x + cos * y];
        let expect = |found: &[Vec<f64>], [x, y]: [f64; 2], z: f64| {
            let expected = at([x, y]);
            for (axis, expected) in [expected[0], expected[1], HEIGHT + z].into_iter().enumerate() {
                let found = found[axis][row];
                assert!((found - expected).abs() < 1e-9, "row {row}: {found}, expected {expected}");
            }
        };
        // chassis at 0.8 m, wheels at their radii
        let height = (1000.0 * 0.8 + 24.0 * 0.35 + 24.0 * 0.3) / 1048.0;
        expect(&place, [x, y], height);
        for (wheel, [x, y, z]) in wheels.iter().zip(mounted) {
            expect(wheel, [x, y], z);
        }
    }
    // the position moves by the velocity at the end of the step
    for row in 1..yaw.len() {
        for axis in 0..2 {
            let mean = (place[axis][row] - place[axis][row - 1]) / DT;
            let found = velocity[axis][row];
            assert!((mean - found).abs() < 0.02, "row {row}: {found} m/s, moves at {mean} m/s");
        }
    }
}

#[test]
fn vehicles_that_impose_their_motion_have_the_masses_of_their_class_or_none() {
    const BODY: [&str; 5] =
        ["mass", "yaw_inertia", "centre_of_mass", "chassis_mass", "wheel/front/normal_force"];
    let driven = |car: Vehicle, controller: &str| car.controller(controller).pose(0, 0, 0);
    let single_track = |class: &str| {
        let car = vehicle(model(class).set("parameters", "vw_vanagon"));
        driven(car, "steering_rate_acceleration")
    };
    let cars = [
        ("st", single_track("single_track"), Some([1478.9, 2473.0])),
        ("std", single_track("single_track_drift"), Some([1478.9, 2473.0])),
        ("mb", single_track("multi_body"), Some([1478.9, 2473.0])),
        ("ks", single_track("kinematic_single_track"), None),
        ("planning", driven(vehicle("ideal_steer_vel"), "planning_raw"), None),
        // 950 and 850 kg at the ends of 2.921 m and 1.62025 m
        ("lab", driven(vehicle("four_mass_body"), "actuator_targets"), Some([1800.0, 5009.0])),
    ];
    for (name, car, expected) in cars {
        let world = World::new().step(DT).vehicle(name, car.velocity(3, 0, 0));
        let world = world.record(&format!("{name}/**"));
        let run = world.run(0.1);
        let table = run.table("quantities.csv");
        let of = |quantity: &str| table.header.iter().filter(|n| n.contains(quantity)).count();
        for gone in ["chassis_mass", "normal_force", "/wheel_force_x", "/fx ", "longitudinal_force"]
        {
            assert_eq!(of(gone), 0, "{name} has {gone}");
        }
        let (mut session, _) = world.open();
        session.run_steps(1).unwrap();
        let manifest = serde_json::to_value(session.record().manifest(None).unwrap()).unwrap();
        let entry = &manifest["vehicles"][0];
        match expected {
            Some([mass, inertia]) => {
                for (column, published, expected) in [
                    ("mass [kg]", "mass_kg", mass),
                    ("yaw_inertia [kg·m²]", "yaw_inertia_kgm2", inertia),
                ] {
                    let values = table.numbers(&format!("{name}/{column}"));
                    let near = |value: f64| (value - expected).abs() < 0.5;
                    assert!(values.iter().all(|value| near(*value)), "{name}: {values:?}");
                    assert!(near(entry[published].as_f64().unwrap()), "{name}: {entry}");
                }
                let speed = table.numbers(&format!("{name}/centre_of_mass_velocity[0] [m/s]"));
                assert!(speed.iter().all(|speed| (speed - 3.0).abs() < 0.1), "{name}: {speed:?}");
            }
            None => {
                let found: Vec<&str> =
                    BODY.into_iter().filter(|quantity| of(quantity) > 0).collect();
                assert!(found.is_empty(), "{name} has {found:?}");
                assert!(entry.get("mass_kg").is_none(), "{entry}");
            }
        }
        let loads = run.table("wheels.csv").numbers("normal_n");
        assert!(loads.iter().all(|load| load.is_nan()), "{name}: {loads:?}");
    }
}
