//! Vehicles of another size keep their velocity over time.

use crate::support::Table;
use crate::support::world::{COMMONROAD, World, model, vehicle};

/// Sizes and laws of `<scale>` that every car is tried with.
const SIZES: [(&str, &str); 6] = [
    ("0.5", "constant_density"),
    ("2", "constant_density"),
    ("3", "constant_density"),
    ("0.5", "constant_mass"),
    ("2", "constant_mass"),
    ("3", "constant_mass"),
];

/// Largest difference between a velocity and the reference, m/s.
const TOLERANCE: f64 = 1e-9;

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
    let world = World::shared("scaling").every(0.05);
    let names = ["*/dynamics/gear", "*/dynamics/engine_speed", "*/dynamics/wheelbase"];
    let run = names.iter().fold(world, |world, name| world.record(name)).run(60.0);
    let path = run.table("trajectory.csv");
    let speeds = path.only("vehicle", "reference").numbers("vx_mps");
    let times = path.only("vehicle", "reference").numbers("time_s");
    let at = speeds.iter().position(|speed| *speed >= 20.0).unwrap();
    assert!((5.0..6.5).contains(&times[at]), "{}", times[at]);
    assert!(*speeds.last().unwrap() > 60.0);
    let recorded = run.table("quantities.csv");
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
        let worst = apart(path, "vx_mps", "reference", vehicle);
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
        let worst = apart(path, "vx_mps", "reference", vehicle);
        assert!(worst > 20.0, "{vehicle}: {worst} m/s");
    }
}

/// Runs a car in its own size and in all of [`SIZES`] with commands of these times, kinds and values, and
/// compares velocities.
fn keeps_velocity(class: &str, commands: &[(f64, &str, &[f64])], seconds: f64) {
    let mut world = World::new().step(0.002);
    world = world.xml(&format!("<vehicle:class name=\"car\">{class}</vehicle:class>\n"));
    for number in 0..=SIZES.len() {
        let scale = number.checked_sub(1).map_or_else(String::new, |index| {
            let (factor, law) = SIZES[index];
            format!("<scale factor=\"{factor}\" law=\"{law}\"/>")
        });
        world = world.xml(&format!(
            "<vehicle name=\"v{number}\" class=\"car\"><init_pose>0 {} 0</init_pose>{scale}</vehicle>\n",
            30 * number
        ));
        for (time, kind, values) in commands {
            world = world.command(*time, &format!("v{number}"), kind, values);
        }
    }
    let run = world.run(seconds);
    assert!(run.warnings.is_empty(), "{:?}", run.warnings);
    let path = run.table("trajectory.csv");
    let speeds = path.only("vehicle", "v0").numbers("vx_mps");
    assert!(speeds.iter().copied().fold(0.0, f64::max) > 2.0, "the car does not move");
    for (index, size) in SIZES.iter().enumerate() {
        let worst = apart(path, "vx_mps", "v0", &format!("v{}", index + 1));
        // the limits of the controller follow from its vehicle, and the step stays the same
        assert!(worst < 1e-4, "{size:?}: {worst} m/s");
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
    let (go, brake, roll) = ([1.0, 0.0, 0.0, 1.0], [0.0, 0.3, 0.0, 1.0], [0.0, 0.0, 0.0, 1.0]);
    let drive = [(0.0, "drive", &go[..]), (4.0, "drive", &brake), (6.0, "drive", &roll)];
    keeps_velocity(class, &drive, 7.0);
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
    let (go, roll) = ([0.7, 0.0, 0.0, 1.0], [0.0, 0.0, 0.0, 1.0]);
    keeps_velocity(class, &[(0.0, "drive", &go), (5.0, "drive", &roll)], 6.0);
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
    let (fast, slow) = ([5.0, 0.0, 0.0], [1.0, 0.0, 0.0]);
    keeps_velocity(class, &[(0.0, "twist", &fast), (4.0, "twist", &slow)], 8.0);
}

/// Checks that a class with a `<scale>` element has an error there.
fn refused(scale: &str, dynamics: &str, friction: &str, parts: &[&str]) {
    let world = World::new().xml(&format!(
        "<vehicle:class name=\"car\">{dynamics}{friction}\n{scale}\n</vehicle:class>\n\
         <vehicle name=\"a\" class=\"car\"><init_pose>0 0 0</init_pose></vehicle>"
    ));
    world.fails("<scale", parts);
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
        refused(scale, car, "", &[expected]);
    }
}

/// Exponents that a parameter does not declare are not guessed.
#[test]
fn undeclared_parameters_are_refused_by_name() {
    let scale = "<scale factor=\"2\"/>";
    let tyre = "<friction class=\"magic_formula\"/>";
    let parts =
        ["cannot scale `inflation_pressure` of friction class", "use another friction class"];
    refused(scale, "<dynamics class=\"ackermann\"/>", tyre, &parts);
    for class in COMMONROAD {
        let controller = "<controller class=\"twist_ideal\"/>";
        let dynamics = format!("<dynamics class=\"{class}\">{controller}</dynamics>");
        refused(scale, &dynamics, "", &[" of dynamics class `simhost/"]);
    }
    // a rate of an angle follows from the port, and that of a wheel speed does not exist
    let car = vehicle(model("ackermann").set("max_steer_ang_deg", 30))
        .friction(model("burckhardt").set("relaxation_length", 9))
        .pose(0, 0, 0)
        .xml("<scale factor=\"3\"/>");
    World::new().vehicle("a", car).open();
}

/// All other built-in classes of vehicles can be scaled with their defaults.
#[test]
fn built_in_classes_declare_their_exponents() {
    let check = |dynamics: &str, controller: &str, more: &str, outer: &str| {
        let car = vehicle(model(dynamics).xml(more)).controller(controller).pose(0, 0, 0);
        let world = World::new().vehicle("a", car.xml(outer).xml("<scale factor=\"2\"/>"));
        let warnings = world.warnings().concat();
        assert!(!warnings.contains("cannot scale"), "{warnings}");
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
        "dc_motor\">",
    ] {
        let actuator = format!("<actuator port=\"torque_left\" class=\"{actuator}</actuator>");
        check("differential", "raw", &actuator, "");
    }
}
