//! Ground, regions, storeys, doors and maps, seen from the outside.

use crate::support::runs::Run;
use crate::support::world::World;

const ROBOT: &str = "<dynamics class=\"differential_4_wheels\"><controller class=\"twist_ideal\">\
    <V>1</V></controller></dynamics>";

fn vehicle(name: &str, pose: &str, dynamics: &str, more: &str) -> String {
    format!("<vehicle name=\"{name}\"><init_pose3d>{pose}</init_pose3d>{dynamics}{more}</vehicle>")
}

fn world(content: &str) -> World {
    World::new().step(0.005).every(0.05).xml(content)
}

/// Runs a world for some time, s.
fn run(content: &str, seconds: f64) -> Run {
    world(content).run(seconds)
}

/// Returns the pairs of bodies that overlap at the start of a world.
fn overlaps(content: &str) -> Vec<(String, String)> {
    world(content).open().0.simulation().overlaps().named.to_vec()
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
        let table = run(&world, 3.0);
        assert!((table.last("r", "pitch_rad").to_degrees() + 5.71).abs() < 0.01);
        let (x, z) = (table.last("r", "x_m"), table.last("r", "z_m"));
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
    let table = run(&world, 3.0);
    assert!(table.last("low", "vx_mps").abs() < 0.1, "on the ground it brakes");
    assert_eq!(table.last("high", "z_m"), 1.0);
    assert!((table.last("high", "vx_mps") - 2.0).abs() < 1e-9, "on ice it slides on");
}

#[test]
fn vehicles_that_cross_on_two_storeys_never_touch() {
    let floor = "<element class=\"horizontal_plane\"><z>3</z></element>";
    let world = |z: f64| {
        let above = vehicle("above", &format!("0 -3 {z} 90 0 0"), ROBOT, "");
        format!("{floor}{}{above}", vehicle("below", "-3 0 0 0 0 0", ROBOT, ""))
    };
    let apart = run(&world(3.0), 6.0);
    assert!((apart.last("below", "x_m") - 3.0).abs() < 1e-6);
    assert!((apart.last("above", "y_m") - 3.0).abs() < 1e-6);
    assert!((apart.last("above", "z_m") - 3.0).abs() < 1e-9);
    let meeting = run(&world(0.0), 6.0);
    assert!(meeting.last("above", "x_m").abs() > 0.1, "on one storey they meet");
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
    for profile in ["corrected", "mvsim-1.2"] {
        let run = self::world(&world).profile(profile).run(5.0);
        assert!(run.last("door", "x_m") > 4.5, "{profile}");
        assert!(run.last("wall", "x_m") < 2.0, "{profile}");
    }
}

#[test]
fn an_end_that_sticks_out_over_an_edge_does_not_fall() {
    let world = "<element class=\"horizontal_plane\"><z>3</z><x_max>2</x_max></element>".to_owned()
        + &vehicle("r", "0 0 3 0 0 0", &ROBOT.replace("_4_wheels", ""), "");
    let table = run(&world, 4.0);
    let heights = table.column("r", "z_m");
    for (x, z) in table.column("r", "x_m").into_iter().zip(heights) {
        // the wheels are at the origin of the vehicle
        assert!(if x < 1.99 { z == 3.0 } else { x < 2.01 || z < 3.0 }, "at {x} it is at {z}");
        // at 1 m/s a fall of 3 m takes 0.79 m; it turns about its rear end before, and levels after it
        assert!(x < 3.1 || z == 0.0, "at {x} it is at {z}");
    }
}

/// The wheels have a radius of 0.2 m, and the front ones reach 0.7 m ahead.
#[test]
fn a_step_as_high_as_the_axle_stops_a_vehicle_and_a_lower_one_does_not() {
    let floor = |z: f64| {
        format!("<element class=\"horizontal_plane\"><z>{z}</z><x_min>2</x_min></element>")
    };
    let drive = |surface: &str, pose: &str, profile: &'static str| {
        let world = world(&(surface.to_owned() + &vehicle("r", pose, ROBOT, "")));
        let run = world.profile(profile).run(4.0);
        ["x_m", "y_m", "z_m"].map(|name| run.last("r", name))
    };
    let [x, _, z] = drive(&floor(0.19), "0 0 0 0 0 0", "corrected");
    assert!((x - 4.0).abs() < 1e-6 && z == 0.19, "climbs: {x} {z}");
    let [x, y, z] = drive(&floor(0.21), "0 0 0 0 0 0", "corrected");
    assert!((1.295..=1.3).contains(&x) && y.abs() < 1e-6 && z == 0.0, "stops: {x} {y} {z}");
    let [x, _, z] = drive(&floor(1.0), "0 0 0 0 0 0", "corrected");
    assert!((x - 4.0).abs() < 1e-6 && z == 0.0, "passes below: {x} {z}");
    // at an angle it turns and slides along the step, and no corner crosses it
    let [x, y, z] = drive(&floor(0.3), "0 0 0 30 0 0", "corrected");
    assert!(x < 1.45 && y > 0.5 && z == 0.0, "slides: {x} {y} {z}");
    // 0.55 diameters in the profile mvsim-1.2, at the corners of the body
    let compat = "mvsim-1.2";
    let [x, ..] = drive(&floor(0.21), "0 0 0 0 0 0", compat);
    assert!(x > 3.5, "it was stopped: {x}");
    let [x, _, z] = drive(&floor(0.23), "0 0 0 0 0 0", compat);
    assert!((1.39..=1.4).contains(&x) && z == 0.0, "stops: {x} {z}");
}

#[test]
fn a_ramp_is_climbed_from_its_foot_and_not_from_its_back() {
    let ramp = "<block><init_pose>2 0 0</init_pose><static>true</static><intangible>true</intangible>\
        <geometry type=\"ramp\" lx=\"3\" ly=\"4\" lz=\"0.5\"/><shape_from_visual/></block>";
    let up = run(&(ramp.to_owned() + &vehicle("r", "0 0 0 0 0 0", ROBOT, "")), 4.0);
    let (x, z) = (up.last("r", "x_m"), up.last("r", "z_m"));
    assert!((x - 4.0).abs() < 1e-6 && (z - 1.0 / 3.0).abs() < 0.01, "{x} {z}");
    let back = vehicle("r", "8 0 0 180 0 0", ROBOT, "");
    let down = run(&(ramp.to_owned() + &back), 4.0);
    let (x, z) = (down.last("r", "x_m"), down.last("r", "z_m"));
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
        let table = run(&world, 3.0);
        (table.last("r", "x_m"), table.last("r", "z_m"))
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
    let drive = |keys: &str, robot: &str| run(&(gate(keys) + robot), 4.0).last("r", "x_m");
    // the gate is open for five seconds, enough for the vehicle to pass
    let late = key(0.0, 0.0, 4.0) + &key(5.0, 0.0, 4.0) + &key(6.0, 0.0, 0.0);
    assert!((drive(&late, &robot) - 4.0).abs() < 1e-6);
    // the gate closes within a second and stays closed
    let soon = key(0.0, 0.0, 4.0) + &key(1.0, 0.0, 0.0) + &key(60.0, 0.0, 0.0);
    let x = drive(&soon, &robot);
    assert!((1.2..1.26).contains(&x), "{x}");
    // the wall moves two metres and pushes a vehicle at rest
    let still = ROBOT.replace("<V>1</V>", "").replace("twist_ideal", "raw");
    let still = vehicle("r", "0.5 0 0 0 0 0", &still, "");
    let shove = key(0.0, 0.0, 0.0) + &key(4.0, -2.0, 0.0) + &key(60.0, -2.0, 0.0);
    let x = drive(&shove, &still);
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
    assert_eq!(overlaps(&world(0.5)), []);
    assert_eq!(overlaps(&world(0.0)).len(), 1);
}

#[test]
fn what_overlaps_at_the_start_is_told_and_parts_slowly() {
    let still = ROBOT.replace("<V>1</V>", "");
    let still = still.replace("twist_ideal", "raw");
    let world =
        vehicle("a", "0 0 0 0 0 0", &still, "") + &vehicle("b", "0.2 0 0 0 0 0", &still, "");
    assert_eq!(overlaps(&world), [("vehicle 'a'".to_owned(), "vehicle 'b'".to_owned())]);
    let table = run(&world, 5.0);
    for name in ["a", "b"] {
        let way = table.column(name, "x_m");
        let fastest =
            way.windows(2).map(|pair| (pair[1] - pair[0]).abs() / 0.05).fold(0.0, f64::max);
        assert!(fastest < 2.0, "{name} is pushed at {fastest} m/s");
    }
    assert!(table.last("b", "x_m") - table.last("a", "x_m") > 0.5);
}

#[test]
fn a_laser_that_stands_in_the_world_sees_walls() {
    let laser = "<walls><shape><pt>3 -5</pt><pt>3 5</pt></shape></walls>\
         <sensor class=\"laser\" name=\"gate\"><pose_3d>0 0 0.3 0 0 0</pose_3d><nrays>3</nrays>\
         <fov_degrees>20</fov_degrees><range_std_noise>0</range_std_noise></sensor>";
    let run = run(laser, 1.0);
    let middle = run.readings("gate").numbers("range_m_1")[0];
    assert!((middle - 2.95).abs() < 1e-5, "{middle}");
}
