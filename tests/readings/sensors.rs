//! Sensors that read other sensors of their vehicle.

use super::{WALL, eye, output, plugins, recorded, world};
use crate::support::runs::Problem;
use crate::support::world::{World, model, vehicle};

/// Returns a sensor that reads another one every 0.02 s, with the text of its `<connect>` elements.
fn relay(name: &str, connect: &str) -> String {
    format!(
        "<sensor class=\"relay\" name=\"{name}\"><sensor_period>0.02</sensor_period>{connect}</sensor>"
    )
}

/// Returns a world with a vehicle that has these sensors and no controller that reads them.
fn cart(sensors: &str) -> World {
    let cart = vehicle("cart").controller(model("follower").xml(CONTROLLED));
    let world = World::new().step(0.01).vehicle("a", cart.pose(0, 0, 0).xml(sensors));
    world.xml(WALL).record("a/sensor/**")
}

/// The controller of the vehicle reads a sensor that is not in question.
const CONTROLLED: &str = "<connect input=\"ranges\" from=\"own/ranges\"/>\
                          <connect input=\"level\" from=\"own/level\"/>";

/// Returns the rows of a reading of a sensor of the vehicle.
fn readings(table: &crate::support::Table, name: &str, unit: &str) -> Vec<f64> {
    table.numbers(&format!("a/sensor/{name} [{unit}]"))
}

#[test]
fn a_sensor_in_c_reads_samples_of_the_same_step() {
    let connect = "<connect input=\"ranges\" from=\"e/ranges\"/>\
                   <connect input=\"level\" from=\"e/level\"/>";
    // the reading sensor stands before the one that it reads
    let sensors = [relay("r", connect), eye("e", 5, ""), eye("own", 2, "")].concat();
    let table = cart(&sensors).plugins(&plugins("right", &[])).run(1.0);
    let table = table.table("quantities.csv");
    let time = table.numbers("time_s");
    let (age, count) = (readings(table, "r/seen_age", "s"), readings(table, "r/seen", "1"));
    let doubled = readings(table, "r/doubled", "V");
    for (row, time) in time.iter().enumerate().filter(|(_, time)| **time > 0.055) {
        let sampled = ((time + 1e-9) / 0.02).floor() * 0.02;
        let source = ((sampled + 1e-9) / 0.05).floor() * 0.05;
        assert_eq!(count[row], 5.0, "{time}");
        assert!((age[row] - (sampled - source)).abs() < 1e-9, "{time}: {}", age[row]);
        assert!((doubled[row] - 2.0 * (10.0 - source)).abs() < 1e-9, "{time}: {}", doubled[row]);
    }
    assert!((age.last().unwrap() - 0.0).abs() < 1e-9, "both are due at the end: {age:?}");
}

#[test]
fn a_controller_reads_a_sensor_that_reads_another_one() {
    let connect =
        "<connect input=\"ranges\" from=\"r/near\"/><connect input=\"level\" from=\"r/doubled\"/>";
    let relay = relay("r", "<connect input=\"ranges\" from=\"e/ranges\"/>");
    let table =
        recorded(&world(&[("a", connect, &(relay + &eye("e", 5, "")))]), &plugins("right", &[]));
    let nearest = output(&table, "a", "nearest", "m");
    assert!((nearest.last().unwrap() - 5.0).abs() < 0.3, "{nearest:?}");
    let level = output(&table, "a", "power", "V");
    assert!((level.last().unwrap() - 2.0 * 9.05).abs() < 1e-9, "{level:?}");
}

#[test]
fn more_rays_of_a_source_fit_after_a_change() {
    let sensors = relay("r", "") + &eye("e", 5, "");
    let folder = plugins("right", &[]);
    let workspace = world(&[("a", "", &sensors)]).record("a/sensor/**").workspace();
    let words = ["world.xml", "--plugin-dir", folder.to_str().unwrap(), "--out", "out"];
    let outcome = workspace.run(&[&words[..], &["--set", "a/sensor/e/rays=9"]].concat());
    assert_eq!(outcome.code, 0, "{}", outcome.stderr);
    let table = workspace.table("quantities.csv");
    assert_eq!(readings(&table, "r/seen", "1").last(), Some(&9.0));
    assert_eq!(output(&table, "a", "count", "1").last(), Some(&9.0));
}

#[test]
fn what_sensors_have_read_is_part_of_the_state() {
    let sensors = [relay("r", ""), eye("e", 9, "<latency>0.03</latency>")].concat();
    let vehicles: Vec<(String, &str, &str)> =
        (0..12).map(|number| (format!("v{number}"), "", &*sensors)).collect();
    let vehicles: Vec<(&str, &str, &str)> =
        vehicles.iter().map(|(name, connect, sensors)| (&**name, *connect, *sensors)).collect();
    let world = world(&vehicles).plugins(&plugins("right", &[]));
    let whole = world.repeats(0.13, 1.0).hashes;
    for at in [0.11, 0.16, 0.65] {
        assert_eq!(world.resume(&world.snapshot(at), 1.0).hashes, whole, "{at}");
    }
}

/// The sensors of a vehicle, and parts of the error.
type Mistake<'m> = (String, &'m [&'m str]);

#[test]
fn each_mistake_of_a_sensor_is_refused() {
    let connect = |input: &str, from: &str| {
        relay("r", &format!("<connect input=\"{input}\" from=\"{from}\"/>"))
    };
    let reads = |name: &str, other: &str| {
        relay(name, &format!("<connect input=\"ranges\" from=\"{other}/near\"/>"))
    };
    let (left, right) = (eye("left", 3, ""), eye("right", 3, ""));
    let mistakes: [Mistake<'_>; 9] = [
        (
            connect("ranges", "lfet/ranges") + &left,
            &["unknown sensor `lfet`", "did you mean `left`?"],
        ),
        (
            connect("ranges", "left/range") + &left,
            &["unknown output `range` of sensor `left`", "did you mean `ranges`?"],
        ),
        (
            connect("rnges", "left/ranges") + &left,
            &["unknown input `rnges` of sensor `acme/relay`", "did you mean `ranges`?"],
        ),
        (
            connect("ranges", "left/level") + &left,
            &["input `ranges` of phase `read` is in m; sensor `left` has it in V"],
        ),
        (
            relay("r", "") + &left + &right,
            &["ambiguous input `ranges` of phase `read`", "sensors `own` and `left` and `right`"],
        ),
        (reads("r", "r"), &["sensor `r` reads itself", "input `ranges` closes the cycle"]),
        (
            reads("p", "q") + &reads("q", "p"),
            &["sensors read each other in a cycle: `", "` reads `p`", "` reads `q`"],
        ),
        (
            [reads("p", "q"), reads("q", "s"), reads("s", "q")].concat(),
            &["cycle: `s` reads `q`, `q` reads `s`", "in vehicle `a`"],
        ),
        (
            format!("</vehicle><sensor class=\"relay\" name=\"alone\"/><vehicle name=\"b\">{}", {
                "<dynamics class=\"differential\"/><init_pose>0 9 0</init_pose>"
            }),
            &["nothing provides input `ranges` of phase `read`: the sensor is not on a vehicle"],
        ),
    ];
    let mut missed = Vec::new();
    for (sensors, expected) in &mistakes {
        let world = cart(&(eye("own", 2, "") + sensors)).plugins(&plugins("right", &[]));
        let errors = world.errors();
        let is = |error: &Problem, part: &str| error.at.0 > 0 && error.text.contains(part);
        let has = |part: &str| errors.iter().any(|error| is(error, part));
        for part in expected.iter().filter(|part| !has(part)) {
            missed.push(format!("no `{part}`:\n{errors:#?}"));
        }
    }
    assert!(missed.is_empty(), "{}", missed.join("\n"));
}
