//! Fleets command the vehicles of several drives in one call.

#![allow(clippy::unwrap_used)]

mod support;

#[path = "support/bad_plugins.rs"]
mod bad_plugins;

use std::path::{Path, PathBuf};

use support::{Outcome, Table, Workspace};

/// Three drives, of which each starts 1 m ahead of the one before.
const VEHICLES: &str = r#"
  <vehicle name="r1"><init_pose>0 0 0</init_pose>
    <dynamics class="differential"><controller class="twist_pid"/></dynamics></vehicle>
  <vehicle name="r2"><init_pose>1 10 0</init_pose>
    <dynamics class="ackermann"><controller class="twist_front_steer_pid"/></dynamics></vehicle>
  <vehicle name="r3"><init_pose>2 20 0</init_pose>
    <dynamics class="differential_4_wheels"><controller class="twist_ideal"/></dynamics></vehicle>
  <vehicle name="alone"><init_pose>0 30 0</init_pose>
    <dynamics class="differential"><controller class="twist_pid"><V>0</V></controller></dynamics>
  </vehicle>
"#;

fn world(fleets: &str, vehicles: &str) -> String {
    format!(
        "<mvsim_world version=\"1.0\">\n<duration>10</duration>\n\
         <simul_timestep>0.01</simul_timestep>\n{fleets}\n{vehicles}\n</mvsim_world>\n"
    )
}

/// Returns a folder with the fleet `abreast`, changed by macros.
fn plugin(name: &str, macros: &[&str]) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("fleets").join(name);
    bad_plugins::build_of("fleet.c", &folder, "fleet", macros);
    folder
}

/// Runs a world with output to the folder `out`.
fn run(workspace: &Workspace, plugins: &Path, arguments: &[&str]) -> Outcome {
    let plugins = plugins.to_str().unwrap();
    let mut all = vec!["world.xml", "--out", "out", "--plugin-dir", plugins];
    all.extend(arguments);
    workspace.run(&all)
}

/// Returns the last x of a vehicle, m.
fn last_x(workspace: &Workspace, vehicle: &str) -> f64 {
    let rows = Table::read(&workspace.path("out/trajectory.csv")).only("vehicle", vehicle);
    *rows.numbers("x_m").last().unwrap()
}

const FLEET: &str = "<fleet class=\"abreast\" name=\"line\" vehicles=\"r*\"><gain>1</gain></fleet>";

#[test]
fn vehicles_of_three_drives_follow_one_fleet() {
    let workspace = Workspace::new(&world(FLEET, VEHICLES));
    let outcome = run(&workspace, &plugin("good", &[]), &[]);
    assert_eq!(outcome.code, 0, "{}", outcome.stderr);
    let ends = ["r1", "r2", "r3"].map(|vehicle| last_x(&workspace, vehicle));
    for x in ends {
        assert!((x - 11.0).abs() < 0.3, "{ends:?}");
    }
    assert!((ends[0] - ends[2]).abs() < 0.05, "{ends:?}");
    assert!(last_x(&workspace, "alone").abs() < 1e-6);
}
