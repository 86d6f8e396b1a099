//! Fleets read the sensors of their vehicles and ask about the world around them.

use std::path::PathBuf;

use super::{VEHICLES, hashes, last_x, quantity, run, world};

use crate::support::Workspace;

/// Returns a folder with the fleet `scouts`, changed by macros.
fn plugin(name: &str, macros: &[&str]) -> PathBuf {
    super::installed("scouts", name, macros)
}

const WALL: &str =
    "<walls><wallThickness>0.1</wallThickness><shape><pt>8 -5</pt> <pt>8 40</pt></shape></walls>";

/// Returns a world in which `r1` and `r2` have lasers of 5 and 9 rays, with further elements.
fn scouts(fleet: &str, more: &str) -> String {
    let lasers = [("r1", 5), ("r2", 9)].map(|(name, rays)| {
        let laser = format!(
            "<sensor class=\"laser\" name=\"eye\"><nrays>{rays}</nrays><fov_degrees>10</fov_degrees>\
             <range_std_noise>0</range_std_noise><sensor_period>0.25</sensor_period></sensor>"
        );
        (format!("<vehicle name=\"{name}\">"), laser)
    });
    let vehicles = lasers.iter().fold(VEHICLES.to_owned(), |text, (start, laser)| {
        assert!(text.contains(start), "{start}");
        text.replace(start, &format!("{start}{laser}"))
    });
    world(fleet, &format!("{WALL}{more}{vehicles}"))
}

#[test]
fn a_fleet_reads_the_sensors_of_its_vehicles() {
    let workspace = Workspace::new(&scouts("<fleet class=\"scouts\" vehicles=\"r1 r2\"/>", ""));
    let outcome = run(&workspace, &plugin("scouts", &[]), &["--record", "r?/fleet/*"]);
    assert_eq!(outcome.code, 0, "{}", outcome.stderr);
    let of = |name: &str| quantity(&workspace, &format!("{name} [1]"));
    // nothing before the first sample; then the number of rays of each laser
    for (name, rays) in [("r1", 5.0), ("r2", 9.0)] {
        let counts = of(&format!("{name}/fleet/count"));
        let first = counts.iter().position(|count| *count > 0.0).unwrap();
        assert!((24..=27).contains(&first), "{first}");
        assert!(counts[first..].iter().all(|count| *count == rays), "{name}");
        let ages = quantity(&workspace, &format!("{name}/fleet/age [s]"));
        assert_eq!((ages[1], ages[first]), (1000.0, 0.0));
        assert!((ages[first + 10] - 0.1).abs() < 1e-9, "{}", ages[first + 10]);
        // the speed falls with the distance from the wall
        assert!((5.0..7.3).contains(&last_x(&workspace, name)), "{}", last_x(&workspace, name));
    }
    // no other vehicle is within 4 m, and each lane stands for its own vehicle
    assert!(of("r1/fleet/close").iter().all(|close| *close == 0.0));
    assert_eq!((of("r1/fleet/own")[1], of("r2/fleet/own")[1]), (0.0, 1.0));
}

#[test]
fn readings_survive_a_snapshot() {
    let workspace = Workspace::new(&scouts("<fleet class=\"scouts\" vehicles=\"r1 r2\"/>", ""));
    let plugins = plugin("scouts", &[]);
    let keep = ["--snapshot-every", "0.6", "--snapshot-dir", "kept", "--hash-every", "5"];
    let whole = run(&workspace, &plugins, &keep);
    assert_eq!(whole.code, 0, "{}", whole.stderr);
    let rest = ["--resume", "kept/step-60.snapshot", "--hash-every", "5"];
    let rest = run(&workspace, &plugins, &rest);
    assert_eq!(rest.code, 0, "{}", rest.stderr);
    assert_eq!(hashes(&rest), hashes(&whole));
}

#[test]
fn neighbours_are_counted_without_the_vehicle_itself() {
    let near = "<vehicle name=\"near\"><init_pose>3 0 0</init_pose><dynamics class=\"differential\"/>\
                </vehicle>";
    let fleet = "<fleet class=\"scouts\" vehicles=\"r1 r2\"/>";
    let workspace = Workspace::new(&scouts(fleet, near));
    let arguments = ["--record", "r?/fleet/*", "--duration", "0.1"];
    let outcome = run(&workspace, &plugin("scouts", &[]), &arguments);
    assert_eq!(outcome.code, 0, "{}", outcome.stderr);
    let close = |name: &str| quantity(&workspace, &format!("{name}/fleet/close [1]"))[1];
    assert_eq!((close("r1"), close("r2")), (1.0, 0.0));
}

#[test]
fn sensors_that_are_missing_or_ambiguous_are_explained() {
    let plugins = plugin("scouts", &[]);
    let second = "<sensor class=\"laser\" name=\"bumper\"/>";
    let two = scouts("<fleet class=\"scouts\" vehicles=\"r1\"/>", "")
        .replace("<vehicle name=\"r1\">", &format!("<vehicle name=\"r1\">{second}"));
    let connected = "<fleet class=\"scouts\" vehicles=\"r1\"><connect input=\"range\" from=\"eye/range\"/></fleet>";
    for (text, parts) in [
        (
            scouts("<fleet class=\"scouts\" vehicles=\"r1 r3\"/>", ""),
            &["input `range` of phase `command`", "vehicle `r3`", "no sensor with readings"][..],
        ),
        (two.clone(), &["ambiguous input `range` of phase `command`", "`bumper` and `eye`"]),
        (
            scouts(&connected.replace("eye/", "ey/"), ""),
            &["unknown sensor `ey`", "did you mean `eye`?"],
        ),
        (
            scouts(&connected.replace("input=\"range\"", "input=\"rang\""), ""),
            &["unknown input `rang` of fleet `test/scouts`", "did you mean `range`?"],
        ),
    ] {
        let outcome = run(&Workspace::new(&text), &plugins, &[]);
        assert_eq!(outcome.code, 12, "{}", outcome.stderr);
        for part in parts {
            assert!(outcome.stderr.contains(part), "no `{part}` in {}", outcome.stderr);
        }
    }
    let plain = "<fleet class=\"scouts\" vehicles=\"r1\"/>";
    assert!(two.contains(plain));
    let outcome = run(&Workspace::new(&two.replace(plain, connected)), &plugins, &[]);
    assert_eq!(outcome.code, 0, "{}", outcome.stderr);
}

#[test]
fn an_optional_reading_is_empty_where_there_is_no_sensor() {
    let optional = "RANGES=SIMHOST_OPTIONAL_ARRAY_PORT(\"range\",\"m\",\"ranges of a laser\")";
    let fleet = "<fleet class=\"scouts\" vehicles=\"r1 r3\"/>";
    let workspace = Workspace::new(&scouts(fleet, ""));
    let arguments = ["--record", "r?/fleet/*", "--duration", "1"];
    let outcome = run(&workspace, &plugin("optional", &[optional]), &arguments);
    assert_eq!(outcome.code, 0, "{}", outcome.stderr);
    let last = |name: &str| *quantity(&workspace, &format!("{name} [1]")).last().unwrap();
    assert_eq!((last("r1/fleet/count"), last("r3/fleet/count")), (5.0, 0.0));
}

#[test]
fn a_fault_is_replayed_with_the_readings_of_all_vehicles() {
    let late = "FAILURE=if(batch->time>1.0&&simhost_reading_count(batch,0,1)==9)\
                return simhost_fail(fault,SIMHOST_FAULT_PANIC,0,\"saw nine\")";
    let folder = plugin("late", &[late]);
    let workspace = Workspace::new(&scouts("<fleet class=\"scouts\" vehicles=\"r1 r2\"/>", ""));
    let outcome = run(&workspace, &folder, &[]);
    assert_eq!(outcome.code, 11, "{}", outcome.stderr);
    assert!(outcome.stderr.contains("saw nine"), "{}", outcome.stderr);
    let plugins = folder.to_str().unwrap();
    let again = workspace.run(&["replay", "out/fault-1.json", "--plugin-dir", plugins]);
    assert!(
        again.stdout.contains("call 1: panicked: saw nine"),
        "{}{}",
        again.stdout,
        again.stderr
    );
}
