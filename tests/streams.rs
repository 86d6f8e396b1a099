//! `simhost streams` and `<stream>`: the streams of a world, their types, and their errors.

mod command_line;

use std::path::Path;

use serde_json::Value;
use simhost::{Count, ros};

use crate::support::world::{World, ackermann, differential, vehicle};
use crate::support::{Outcome, bad_plugins};

/// A differential robot and a car with a laser, a block that moves and one that does not.
fn world(more: &str) -> World {
    let square =
        "<shape><pt>-0.5 -0.5</pt><pt>0.5 -0.5</pt><pt>0.5 0.5</pt><pt>-0.5 0.5</pt></shape>";
    let laser = "<sensor class=\"laser\" name=\"eye\"><nrays>3</nrays>\
                 <sensor_period>0.05</sensor_period></sensor>\n";
    World::new()
        .step(0.01)
        .vehicle("robot", differential().controller("twist_pid").pose(0, 5, 0))
        .vehicle("car", ackermann().controller("front_steer_pid").pose(0, 0, 0).xml(laser))
        .vehicle("cart", differential().controller("raw").pose(0, -5, 0))
        .xml(&format!(
            "<block name=\"crate\"><init_pose>9 0 0</init_pose>{square}</block>\n\
             <block name=\"rock\"><init_pose>9 9 0</init_pose><static>true</static>{square}</block>\n\
             {more}"
        ))
}

fn list(world: &World, arguments: &[&str]) -> Outcome {
    world.workspace().run(&[&["streams", "world.xml"], arguments].concat())
}

fn json(world: &World, arguments: &[&str]) -> Vec<Value> {
    let outcome = list(world, &[arguments, &["--json"]].concat());
    assert_eq!((outcome.code, outcome.stderr.as_str()), (0, ""));
    let Value::Array(list) = serde_json::from_str(&outcome.stdout).unwrap() else {
        panic!("expected a list")
    };
    list
}

#[test]
fn streams_are_listed_with_direction_message_rate_source_and_fields() {
    let outcome = list(&world(""), &[]);
    assert_eq!((outcome.code, outcome.stderr.as_str()), (0, ""));
    let words = |line: &str| line.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
    let rows: Vec<Vec<String>> = outcome.stdout.lines().map(words).collect();
    let row = |name: &str| {
        let found = rows.iter().find(|row| row[0] == name);
        found.unwrap_or_else(|| panic!("{name} in {}", outcome.stdout)).join(" ")
    };
    assert_eq!(row("name"), "name direction message rate source fields");
    assert_eq!(row("clock"), "clock output rosgraph_msgs/Clock every step host");
    assert_eq!(
        row("robot/odometry"),
        "robot/odometry output nav_msgs/Odometry every step host position[3] m, \
         orientation[3] rad, linear[2] m/s, angular rad/s"
    );
    assert_eq!(
        row("car/eye/scan"),
        "car/eye/scan output sensor_msgs/LaserScan 20 Hz simhost/laser ranges[] m"
    );
    assert_eq!(
        row("robot/cmd_vel"),
        "robot/cmd_vel input geometry_msgs/Twist events simhost/twist_pid linear[3] m/s, \
         angular[3] rad/s"
    );
    assert!(row("car/cmd_ackermann").contains("ackermann_msgs/AckermannDriveStamped events"));
    assert!(row("cart/cmd_torque").contains("simhost_msgs/TorqueCommand events simhost/raw"));
    assert!(row("cart/cmd_torque").ends_with(" N·m"), "{}", row("cart/cmd_torque"));
    assert!(row("scene").contains("visualization_msgs/MarkerArray once"));
    assert!(row("faults").contains("diagnostic_msgs/DiagnosticArray events"));
    for input in
        ["parameters/set", "recording/set", "pause", "step", "pace", "block/crate/set_pose"]
    {
        assert!(row(input).contains(" input "), "{input}");
    }
    assert!(!rows.iter().any(|row| row[0].starts_with("block/rock")));
}

#[test]
fn patterns_select_streams() {
    let outcome = list(&world(""), &["*/odometry", "!car/**"]);
    let names: Vec<&str> =
        outcome.stdout.lines().skip(1).map(|line| line.split(' ').next().unwrap()).collect();
    assert_eq!(names, ["robot/odometry", "cart/odometry"]);
    let outcome = list(&world(""), &["robot/odometri"]);
    assert_eq!(outcome.code, 2);
    let expected = "error: no stream matches `robot/odometri`; did you mean `robot/odometry`?\n\
                    help: `simhost streams WORLD` lists all streams\n";
    assert_eq!(outcome.stderr, expected);
}

#[test]
fn the_list_as_json_has_definitions_frames_and_constants() {
    let list = json(&world(""), &["car/eye/scan", "car/ground_truth"]);
    let [truth, scan] = &list[..] else { panic!("expected two streams") };
    assert_eq!(truth["topic"], "/car/ground_truth");
    assert_eq!(truth["frame"], "map");
    assert_eq!(truth["child_frame"], "car/base_link");
    let definition = truth["definition"].as_str().unwrap();
    assert!(definition.contains("\nMSG: geometry_msgs/Quaternion\n"), "{definition}");
    assert_eq!(scan["period"], 0.05);
    assert_eq!(scan["frame"], "car/eye");
    assert_eq!(scan["constants"]["range_max"], 80.0);
    assert_eq!(scan["fields"][0]["length"], "variable");
}

#[test]
fn a_sensor_of_a_third_party_has_a_type_from_its_declaration() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("streams");
    bad_plugins::build_of("follower.c", &folder, "follower", &[]);
    let cart = vehicle("cart").controller("follower").pose(0, 0, 0);
    let cart = cart.xml("<sensor class=\"eye\" name=\"e\"><rays>5</rays></sensor>");
    let stream = World::new().vehicle("a", cart).plugins(&folder).stream("a/e/readings");
    assert_eq!(stream.kind.message, "simhost_msgs/msg/Eye");
    assert_eq!((stream.source.as_str(), stream.rate().as_str()), ("acme/eye", "10 Hz"));
    let [ranges, level] = &stream.kind.fields[..] else { panic!("{:?}", stream.kind.fields) };
    assert_eq!((&*ranges.unit, ranges.count), ("m", Count::Fixed(5)));
    assert_eq!(level.count, Count::One);
    let definition = ros::schema(&stream.kind).text;
    assert!(definition.contains(&format!("\nfloat64[] {}\n", ranges.name)), "{definition}");
    assert!(definition.contains(&format!("\nfloat64 {}\n", level.name)), "{definition}");
}

#[test]
fn a_world_groups_quantities_into_streams() {
    let group = "<stream name=\"drive\" every=\"0.1\">\
        <quantity>robot/controller/torque_*</quantity><quantity>car/pose</quantity></stream>";
    let stream = world(group).stream("drive");
    assert_eq!(stream.kind.message, "simhost_msgs/msg/Drive");
    assert_eq!(stream.rate(), "10 Hz");
    let fields = &stream.kind.fields;
    let names: Vec<&str> = fields.iter().map(|field| &*field.name).collect();
    assert_eq!(
        names,
        ["robot/controller/torque_left", "robot/controller/torque_right", "car/pose"]
    );
    assert_eq!(fields[2].count, Count::Fixed(6));
    let definition = ros::schema(&stream.kind).text;
    assert!(definition.contains("\nfloat64 robot_controller_torque_left\n"), "{definition}");
    assert!(definition.contains("\nfloat64[] car_pose\n"), "{definition}");
}

#[test]
fn mistakes_in_groups_are_errors_with_a_position() {
    let fails = |group: &str, parts: &[&str]| world(group).fails("<stream", parts);
    fails(
        "<stream name=\"drive\"><quantity>robot/controler/*</quantity></stream>",
        &["no quantity matches `robot/controler/*`", "did you mean `robot/controller/*`?"],
    );
    fails(
        "<stream name=\"robot/odometry\"><quantity>world/time</quantity></stream>",
        &["the world already has a stream `robot/odometry`"],
    );
    fails("<stream name=\"a\"/>", &["the stream `a` has no quantities"]);
    let one = "<stream name=\"a\"><quantity>world/time</quantity></stream>";
    fails(&format!("{one}{one}"), &["duplicate stream name: `a`"]);
    fails(&one.replace("\"a\"", "\"\""), &["missing `name` in `<stream>`"]);
    for name in ["a/", "/a"] {
        let group = one.replace("\"a\"", &format!("\"{name}\""));
        fails(&group, &["the name of a stream has an empty part"]);
    }
    fails("<stream><quantity>world/time</quantity></stream>", &["name"]);
    fails("<stream name=\"a\" every=\"-1\"><quantity>world/time</quantity></stream>", &["every"]);
}

#[test]
fn names_that_ros_does_not_accept_have_different_topics() {
    let world = World::new()
        .vehicle("a-b", differential().pose(0, 0, 0))
        .vehicle("a_b", differential().pose(0, 3, 0))
        .vehicle("3d", differential().pose(0, 6, 0));
    let streams = ["a-b", "a_b", "3d"].map(|vehicle| world.stream(&format!("{vehicle}/odometry")));
    let topics = streams.each_ref().map(|stream| stream.topic());
    assert_eq!(topics, ["/a_b/odometry", "/a_b/odometry_2", "/n3d/odometry"]);
}

#[test]
fn grouped_streams_change_no_results() {
    let group = "<stream name=\"drive\"><quantity>robot/**</quantity></stream>";
    let hash = |more: &str| world(more).run(0.2).hashes[1];
    assert_eq!(hash(""), hash(group));
}
