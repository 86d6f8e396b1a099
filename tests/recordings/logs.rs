//! Logs of vehicles, and formats that are not built in.

use super::{differential, workspace, world};

/// Logs of MVSim start with the run where the world asks for it, each in separate files.
#[test]
fn logs_start_where_the_world_asks_for_them() {
    let log = "<log_path>logs/night_</log_path><auto_start_recording>true</auto_start_recording>";
    let logged = |log: &str| world(0.7, log).vehicle("c", differential().pose(0, 9, 0));
    let workspace = logged(log).workspace();
    let outcome = workspace.simulate(&["--log-period", "0.5"]);
    assert_eq!(outcome.code, 0, "{}", outcome.stderr);
    let folder = workspace.path("out/mvsim/logs");
    let names = || {
        let entries = std::fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().file_name());
        let mut names: Vec<String> = entries.map(|name| name.into_string().unwrap()).collect();
        names.sort_unstable();
        names
    };
    let expected = [
        "session_1-night_mvsim_a_pose.csv",
        "session_1-night_mvsim_a_wheel_1.csv",
        "session_1-night_mvsim_a_wheel_2.csv",
    ];
    assert_eq!(names(), expected);
    let pose = std::fs::read_to_string(folder.join(expected[0])).unwrap();
    assert_eq!(pose.lines().count(), 1 + 5);
    // a vehicle takes precedence over its class, and nothing starts without an output folder
    let workspace = logged("<auto_start_recording>false</auto_start_recording>").workspace();
    workspace.simulate(&[]);
    assert!(!workspace.path("out/mvsim").exists());
    let outcome = logged(log).workspace().run(&["world.xml"]);
    assert_eq!(outcome.code, 0);
    assert!(
        outcome.stderr.contains("the log of vehicle `a` (<auto_start_recording>) is not written")
    );
    assert!(outcome.stderr.contains("--out DIR"), "{}", outcome.stderr);
}

#[test]
fn formats_that_are_not_built_in_are_refused_with_a_way_out() {
    if cfg!(feature = "parquet") {
        return;
    }
    let outcome = workspace().run(&["world.xml", "--out", "out", "--export", "parquet"]);
    assert_eq!(outcome.code, 2, "{}", outcome.stderr);
    assert!(outcome.stderr.contains("--features parquet"), "{}", outcome.stderr);
}
