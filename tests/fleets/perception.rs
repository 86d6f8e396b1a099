//! Fleets read the sensors of their vehicles and ask about the world around them.

use std::path::PathBuf;

use super::{Vehicles, quantity, vehicles, world};

use crate::support::world::{World, differential};

/// Returns a folder with the fleet `scouts`, changed by macros.
fn plugin(name: &str, macros: &[&str]) -> PathBuf {
    super::installed("scouts", name, macros)
}

const WALL: &str =
    "<walls><wallThickness>0.1</wallThickness><shape><pt>8 -5</pt> <pt>8 40</pt></shape></walls>";

const LASER: &str = "<sensor class=\"laser\" name=\"bumper\"/>\n";

/// Returns the vehicles, with lasers of 5 and 9 rays on `r1` and `r2`.
fn seeing() -> Vehicles {
    let mut vehicles = vehicles();
    for ((_, vehicle), rays) in vehicles.iter_mut().zip([5, 9]) {
        *vehicle = vehicle.clone().xml(&format!(
            "<sensor class=\"laser\" name=\"eye\"><nrays>{rays}</nrays><fov_degrees>10</fov_degrees>\
             <range_std_noise>0</range_std_noise><sensor_period>0.25</sensor_period></sensor>\n"
        ));
    }
    vehicles
}

fn scouts(fleet: &str) -> World {
    world(&format!("{fleet}{WALL}"), seeing())
}

const BOTH: &str = "<fleet class=\"scouts\" vehicles=\"r1 r2\"/>";

#[test]
fn a_fleet_reads_the_sensors_of_its_vehicles() {
    let world = scouts(BOTH).plugins(&plugin("scouts", &[])).record("r?/fleet/*");
    let run = world.run(10.0);
    let of = |name: &str| quantity(&run, &format!("{name} [1]"));
    // nothing before the first sample; then the number of rays of each laser
    for (name, rays) in [("r1", 5.0), ("r2", 9.0)] {
        let counts = of(&format!("{name}/fleet/count"));
        let first = counts.iter().position(|count| *count > 0.0).unwrap();
        assert!((24..=27).contains(&first), "{first}");
        assert!(counts[first..].iter().all(|count| *count == rays), "{name}");
        let ages = quantity(&run, &format!("{name}/fleet/age [s]"));
        assert_eq!((ages[1], ages[first]), (1000.0, 0.0));
        assert!((ages[first + 10] - 0.1).abs() < 1e-9, "{}", ages[first + 10]);
        // the speed falls with the distance from the wall
        let x = run.last(name, "x_m");
        assert!((5.0..7.3).contains(&x), "{x}");
    }
    // no other vehicle is within 4 m, and each lane stands for its own vehicle
    assert!(of("r1/fleet/close").iter().all(|close| *close == 0.0));
    assert_eq!((of("r1/fleet/own")[1], of("r2/fleet/own")[1]), (0.0, 1.0));
}

#[test]
fn readings_survive_a_snapshot() {
    scouts(BOTH).plugins(&plugin("scouts", &[])).repeats(0.6, 5.0);
}

#[test]
fn neighbours_are_counted_without_the_vehicle_itself() {
    let near = differential().pose(3, 0, 0);
    let world = scouts(BOTH).vehicle("near", near).plugins(&plugin("scouts", &[]));
    let run = world.record("r?/fleet/*").run(0.1);
    let close = |name: &str| quantity(&run, &format!("{name}/fleet/close [1]"))[1];
    assert_eq!((close("r1"), close("r2")), (1.0, 0.0));
}

#[test]
fn sensors_that_are_missing_or_ambiguous_are_explained() {
    let plugins = plugin("scouts", &[]);
    let two = |fleet: &str| {
        let mut vehicles = seeing();
        vehicles[0].1 = vehicles[0].1.clone().xml(LASER);
        world(&format!("{fleet}{WALL}"), vehicles).plugins(&plugins)
    };
    let plain = "<fleet class=\"scouts\" vehicles=\"r1\"/>";
    let connected = "<fleet class=\"scouts\" vehicles=\"r1\"><connect input=\"range\" from=\"eye/range\"/></fleet>";
    for (world, parts) in [
        (
            scouts("<fleet class=\"scouts\" vehicles=\"r1 r3\"/>"),
            &["input `range` of phase `command`", "vehicle `r3`", "no sensor with readings"][..],
        ),
        (two(plain), &["ambiguous input `range` of phase `command`", "`eye` and `bumper`"]),
        (
            scouts(&connected.replace("eye/", "ey/")),
            &["unknown sensor `ey`", "did you mean `eye`?"],
        ),
        (
            scouts(&connected.replace("input=\"range\"", "input=\"rang\"")),
            &["unknown input `rang` of fleet `test/scouts`", "did you mean `range`?"],
        ),
    ] {
        world.plugins(&plugins).fails("<fleet", parts);
    }
    two(connected).run(0.1);
}

#[test]
fn an_optional_reading_is_empty_where_there_is_no_sensor() {
    let optional = "RANGES=SIMHOST_OPTIONAL_ARRAY_PORT(\"range\",\"m\",\"ranges of a laser\")";
    let fleet = "<fleet class=\"scouts\" vehicles=\"r1 r3\"/>";
    let world = scouts(fleet).plugins(&plugin("optional", &[optional])).record("r?/fleet/*");
    let run = world.run(1.0);
    let last = |name: &str| run.table("quantities.csv").last(&format!("{name} [1]"));
    assert_eq!((last("r1/fleet/count"), last("r3/fleet/count")), (5.0, 0.0));
}

#[test]
fn a_fault_is_replayed_with_the_readings_of_all_vehicles() {
    let late = "FAILURE=if(batch->time>1.0&&simhost_reading_count(batch,0,1)==9)\
                return simhost_fail(fault,SIMHOST_FAULT_PANIC,0,\"saw nine\")";
    let folder = plugin("late", &[late]);
    let fault = scouts(BOTH).plugins(&folder).fault(10.0, &["saw nine"]);
    assert_eq!(fault.replay().fault.1, "saw nine");
}
