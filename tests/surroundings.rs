//! What surrounds vehicles: ground, regions, storeys, doors and maps, as a user sees them act.

#![allow(clippy::unwrap_used)]

mod support;

use support::{Outcome, Table, Workspace};

const ROBOT: &str = "<dynamics class=\"differential_4_wheels\"><controller class=\"twist_ideal\">\
    <V>1</V></controller></dynamics>";

fn vehicle(name: &str, pose: &str, dynamics: &str, more: &str) -> String {
    format!("<vehicle name=\"{name}\"><init_pose3d>{pose}</init_pose3d>{dynamics}{more}</vehicle>")
}

/// Runs a world for a time and gives its trajectories.
fn driven(content: &str, seconds: &str, options: &[&str]) -> (Table, Outcome) {
    let world =
        format!("<mvsim_world><simul_timestep>0.005</simul_timestep>{content}</mvsim_world>");
    let workspace = Workspace::new(&world);
    let arguments = ["world.xml", "--duration", seconds, "--out", "out", "--log-period", "0.05"];
    let outcome = workspace.run(&[&arguments[..], options].concat());
    assert_eq!(outcome.code, 0, "{}", outcome.stderr);
    (workspace.table("trajectory.csv"), outcome)
}

/// The numbers of a column for a vehicle.
fn column(table: &Table, vehicle: &str, name: &str) -> Vec<f64> {
    table.only("vehicle", vehicle).numbers(name)
}

fn last(table: &Table, vehicle: &str, name: &str) -> f64 {
    *column(table, vehicle, name).last().unwrap()
}

/// tan⁻¹ 0.1 = 5.71°, nose up.
#[test]
fn the_plane_that_rises_by_a_tenth_gives_its_pitch() {
    let rows: Vec<String> = (0..41).map(|row| format!("{0} {0}", 0.1 * f64::from(row))).collect();
    let terrain = format!(
        "<element class=\"elevation_map\"><elevation_data_matrix>[{}]</elevation_data_matrix>\
         <resolution>1</resolution><corner_min_x>0</corner_min_x><corner_min_y>-0.5</corner_min_y>\
         </element>",
        rows.join("; ")
    );
    for dynamics in [ROBOT, &ROBOT.replace("_4_wheels", "")] {
        let world = terrain.clone() + &vehicle("r", "10 0 2 0 0 0", dynamics, "");
        let (table, _) = driven(&world, "3", &[]);
        assert!((last(&table, "r", "pitch_rad").to_degrees() + 5.71).abs() < 0.01);
        let (x, z) = (last(&table, "r", "x_m"), last(&table, "r", "z_m"));
        assert!(x > 12.5 && (z - 0.1 * x).abs() < 1e-3, "{x} {z}");
    }
}

#[test]
fn a_region_counts_at_the_height_of_the_wheel() {
    let ice = "<element class=\"property_region\"><x_min>-50</x_min><x_max>50</x_max>\
        <y_min>-50</y_min><y_max>50</y_max><z_min>0.5</z_min><z_max>1.5</z_max>\
        <property_name>friction_mu</property_name><value_double>0</value_double></element>\
        <element class=\"horizontal_plane\"><z>1</z><y_min>5</y_min><y_max>15</y_max></element>";
    let stopped = "<dynamics class=\"differential_4_wheels\"><controller class=\"twist_pid\">\
        <KP>50</KP><max_torque>50</max_torque></controller></dynamics>";
    let moving = "<init_vel>2 0 0</init_vel>";
    let world = format!(
        "{ice}{}{}",
        vehicle("low", "0 0 0 0 0 0", stopped, moving),
        vehicle("high", "0 10 1 0 0 0", stopped, moving)
    );
    let (table, _) = driven(&world, "3", &[]);
    assert!(last(&table, "low", "vx_mps").abs() < 0.1, "on the ground it brakes");
    assert_eq!(last(&table, "high", "z_m"), 1.0);
    assert!((last(&table, "high", "vx_mps") - 2.0).abs() < 1e-9, "on ice it slides on");
}

#[test]
fn vehicles_that_cross_on_two_storeys_never_touch() {
    let floor = "<element class=\"horizontal_plane\"><z>3</z></element>";
    let world = |z: f64| {
        let above = vehicle("above", &format!("0 -3 {z} 90 0 0"), ROBOT, "");
        format!("{floor}{}{above}", vehicle("below", "-3 0 0 0 0 0", ROBOT, ""))
    };
    let (apart, _) = driven(&world(3.0), "6", &[]);
    assert!((last(&apart, "below", "x_m") - 3.0).abs() < 1e-6);
    assert!((last(&apart, "above", "y_m") - 3.0).abs() < 1e-6);
    assert!((last(&apart, "above", "z_m") - 3.0).abs() < 1e-9);
    let (meeting, _) = driven(&world(0.0), "6", &[]);
    assert!((last(&meeting, "below", "x_m") - 3.0).abs() > 0.1, "on one storey they meet");
}

#[test]
fn a_door_lets_through_and_the_wall_beside_it_does_not() {
    let wall = "<element class=\"vertical_plane\"><x0>2</x0><x1>2</x1><y0>-5</y0><y1>5</y1>\
        <door width=\"2\" z_max=\"2.1\"/></element>";
    let world = format!(
        "{wall}{}{}",
        vehicle("door", "0 0 0 0 0 0", ROBOT, ""),
        vehicle("wall", "0 3 0 0 0 0", ROBOT, "")
    );
    for options in [&[][..], &["--compat", "mvsim-1.2"]] {
        let (table, _) = driven(&world, "5", options);
        assert!(last(&table, "door", "x_m") > 4.5, "{options:?}");
        assert!(last(&table, "wall", "x_m") < 2.0, "{options:?}");
    }
}

#[test]
fn an_end_that_sticks_out_over_an_edge_does_not_fall() {
    let world = "<element class=\"horizontal_plane\"><z>3</z><x_max>2</x_max></element>".to_owned()
        + &vehicle("r", "0 0 3 0 0 0", &ROBOT.replace("_4_wheels", ""), "");
    let (table, _) = driven(&world, "4", &[]);
    let heights = column(&table, "r", "z_m");
    for (x, z) in column(&table, "r", "x_m").into_iter().zip(heights) {
        // the wheels stand at the origin of the vehicle
        assert!(if x < 1.99 { z == 3.0 } else { x < 2.01 || z == 0.0 }, "at {x} it is at {z}");
    }
}

#[test]
fn what_overlaps_at_the_start_is_told_and_parts_slowly() {
    let still = ROBOT.replace("<V>1</V>", "");
    let still = still.replace("twist_ideal", "raw");
    let world =
        vehicle("a", "0 0 0 0 0 0", &still, "") + &vehicle("b", "0.2 0 0 0 0 0", &still, "");
    let (table, outcome) = driven(&world, "5", &[]);
    assert!(outcome.stderr.contains("vehicle 'a' and vehicle 'b' overlap"), "{}", outcome.stderr);
    for name in ["a", "b"] {
        let way = column(&table, name, "x_m");
        let fastest =
            way.windows(2).map(|pair| (pair[1] - pair[0]).abs() / 0.05).fold(0.0, f64::max);
        assert!(fastest < 2.0, "{name} is pushed at {fastest} m/s");
    }
    assert!(last(&table, "b", "x_m") - last(&table, "a", "x_m") > 0.5);
}

#[test]
fn a_laser_that_stands_in_the_world_sees_walls() {
    let workspace = Workspace::new(
        "<mvsim_world><walls><shape><pt>3 -5</pt><pt>3 5</pt></shape></walls>\
         <sensor class=\"laser\" name=\"gate\"><pose_3d>0 0 0.3 0 0 0</pose_3d><nrays>3</nrays>\
         <fov_degrees>20</fov_degrees><range_std_noise>0</range_std_noise></sensor></mvsim_world>",
    );
    let outcome = workspace.run(&["world.xml", "--duration", "1", "--out", "out"]);
    assert_eq!(outcome.code, 0, "{}", outcome.stderr);
    let files = std::fs::read_dir(workspace.path("out")).unwrap();
    let mut names = files.map(|file| file.unwrap().file_name().into_string().unwrap());
    let file = names.find(|name| name.contains("gate")).unwrap();
    let middle = workspace.table(&file).numbers("range_m_1")[0];
    assert!((middle - 2.95).abs() < 1e-5, "{middle}");
}
