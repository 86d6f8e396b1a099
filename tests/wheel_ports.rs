//! Sensors and controllers that read quantities of wheels.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::support::{Outcome, Table, Workspace};

const FOUR_WHEELS: &str = r#"
  <vehicle name="four"><dynamics class="differential_4_wheels">
      <lf_wheel pos="0.2 0.3" diameter="0.3"/><rf_wheel pos="0.2 -0.3" diameter="0.3"/>
      <lr_wheel pos="-0.2 0.3" diameter="0.3"/><rr_wheel pos="-0.2 -0.3" diameter="0.3"/>
      <controller class="twist_pid"><V>2</V></controller>
    </dynamics>
    <sensor class="c_wheel_slip" name="slip"/><init_pose>0 5 0</init_pose></vehicle>"#;

/// Vehicles with two wheels, before and after that with four.
const TWO_WHEELS: [&str; 2] = [
    r#"<vehicle name="first"><dynamics class="differential"/>
       <sensor class="c_wheel_slip" name="slip"/><init_pose>0 0 0</init_pose></vehicle>"#,
    r#"<vehicle name="last"><dynamics class="differential"/>
       <sensor class="c_wheel_slip" name="slip"/><init_pose>0 9 0</init_pose>
       <init_vel>1 0 0</init_vel></vehicle>
       <sensor class="c_wheel_slip" name="alone"/>"#,
];

fn world(content: &str) -> String {
    format!(
        "<mvsim_world version=\"1.0\"><simul_timestep>0.01</simul_timestep>{content}</mvsim_world>"
    )
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

fn run(content: &str, plugins: &Path) -> (Workspace, Outcome) {
    let workspace = Workspace::new(&world(content));
    let outcome =
        workspace.simulate(&["--duration", "1", "--plugin-dir", plugins.to_str().unwrap()]);
    (workspace, outcome)
}

/// A sensor on a vehicle with four wheels, one on each of two vehicles with two, and one in the world
/// have the same class. They were in one group, whose number of wheels was 0.
#[test]
fn a_sensor_in_c_reads_the_wheels_of_every_vehicle() {
    let plugins = plugins();
    let [first, last] = TWO_WHEELS;
    let (all, _) = run(&[first, FOUR_WHEELS, last].concat(), &plugins);
    let largest = |table: &Table| table.numbers("largest_slip_mps");
    let four = all.table("four.slip.csv");
    let wheels = all.table("wheels.csv").only("vehicle", "four");
    let [time, spin, vx] = ["time_s", "spin_radps", "vx_mps"].map(|name| wheels.numbers(name));
    let mut compared = 0;
    for (at, slip) in four.numbers("time_s").iter().zip(largest(&four)) {
        let now = (0..time.len()).filter(|row| (time[*row] - at).abs() < 1e-9);
        let slips: Vec<f64> = now.map(|row| (0.15 * spin[row] - vx[row]).abs()).collect();
        assert_eq!(slips.len(), 4, "wheels at {at} s");
        let expected = slips.into_iter().fold(0.0, f64::max);
        assert!((slip - expected).abs() < 1e-9, "{slip} at {at} s, expected {expected}");
        compared += usize::from(expected > 0.01);
    }
    assert!(compared > 0, "no wheel slipped");
    // the other sensors do not change the readings
    let (own, _) = run(FOUR_WHEELS, &plugins);
    assert_eq!(own.table("four.slip.csv").rows, four.rows);
    assert!(largest(&all.table("first.slip.csv")).iter().all(|slip| *slip == 0.0));
    let standing = all.table("world.alone.csv");
    assert!(!standing.rows.is_empty() && largest(&standing).iter().all(|slip| *slip == 0.0));
}
