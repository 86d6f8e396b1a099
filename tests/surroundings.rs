//! Ground, regions, storeys, doors and maps, seen from the outside.

#![allow(clippy::unwrap_used)]

mod support;

use support::{Outcome, Table, Workspace};

const ROBOT: &str = "<dynamics class=\"differential_4_wheels\"><controller class=\"twist_ideal\">\
    <V>1</V></controller></dynamics>";

fn vehicle(name: &str, pose: &str, dynamics: &str, more: &str) -> String {
    format!("<vehicle name=\"{name}\"><init_pose3d>{pose}</init_pose3d>{dynamics}{more}</vehicle>")
}

/// Runs a world for some time and returns its trajectories.
fn driven(content: &str, seconds: &str, options: &[&str]) -> (Table, Outcome) {
    let world =
        format!("<mvsim_world><simul_timestep>0.005</simul_timestep>{content}</mvsim_world>");
    let workspace = Workspace::new(&world);
    let arguments = ["world.xml", "--duration", seconds, "--out", "out", "--log-period", "0.05"];
    let outcome = workspace.run(&[&arguments[..], options].concat());
    assert_eq!(outcome.code, 0, "{}", outcome.stderr);
    (workspace.table("trajectory.csv"), outcome)
}

/// Returns a column of a vehicle.
fn column(table: &Table, vehicle: &str, name: &str) -> Vec<f64> {
    table.only("vehicle", vehicle).numbers(name)
}

fn last(table: &Table, vehicle: &str, name: &str) -> f64 {
    *column(table, vehicle, name).last().unwrap()
}

/// A slope of 0.1 pitches the vehicle by 5.71°, nose up.
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
        // the wheels are at the origin of the vehicle
        assert!(if x < 1.99 { z == 3.0 } else { x < 2.01 || z < 3.0 }, "at {x} it is at {z}");
        // at 1 m/s a fall of 3 m takes 0.79 m
        assert!(x < 2.85 || z == 0.0, "at {x} it is at {z}");
    }
}

/// The wheels have a radius of 0.2 m, and the front ones reach 0.7 m ahead.
#[test]
fn a_step_as_high_as_the_axle_stops_a_vehicle_and_a_lower_one_does_not() {
    let floor = |z: f64| {
        format!("<element class=\"horizontal_plane\"><z>{z}</z><x_min>2</x_min></element>")
    };
    let drive = |surface: &str, pose: &str, options: &[&str]| {
        let (table, _) =
            driven(&(surface.to_owned() + &vehicle("r", pose, ROBOT, "")), "4", options);
        ["x_m", "y_m", "z_m"].map(|name| last(&table, "r", name))
    };
    let [x, _, z] = drive(&floor(0.19), "0 0 0 0 0 0", &[]);
    assert!((x - 4.0).abs() < 1e-6 && z == 0.19, "climbs: {x} {z}");
    let [x, y, z] = drive(&floor(0.21), "0 0 0 0 0 0", &[]);
    assert!((1.295..=1.3).contains(&x) && y.abs() < 1e-6 && z == 0.0, "stops: {x} {y} {z}");
    let [x, _, z] = drive(&floor(1.0), "0 0 0 0 0 0", &[]);
    assert!((x - 4.0).abs() < 1e-6 && z == 0.0, "passes below: {x} {z}");
    // at an angle it turns and slides along the step, and no corner crosses it
    let [x, y, z] = drive(&floor(0.3), "0 0 0 30 0 0", &[]);
    assert!(x < 1.45 && y > 0.5 && z == 0.0, "slides: {x} {y} {z}");
    // 0.55 diameters in the profile mvsim-1.2, at the corners of the body
    let compat = &["--compat", "mvsim-1.2"];
    let [x, ..] = drive(&floor(0.21), "0 0 0 0 0 0", compat);
    assert!(x > 3.5, "it was stopped: {x}");
    let [x, _, z] = drive(&floor(0.23), "0 0 0 0 0 0", compat);
    assert!((1.39..=1.4).contains(&x) && z == 0.0, "stops: {x} {z}");
}

#[test]
fn a_ramp_is_climbed_from_its_foot_and_not_from_its_back() {
    let ramp = "<block><init_pose>2 0 0</init_pose><static>true</static><intangible>true</intangible>\
        <geometry type=\"ramp\" lx=\"3\" ly=\"4\" lz=\"0.5\"/><shape_from_visual/></block>";
    let (up, _) = driven(&(ramp.to_owned() + &vehicle("r", "0 0 0 0 0 0", ROBOT, "")), "4", &[]);
    let (x, z) = (last(&up, "r", "x_m"), last(&up, "r", "z_m"));
    assert!((x - 4.0).abs() < 1e-6 && (z - 1.0 / 3.0).abs() < 0.01, "{x} {z}");
    let back = vehicle("r", "8 0 0 180 0 0", ROBOT, "");
    let (down, _) = driven(&(ramp.to_owned() + &back), "4", &[]);
    let (x, z) = (last(&down, "r", "x_m"), last(&down, "r", "z_m"));
    assert!((5.7..=5.71).contains(&x) && z == 0.0, "{x} {z}");
}

#[test]
fn a_cliff_of_the_terrain_stops_a_vehicle_and_a_slope_does_not() {
    let terrain = |rise: f64| {
        format!(
            "<element class=\"elevation_map\"><elevation_data_matrix>[0 0; 0 0; 0 0; {rise} {rise}; \
             {rise} {rise}; {rise} {rise}]</elevation_data_matrix><resolution>1</resolution>\
             <corner_min_x>0</corner_min_x><corner_min_y>-0.5</corner_min_y></element>"
        )
    };
    let drive = |rise: f64| {
        let world = terrain(rise) + &vehicle("r", "1 0 0 0 0 0", ROBOT, "");
        let (table, _) = driven(&world, "3", &[]);
        (last(&table, "r", "x_m"), last(&table, "r", "z_m"))
    };
    let (x, z) = drive(0.5);
    assert!(x > 3.9 && z > 0.4, "climbs: {x} {z}");
    let (x, z) = drive(5.0);
    assert!(x < 2.0 && z < 0.1, "stops: {x} {z}");
}

#[test]
fn a_gate_stops_while_it_is_closed_and_pushes_what_stands_in_its_way() {
    let gate = |keys: &str| {
        format!(
            "<element class=\"vertical_plane\"><x0>2</x0><x1>2</x1><y0>-1</y0><y1>1</y1>\
             <thickness>0.1</thickness><animation type=\"keyframes\">{keys}</animation></element>"
        )
    };
    let key = |t: f64, x: f64, y: f64| format!("<time_pose>{t} {x} {y} 0</time_pose>");
    let robot = vehicle("r", "0 0 0 0 0 0", ROBOT, "");
    let drive = |keys: &str, robot: &str, time: &str| {
        let (table, _) = driven(&(gate(keys) + robot), time, &[]);
        last(&table, "r", "x_m")
    };
    // the gate is open for five seconds, enough for the vehicle to pass
    let late = key(0.0, 0.0, 4.0) + &key(5.0, 0.0, 4.0) + &key(6.0, 0.0, 0.0);
    assert!((drive(&late, &robot, "4") - 4.0).abs() < 1e-6);
    // the gate closes within a second and stays closed
    let soon = key(0.0, 0.0, 4.0) + &key(1.0, 0.0, 0.0) + &key(60.0, 0.0, 0.0);
    let x = drive(&soon, &robot, "4");
    assert!((1.2..1.26).contains(&x), "{x}");
    // the wall moves two metres and pushes a vehicle at rest
    let still = ROBOT.replace("<V>1</V>", "").replace("twist_ideal", "raw");
    let still = vehicle("r", "0.5 0 0 0 0 0", &still, "");
    let shove = key(0.0, 0.0, 0.0) + &key(4.0, -2.0, 0.0) + &key(60.0, -2.0, 0.0);
    let x = drive(&shove, &still, "4");
    assert!((-1.0..-0.74).contains(&x), "{x}");
}

#[test]
fn a_block_rests_on_the_one_that_it_is_put_on() {
    let block = |z: f64, mass: f64| {
        format!(
            "<block><init_pose3d>3 0 {z} 0 0 0</init_pose3d><zmax>0.5</zmax><mass>{mass}</mass></block>"
        )
    };
    // the second block stands on the first, the third on the ground
    let world = |z: f64| block(0.0, 30.0) + &block(z, 30.0);
    let (_, on) = driven(&world(0.5), "0.1", &[]);
    assert!(!on.stderr.contains("overlap"), "{}", on.stderr);
    let (_, within) = driven(&world(0.0), "0.1", &[]);
    assert!(within.stderr.contains("overlap"), "{}", within.stderr);
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
