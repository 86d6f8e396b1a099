//! The README names existing files, and all built-in classes are linked in.

use std::path::Path;

use crate::support::world::{Vehicle, World, differential, model, vehicle};

fn read(path: &str) -> String {
    std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(path)).unwrap()
}

/// The linker drops families that nothing names. An error message lists all classes.
#[test]
fn every_built_in_class_is_linked_in() {
    let one = |vehicle: Vehicle| World::new().vehicle("v", vehicle);
    for (wrong, known) in [
        (
            one(differential().friction("?")),
            "burckhardt, default, ellipse, fiala, lugre, magic_formula, tmeasy, wardiagnemma",
        ),
        (
            one(vehicle("?")),
            "ackermann, ackermann_drivetrain, ackermann_powertrain, actuation_cmd, \
             actuation_cmd_mechanical, actuation_cmd_steer_map, actuation_cmd_vgr, \
             car_14dof, car_7dof, delay_steer_acc, delay_steer_acc_geared, delay_steer_acc_geared_wo_fall_guard, \
             delay_steer_map_acc_geared, delay_steer_vel, differential, differential_3_wheels, \
             differential_4_wheels, double_track, f1tenth_single_track, four_mass_body, \
             ideal_steer_acc, ideal_steer_acc_geared, ideal_steer_vel, kinematic_single_track, \
             kinematic_single_track_trailer, learned_steer_vel, multi_body, single_track, \
             single_track_drift",
        ),
        (
            one(differential().controller("?")),
            "actuator_targets, assisted_pedals, command_converter, f1tenth, front_steer_pid, lane_keeping, none, path_driver, pedals, planning_interface, \
             planning_raw, preview, raw, stanley, steering_rate_acceleration, trajectory, twist_front_steer_pid, twist_ideal, \
             twist_pid, wheel_torques",
        ),
        (
            one(differential().xml("<sensor class=\"?\"/>")),
            "barometer, battery, bumper, camera, encoders, gnss, imu, laser, lidar3d, magnetometer, objects, odometry, \
             planning_reports, radar, rgbd_camera, sonar, uwb",
        ),
        (World::new().xml("<environment class=\"?\"/>"), "gravity, gusts, ice, rain, steady_wind"),
        (
            one(vehicle(model("differential").xml("<actuator port=\"torque_left\" class=\"?\"/>"))),
            "backlash, dc_motor, dead_time, first_order_lag, quantisation, rate_limit, saturation, \
             steering_system, vehicle_actuator",
        ),
        (World::new().xml("<observer class=\"?\"/>"), "metrics, recorder, stop_when"),
        (
            one(vehicle(model("car_14dof").xml("<suspension class=\"?\"/>"))),
            "double_wishbone, five_link, linear, mcpherson, none, rigid_axle, tables, trailing_arm",
        ),
    ] {
        let text: Vec<_> = wrong.errors().into_iter().map(|error| error.text).collect();
        assert!(text.concat().contains(&format!("class: {known}")), "no `{known}` in {text:#?}");
    }
}

#[test]
fn the_readme_names_files_that_exist() {
    for path in [
        "worlds/demo.world.xml",
        "worlds/demo.commands.csv",
        "docs/src/images/demo.svg",
        "docs/examples/burckhardt/src/lib.rs",
        "worlds/third_party.world.xml",
    ] {
        assert!(!read(path).is_empty());
    }
    let example = read("docs/examples/burckhardt/src/lib.rs");
    assert!(example.lines().filter(|line| !line.is_empty()).count() <= 25);
}

/// Each claim about simhost names a test that holds it.
#[test]
fn the_comparison_of_plugin_systems_names_tests_that_exist() {
    let page = read("docs/src/plugin-systems.md");
    let mut named = 0;
    for row in page.lines().filter(|line| line.starts_with("| ") && line.contains("](../../")) {
        let proof = row.trim_end_matches(" |").rsplit("| ").next().unwrap();
        let mut test = String::new();
        for part in proof.split(['(', ')', '`']) {
            if let Some(path) = part.strip_prefix("../../") {
                test = read(path);
                named += 1;
            } else if part.contains('_') && !part.contains(' ') && !part.contains('.') {
                assert!(test.contains(&format!("fn {part}(")), "{part}");
            }
        }
        assert!(!test.is_empty(), "{row}");
    }
    assert!(named >= 16, "{named}");
}
