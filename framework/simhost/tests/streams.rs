//! The streams of worlds and their samples.

#![expect(clippy::unwrap_used, reason = "a test that fails panics")]

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};

use simhost::ros::{self, Layout};
use simhost::{
    Direction, LaserScan, Odometry, Options, Sample, Selection, Session, Sink, SinkError, Stamp,
    Stream, Twist, Values, Wheels, seconds, types,
};

fn open(world: &str) -> Session {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..");
    Session::open(root.join("worlds").join(world), Options::default()).unwrap()
}

fn of_text(text: &str) -> Session {
    Session::from_text(text, "test.world.xml", Options::default()).unwrap()
}

/// Samples by the name of their stream: stamp and message as JSON.
type Taken = Arc<Mutex<BTreeMap<String, Vec<(Stamp, serde_json::Value)>>>>;

/// Keeps all samples, and checks that CDR and JSON agree.
struct Keeper {
    streams: Vec<(Arc<Stream>, Layout)>,
    taken: Taken,
    bytes: Vec<u8>,
}

impl Sink for Keeper {
    fn begin(&mut self, streams: &[Arc<Stream>]) -> Result<(), SinkError> {
        let layout = |stream: &Arc<Stream>| Layout::new(&ros::schema(&stream.kind)).unwrap();
        self.streams = streams.iter().map(|stream| (stream.clone(), layout(stream))).collect();
        Ok(())
    }

    fn take(&mut self, stream: usize, sample: &Sample<'_>) -> Result<(), SinkError> {
        let (stream, layout) = &self.streams[stream];
        self.bytes.clear();
        ros::cdr(stream, sample, &mut self.bytes);
        let message = ros::json(stream, sample);
        assert_eq!(layout.decode(&self.bytes).unwrap(), message, "{}", stream.name);
        let mut taken = self.taken.lock().unwrap();
        taken.entry(stream.name.clone()).or_default().push((sample.stamp, message));
        Ok(())
    }
}

fn attach(session: &mut Session, selection: &Selection) -> Taken {
    let taken = Taken::default();
    let keeper = Keeper { streams: Vec::new(), taken: taken.clone(), bytes: Vec::new() };
    session.attach(Box::new(keeper), selection).unwrap();
    taken
}

#[test]
fn a_world_has_its_states_frames_sensors_and_inputs_as_streams() {
    let session = open("demo.world.xml");
    let streams = session.world().streams().unwrap();
    let names = |direction: Direction| {
        let all = streams.iter().filter(|stream| stream.direction == direction);
        all.map(|stream| (stream.name.as_str(), stream.kind.message.as_ref())).collect::<Vec<_>>()
    };
    let outputs = names(Direction::Output);
    for expected in [
        ("clock", "rosgraph_msgs/msg/Clock"),
        ("tf", "tf2_msgs/msg/TFMessage"),
        ("scene", "visualization_msgs/msg/MarkerArray"),
        ("faults", "diagnostic_msgs/msg/DiagnosticArray"),
        ("robot/odometry", "nav_msgs/msg/Odometry"),
        ("robot/ground_truth", "nav_msgs/msg/Odometry"),
        ("robot/wheels", "simhost_msgs/msg/Wheels"),
        ("robot/joint_states", "sensor_msgs/msg/JointState"),
        ("robot/scan/scan", "sensor_msgs/msg/LaserScan"),
    ] {
        assert!(outputs.contains(&expected), "{expected:?} in {outputs:?}");
    }
    let inputs = names(Direction::Input);
    for expected in [
        ("robot/cmd_vel", "geometry_msgs/msg/Twist"),
        ("robot/set_pose", "geometry_msgs/msg/PoseStamped"),
        ("robot/set_velocity", "geometry_msgs/msg/Twist"),
        ("parameters/set", "simhost_msgs/msg/Parameter"),
        ("pause", "std_msgs/msg/Bool"),
        ("step", "std_msgs/msg/UInt64"),
    ] {
        assert!(inputs.contains(&expected), "{expected:?} in {inputs:?}");
    }
    let mut all: Vec<&str> = streams.iter().map(|stream| stream.name.as_str()).collect();
    all.sort_unstable();
    all.dedup();
    assert_eq!(all.len(), streams.len());
}

#[test]
fn samples_come_at_the_rates_of_their_streams() {
    let mut session = open("demo.world.xml");
    let taken = attach(&mut session, &Selection::default());
    session.run_until(seconds(1.0)).unwrap();
    let taken = taken.lock().unwrap();
    let steps = session.steps() as usize;
    assert_eq!(taken["robot/odometry"].len(), steps + 1);
    assert_eq!(taken["tf"].len(), steps + 1);
    assert_eq!(taken["scene"].len(), 1);
    assert!(!taken.contains_key("faults"));
    let scan = session.world().streams().unwrap();
    let scan = scan.iter().find(|stream| stream.name == "robot/scan/scan").unwrap();
    let samples = &taken["robot/scan/scan"];
    let period = (scan.period.unwrap() * 1e9).round() as u64;
    let stamps: Vec<u64> = samples.iter().map(|(stamp, _)| stamp.0).collect();
    let expected: Vec<u64> = (1..=1_000_000_000 / period).map(|count| count * period).collect();
    assert_eq!(stamps, expected);
    let (_, message) = &samples[0];
    assert_eq!(message["ranges"].as_array().unwrap().len(), 181);
    let number = |name: &str| message[name].as_f64().unwrap();
    assert!((number("angle_min") + 0.75 * std::f64::consts::PI).abs() < 1e-6);
    let last = number("angle_min") + 180.0 * number("angle_increment");
    assert!((last - number("angle_max")).abs() < 1e-5, "{last}");
}

#[test]
fn a_period_of_a_selection_thins_states_and_takes_the_next_sample_of_sensors() {
    let mut session = open("demo.world.xml");
    let patterns = vec!["robot/odometry".to_owned(), "robot/scan/scan".to_owned()];
    let selection = Selection { patterns, period: Some(0.25), ..Selection::default() };
    let taken = attach(&mut session, &selection);
    session.run_until(seconds(1.0)).unwrap();
    let taken = taken.lock().unwrap();
    let stamps = |name: &str| {
        taken[name].iter().map(|(stamp, _)| (stamp.seconds() * 100.0).round()).collect::<Vec<_>>()
    };
    assert_eq!(stamps("robot/odometry"), [0.0, 25.0, 50.0, 75.0, 100.0]);
    let scans = stamps("robot/scan/scan");
    assert!(scans.len() >= 4, "{scans:?}");
    assert_eq!(taken.len(), 2);
}

/// Drives the robot of the demo for 2 s. Returns its samples.
fn driven(omega: f64) -> (Session, Taken) {
    let mut session = open("demo.world.xml");
    let robot = session.vehicle("robot").unwrap();
    robot.command(Twist { vx: 1.0, vy: 0.0, omega }).unwrap();
    let taken = attach(&mut session, &Selection::default());
    session.run_until(seconds(2.0)).unwrap();
    (session, taken)
}

#[test]
fn transforms_lead_from_the_map_to_the_true_pose() {
    let (mut session, taken) = driven(0.5);
    let truth: Odometry = session.latest("robot/ground_truth").unwrap();
    let taken = taken.lock().unwrap();
    let (_, message) = taken["tf"].last().unwrap();
    let transform = |child: &str| {
        let all = message["transforms"].as_array().unwrap();
        let one = all.iter().find(|one| one["child_frame_id"] == child).unwrap();
        let number = |part: &str, axis: &str| one["transform"][part][axis].as_f64().unwrap();
        let rotation = ["x", "y", "z", "w"].map(|axis| number("rotation", axis));
        let parent = one["header"]["frame_id"].as_str().unwrap().to_owned();
        let [x, y] = ["x", "y"].map(|axis| number("translation", axis));
        (parent, x, y, ros::yaw_pitch_roll(rotation)[0])
    };
    let (map, ox, oy, oyaw) = transform("robot/odom");
    let (odom, bx, by, byaw) = transform("robot/base_link");
    let (_, message) = taken["tf_static"].last().unwrap();
    let mounted = &message["transforms"][0];
    assert_eq!(mounted["child_frame_id"], "robot/scan");
    assert_eq!(mounted["transform"]["translation"]["x"], 0.2);
    let base = mounted["header"]["frame_id"].as_str().unwrap().to_owned();
    assert_eq!(
        (map.as_str(), odom.as_str(), base.as_str()),
        ("map", "robot/odom", "robot/base_link")
    );
    let (sin, cos) = oyaw.sin_cos();
    let found = [ox + cos * bx - sin * by, oy + sin * bx + cos * by, oyaw + byaw];
    let expected = [truth.pose[0], truth.pose[1], truth.pose[3]];
    for (found, expected) in found.iter().zip(expected) {
        assert!((found - expected).abs() < 1e-9, "{found:?} {expected:?}");
    }
}

#[test]
fn mounted_frames_come_once_and_wheels_roll_in_theirs() {
    let (mut session, taken) = driven(0.0);
    let wheels: Wheels = session.latest("robot/wheels").unwrap();
    let taken = taken.lock().unwrap();
    // at the start, and when the laser has its first sample
    let stamps: Vec<u64> = taken["tf_static"].iter().map(|(stamp, _)| stamp.0).collect();
    assert_eq!(stamps, [0, 100_000_000]);
    let (_, message) = taken["tf"].last().unwrap();
    let all = message["transforms"].as_array().unwrap();
    let frame = |name: &str| all.iter().find(|one| one["child_frame_id"] == name);
    assert!(frame("robot/scan").is_none());
    for wheel in &wheels.wheels {
        let found = frame(&format!("robot/wheel/{}", wheel.name)).unwrap();
        assert_eq!(found["header"]["frame_id"], "robot/base_link");
        let number = |part: &str, axis: &str| found["transform"][part][axis].as_f64().unwrap();
        let place = ["x", "y", "z"].map(|axis| number("translation", axis));
        assert_eq!(place, [wheel.position[0], wheel.position[1], 0.15]);
        let (sin, cos) = (0.5 * wheel.angle).sin_cos();
        let found = [number("rotation", "y"), number("rotation", "w")];
        assert!(wheel.angle > 1.0 && (found[0] - sin).abs() + (found[1] - cos).abs() < 1e-9);
    }
}

#[test]
fn covariances_follow_from_the_noise_of_sensors() {
    let mut session = of_text(
        "<mvsim_world><vehicle name=\"a\"><init_pose>0 0 0</init_pose>\
         <dynamics class=\"differential\">\
         <l_wheel pos=\"0 0.25\" mass=\"1\" width=\"0.05\" diameter=\"0.3\"/>\
         <r_wheel pos=\"0 -0.25\" mass=\"1\" width=\"0.05\" diameter=\"0.3\"/>\
         <chassis mass=\"15\" zmin=\"0.05\" zmax=\"0.5\"/><controller class=\"raw\"/></dynamics>\
         <friction class=\"default\"/>\
         <sensor class=\"imu\" name=\"imu\"><sensor_period>0.04</sensor_period>\
         <measure_orientation>true</measure_orientation>\
         <orientation_std_noise>0.1</orientation_std_noise>\
         <angular_velocity_noise_density>0.02</angular_velocity_noise_density>\
         <linear_acceleration_white_noise_std_noise>0.5</linear_acceleration_white_noise_std_noise>\
         <linear_acceleration_resolution>1.2</linear_acceleration_resolution></sensor>\
         <sensor class=\"gnss\" name=\"gps\"><sensor_period>0.04</sensor_period>\
         <horizontal_std_noise>3</horizontal_std_noise><vertical_std_noise>5</vertical_std_noise>\
         </sensor></vehicle><georeference><latitude>48</latitude><longitude>11</longitude>\
         </georeference></mvsim_world>",
    );
    let taken = attach(&mut session, &Selection::default());
    session.run_until(seconds(0.1)).unwrap();
    let taken = taken.lock().unwrap();
    let diagonal = |message: &serde_json::Value, name: &str| {
        let all = message[name].as_array().unwrap();
        assert_eq!(all.iter().filter(|one| one.as_f64() != Some(0.0)).count(), 3);
        [0, 4, 8].map(|place| (1e9 * all[place].as_f64().unwrap()).round() / 1e9)
    };
    let (_, imu) = &taken["a/imu/imu"][0];
    assert_eq!(diagonal(imu, "orientation_covariance"), [0.01; 3]);
    // 0.02 rad/s/√Hz at 25 Hz
    assert_eq!(diagonal(imu, "angular_velocity_covariance"), [0.01; 3]);
    // white noise, and 1.2²/12 of rounding
    assert_eq!(diagonal(imu, "linear_acceleration_covariance"), [0.25 + 0.12; 3]);
    let (_, fix) = &taken["a/gps/fix"][0];
    assert_eq!(diagonal(fix, "position_covariance"), [9.0, 9.0, 25.0]);
    assert_eq!(fix["position_covariance_type"], 2);
    drop(taken);
    let imu: types::Imu = session.latest("a/imu/imu").unwrap();
    assert!((imu.linear_acceleration_variance - 0.37).abs() < 1e-12);
    assert!(imu.orientation.iter().all(|angle| angle.is_finite()));
}

#[test]
fn every_world_has_streams_with_messages_that_can_be_read() {
    for world in ["office", "parking", "garage", "depot", "hill", "weather"] {
        let mut session = open(&format!("{world}.world.xml"));
        attach(&mut session, &Selection::default());
        session.run_steps(40).unwrap();
        for stream in session.world().streams().unwrap() {
            let schema = ros::schema(&stream.kind);
            Layout::new(&schema).unwrap_or_else(|error| panic!("{world}: {error}"));
        }
    }
}

#[test]
fn maps_and_scenes_have_the_shapes_of_the_world() {
    let mut session = open("office.world.xml");
    let taken = attach(&mut session, &Selection::default());
    session.run_steps(1).unwrap();
    let taken = taken.lock().unwrap();
    let (_, map) = &taken["map"][0];
    let info = &map["info"];
    let cells = info["width"].as_u64().unwrap() * info["height"].as_u64().unwrap();
    let data = map["data"].as_array().unwrap();
    assert_eq!(data.len() as u64, cells);
    let has = |test: &dyn Fn(i64) -> bool| data.iter().any(|cell| test(cell.as_i64().unwrap()));
    assert!(has(&|cell| cell > 60) && has(&|cell| (0..40).contains(&cell)));
    let markers = taken["scene"][0].1["markers"].as_array().unwrap().clone();
    let of_vehicles = markers
        .iter()
        .filter(|marker| marker["header"]["frame_id"].as_str().unwrap().ends_with("/base_link"));
    assert!(of_vehicles.count() >= 3, "a chassis and two wheels");
}

#[test]
fn blocks_that_move_have_frames_and_inputs() {
    let mut session = of_text(
        "<mvsim_world><block><init_pose>1 2 0</init_pose>\
         <shape><pt>0 0</pt><pt>1 0</pt><pt>1 1</pt></shape></block></mvsim_world>",
    );
    let taken = attach(&mut session, &Selection::default());
    session.run_steps(1).unwrap();
    let streams = session.world().streams().unwrap();
    let input = streams.iter().find(|stream| stream.name.ends_with("/set_pose")).unwrap();
    let taken = taken.lock().unwrap();
    let transform = &taken["tf"][0].1["transforms"][0];
    let frame = input.name.strip_suffix("/set_pose").unwrap();
    assert_eq!(transform["child_frame_id"], frame);
    assert_eq!(transform["transform"]["translation"]["y"], 2.0);
    assert_eq!(taken["scene"][0].1["markers"][0]["header"]["frame_id"], frame);
}

#[test]
fn streams_are_read_as_types_or_field_by_field() {
    let mut session = open("demo.world.xml");
    session.run_until(seconds(0.5)).unwrap();
    let wheels: Wheels = session.latest("car/wheels").unwrap();
    let names: Vec<&str> = wheels.wheels.iter().map(|wheel| wheel.name.as_str()).collect();
    assert_eq!(names, ["rl", "rr", "fl", "fr"]);
    assert!(wheels.wheels.iter().all(|wheel| wheel.normal_force > 0.0));
    let values: Values = session.latest("car/wheels").unwrap();
    let forces: Vec<f64> = wheels.wheels.iter().map(|wheel| wheel.normal_force).collect();
    assert_eq!(values.get("normal_force"), forces);
    assert_eq!(values.get("nothing"), [0.0; 0]);
    let scan: LaserScan = session.latest("robot/scan/scan").unwrap();
    assert_eq!(scan.ranges.len(), 181);
    let error = session.latest::<Odometry>("car/wheels").unwrap_err().to_string();
    assert_eq!(error, "stream 'car/wheels' has the type Wheels; expected Odometry");
    let error = session.latest::<Odometry>("car/odometri").unwrap_err().to_string();
    assert_eq!(error, "unknown stream: 'car/odometri'; did you mean 'car/odometry'?");
}

#[test]
fn grouped_quantities_have_samples_in_the_order_of_the_world() {
    let mut session = of_text(
        "<mvsim_world><vehicle name=\"r\"><init_pose>1 2 0</init_pose>\
         <dynamics class=\"differential\"/></vehicle>\
         <stream name=\"mine\" every=\"0.1\"><quantity>r/wheel/*/spin</quantity>\
         <quantity>r/pose</quantity></stream></mvsim_world>",
    );
    let taken = attach(&mut session, &Selection::default());
    session.run_until(seconds(0.5)).unwrap();
    let taken = taken.lock().unwrap();
    assert_eq!(taken["mine"].len(), 6);
    let (_, message) = &taken["mine"][0];
    assert_eq!(message["r_pose"][1], 2.0);
    assert_eq!(message["r_wheel_l_spin"], 0.0);
    let wrong = "<mvsim_world><stream name=\"a\"><quantity>x</quantity></stream></mvsim_world>";
    let error = Session::from_text(wrong, "test.world.xml", Options::default()).err().unwrap();
    assert!(error.to_string().contains("no quantity matches `x`"), "{error}");
}

/// A sensor named `odom` or `base_link` made a loop in the tree of transforms.
#[test]
fn every_frame_has_one_owner() {
    let world = |vehicle: &str, sensor: &str, more: &str| {
        let text = format!(
            "<mvsim_world><vehicle name=\"{vehicle}\"><dynamics class=\"differential\"/>\
             <sensor class=\"imu\" name=\"{sensor}\"/>{more}\
             <init_pose>0 0 0</init_pose></vehicle><block name=\"crate\"><init_pose>5 0 0</init_pose></block>\
             </mvsim_world>"
        );
        let opened = Session::from_text(&text, "world.xml", Options::default());
        opened.map(drop).map_err(|error| error.to_string())
    };
    let camera = "<sensor class=\"camera\" name=\"eye\"/>";
    world("r", "imu", camera).unwrap();
    for (vehicle, sensor, owner) in [
        ("r", "odom", "the odometry of vehicle 'r'"),
        ("r", "base_link", "vehicle 'r'"),
        ("block", "crate", "'block/crate'"),
    ] {
        let error = world(vehicle, sensor, "").unwrap_err();
        let message = format!(
            "the frame `{vehicle}/{sensor}` of sensor '{sensor}' is already used by {owner}"
        );
        assert!(error.contains(&message), "{error}");
        assert!(error.contains("world.xml:1:"), "{error}");
        assert!(error.contains(&format!("choose another name, such as `{sensor}_sensor`")));
    }
    // entities that come later are checked too
    let text = "<mvsim_world><vehicle name=\"r\"><dynamics class=\"differential\"/>\
        <init_pose>0 0 0</init_pose></vehicle></mvsim_world>";
    let mut session = Session::from_text(text, "world.xml", Options::default()).unwrap();
    let late = "<vehicle name=\"s\"><dynamics class=\"differential\"/><init_pose>5 0 0</init_pose>\
        <sensor class=\"imu\" name=\"odom\"/></vehicle>";
    let error = session.edit().add(late).unwrap_err().to_string();
    assert!(error.contains("`s/odom`"), "{error}");
    session.run_steps(2).unwrap();
}

/// Commands of a planning model have the messages that Autoware sends.
#[test]
fn autoware_sends_its_own_messages() {
    let session = open("autoware.world.xml");
    let streams = session.world().streams().unwrap();
    let input = |name: &str, message: &str, text: &str| -> Vec<f64> {
        let stream =
            streams.iter().find(|stream| stream.name == format!("ego/cmd_{name}")).unwrap();
        assert_eq!(stream.kind.message, message);
        match simhost_streams::ros::input_from_json(stream, text).unwrap() {
            simhost::Input::Command { kind, values, .. } if kind == name => values,
            other => panic!("{other:?}"),
        }
    };
    let control = "{\"longitudinal\": {\"velocity\": 3, \"acceleration\": 0.5}, \
        \"lateral\": {\"steering_tire_angle\": -0.1}}";
    assert_eq!(input("control", "autoware_control_msgs/msg/Control", control), [3.0, 0.5, -0.1]);
    for (name, message) in [
        ("gear", "autoware_vehicle_msgs/msg/GearCommand"),
        ("turn_indicators", "autoware_vehicle_msgs/msg/TurnIndicatorsCommand"),
        ("hazard_lights", "autoware_vehicle_msgs/msg/HazardLightsCommand"),
    ] {
        assert_eq!(input(name, message, "{\"command\": 2}"), [2.0]);
    }
    let engage = input("engage", "autoware_vehicle_msgs/msg/Engage", "{\"engage\": true}");
    assert_eq!(engage, [1.0]);
    let pose = "{\"header\": {\"stamp\": {\"sec\": 4, \"nanosec\": 500000000}}, \"pose\": {\"pose\": \
        {\"position\": {\"x\": 1, \"y\": 2, \"z\": 3}, \"orientation\": {\"z\": 1}}}}";
    let message = "geometry_msgs/msg/PoseWithCovarianceStamped";
    let [x, y, z, yaw, stamp] = input("initial_pose", message, pose)[..] else { panic!() };
    assert_eq!([x, y, z, stamp], [1.0, 2.0, 3.0, 4.5]);
    assert!((yaw.abs() - std::f64::consts::PI).abs() < 1e-9, "{yaw}");
}

/// The frame of the odometry carries its error, or rests at the origin of the map.
#[test]
fn the_frame_of_the_odometry_can_rest_in_the_map() {
    let transforms = |odometry: &str| -> [[f64; 2]; 2] {
        let mut session = of_text(&format!(
            "<mvsim_world><vehicle name='r'><init_pose>3 2 0</init_pose>\
             <dynamics class='differential'><controller class='twist_ideal'><V>1</V></controller></dynamics>\
             {odometry}</vehicle></mvsim_world>"
        ));
        session.run_until(simhost::seconds(1.0)).unwrap();
        let taken = attach(&mut session, &Selection::default());
        session.run_steps(1).unwrap();
        let taken = taken.lock().unwrap();
        let sample = &taken["tf"].last().unwrap().1["transforms"];
        ["r/odom", "r/base_link"].map(|frame| {
            let all = sample.as_array().unwrap();
            let found = all.iter().find(|one| one["child_frame_id"] == frame).unwrap();
            ["x", "y"].map(|axis| found["transform"]["translation"][axis].as_f64().unwrap())
        })
    };
    let [origin, own] = transforms("<odometry x_multiplier='1.5'/>");
    assert!(origin[0] < -0.4 && (origin[0] + own[0] - 4.0).abs() < 0.02, "{origin:?} {own:?}");
    let [origin, own] = transforms("<odometry x_multiplier='1.5' transform='truth'/>");
    assert!(origin == [0.0; 2] && (own[0] - 4.0).abs() < 0.02, "{own:?}");
}

/// A laser whose post at (0, 4) is in the direction of the ray that meets it.
#[test]
fn a_scan_over_a_full_turn_has_the_directions_of_its_rays() {
    for rays in [36, 90, 360] {
        let world = format!(
            "<mvsim_world version=\"1.0\"><block name=\"post\"><init_pose>0 4 0</init_pose><static>true</static>\
             <zmin>0</zmin><zmax>1</zmax><shape><pt>-0.2 -0.2</pt><pt>0.2 -0.2</pt><pt>0.2 0.2</pt><pt>-0.2 0.2</pt>\
             </shape></block><vehicle name=\"r\"><init_pose>0 0 0</init_pose><dynamics class=\"differential\">\
             <controller class=\"twist_ideal\"/></dynamics><sensor class=\"laser\" name=\"l\"><pose>0 0 0</pose>\
             <fov_degrees>360</fov_degrees><nrays>{rays}</nrays><range_std_noise>0</range_std_noise>\
             <angle_std_noise_deg>0</angle_std_noise_deg></sensor></vehicle></mvsim_world>"
        );
        let mut session = of_text(&world);
        let taken = attach(&mut session, &Selection::default());
        session.run_until(seconds(0.2)).unwrap();
        let taken = taken.lock().unwrap();
        let (_, scan) = taken["r/l/scan"].last().unwrap();
        let number = |key: &str| scan[key].as_f64().unwrap();
        let ranges = scan["ranges"].as_array().unwrap();
        let near = |range: &&serde_json::Value| range.as_f64().is_some_and(|range| range < 5.0);
        let seen: Vec<f64> = (0..ranges.len())
            .filter(|ray| near(&&ranges[*ray]))
            .map(|ray| number("angle_min") + ray as f64 * number("angle_increment"))
            .collect();
        let mean = seen.iter().sum::<f64>() / seen.len() as f64;
        assert!((mean - std::f64::consts::FRAC_PI_2).abs() < 0.01, "{rays}: {seen:?}");
        let next = number("angle_max") + number("angle_increment") - number("angle_min");
        assert!((next - std::f64::consts::TAU).abs() < 1e-5, "{rays}: {next}");
    }
}

/// Names of any letters, and sensors and blocks with the names of frames.
#[test]
fn frames_form_a_tree_in_messages_whatever_the_names() {
    let vehicle = |name: &str, x: f64, more: &str| {
        format!(
            "<vehicle name=\"{name}\"><init_pose>{x} 0 0</init_pose><dynamics class=\"differential\">\
             <controller class=\"twist_ideal\"/></dynamics>{more}</vehicle>"
        )
    };
    let names = ["robot-1", "robot_1", "Äpfel", "Öpfel", "a b", "a_b", "3d", "n3d"];
    let vehicles: String =
        (0..).zip(names).map(|(at, name)| vehicle(name, 5.0 * f64::from(at), "")).collect();
    let scanned = vehicle("c", 60.0, "<sensor class=\"laser\" name=\"base-link\"/>");
    let world = format!("<mvsim_world version=\"1.0\">{vehicles}{scanned}</mvsim_world>");
    let mut session = of_text(&world);
    let taken = attach(&mut session, &Selection::default());
    session.run_until(seconds(0.1)).unwrap();
    let taken = taken.lock().unwrap();
    let mut parents: BTreeMap<String, String> = BTreeMap::new();
    for name in ["tf", "tf_static"] {
        for transform in taken[name][0].1["transforms"].as_array().unwrap() {
            let text = |value: &serde_json::Value| value.as_str().unwrap().to_owned();
            let child = text(&transform["child_frame_id"]);
            let parent = text(&transform["header"]["frame_id"]);
            assert_ne!(child, parent);
            let other = parents.insert(child.clone(), parent);
            assert_eq!(other, None, "{child} is twice in the tree");
        }
    }
    let odometry = taken.iter().filter(|(name, _)| name.ends_with("/odometry"));
    let children: Vec<&str> =
        odometry.map(|(_, all)| all[0].1["child_frame_id"].as_str().unwrap()).collect();
    assert_eq!(children.len(), names.len() + 1);
    for (at, child) in children.iter().enumerate() {
        assert!(parents.contains_key(*child), "{child}");
        assert!(!children[..at].contains(child), "{child}");
    }
}

#[test]
fn joints_of_steering_are_those_of_wheels_that_turn() {
    let world = "<mvsim_world version=\"1.0\"><vehicle name=\"c\"><init_pose>0 0 0</init_pose>\
                 <dynamics class=\"ackermann\"><controller class=\"front_steer_pid\"><V>1</V><STEER_ANG>10</STEER_ANG>\
                 </controller></dynamics><sensor class=\"encoders\" name=\"e\"/></vehicle></mvsim_world>";
    let mut session = of_text(world);
    let taken = attach(&mut session, &Selection::default());
    session.run_until(seconds(0.5)).unwrap();
    let taken = taken.lock().unwrap();
    for (_, samples) in taken.iter().filter(|(name, _)| name.ends_with("/joint_states")) {
        let (_, message) = samples.last().unwrap();
        let names: Vec<&str> =
            message["name"].as_array().unwrap().iter().map(|name| name.as_str().unwrap()).collect();
        assert_eq!(names.iter().filter(|name| name.ends_with("/spin")).count(), 4, "{names:?}");
        assert_eq!(names.iter().filter(|name| name.ends_with("/steer")).count(), 2, "{names:?}");
        for key in ["position", "velocity"] {
            let numbers = message[key].as_array().unwrap();
            assert_eq!(numbers.len(), names.len(), "{key}");
            assert!(numbers.iter().all(|number| number.is_number()), "{key}: {numbers:?}");
        }
    }
}

/// Returns what the stream `collision` of a vehicle says, with a sample each half second. Its front is 0.5 m ahead of it.
fn collisions(settings: &str, vehicle: &str, seconds_long: f64) -> Vec<bool> {
    let world = format!(
        "<mvsim_world version=\"1.0\">{settings}<simul_timestep>0.005</simul_timestep>\
         <block name=\"b\"><init_pose>2 0 0</init_pose><static>true</static><restitution>1</restitution>\
         <shape><pt>0 -3</pt><pt>1 -3</pt><pt>1 3</pt><pt>0 3</pt></shape></block>\
         <vehicle name=\"r\"><dynamics class=\"differential\"><chassis mass=\"20\" zmin=\"0\" zmax=\"0.5\">\
         <shape><pt>-0.5 -0.4</pt><pt>0.5 -0.4</pt><pt>0.5 0.4</pt><pt>-0.5 0.4</pt></shape></chassis>\
         <controller class=\"raw\"/></dynamics><friction class=\"default\"><mu>0</mu></friction>{vehicle}\
         </vehicle></mvsim_world>"
    );
    let mut session = of_text(&world);
    let patterns = vec!["r/collision".to_owned()];
    let selection = Selection { patterns, period: Some(0.5), ..Selection::default() };
    let taken = attach(&mut session, &selection);
    session.run_until(seconds(seconds_long)).unwrap();
    let taken = taken.lock().unwrap();
    taken["r/collision"].iter().map(|(_, message)| message["data"].as_bool().unwrap()).collect()
}

#[test]
fn a_vehicle_that_is_nearer_than_the_threshold_collides() {
    for (threshold, x, expected) in [
        ("", 1.45, false),
        ("", 1.48, true),
        ("<collision_threshold>0.1</collision_threshold>", 1.45, true),
        ("<collision_threshold>0</collision_threshold>", 1.48, false),
        ("<collision_threshold>0</collision_threshold>", 1.5, true),
    ] {
        let pose = format!("<init_pose>{x} 0 0</init_pose>");
        let found = collisions(threshold, &pose, 0.5);
        assert_eq!(found, [expected; 2], "{threshold} {x}");
    }
}

#[test]
fn a_collision_between_two_samples_is_reported_once() {
    // the front touches after 0.6 s, and is 1.2 m away at 1 s
    let driving = "<init_pose>-0.3 0 0</init_pose><init_vel>3 0 0</init_vel>";
    assert_eq!(collisions("", driving, 2.0), [false, false, true, false, false]);
}
