//! Vehicles that stand, lean and fall: holding on slopes, wheels in one line, edges.

use crate::support::OPTIMISED;
use crate::support::runs::Run;
use crate::support::world::World;

const GRAVITY: f64 = 9.81;

fn vehicle(name: &str, pose: &str, dynamics: &str, more: &str) -> String {
    format!("<vehicle name=\"{name}\"><init_pose3d>{pose}</init_pose3d>{dynamics}{more}</vehicle>")
}

fn dynamics(class: &str, controller: &str, inside: &str) -> String {
    format!(
        "<dynamics class=\"{class}\"><controller class=\"{controller}\">{inside}</controller></dynamics>"
    )
}

fn world(content: &str) -> World {
    World::new().step(0.005).xml(content)
}

/// Distance of the last row from the first row at or after `start`, s.
fn moved(run: &Run, vehicle: &str, start: f64) -> f64 {
    let times = run.column(vehicle, "time_s");
    let first = times.iter().position(|time| *time >= start).unwrap();
    let change = |name: &str| {
        let values = run.column(vehicle, name);
        values[values.len() - 1] - values[first]
    };
    ["x_m", "y_m", "z_m"].map(change).iter().map(|d| d * d).sum::<f64>().sqrt()
}

/// Dynamics classes with the controllers that know standstill.
const STOPPED: [(&str, &str); 7] = [
    ("differential", "twist_pid"),
    ("differential_3_wheels", "twist_pid"),
    ("differential_4_wheels", "twist_pid"),
    ("ackermann", "front_steer_pid"),
    ("ackermann", "twist_front_steer_pid"),
    ("ackermann_drivetrain", "front_steer_pid"),
    ("ackermann_drivetrain", "twist_front_steer_pid"),
];

/// Stopped vehicles of all classes on ground that rises along x, in four directions.
fn stopped(friction: &str) -> Vec<(String, String)> {
    let mut vehicles = Vec::new();
    for (row, (class, controller)) in STOPPED.into_iter().enumerate() {
        for (place, yaw) in [0, 37, 90, 180].into_iter().enumerate() {
            let name = format!("{class} {controller} {friction} {yaw}").replace(' ', "-");
            let pose = format!("{} {} 0 {yaw} 0 0", 10 * place, 10 * row);
            let dynamics = dynamics(class, controller, "<max_torque>1000</max_torque>");
            let friction = format!("<friction class=\"{friction}\"/>");
            let xml = vehicle(&name, &pose, &dynamics, &friction);
            vehicles.push((name, xml));
        }
    }
    vehicles
}

/// Simulated time of vehicles at rest, s.
const REST: f64 = if OPTIMISED { 120.0 } else { 30.0 };

/// Before, every vehicle crept downhill at the stop threshold, 5 cm/s: 30 m in 10 minutes.
#[test]
fn a_vehicle_that_is_told_to_stop_stays() {
    for friction in ["default", "wardiagnemma", "ellipse", "tmeasy"] {
        let vehicles = stopped(friction);
        let text: String = vehicles.iter().map(|(_, xml)| xml.as_str()).collect();
        let run = world(&text).slope(10.0).every(5.0).run(REST);
        for (name, _) in &vehicles {
            let moved = moved(&run, name, 5.0);
            // at most 1 mm in ten minutes
            assert!(moved < 1e-3 / 600.0 * REST, "{name}: {} mm", 1e3 * moved);
        }
    }
}

/// On a plane that is tilted, without terrain, and from a speed at which the proportional part alone
/// would let the vehicle roll on at 0.26 m/s.
#[test]
fn a_vehicle_stops_on_a_tilted_plane() {
    let plane = "<element class=\"horizontal_plane\"><init_pose3d>0 0 5 0 -10 0</init_pose3d>\
        <x_min>-30</x_min><x_max>30</x_max><y_min>-30</y_min><y_max>30</y_max></element>";
    for yaw in ["0", "90", "180"] {
        let world = plane.to_owned()
            + &vehicle(
                "r",
                &format!("0 0 5 {yaw} 0 0"),
                &dynamics("differential_4_wheels", "twist_pid", "<KP>10</KP>"),
                "<init_vel>1 0 0</init_vel>",
            );
        let run = self::world(&world).run(30.0);
        let pitch = run.column("r", "pitch_rad")[1].to_degrees();
        assert!(yaw != "0" || (pitch + 10.0).abs() < 1e-6, "{pitch}");
        let moved = moved(&run, "r", 6.0);
        assert!(moved < 1e-3, "{yaw}: {} mm", 1e3 * moved);
    }
}

#[test]
fn too_little_torque_does_not_hold_and_the_threshold_is_a_parameter() {
    // the weight on a slope of 10° needs m g sin θ R = 2.6 N·m on each of two wheels
    let robot = |inside: &str| {
        vehicle("r", "0 0 0 0 0 0", &dynamics("differential", "twist_pid", inside), "")
    };
    let weak = world(&robot("<max_torque>1</max_torque>")).slope(10.0);
    assert!(moved(&weak.run(10.0), "r", 0.0) > 1.0);
    let late = "<stop_threshold>0.5</stop_threshold><V>0</V>";
    let moving = robot(late).replace("</vehicle>", "<init_vel>0.4 0 0</init_vel></vehicle>");
    let vx = world(&moving).run(0.1).column("r", "vx_mps");
    assert!(vx.last().unwrap().abs() < 1e-3, "it stops at once: {vx:?}");
    // the profile of the peer lets go
    let run = world(&robot("")).slope(10.0).profile("mvsim-1.2").run(10.0);
    assert!(moved(&run, "r", 0.0) < 1e-3, "friction cancels the slope there");
}

/// Returns the greatest speed of a robot that a gate has blocked for 10 s.
fn speed_after_a_gate(class: &str, controller: &str, inside: &str) -> f64 {
    let key = |t: f64, y: f64| format!("<time_pose>{t} 0 {y} 0</time_pose>");
    let keys = key(0.0, 0.0) + &key(10.0, 0.0) + &key(10.5, 30.0) + &key(100.0, 30.0);
    let gate = format!(
        "<element class=\"vertical_plane\"><x0>3</x0><x1>3</x1><y0>-4</y0><y1>4</y1>\
         <thickness>0.1</thickness><animation type=\"keyframes\">{keys}</animation></element>"
    );
    // wheels that slip would limit the torque; without grip, four wheels lift two of them
    let mu = if class == "differential_4_wheels" { 0.8 } else { 20.0 };
    let friction = format!("<friction class=\"default\"><mu>{mu}</mu></friction>");
    let dynamics = dynamics(class, controller, inside);
    let run = world(&(gate + &vehicle("r", "0 0 0 0 0 0", &dynamics, &friction))).run(14.0);
    run.column("r", "vx_mps").into_iter().fold(0.0, f64::max)
}

/// Before, 9 to 21 m/s.
#[test]
fn a_blocked_robot_does_not_shoot_out() {
    let gains = "<KP>10</KP><KI>20</KI><V>1</V>";
    for (class, controller) in STOPPED {
        let limit = format!("{gains}<max_torque>200</max_torque>");
        let speed = speed_after_a_gate(class, controller, &limit);
        assert!(speed < 2.0, "{class} {controller}: {speed} m/s");
    }
    let without = format!("{gains}<enable_antiwindup>false</enable_antiwindup>");
    let speed = speed_after_a_gate("differential", "twist_pid", &without);
    assert!(speed > 5.0, "without anti-windup: {speed} m/s");
    let limited = without + "<I_MAX>5</I_MAX>";
    let speed = speed_after_a_gate("differential", "twist_pid", &limited);
    assert!(speed < 2.0, "with a limited integral: {speed} m/s");
}

#[test]
fn the_integral_has_no_limit_of_its_own_in_the_profile_of_the_peer() {
    let robot =
        dynamics("differential", "twist_pid", "<I_MAX>5</I_MAX><stop_threshold>1</stop_threshold>");
    let world = world(&vehicle("r", "0 0 0 0 0 0", &robot, ""));
    for (profile, has_effect) in [("corrected", true), ("mvsim-1.2", false)] {
        let warnings = world.clone().profile(profile).open().1;
        let said = warnings.iter().any(|one| one.contains("no effect in profile mvsim-1.2"));
        assert_eq!(said, !has_effect, "{warnings:?}");
    }
}

/// Terrain of 1 to 4 cm that changes every half metre. Before, single-track vehicles rolled by up to
/// 55°, and a trailer jumped by 1.1 m in one step.
#[test]
fn wheels_in_one_line_follow_the_ground() {
    let height = |x: i32, y: i32| 0.005 * f64::from((x * 7 + y * 13 + x * y) % 9);
    let row = |x: i32| (0..41).map(|y| height(x, y)).collect::<Vec<_>>();
    let rows: Vec<_> = (0..121).map(row).collect();
    let single = |class: &str| dynamics(class, "steering_rate_acceleration", "");
    let trailer = "<dynamics class=\"differential\"><l_wheel pos=\"-3 0.8\"/><r_wheel pos=\"-3 -0.8\"/>\
        <chassis mass=\"300\" zmin=\"0.1\" zmax=\"1\"><shape><pt>-4 -0.8</pt><pt>-0.5 -0.8</pt>\
        <pt>-0.5 0.8</pt><pt>-4 0.8</pt></shape></chassis><controller class=\"raw\"/></dynamics>";
    let moving = "<init_vel>3 0 0</init_vel>";
    let vehicles = vehicle("single", "0 -6 0 3 0 0", &single("kinematic_single_track"), moving)
        + &vehicle("drift", "0 -2 0 3 0 0", &single("single_track_drift"), moving)
        + &vehicle("articulated", "0 2 0 3 0 0", &single("kinematic_single_track_trailer"), moving)
        + &vehicle("trailer", "0 6 0 3 0 0", trailer, moving);
    for profile in ["corrected", "mvsim-1.2"] {
        let ground = World::new().step(0.005).terrain(&rows, 0.5, [-10.0, -10.0]);
        let run = ground.xml(&vehicles).profile(profile).run(6.0);
        for name in ["single", "drift", "articulated", "trailer"] {
            for angle in ["pitch_rad", "roll_rad"] {
                let most = run.column(name, angle).into_iter().map(f64::abs).fold(0.0, f64::max);
                assert!(most.to_degrees() < 6.0, "{profile} {name}: {angle} {most}");
            }
            let heights = run.column(name, "z_m");
            let jump = heights.windows(2).map(|z| (z[1] - z[0]).abs()).fold(0.0, f64::max);
            assert!(jump < 0.01, "{profile} {name} jumps by {jump} m");
            assert!(heights.iter().all(|z| (-0.01..0.05).contains(z)), "{profile} {name}");
        }
    }
}

#[test]
fn a_bicycle_takes_its_pitch_from_its_wheels_and_its_roll_from_the_ground() {
    // the wheels of the single track are in line, and the ground rises by 0.1 along and 0.05 across
    let row = |x: i32| (0..41).map(move |y| f64::from(x) * 0.1 + f64::from(y) * 0.05);
    let rows: Vec<Vec<f64>> = (0..41).map(|x| row(x).collect()).collect();
    let bicycle = dynamics("kinematic_single_track", "steering_rate_acceleration", "");
    let world = world(&vehicle("b", "0 0 9 0 0 0", &bicycle, ""));
    let world = world.terrain(&rows, 1.0, [-20.0, -20.0]);
    for profile in ["corrected", "mvsim-1.2"] {
        let run = world.clone().profile(profile).run(0.1);
        let last = |name: &str| run.last("b", name);
        assert!((last("pitch_rad") + 0.1f64.atan()).abs() < 1e-3, "{}", last("pitch_rad"));
        assert!((last("roll_rad") - 0.05f64.atan()).abs() < 1e-3, "{}", last("roll_rad"));
        assert!((last("z_m") - 3.0).abs() < 1e-3, "{}", last("z_m"));
    }
}

/// A floor at height `z` that ends at x = 2.
fn ledge(z: f64) -> String {
    format!(
        "<element class=\"horizontal_plane\"><z>{z}</z><x_min>-20</x_min><x_max>2</x_max>\
         <y_min>-30</y_min><y_max>30</y_max></element>"
    )
}

/// Before, vehicles were down within one step, at up to 600 m/s.
#[test]
fn a_vehicle_that_leaves_an_edge_falls_with_g_and_lands_without_a_bounce() {
    let driven = |class: &str, controller: &str| dynamics(class, controller, "<KP>20</KP><V>2</V>");
    let moving = "<init_vel>2 0 0</init_vel>";
    let world = ledge(3.0)
        + &vehicle(
            "ideal",
            "0 0 3 0 0 0",
            &driven("differential", "twist_ideal").replace("<KP>20</KP>", ""),
            "",
        )
        + &vehicle("robot", "0 5 3 0 0 0", &driven("differential_4_wheels", "twist_pid"), moving)
        + &vehicle("car", "0 10 3 0 0 0", &driven("ackermann", "front_steer_pid"), moving);
    let world = self::world(&world);
    let run = world.run(4.0);
    for name in ["ideal", "robot", "car"] {
        let [t, x, z, vx] = ["time_s", "x_m", "z_m", "vx_mps"].map(|c| run.column(name, c));
        let start = z.iter().position(|z| *z < 3.0).unwrap() - 1;
        let land = z.iter().position(|z| *z == 0.0).unwrap();
        // its rear end leaves the edge later than its centre, and its end touches the ground before the wheels do
        let time = (2.0f64 * 3.0 / GRAVITY).sqrt();
        let fall = t[land] - t[start];
        assert!(fall > time - 0.011 && fall < time + 1.5, "{name}: {fall} s");
        let dt = t[1] - t[0];
        let is_free = |i: &usize| {
            let upwards = (z[i + 1] - 2.0 * z[*i] + z[i - 1]) / (dt * dt);
            (upwards + GRAVITY).abs() < 1e-3
        };
        let free = (start + 1..land - 1).filter(is_free).count();
        assert!(free > 25, "{name} falls with g in {free} steps");
        for i in start..land {
            assert!(z[i + 1] <= z[i] + 0.01, "{name} rises at {} s", t[i]);
            assert!((vx[i] - vx[start + 1]).abs() < 0.1, "{name}: {} m/s in the air", vx[i]);
        }
        assert!(z[land..].iter().all(|z| *z == 0.0), "{name} bounces");
        assert!(t.len() > land + 10 && x[land + 10] >= x[land], "{name}");
    }
    // in the profile of the peer it is down at once
    let z = world.profile("mvsim-1.2").run(4.0).column("robot", "z_m");
    assert!(z.iter().all(|z| *z == 3.0 || *z == 0.0));
}

#[test]
fn a_vehicle_lands_on_a_block_and_on_the_roof_of_another_one() {
    let outline = "<shape><pt>-2 -1.5</pt><pt>2 -1.5</pt><pt>2 1.5</pt><pt>-2 1.5</pt></shape>";
    let block = format!(
        "<block name=\"table\"><init_pose>4.2 8 0</init_pose><static>true</static>{outline}\
         <zmin>0</zmin><zmax>1</zmax></block>"
    );
    let car = format!(
        "<dynamics class=\"ackermann\"><chassis mass=\"1000\" zmin=\"0.2\" zmax=\"1\">{outline}\
         </chassis><controller class=\"raw\"/></dynamics>"
    );
    let robot = dynamics("differential_4_wheels", "twist_pid", "<KP>20</KP><V>1</V>");
    let moving = "<init_vel>1 0 0</init_vel>";
    let world = ledge(2.0)
        + &block
        + &vehicle("below", "4.2 -8 0 0 0 0", &car, "")
        + &vehicle("a", "0 8 2 0 0 0", &robot, moving)
        + &vehicle("b", "0 -8 2 0 0 0", &robot, moving);
    let run = self::world(&world).every(0.05).run(8.0);
    for name in ["a", "b"] {
        let [x, y, z] = ["x_m", "y_m", "z_m"].map(|c| run.column(name, c));
        let on_top = x.iter().zip(&z).filter(|(x, _)| (3.0..5.5).contains(*x));
        assert!(on_top.clone().count() > 20 && on_top.clone().all(|(_, z)| *z == 1.0), "{name}");
        assert!(*x.last().unwrap() > 6.5 && *z.last().unwrap() == 0.0, "{name} drives on");
        assert!(y.iter().all(|value| (value - y[0]).abs() < 1e-6), "{name} is not pushed aside");
        let speed = x.windows(2).map(|x| (x[1] - x[0]) / 0.05).fold(0.0, f64::max);
        assert!(speed < 1.2, "{name}: {speed} m/s");
    }
    // the tails that stick out behind the wheels slide off the roof and push the car back a little
    assert!(moved(&run, "below", 0.0) < 0.1);
}

#[test]
fn a_vehicle_rides_a_lift_up_and_down() {
    let key = |t: f64, z: f64| format!("<time_pose3d>{t} 0 0 {z} 0 0 0</time_pose3d>");
    let lift = format!(
        "<element class=\"horizontal_plane\"><x_min>-2</x_min><x_max>2</x_max><y_min>-2</y_min>\
         <y_max>2</y_max><animation type=\"keyframes\">{}{}{}</animation></element>",
        key(0.0, 0.0),
        key(3.0, 3.0),
        key(6.0, 0.0)
    );
    let robot = vehicle("r", "0 0 0 0 0 0", &dynamics("differential", "twist_pid", ""), "");
    let run = world(&(lift + &robot)).every(0.05).run(6.0);
    let z = run.column("r", "z_m");
    for (t, z) in run.column("r", "time_s").into_iter().zip(z) {
        let lift = if t < 3.0 { t } else { 6.0 - t };
        // a lift that turns back at 1 m/s leaves the robot in the air for 0.2 s
        assert!((-0.01..0.06).contains(&(z - lift)), "{z} m on a lift at {lift} m");
    }
}

/// Before, `measure` returned NaN, and the run ended with exit code 11.
#[test]
fn coincident_wheels_are_errors_of_the_world() {
    let robot = |class: &str, wheels: &str| {
        let dynamics =
            format!("\n<dynamics class=\"{class}\">{wheels}<controller class=\"raw\"/></dynamics>");
        World::new().xml(&vehicle("r", "0 0 0 0 0 0", &dynamics, ""))
    };
    for (class, wheels, name) in [
        ("differential", "<l_wheel pos=\"0 0.3\"/><r_wheel pos=\"0 0.3\"/>", "r_wheel"),
        ("differential_3_wheels", "<l_wheel pos=\"0 0\"/><r_wheel pos=\"0.1 0\"/>", "r_wheel"),
        ("differential_4_wheels", "<lr_wheel pos=\"0 0\"/><rr_wheel pos=\"0 0\"/>", "rr_wheel"),
        ("ackermann", "<rl_wheel pos=\"0 1\"/><rr_wheel pos=\"0 1\"/>", "rr_wheel"),
        ("ackermann_drivetrain", "<rl_wheel pos=\"0 1\"/><rr_wheel pos=\"0 1\"/>", "rr_wheel"),
    ] {
        let world = robot(class, wheels);
        let name = format!("`{name}`");
        world.has_error("<dynamics ", &[&name, "expected different positions"]);
    }
}

#[test]
fn a_vehicle_that_keeps_its_start_height_falls_from_it_to_the_first_floor() {
    let car = |z: f64, tag: &str| {
        let dynamics = dynamics("ackermann", "raw", "");
        vehicle("car", &format!("0 0 {z} 0 0 0"), &dynamics, tag)
    };
    let floor = "<element class=\"horizontal_plane\"><z>2</z></element>";
    for (ground, lowest) in [("", 0.0), (floor, 2.0)] {
        let run = world(&format!("{ground}{}", car(6.0, "<skip_elevation_adjust/>"))).run(1.5);
        let (times, heights) = (run.column("car", "time_s"), run.column("car", "z_m"));
        assert_eq!(heights[0], 6.0);
        for (time, z) in times.iter().zip(&heights) {
            let expected = (6.0 - 0.5 * GRAVITY * time * time).max(lowest);
            assert!((z - expected).abs() < 0.05, "{z} m at {time} s, expected {expected}");
        }
        assert_eq!(heights[heights.len() - 1], lowest);
        let placed = world(&format!("{ground}{}", car(6.0, ""))).run(0.1);
        assert_eq!(placed.column("car", "z_m")[0], lowest);
    }
}
