//! Controllers and dynamics classes that read the sensors of their vehicle.

mod actuators;
mod mistakes;
mod sensors;

use std::path::{Path, PathBuf};

use crate::support::world::{World, model, vehicle};
use crate::support::{Table, bad_plugins};

/// Builds `tests/plugins/c/follower.c` and returns the folder of the library.
fn plugins(name: &str, changes: &[&str]) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("readings").join(name);
    bad_plugins::build_of("follower.c", &folder, "follower", changes);
    folder
}

/// Returns a world with vehicles: the name, further text of the `<controller>`, and the sensors.
fn world(vehicles: &[(&str, &str, &str)]) -> World {
    let mut world = World::new().step(0.01).set("duration", 1);
    for (number, (name, connect, sensors)) in vehicles.iter().enumerate() {
        let cart = vehicle("cart").controller(model("follower").xml(connect));
        world = world.vehicle(name, cart.pose(0, 3 * number, 0).xml(sensors));
    }
    world.xml(WALL).record("*/controller/*")
}

const WALL: &str = "<walls><shape><pt>5 -9</pt><pt>5 9</pt></shape></walls>\n";

/// Returns a sensor with a sample every 0.05 s.
fn eye(name: &str, rays: usize, more: &str) -> String {
    format!(
        "<sensor class=\"eye\" name=\"{name}\"><rays>{rays}</rays><sensor_period>0.05</sensor_period>\
         {more}</sensor>"
    )
}

/// Runs a world for a second and returns its recorded quantities.
fn recorded(world: &World, plugins: &Path) -> Table {
    world.clone().plugins(plugins).run(1.0).table("quantities.csv").clone()
}

/// Returns an output of the controller of a vehicle in each step.
fn output(table: &Table, vehicle: &str, name: &str, unit: &str) -> Vec<f64> {
    table.numbers(&format!("{vehicle}/controller/{name} [{unit}]"))
}

#[test]
fn a_controller_sees_the_last_sample_and_its_age() {
    let table = recorded(&world(&[("a", "", &eye("e", 5, ""))]), &plugins("right", &[]));
    let (time, count) = (table.numbers("time_s"), output(&table, "a", "count", "1"));
    let age = output(&table, "a", "age", "s");
    let level = output(&table, "a", "power", "V");
    let nearest = output(&table, "a", "nearest", "m");
    assert!(time.len() > 90);
    // the rows are those of the ends of the steps
    for (row, time) in time.iter().enumerate().skip(1) {
        let start = time - 0.01;
        let sampled = ((start + 1e-9) / 0.05).floor() * 0.05;
        if sampled < 0.05 {
            assert_eq!(
                (count[row], age[row], nearest[row], level[row]),
                (0.0, 1000.0, 100.0, 12.0)
            );
        } else {
            assert_eq!(count[row], 5.0, "{time}");
            assert!((age[row] - (start - sampled)).abs() < 1e-9, "{time}: {}", age[row]);
            // a sample is taken at the end of a step
            assert!((level[row] - (10.0 - sampled)).abs() < 1e-9, "{time}: {}", level[row]);
            assert!((nearest[row] - 5.0).abs() < 0.3, "{time}: {}", nearest[row]);
        }
    }
}

#[test]
fn a_latency_delays_what_a_controller_sees() {
    let folder = plugins("right", &[]);
    let ages = |latency: &str| {
        let table = recorded(&world(&[("a", "", &eye("e", 5, latency))]), &folder);
        let pairs = table.numbers("time_s").into_iter().zip(output(&table, "a", "age", "s"));
        pairs.skip(1).collect::<Vec<_>>()
    };
    for (time, age) in ages("<latency>0.02</latency>") {
        let start = time - 0.01;
        let sampled = ((start - 0.02 + 1e-9) / 0.05).floor() * 0.05;
        let expected = if sampled < 0.05 { 1000.0 } else { start - sampled };
        assert!((age - expected).abs() < 1e-9, "{time}: {age}");
    }
    let ages = ages("<latency>0.02</latency><latency_jitter>0.03</latency_jitter>");
    // the ages of samples that have just arrived
    let arrived = ages.windows(2).filter(|pair| pair[1].1 < pair[0].1).map(|pair| pair[1].1);
    let arrived: Vec<f64> = arrived.collect();
    assert!(arrived.len() > 15);
    assert!(arrived.iter().all(|age| (0.02 - 1e-9..0.06 + 1e-9).contains(age)), "{arrived:?}");
    assert!(arrived.iter().any(|age| *age > 0.035), "{arrived:?}");
    assert!(arrived.iter().any(|age| *age < 0.035), "{arrived:?}");
}

#[test]
fn a_connection_chooses_among_sensors() {
    let sensors = [eye("left", 3, ""), eye("right", 7, "")].concat();
    let connect = |sensor: &str| {
        format!(
            "<connect input=\"ranges\" from=\"{sensor}/ranges\"/>\
             <connect input=\"level\" from=\"{sensor}/level\"/>"
        )
    };
    let (left, right) = (connect("left"), connect("right"));
    let vehicles = [("a", &*left, &*sensors), ("b", &*right, &*sensors)];
    let table = recorded(&world(&vehicles), &plugins("right", &[]));
    assert_eq!(output(&table, "a", "count", "1").last(), Some(&3.0));
    assert_eq!(output(&table, "b", "count", "1").last(), Some(&7.0));
    // an array takes an output with one value, too
    let one = "<connect input=\"ranges\" from=\"left/level\"/>";
    let changed =
        "READ_OUT=SIMHOST_RAY_PORT(\"ranges\",\"m\",\"d\"),SIMHOST_PORT(\"level\",\"m\",\"d\",0.0)";
    let control = "CONTROL_IN=SIMHOST_ARRAY_PORT(\"ranges\",\"m\",\"d\"),SIMHOST_PORT(\"vx\",\"m/s\",\"d\",0.0)";
    let plugins = plugins("one", &[changed, control]);
    let table = recorded(&world(&[("a", one, &eye("left", 3, ""))]), &plugins);
    assert_eq!(output(&table, "a", "count", "1").last(), Some(&1.0));
    assert!(output(&table, "a", "nearest", "m").last().is_some_and(|level| *level < 10.0));
}

#[test]
fn a_quantity_of_the_host_is_replaced_only_by_a_connection() {
    let outputs =
        "READ_OUT=SIMHOST_RAY_PORT(\"ranges\",\"m\",\"d\"),SIMHOST_PORT(\"z\",\"m\",\"d\",0.0)";
    let inputs =
        "CONTROL_IN=SIMHOST_ARRAY_PORT(\"ranges\",\"m\",\"d\"),SIMHOST_PORT(\"z\",\"m\",\"d\",0.0)";
    let plugins = plugins("host", &[outputs, inputs]);
    let height = |connect: &str| {
        let table = recorded(&world(&[("a", connect, &eye("e", 3, ""))]), &plugins);
        *output(&table, "a", "power", "V").last().unwrap()
    };
    assert_eq!(height(""), 0.0);
    let read = height("<connect input=\"z\" from=\"e/z\"/>");
    assert!((read - 9.05).abs() < 1e-9, "{read}");
}

#[test]
fn a_dynamics_class_reads_sensors_too() {
    let inputs = "DRIVE_IN=SIMHOST_PORT(\"level\",\"V\",\"d\",0.0),\
                  SIMHOST_PORT(\"push\",\"N·m\",\"d\",0.0),SIMHOST_ARRAY_PORT(\"ranges\",\"m\",\"d\")";
    let plugins = plugins("dynamics", &[inputs]);
    let of = |connect: &str| {
        let cart = vehicle(model("cart").xml(connect)).controller("follower");
        let cart = cart.pose(0, 0, 0).xml(&eye("e", 5, ""));
        World::new().step(0.01).vehicle("a", cart).xml(WALL).plugins(&plugins)
    };
    // the level is the torque, which is its default of 0 before the first sample
    let x = of("").run(1.0).column("a", "x_m");
    assert!(x[5] == 0.0 && x[99] > 0.5, "{x:?}");
    of("<connect input=\"level\" from=\"e/levle\"/>").fails("<connect", &["did you mean `level`?"]);
    // what a controller sets cannot be connected
    let text = "input `push` of dynamics `acme/cart` is set by the controller";
    of("<connect input=\"push\" from=\"e/level\"/>").fails("<connect", &[text]);
}

#[test]
fn a_sensor_that_faults_keeps_its_last_reading() {
    let faults = "<until>0.42</until>";
    let world =
        world(&[("a", "", &eye("e", 5, faults))]).xml("<plugin_faults action=\"disable\"/>");
    let table = recorded(&world, &plugins("right", &[]));
    let age = output(&table, "a", "age", "s");
    assert!((age.last().unwrap() - (0.99 - 0.4)).abs() < 1e-9, "{age:?}");
    assert_eq!(output(&table, "a", "count", "1").last(), Some(&5.0));
}

#[test]
fn the_evidence_of_a_fault_holds_the_reading() {
    let world = world(&[("a", "", &eye("e", 5, "").replace("0.05", "0.2"))]);
    let fault = world.plugins(&plugins("tired", &["TIRED"])).fault(1.0, &["too old"]);
    let mut young = fault.evidence();
    let reading = &young["readings"][0];
    assert_eq!((&reading["capacity"], &reading["input"]), (&5.into(), &"ranges".into()));
    fault.replay();
    // a younger reading is not a fault
    young["readings"][0]["age"][0] = 0.05.into();
    let replayed = fault.replay_of(young).unwrap().step();
    assert_eq!(replayed.fault.0, simhost_abi::fault_code::NONE, "{replayed:?}");
}

#[test]
fn readings_are_part_of_the_state() {
    let sensors = eye("e", 9, "");
    let vehicles: Vec<(String, &str, &str)> =
        (0..40).map(|number| (format!("v{number}"), "", &*sensors)).collect();
    let vehicles: Vec<(&str, &str, &str)> =
        vehicles.iter().map(|(name, connect, sensors)| (&**name, *connect, *sensors)).collect();
    let world = world(&vehicles).plugins(&plugins("right", &[]));
    let whole = world.repeats(0.13, 1.0).hashes;
    for at in [0.39, 0.65] {
        assert_eq!(world.resume(&world.snapshot(at), 1.0).hashes, whole, "{at}");
    }
    // the same sensors, which no model reads, give another hash
    let unread = "CONTROL_IN=SIMHOST_OPTIONAL_ARRAY_PORT(\"scan\",\"m\",\"\"),SIMHOST_PORT(\"vx\",\"m/s\",\"\",0.0)";
    assert_ne!(world.plugins(&plugins("unread", &[unread])).run(1.0).hashes[1], whole[1]);
}

/// The validator has a bad plugin for each of its tests of readings.
#[test]
fn the_validator_finds_what_is_wrong_with_readings() {
    for (change, failing) in
        [("", None), ("EMPTY", Some("reading-empty")), ("BEYOND", Some("reading-count"))]
    {
        let name = format!("checked{change}");
        let changes: Vec<&str> =
            Some(change).filter(|change| !change.is_empty()).into_iter().collect();
        let library = plugins(&name, &changes).join(bad_plugins::library_name("follower"));
        for test in ["reading-empty", "reading-count"] {
            let failures = bad_plugins::failures(&library, test);
            assert_eq!(failures.is_empty(), failing != Some(test), "{change} {test}: {failures:?}");
        }
    }
}
