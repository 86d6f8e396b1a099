//! Vehicles of another size keep their velocity over time.

use crate::support::{Table, Workspace};

/// Sizes and laws of `<scale>` that every car is tried with.
const SIZES: [(&str, &str); 6] = [
    ("0.5", "constant_density"),
    ("2", "constant_density"),
    ("3", "constant_density"),
    ("0.5", "constant_mass"),
    ("2", "constant_mass"),
    ("3", "constant_mass"),
];

/// Largest difference of a velocity from that of the reference, m/s.
const TOLERANCE: f64 = 1e-9;

fn scene(name: &str) -> Workspace {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../worlds/");
    let read = |name: &str| std::fs::read_to_string(format!("{folder}{name}")).unwrap();
    let workspace = Workspace::new(&read(name));
    std::fs::create_dir(workspace.path("parts")).unwrap();
    workspace.write("parts/sports_car.xml", &read("parts/sports_car.xml"));
    workspace
}

/// Largest difference between a column of two vehicles.
fn apart(table: &Table, column: &str, one: &str, other: &str) -> f64 {
    let of = |vehicle| table.only("vehicle", vehicle).numbers(column);
    let (one, other) = (of(one), of(other));
    assert!(one.len() == other.len() && !one.is_empty());
    one.iter().zip(&other).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
}

/// Launch, gear changes and top speed of the car in worlds/scaling.world.xml, in all sizes. The cars whose
/// geometry or geometry and masses alone are scaled miss its speed.
#[test]
fn a_car_of_any_size_keeps_launch_gear_changes_and_top_speed() {
    let workspace = scene("scaling.world.xml");
    workspace.simulate(&[
        "--log-period",
        "0.05",
        "--record",
        "*/dynamics/gear",
        "--record",
        "*/dynamics/engine_speed",
        "--record",
        "*/dynamics/wheelbase",
    ]);
    let path = workspace.table("trajectory.csv");
    let speeds = path.only("vehicle", "reference").numbers("vx_mps");
    let times = path.only("vehicle", "reference").numbers("time_s");
    let at = speeds.iter().position(|speed| *speed >= 20.0).unwrap();
    assert!((5.0..6.5).contains(&times[at]), "{}", times[at]);
    assert!(*speeds.last().unwrap() > 60.0);
    let recorded = workspace.table("quantities.csv");
    let quantity = |vehicle: &str, name: &str| {
        let unit = match name {
            "gear" => "1",
            "wheelbase" => "m",
            _ => "rad/s",
        };
        recorded.numbers(&format!("{vehicle}/dynamics/{name} [{unit}]"))
    };
    let gears = quantity("reference", "gear");
    assert_eq!(*gears.last().unwrap(), 5.0);
    for (vehicle, size) in [
        ("half", 0.5),
        ("double", 2.0),
        ("triple", 3.0),
        ("light_half", 0.5),
        ("light_double", 2.0),
        ("light_triple", 3.0),
    ] {
        let worst = apart(&path, "vx_mps", "reference", vehicle);
        assert!(worst < TOLERANCE, "{vehicle}: {worst} m/s");
        assert_eq!(quantity(vehicle, "gear"), gears, "{vehicle}");
        let engine = quantity(vehicle, "engine_speed").into_iter();
        let worst = engine.zip(quantity("reference", "engine_speed"));
        let worst = worst.map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        assert!(worst < 1e-7, "{vehicle}: {worst} rad/s");
        let wheelbase = quantity(vehicle, "wheelbase");
        assert!((wheelbase[1] - 2.6 * size).abs() < 1e-12, "{vehicle}: {}", wheelbase[1]);
    }
    for vehicle in ["mesh_half", "mesh_double", "dense_half", "dense_double"] {
        let worst = apart(&path, "vx_mps", "reference", vehicle);
        assert!(worst > 20.0, "{vehicle}: {worst} m/s");
    }
}

/// Runs a car in its own size and in all of [`SIZES`], and compares velocities.
fn keeps_velocity(class: &str, controls: &str, duration: &str) {
    let vehicle = |number: usize, scale: &str| {
        format!(
            "<vehicle name=\"v{number}\" class=\"car\"><init_pose>0 {} 0</init_pose>{scale}</vehicle>",
            30 * number
        )
    };
    let sizes = SIZES.iter().enumerate();
    let sizes: String = sizes
        .map(|(index, (factor, law))| {
            vehicle(index + 1, &format!("<scale factor=\"{factor}\" law=\"{law}\"/>"))
        })
        .collect();
    let world = format!(
        "<mvsim_world><simul_timestep>0.002</simul_timestep><vehicle:class name=\"car\">{class}\
         </vehicle:class>{}{sizes}</mvsim_world>",
        vehicle(0, "")
    );
    let workspace = Workspace::new(&world);
    let rows: String = controls
        .lines()
        .flat_map(|line| {
            let (time, rest) = line.split_once(',').unwrap();
            (0..=SIZES.len()).map(move |number| format!("{time},v{number},{rest}\n"))
        })
        .collect();
    workspace.write("commands.csv", &format!("time_s,vehicle,kind,v1,v2,v3,v4\n{rows}"));
    let outcome = workspace.simulate(&["--duration", duration, "--commands", "commands.csv"]);
    assert!(outcome.stdout.contains("no warnings"), "{} {}", outcome.stdout, outcome.stderr);
    let path = workspace.table("trajectory.csv");
    let speeds = path.only("vehicle", "v0").numbers("vx_mps");
    assert!(speeds.iter().copied().fold(0.0, f64::max) > 2.0, "the car does not move");
    for (index, size) in SIZES.iter().enumerate() {
        let worst = apart(&path, "vx_mps", "v0", &format!("v{}", index + 1));
        assert!(worst < TOLERANCE, "{size:?}: {worst} m/s");
    }
}

/// Torques of motor, brakes and locks, power and battery.
#[test]
fn an_electric_car_keeps_its_velocity() {
    let class = "<dynamics class=\"ackermann_powertrain\"><source>electric</source><driven>all</driven>\
        <final_drive>9</final_drive><motor><max_torque>80</max_torque><max_power>30</max_power>\
        <inertia>0.02</inertia></motor><battery><capacity>400</capacity><resistance>0.5</resistance>\
        <initial_charge>0.6</initial_charge></battery>\
        <rear_differential><kind>electronic</kind><lock_torque>100</lock_torque></rear_differential>\
        <front_differential><kind>torsen</kind><preload>10</preload></front_differential>\
        <max_brake_torque>1500</max_brake_torque><controller class=\"pedals\"/></dynamics>\
        <friction class=\"burckhardt\"/><aerodynamics drag_area=\"0.7\" lift_area=\"-0.4\"/>";
    keeps_velocity(class, "0,drive,1,0,0,1\n4,drive,0,0.3,0,1\n6,drive,0,0,0,1", "7");
}

/// Inertia and torques of an engine behind a clutch that slips and elastic shafts, through two gear changes.
#[test]
fn a_car_with_clutch_and_shafts_keeps_its_velocity() {
    let class = "<dynamics class=\"ackermann_powertrain\"><chassis mass=\"1000\" zmin=\"0.2\" zmax=\"1.5\"/>\
        <engine><inertia>0.1</inertia></engine><clutch><torque>300</torque></clutch>\
        <shaft><stiffness>6000</stiffness><damping>50</damping></shaft>\
        <gearbox><upshift_speed>4000</upshift_speed><downshift_speed>1500</downshift_speed></gearbox>\
        <rl_wheel pos=\"0 0.9\" mass=\"12\" diameter=\"0.6\"/><rr_wheel pos=\"0 -0.9\" mass=\"12\" diameter=\"0.6\"/>\
        <controller class=\"pedals\"/></dynamics><friction class=\"burckhardt\"/>";
    keeps_velocity(class, "0,drive,0.7,0,0,1\n5,drive,0,0,0,1", "6");
}

/// Gains and limits of a controller, damping and inertia of wheels, springs, and an actuator on a torque.
#[test]
fn a_controlled_car_keeps_its_velocity() {
    let class = "<dynamics class=\"ackermann\"><driven>rear</driven>\
        <chassis mass=\"400\" zmin=\"0.2\" zmax=\"1\" cg_height=\"0.5\" linear_damping=\"0.05\"/>\
        <controller class=\"twist_front_steer_pid\"><KP>200</KP><KI>10</KI><KD>1</KD>\
        <max_torque>100</max_torque></controller>\
        <actuator class=\"rate_limit\" port=\"torque_front_left\"><max_rate>400</max_rate></actuator>\
        <actuator class=\"rate_limit\" port=\"torque_front_right\"><max_rate>400</max_rate></actuator>\
        </dynamics><friction class=\"wardiagnemma\"><C_damping>0.3</C_damping></friction>\
        <suspension stiffness=\"30000\" damping=\"2000\"/>";
    keeps_velocity(class, "0,twist,5,0,0\n4,twist,1,0,0", "8");
}

/// Returns what `simhost check` reports about a class with a `<scale>` element.
fn refused(scale: &str, dynamics: &str, friction: &str) -> String {
    let workspace = Workspace::new(&format!(
        "<mvsim_world>\n<vehicle:class name=\"car\">{dynamics}{friction}\n{scale}\n</vehicle:class>\n\
         <vehicle name=\"a\" class=\"car\"><init_pose>0 0 0</init_pose></vehicle></mvsim_world>"
    ));
    let outcome = workspace.run(&["check", "world.xml"]);
    assert_eq!(outcome.code, 12, "accepted: {scale} {dynamics} {friction}");
    assert!(outcome.stderr.contains("world.xml:3:"), "{}", outcome.stderr);
    outcome.stderr
}

#[test]
fn bad_sizes_and_laws_are_reported() {
    let car = "<dynamics class=\"ackermann\"/>";
    for (scale, expected) in [
        ("<scale factor=\"0\"/>", "`factor` is out of range: 0"),
        ("<scale factor=\"-2\"/>", "`factor` is out of range: -2"),
        ("<scale factor=\"nan\"/>", "`factor` is not a number"),
        ("<scale/>", "missing `factor`"),
        ("<scale factor=\"2\" law=\"constant_densty\"/>", "did you mean `constant_density`?"),
        ("<scale factor=\"2\" law=\"constant_mass\" size=\"3\"/>", "size"),
    ] {
        let reported = refused(scale, car, "");
        assert!(reported.contains(expected), "{reported}");
    }
}

/// A parameter whose exponents nobody has declared is not guessed.
#[test]
fn undeclared_parameters_are_refused_by_name() {
    let scale = "<scale factor=\"2\"/>";
    let tyre = "<friction class=\"magic_formula\"/>";
    let reported = refused(scale, "<dynamics class=\"ackermann\"/>", tyre);
    assert!(reported.contains("cannot scale `inflation_pressure` of friction class"), "{reported}");
    assert!(reported.contains("help: use another friction class"), "{reported}");
    for class in [
        "kinematic_single_track",
        "kinematic_single_track_trailer",
        "single_track",
        "single_track_drift",
        "multi_body",
        "f1tenth_single_track",
    ] {
        let controller = "<controller class=\"twist_ideal\"/>";
        let dynamics = format!("<dynamics class=\"{class}\">{controller}</dynamics>");
        let reported = refused(scale, &dynamics, "");
        assert!(reported.contains(" of dynamics class `simhost/"), "{class}: {reported}");
    }
    // a rate of an angle follows from the port, and that of a wheel speed does not exist
    let scaled =
        "<dynamics class=\"ackermann\"><max_steer_ang_deg>30</max_steer_ang_deg></dynamics>";
    let range =
        "<friction class=\"burckhardt\"><relaxation_length>9</relaxation_length></friction>";
    let world = format!(
        "<mvsim_world><vehicle name=\"a\"><init_pose>0 0 0</init_pose>{scaled}{range}\
         <scale factor=\"3\"/></vehicle></mvsim_world>"
    );
    assert_eq!(Workspace::new(&world).run(&["check", "world.xml"]).code, 0);
}

/// All other built-in classes of vehicles can be scaled with their defaults.
#[test]
fn built_in_classes_declare_their_exponents() {
    let check = |dynamics: &str, controller: &str, more: &str, outer: &str| {
        let world = format!(
            "<mvsim_world><vehicle name=\"a\"><init_pose>0 0 0</init_pose><dynamics class=\"{dynamics}\">\
             <controller class=\"{controller}\"/>{more}</dynamics>{outer}<scale factor=\"2\"/></vehicle>\
             </mvsim_world>"
        );
        let outcome = Workspace::new(&world).run(&["check", "world.xml"]);
        assert!(!outcome.stderr.contains("cannot scale"), "{}", outcome.stderr);
        assert_eq!(outcome.code, 0, "{dynamics} {controller}: {}", outcome.stderr);
    };
    for (dynamics, controller) in [
        ("differential", "raw"),
        ("differential", "twist_pid"),
        ("differential_3_wheels", "twist_ideal"),
        ("differential_4_wheels", "twist_pid"),
        ("ackermann", "front_steer_pid"),
        ("ackermann", "twist_front_steer_pid"),
        ("ackermann_drivetrain", "twist_front_steer_pid"),
        ("ackermann_powertrain", "pedals"),
        ("double_track", "wheel_torques"),
    ] {
        check(dynamics, controller, "", "");
    }
    for friction in ["burckhardt", "default", "ellipse", "fiala", "lugre", "tmeasy", "wardiagnemma"]
    {
        check("differential", "raw", "", &format!("<friction class=\"{friction}\"/>"));
    }
    for sensor in [
        "barometer",
        "bumper",
        "camera",
        "encoders",
        "gnss",
        "imu",
        "laser",
        "lidar3d",
        "magnetometer",
        "objects",
        "odometry",
        "radar",
        "rgbd_camera",
        "sonar",
        "uwb",
    ] {
        let anchor = if sensor == "uwb" { "<anchor x=\"1\" y=\"2\" z=\"3\"/>" } else { "" };
        let sensor = format!("<sensor class=\"{sensor}\">{anchor}</sensor>");
        check("differential", "raw", "", &sensor);
    }
    for actuator in [
        "backlash\"><width>1</width>",
        "dead_time\">",
        "first_order_lag\">",
        "quantisation\"><resolution>1</resolution>",
        "rate_limit\"><max_rate>1</max_rate>",
        "saturation\"><upper>1</upper>",
    ] {
        let actuator = format!("<actuator port=\"torque_left\" class=\"{actuator}</actuator>");
        check("differential", "raw", &actuator, "");
    }
}
