//! The platforms in `plugins/platforms`: each kind of dynamics class, loaded as a shared library.

use std::path::PathBuf;
use std::sync::OnceLock;

use crate::support::{Table, Workspace, projects};

fn plugin() -> &'static str {
    static BUILT: OnceLock<PathBuf> = OnceLock::new();
    let build = || projects::family("simhost-platforms", &[]);
    BUILT.get_or_init(build).to_str().unwrap()
}

/// Runs vehicle `a` in a world and returns its trajectory.
fn drive(dynamics: &str, more: &str, duration: &str, commands: Option<&str>) -> Table {
    let workspace = Workspace::new(&format!(
        "<mvsim_world><simul_timestep>0.005</simul_timestep>\
         <vehicle name=\"a\"><init_pose>0 0 0</init_pose>{dynamics}</vehicle>{more}</mvsim_world>"
    ));
    let mut arguments = vec!["--plugin-dir", plugin(), "--duration", duration];
    if let Some(commands) = commands {
        workspace.write("commands.csv", &format!("time_s,vehicle,kind,v1,v2,v3,v4\n{commands}"));
        arguments.extend(["--commands", "commands.csv"]);
    }
    let outcome = workspace.simulate(&arguments);
    assert!(outcome.stdout.contains("no warnings"), "{}", outcome.stderr);
    workspace.table("trajectory.csv")
}

fn last(table: &Table, column: &str) -> f64 {
    *table.numbers(column).last().unwrap()
}

fn near(table: &Table, column: &str, expected: f64, tolerance: f64) {
    let value = last(table, column);
    assert!((value - expected).abs() < tolerance, "{column}: {value}, expected {expected}");
}

const MECANUM: &str = "<dynamics class=\"mecanum\"><controller class=\"mecanum_pid\"/></dynamics>";

#[test]
fn a_mecanum_platform_goes_any_way() {
    // a wrench-driven class with a controller of its own
    let path = drive(MECANUM, "", "4", Some("0,a,twist,0.4,-0.3,0\n"));
    near(&path, "vx_mps", 0.4, 0.002);
    near(&path, "vy_mps", -0.3, 0.002);
    near(&path, "omega_radps", 0.0, 0.001);
    let path = drive(MECANUM, "", "4", Some("0,a,twist,0,0,0.5\n"));
    near(&path, "omega_radps", 0.5, 0.002);
    near(&path, "x_m", 0.0, 0.01);
    near(&path, "y_m", 0.0, 0.01);
    // it stands still when it is not driven
    let path = drive(MECANUM, "", "20", None);
    near(&path, "x_m", 0.0, 1e-9);
}

#[test]
fn a_controller_brings_its_own_command_kind() {
    let raw = "<dynamics class=\"mecanum\"><controller class=\"mecanum_raw\"/></dynamics>";
    let path = drive(raw, "", "1", Some("0,a,wheel_torques,1,-1,-1,1\n"));
    // front left and rear right forward, the others backward: motion to the right
    assert!(last(&path, "vy_mps") < -0.2, "{}", last(&path, "vy_mps"));
    near(&path, "vx_mps", 0.0, 1e-6);
    near(&path, "omega_radps", 0.0, 1e-6);
}

#[test]
fn a_tracked_vehicle_skids_in_turns_and_rests() {
    let tracked = |v: f64, w: f64| {
        format!(
            "<dynamics class=\"tracked\"><controller class=\"twist_pid\"><KP>200</KP><KI>50</KI>\
             <max_torque>500</max_torque><V>{v}</V><W>{w}</W></controller></dynamics>"
        )
    };
    let straight = drive(&tracked(1.0, 0.0), "", "6", None);
    near(&straight, "vx_mps", 1.0, 0.01);
    near(&straight, "y_m", 0.0, 1e-6);
    let turning = drive(&tracked(1.0, 20.0), "", "8", None);
    let omega = last(&turning, "omega_radps");
    // the tracks alone would give 20°/s, but the ground resists
    assert!(omega > 0.05 && omega < 0.9 * 20f64.to_radians(), "{omega}");
    let resting = drive(&tracked(0.0, 0.0), "", "60", None);
    near(&resting, "x_m", 0.0, 1e-3);
}

#[test]
fn a_bicycle_turns_on_the_radius_of_its_steering() {
    let bicycle = "<dynamics class=\"bicycle\"><controller class=\"front_steer_pid\"><V>1</V>\
                   <STEER_ANG>15</STEER_ANG></controller></dynamics>";
    let path = drive(bicycle, "", "8", None);
    let radius = last(&path, "vx_mps") / last(&path, "omega_radps");
    let expected = 1.1 / 15f64.to_radians().tan();
    assert!((radius / expected - 1.0).abs() < 0.03, "{radius} {expected}");
}

#[test]
fn six_wheels_steer_about_one_point() {
    let rover = |wheels: &str, controller: &str| {
        format!("<dynamics class=\"n_wheel\">{wheels}{controller}</dynamics>")
    };
    let six = "<wheel pos=\"0.6 0.4\" steered=\"1\"/><wheel pos=\"0.6 -0.4\" steered=\"1\"/>\
               <wheel pos=\"0 0.4\"/><wheel pos=\"0 -0.4\"/>\
               <wheel pos=\"-0.6 0.4\" steered=\"1\"/>\
               <wheel pos=\"-0.6 -0.4\" steered=\"1\" driven=\"0\"/>";
    let steered =
        "<controller class=\"front_steer_pid\"><V>1</V><STEER_ANG>20</STEER_ANG></controller>";
    let path = drive(&rover(six, steered), "", "8", None);
    let radius = last(&path, "vx_mps") / last(&path, "omega_radps");
    let expected = 0.6 / 20f64.to_radians().tan();
    assert!((radius / expected - 1.0).abs() < 0.03, "{radius} {expected}");
    // the rear wheel of three steers: steering left turns the vehicle right
    let tricycle = "<wheel pos=\"0.4 0.3\"/><wheel pos=\"0.4 -0.3\"/>\
                    <wheel pos=\"-0.4 0\" steered=\"1\" driven=\"0\"/>";
    let path = drive(&rover(tricycle, steered), "", "8", None);
    let omega = last(&path, "omega_radps");
    assert!((omega - 20f64.to_radians().tan() / 0.8).abs() < 0.03, "{omega}");
}

#[test]
fn wheels_of_a_class_are_checked() {
    for (wheels, said) in [
        ("", "missing `<wheel>` in `<dynamics>`"),
        ("<wheel pos=\"1 0\"/><wheel pos=\"1 0\"/>", "all 2 wheels are at the same position"),
        ("<wheel pos=\"1 0\" steerd=\"1\"/>", "did you mean `steered`"),
        ("<wheel pos=\"1 0\" driven=\"much\"/>", "`driven`"),
    ] {
        let workspace = Workspace::new(&format!(
            "<mvsim_world><vehicle name=\"a\"><init_pose>0 0 0</init_pose>\
             <dynamics class=\"n_wheel\">{wheels}<controller class=\"front_steer_pid\"/></dynamics>\
             </vehicle></mvsim_world>"
        ));
        let outcome = workspace.run(&["world.xml", "--plugin-dir", plugin(), "--duration", "1"]);
        assert_eq!(outcome.code, 12, "{wheels}: {}", outcome.stderr);
        assert!(outcome.stderr.contains(said), "{said}\n{}", outcome.stderr);
    }
}

const KINEMATIC: &str = "<dynamics class=\"kinematic_bicycle\"><controller class=\"speed_steer\">\
                         <V>5</V><STEER_ANG>10</STEER_ANG></controller></dynamics>";

#[test]
fn a_class_that_moves_itself_is_followed_exactly() {
    let path = drive(KINEMATIC, "", "20", None);
    let (speed, omega) = (last(&path, "vx_mps"), last(&path, "omega_radps"));
    assert_eq!(speed, 5.0);
    assert!((omega - 5.0 * 10f64.to_radians().tan() / 2.6).abs() < 1e-12, "{omega}");
    // at constant speed and steering all positions lie on one circle
    let radius = speed / omega;
    let columns = ["x_m", "y_m", "yaw_rad"].map(|name| path.numbers(name));
    let centre = |i: usize| {
        let (sin, cos) = columns[2][i].sin_cos();
        [columns[0][i] - radius * sin, columns[1][i] + radius * cos]
    };
    let rows = columns[0].len();
    let [x, y] = centre(rows / 2);
    for i in rows / 2..rows {
        let [cx, cy] = centre(i);
        assert!((cx - x).abs() < 1e-9 && (cy - y).abs() < 1e-9, "{i}: {cx} {cy}, {x} {y}");
    }
}

#[test]
fn a_class_that_moves_itself_stops_at_a_wall() {
    let straight = KINEMATIC.replace("<STEER_ANG>10<", "<STEER_ANG>0<");
    let block = "<block name=\"wall\"><init_pose>20 0 0</init_pose><static>true</static>\
                 <shape><pt>-0.5 -5</pt><pt>-0.5 5</pt><pt>0.5 5</pt><pt>0.5 -5</pt></shape></block>";
    let path = drive(&straight, block, "10", None);
    // the front of the chassis is 3.4 m ahead
    near(&path, "x_m", 19.5 - 3.4, 0.03);
    assert!(last(&path, "vx_mps").abs() < 0.1, "{}", last(&path, "vx_mps"));
}

#[test]
fn tracks_hold_across_a_slope() {
    let row = |y: i32| vec![format!("{}", 0.1 * f64::from(y)); 1];
    let rows: Vec<String> =
        (0..21).map(|_| (0..21).flat_map(row).collect::<Vec<_>>().join(" ")).collect();
    let slope = format!(
        "<element class=\"elevation_map\"><elevation_data_matrix>[{}]</elevation_data_matrix>\
         <resolution>1</resolution><corner_min_x>-10</corner_min_x><corner_min_y>-10</corner_min_y>\
         </element>",
        rows.join("; ")
    );
    let tracked = "<dynamics class=\"tracked\"><controller class=\"raw\"/></dynamics>";
    let table = drive(tracked, &slope, "20", None);
    near(&table, "roll_rad", 0.1f64.atan(), 1e-3);
    near(&table, "y_m", 0.0, 1e-3);
}
