//! Actuators between a controller and a dynamics class.

mod errors;

use std::path::{Path, PathBuf};

use crate::support::world::{Vehicle, World, model, vehicle};
use crate::support::{assert_parts, bad_plugins};

/// Length of the steps of all worlds, s.
const DT: f64 = 0.01;

/// Builds the plugin with the cart, its controller and its actuators, and returns the folder.
fn plugins(name: &str, macros: &[&str]) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("actuators").join(name);
    bad_plugins::build_of("actuator.c", &folder, "actuator", macros);
    folder
}

fn world() -> World {
    World::new().step(DT)
}

/// Returns a car that steers to 15° at 3 m/s.
fn car(y: f64, actuators: &str) -> Vehicle {
    vehicle(model("ackermann").xml(actuators))
        .controller(model("front_steer_pid").set("V", 3).set("STEER_ANG", 15))
        .pose(0, y, 0)
        .velocity(3, 0, 0)
}

/// Returns a cart whose wheels are driven with 0.1 N·m and 0.6 N·m.
fn cart(y: f64, actuators: &str) -> Vehicle {
    vehicle(model("cart").xml(actuators)).controller(model("pusher").set("push", 0.1)).pose(0, y, 0)
}

#[test]
fn actuators_act_in_the_order_of_the_file() {
    let late = "<actuator class=\"dead_time\" port=\"steer\"><delay>0.1</delay></actuator>";
    let slow = "<actuator class=\"rate_limit\" port=\"steer\" max_rate=\"0.5\" name=\"slow\"/>";
    let coarse = "<actuator class=\"quantisation\" port=\"steer\" resolution=\"0.05\"/>";
    let world = world().vehicle("a", car(0.0, &[late, slow, coarse].concat()));
    let run = world.record("a/actuator/**").record("a/wheel/*/steer").run(1.0);
    let recorded = |name: &str| run.table("quantities.csv").numbers(name);
    let [dead, slow, coarse] = ["dead_time", "slow", "quantisation"]
        .map(|name| recorded(&format!("a/actuator/{name}/value [rad]")));
    let target = 15_f64.to_radians();
    // row k follows step k − 1
    assert!(dead[1..11].iter().all(|angle| *angle == 0.0), "{dead:?}");
    assert!(dead[11..].iter().all(|angle| (angle - target).abs() < 1e-12), "{dead:?}");
    for (row, angle) in slow.iter().enumerate() {
        let expected = (0.5 * DT * (row as f64 - 10.0).max(0.0)).min(target);
        assert!((angle - expected).abs() < 1e-12, "{angle} in row {row}, expected {expected}");
    }
    assert!(slow.iter().zip(&coarse).all(|(fine, coarse)| (fine - coarse).abs() <= 0.025 + 1e-12));
    assert!((coarse[100] - 0.25).abs() < 1e-12, "{}", coarse[100]);
    // the wheels turn as the last one of the chain says
    let wheels = ["fl", "fr"].map(|wheel| recorded(&format!("a/wheel/{wheel}/steer [rad]")));
    let middle = 0.5 * (wheels[0][100] + wheels[1][100]);
    assert!((middle - 0.25).abs() < 0.02 && wheels[0][5] == 0.0, "{middle}");
}

/// The steering tags of a class are the same code as the actuators, so they give the same bits.
#[test]
fn steering_tags_equal_actuators() {
    let rate = 20.0 * (std::f64::consts::PI / 180.0);
    for (tags, class, parameters) in [
        ("<max_rate_deg>20</max_rate_deg>", "rate_limit", format!("max_rate=\"{rate}\"")),
        ("<lag>0.2</lag>", "first_order_lag", "time_constant=\"0.2\"".to_owned()),
        (
            "<lag>0.2</lag><max_rate_deg>20</max_rate_deg>",
            "first_order_lag",
            format!("time_constant=\"0.2\" max_rate=\"{rate}\""),
        ),
    ] {
        let one = car(0.0, &format!("<steering>{tags}</steering>"));
        let other = format!("<actuator class=\"{class}\" port=\"steer\" {parameters}/>");
        let rows = [one, car(0.0, &other)].map(|car| {
            let run = world().vehicle("a", car).run(1.0);
            ["trajectory.csv", "wheels.csv"].map(|name| run.table(name).rows.clone())
        });
        assert_eq!(rows[0], rows[1], "{tags}");
    }
}

/// An imposed twist can be slow, too.
#[test]
fn a_component_of_an_imposed_twist_follows_with_a_lag() {
    let lag = "<actuator class=\"first_order_lag\" port=\"twist_vx\" time_constant=\"0.5\"/>";
    let robot = vehicle(model("differential").xml(lag));
    let robot = robot.controller(model("twist_ideal").set("V", 1)).pose(0, 0, 0);
    let run = world().vehicle("a", robot).record("a/twist").run(1.0);
    let speeds = run.table("quantities.csv").numbers("a/twist[0] [m/s]");
    for (row, vx) in speeds.iter().enumerate().skip(1) {
        let expected = 1.0 - (-(row as f64) * DT / 0.5).exp();
        assert!((vx - expected).abs() < 1e-9, "{vx} in row {row}, expected {expected}");
    }
}

/// A lane of a port with one value per wheel is a wheel, which reads its own spin and the speed of its
/// vehicle.
#[test]
fn an_actuator_of_wheels_has_a_lane_per_wheel() {
    let own = "<actuator class=\"sees\" port=\"wheel_torque\"/>\
               <actuator class=\"saturation\" port=\"wheel_torque\" upper=\"0.3\"/>\
               <l_wheel angle=\"0.1\"/><r_wheel angle=\"0.2\"/>\
               <actuator class=\"saturation\" port=\"angle\" upper=\"0.15\" name=\"stop\"/>";
    let world = world().vehicle("a", cart(0.0, own)).vehicle("b", cart(5.0, own)).record("**");
    let run = world.plugins(&plugins("wheels", &[])).run(1.0);
    let of = |name: &str| run.table("quantities.csv").numbers(name);
    for vehicle in ["a", "b"] {
        let at = |wheel: &str, name: &str| of(&format!("{vehicle}/wheel/{wheel}/{name}"));
        let vx = of(&format!("{vehicle}/twist[0] [m/s]"));
        for wheel in ["l", "r"] {
            let [spin, seen] =
                [at(wheel, "spin [rad/s]"), at(wheel, "actuator/sees/seen_spin [rad/s]")];
            assert!(spin[99] != 0.0 && spin[..100] == seen[1..], "the spin of the step before");
            assert_eq!(vx[..100], at(wheel, "actuator/sees/seen_vx [m/s]")[1..]);
        }
        assert_eq!(at("l", "torque [N·m]")[50], 0.1);
        assert_eq!(at("r", "torque [N·m]")[50], 0.3);
        assert_eq!(at("l", "actuator/stop/value [rad]")[50], 0.1);
        assert_eq!(at("r", "steer [rad]")[50], 0.15);
    }
}

/// Chains that differ in class, parameters, order or names do not share a table, and neighbours do not
/// change the results.
#[test]
fn vehicles_with_different_chains_move_as_they_do_alone() {
    let lag = |name: &str, seconds: f64| {
        format!(
            "<actuator class=\"first_order_lag\" port=\"steer\" time_constant=\"{seconds}\" {name}/>"
        )
    };
    let limit = "<actuator class=\"rate_limit\" port=\"steer\" max_rate=\"0.3\"/>";
    let chains = [
        String::new(),
        lag("", 0.1),
        lag("", 0.2),
        lag("name=\"servo\"", 0.1),
        [&lag("", 0.1), limit].concat(),
        [limit, &lag("", 0.1)].concat(),
        lag("", 0.1),
    ];
    let cars = chains.iter().enumerate();
    let cars = cars.map(|(number, chain)| (format!("v{number}"), car(30.0 * number as f64, chain)));
    let cars: Vec<(String, Vehicle)> = cars.collect();
    let all = cars.iter().fold(world(), |world, (name, car)| world.vehicle(name, car.clone()));
    let all = all.run(1.0);
    assert!(all.warnings.is_empty(), "{:?}", all.warnings);
    let mut ends = Vec::new();
    for (name, car) in &cars {
        let alone = world().vehicle(name, car.clone()).run(1.0);
        assert!(alone.warnings.is_empty(), "{:?}", alone.warnings);
        let rows = all.table("trajectory.csv").only("vehicle", name);
        assert_eq!(rows.rows, alone.table("trajectory.csv").rows, "{name}");
        ends.push(rows.last("yaw_rad").to_bits());
    }
    assert_eq!((ends[1], ends[1]), (ends[3], ends[6]), "the same chain under another name");
    ends.sort_unstable();
    ends.dedup();
    assert_eq!(ends.len(), 5, "each other chain has another effect");
}

/// Delay lines, states of actuators, random numbers and integrated states are part of a snapshot, and
/// the number of threads does not matter.
#[test]
fn runs_are_repeated_on_any_number_of_threads_and_from_snapshots() {
    let own = "<actuator class=\"noisy\" port=\"wheel_torque\"/>\
               <actuator class=\"noisy\" port=\"wheel_torque\"/>\
               <actuator class=\"slow\" port=\"wheel_torque\"/>\
               <actuator class=\"dead_time\" port=\"wheel_torque\" delay=\"0.123\"/>";
    let steer = "<actuator class=\"dead_time\" port=\"steer\" delay=\"0.25\"/>\
                 <actuator class=\"backlash\" port=\"steer\" width=\"0.05\" initial=\"0.01\"/>";
    let mut world = world().vehicle("a", cart(0.0, own)).vehicle("b", car(5.0, steer));
    // so many that tables are divided among threads
    for number in 0..2000 {
        world = world.vehicle(&format!("c{number}"), car(50.0 + 30.0 * f64::from(number), steer));
    }
    let world = world.every(1.0).plugins(&plugins("repeated", &[]));
    let whole = world.repeats(0.3, 1.0).hashes;
    assert_eq!(world.resume(&world.snapshot(0.6), 1.0).hashes, whole);
    assert_ne!(world.seed(7).run(1.0).hashes, whole, "the noise depends on the seed");
}

#[test]
fn a_fault_names_the_actuator_and_is_replayed() {
    let own = "<actuator class=\"fuse\" port=\"wheel_torque\"/>";
    let world = world().vehicle("a", cart(0.0, own)).vehicle("b", car(9.0, ""));
    let parts =
        ["at 0.51 s", "vehicle 'a', wheel r", "test/fuse", "the fuse has blown", "command = 0.6"];
    let fault = world.plugins(&plugins("faults", &[])).fault(1.0, &parts);
    assert_parts(&fault.replay().fault.1, &["the fuse has blown"]);
}

/// A vehicle that is disabled rolls on, and its actuators have the output 0. Others are not affected.
#[test]
fn the_actuators_of_a_disabled_vehicle_have_the_output_0() {
    let plugins = plugins("disabled", &[]);
    for (class, code) in [("fuse", "panic"), ("nan", "non_finite")] {
        let own = format!(
            "<actuator class=\"first_order_lag\" port=\"wheel_torque\" name=\"before\"/>\
             <actuator class=\"{class}\" port=\"wheel_torque\" name=\"it\"/>\
             <actuator class=\"first_order_lag\" port=\"wheel_torque\" name=\"after\"/>"
        );
        let policy = format!("<plugin_faults on=\"{code}\" action=\"disable\"/>");
        let world = world()
            .xml(&policy)
            .vehicle("a", cart(0.0, &own))
            .vehicle("b", cart(9.0, ""))
            .record("a/wheel/**")
            .record("b/twist")
            .plugins(&plugins);
        let run = world.run(1.0);
        assert_parts(&run.faults.concat(), &["disabled at 0.5"]);
        let recorded = |name: &str| run.table("quantities.csv").numbers(name);
        for name in ["before", "it", "after"] {
            let values = recorded(&format!("a/wheel/r/actuator/{name}/value [N·m]"));
            assert!(values[40] > 0.0 && values[100] == 0.0, "{name}: {values:?}");
        }
        assert!(recorded("b/twist[0] [m/s]")[100] > 0.0);
    }
}

/// Their unit was 1.
#[test]
fn states_of_actuators_have_the_unit_of_their_port() {
    let lag = |port: &str, name: &str| {
        format!("<actuator class=\"first_order_lag\" port=\"{port}\" name=\"{name}\"/>")
    };
    let actuators = [lag("steer", "servo"), lag("torque_front_left", "motor")].concat();
    let lab = "<actuator class=\"vehicle_actuator\" port=\"steer\" name=\"lab\"/>";
    let world = World::new().step(0.01).vehicle("a", car(0.0, &(actuators + lab)));
    let world = world.record("a/actuator/**");
    let header = world.run(0.1).table("quantities.csv").header.clone();
    for column in [
        "a/actuator/servo/last [rad]",
        "a/actuator/motor/last [N·m]",
        "a/actuator/lab/current [rad]",
        "a/actuator/lab/target [rad]",
        "a/actuator/lab/rejected [1]",
    ] {
        assert!(header.iter().any(|one| one == column), "{column}: {header:?}");
    }
}
