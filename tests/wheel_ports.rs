//! Sensors and controllers that read quantities of wheels.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::support::Table;
use crate::support::world::{Vehicle, World, differential, model, vehicle};

const SLIP: &str = "<sensor class=\"c_wheel_slip\" name=\"slip\"/>\n";

/// Returns a robot with four wheels.
fn four_wheels() -> Vehicle {
    let wheels = "<lf_wheel pos=\"0.2 0.3\" diameter=\"0.3\"/><rf_wheel pos=\"0.2 -0.3\" diameter=\"0.3\"/>\
                  <lr_wheel pos=\"-0.2 0.3\" diameter=\"0.3\"/><rr_wheel pos=\"-0.2 -0.3\" diameter=\"0.3\"/>";
    vehicle(model("differential_4_wheels").xml(wheels))
        .controller(model("twist_pid").set("V", 2))
        .xml(SLIP)
        .pose(0, 5, 0)
}

/// Compiles `sdk/c/example/wheel_slip.c` and returns the folder of the library.
fn plugins() -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("wheel_slip");
    std::fs::create_dir_all(&folder).unwrap();
    let library = folder.join(format!("c_wheel_slip{}", std::env::consts::DLL_SUFFIX));
    let status = Command::new("cc")
        .args(["-std=c99", "-O2", "-ffp-contract=off", "-shared", "-fPIC", "-I"])
        .args([root.join("sdk/c"), "-o".into(), library])
        .args([root.join("sdk/c/example/wheel_slip.c"), "-lm".into()])
        .status();
    assert!(status.unwrap().success());
    folder
}

fn world() -> World {
    World::new().step(0.01).plugins(&plugins())
}

/// A sensor on a vehicle with four wheels, one on each of two vehicles with two, and one in the world
/// have the same class. They were in one group, whose number of wheels was 0.
#[test]
fn a_sensor_in_c_reads_the_wheels_of_every_vehicle() {
    let all = world()
        .vehicle("first", differential().xml(SLIP).pose(0, 0, 0))
        .vehicle("four", four_wheels())
        .vehicle("last", differential().xml(SLIP).pose(0, 9, 0).velocity(1, 0, 0))
        .xml("<sensor class=\"c_wheel_slip\" name=\"alone\"/>")
        .run(1.0);
    let largest = |table: &Table| table.numbers("largest_slip_mps");
    let four = all.table("four.slip.csv");
    let wheels = all.table("wheels.csv").only("vehicle", "four");
    let [time, spin, vx] = ["time_s", "spin_radps", "vx_mps"].map(|name| wheels.numbers(name));
    let mut compared = 0;
    for (at, slip) in four.numbers("time_s").iter().zip(largest(four)) {
        let now = (0..time.len()).filter(|row| (time[*row] - at).abs() < 1e-9);
        let slips: Vec<f64> = now.map(|row| (0.15 * spin[row] - vx[row]).abs()).collect();
        assert_eq!(slips.len(), 4, "wheels at {at} s");
        let expected = slips.into_iter().fold(0.0, f64::max);
        assert!((slip - expected).abs() < 1e-9, "{slip} at {at} s, expected {expected}");
        compared += usize::from(expected > 0.01);
    }
    assert!(compared > 0, "no wheel slipped");
    // the other sensors do not change the readings
    let own = world().vehicle("four", four_wheels()).run(1.0);
    assert_eq!(own.table("four.slip.csv").rows, four.rows);
    assert!(largest(all.table("first.slip.csv")).iter().all(|slip| *slip == 0.0));
    let standing = all.table("world.alone.csv");
    assert!(!standing.rows.is_empty() && largest(standing).iter().all(|slip| *slip == 0.0));
}
