//! The interface of planning models in whole worlds. The cases come from its source, Autoware
//! `simple_planning_simulator` 1.0.0.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};

use serde_json::Value;
use simhost::{
    Options, Sample, Selection, Session, Sink, SinkError, Stamp, Stream, TimedCommand, ros, seconds,
};

use crate::support::world::{Vehicle, World, model, vehicle};

type Messages = BTreeMap<String, Vec<(Stamp, Value)>>;

/// Keeps all samples as JSON.
#[derive(Default)]
struct Keeper {
    streams: Vec<Arc<Stream>>,
    taken: Arc<Mutex<Messages>>,
}

impl Sink for Keeper {
    fn begin(&mut self, streams: &[Arc<Stream>]) -> Result<(), SinkError> {
        self.streams = streams.to_vec();
        Ok(())
    }

    fn take(&mut self, stream: usize, sample: &Sample<'_>) -> Result<(), SinkError> {
        let stream = &self.streams[stream];
        let mut taken = self.taken.lock().unwrap();
        let message = (sample.stamp, ros::json(stream, sample));
        taken.entry(stream.name.clone()).or_default().push(message);
        Ok(())
    }
}

/// Returns a world with a car that reports what it does.
fn world(step: f64, car: Vehicle, sensor: &str) -> World {
    let reports = format!(
        "<sensor class=\"planning_reports\" name=\"state\"><sensor_period>{step}</sensor_period>\
         {sensor}</sensor>\n"
    );
    World::new().step(step).vehicle("ego", car.pose(0, 0, 0).xml(&reports))
}

/// A run of a world with one car.
struct Run {
    session: Session,
    taken: Arc<Mutex<Messages>>,
}

impl Run {
    /// Starts a car with a dynamics class, more elements of its controller and of its sensor.
    fn new(dynamics: &str, controller: &str, sensor: &str) -> Self {
        let controller = model("planning_interface").xml(controller);
        Self::of(world(0.025, vehicle(dynamics).controller(controller), sensor).open().0)
    }

    fn of(mut session: Session) -> Self {
        let keeper = Keeper::default();
        let taken = keeper.taken.clone();
        session.attach(Box::new(keeper), &Selection::default()).unwrap();
        Self { session, taken }
    }

    /// Runs up to a time with commands.
    fn run(mut self, commands: &[(f64, &str, &[f64])], end: f64) -> Self {
        let timed = |(time, kind, values): &(f64, &str, &[f64])| TimedCommand {
            time: *time,
            vehicle: "ego".to_owned(),
            kind: (*kind).to_owned(),
            values: values.to_vec(),
        };
        self.session.edit().set_commands(commands.iter().map(timed).collect::<Vec<_>>()).unwrap();
        self.session.run_until(seconds(end)).unwrap();
        self
    }

    fn count(&self, stream: &str) -> usize {
        self.taken.lock().unwrap().get(stream).map_or(0, Vec::len)
    }

    fn first(&self, stream: &str) -> f64 {
        self.taken.lock().unwrap()[stream][0].0.seconds()
    }

    /// Returns a number of the last message.
    fn last(&self, stream: &str, path: &str) -> f64 {
        self.numbers(stream, path).last().copied().unwrap()
    }

    fn numbers(&self, stream: &str, path: &str) -> Vec<f64> {
        let taken = self.taken.lock().unwrap();
        let all = taken.get(stream).unwrap_or_else(|| panic!("no sample of {stream}"));
        all.iter().map(|(_, message)| message.pointer(path).unwrap().as_f64().unwrap()).collect()
    }

    fn x(&self) -> f64 {
        self.last("ego/state/odometry", "/pose/pose/position/x")
    }
}

const ORIGIN: &str = "<initialize_source>ORIGIN</initialize_source>";
const DRIVE: (f64, &str, &[f64]) = (0.0, "gear", &[2.0]);

#[test]
fn before_the_first_pose_there_is_nothing_but_the_mode() {
    // D1
    let commands: [(f64, &str, &[f64]); 3] = [
        DRIVE,
        (0.0, "control", &[5.0, 2.0, 0.0]),
        (1.0, "initial_pose", &[10.0, 5.0, 0.0, 0.5, 1.0]),
    ];
    let before = Run::new("delay_steer_acc_geared", "", "").run(&commands, 0.9);
    let kept: Vec<String> = before.taken.lock().unwrap().keys().cloned().collect();
    let is_ours = |name: &&String| name.starts_with("ego/state/") || name.contains("report");
    let ours: Vec<&String> = kept.iter().filter(is_ours).collect();
    assert_eq!(ours, ["ego/control_mode_report"]);
    assert_eq!(before.count("ego/control_mode_report"), 37);
    let after = Run::new("delay_steer_acc_geared", "", "").run(&commands, 3.0);
    let position =
        |axis: &str| after.numbers("ego/state/odometry", &format!("/pose/pose/position/{axis}"))[0];
    assert_eq!([position("x"), position("y")], [10.0, 5.0]);
    assert!((after.first("ego/state/odometry") - 1.025).abs() < 1e-9);
    assert!(after.x() > 11.0);
    assert_eq!(after.last("ego/gear_report", "/report"), 2.0);
}

#[test]
fn without_a_gear_only_models_of_speed_move() {
    // D2
    let commands: [(f64, &str, &[f64]); 1] = [(0.0, "control", &[5.0, 2.0, 0.0])];
    for (class, moves) in
        [("ideal_steer_vel", true), ("ideal_steer_acc", false), ("delay_steer_acc", false)]
    {
        let run = Run::new(class, ORIGIN, "").run(&commands, 2.0);
        assert_eq!(run.x() > 1.0, moves, "{class}: {}", run.x());
        assert_eq!(run.x() == 0.0, !moves, "{class}: {}", run.x());
    }
}

#[test]
fn manual_mode_starts_in_park_and_other_modes_are_refused() {
    // D3
    let commands: [(f64, &str, &[f64]); 6] = [
        DRIVE,
        (0.0, "control", &[5.0, 2.0, 0.0]),
        (1.0, "control_mode_request", &[4.0]),
        (2.0, "control_mode_request", &[2.0]),
        (2.0, "manual_control", &[0.0, 1.0, 0.0]),
        (3.0, "manual_gear", &[2.0]),
    ];
    let speed = |run: &Run| run.last("ego/state/velocity_report", "/longitudinal_velocity");
    let new = || Run::new("delay_steer_acc_geared", ORIGIN, "");
    assert!(speed(&new().run(&commands, 1.0)) > 1.0);
    let parked = new().run(&commands, 1.1);
    assert_eq!((speed(&parked), parked.last("ego/gear_report", "/report")), (0.0, 22.0));
    assert_eq!(parked.last("ego/control_mode_report", "/mode"), 4.0);
    let taken = parked.taken.lock().unwrap()["ego/control_mode_accepted"].clone();
    assert_eq!(taken.last().unwrap().1["data"], true);
    let refused = new().run(&commands, 2.5);
    assert_eq!(refused.last("ego/control_mode_report", "/mode"), 4.0);
    let taken = refused.taken.lock().unwrap()["ego/control_mode_accepted"].clone();
    assert_eq!(taken.last().unwrap().1["data"], false);
    assert_eq!(speed(&refused), 0.0);
    assert!(speed(&new().run(&commands, 5.0)) > 1.0, "the manual gear and command count");
}

#[test]
fn a_disengaged_vehicle_stands_still_and_continues_later() {
    // D4
    let drive: [(f64, &str, &[f64]); 2] = [DRIVE, (0.0, "control", &[5.0, 2.0, 0.0])];
    let pause: [(f64, &str, &[f64]); 4] =
        [drive[0], drive[1], (1.0, "engage", &[0.0]), (2.0, "engage", &[1.0])];
    let new = || Run::new("delay_steer_acc_geared", ORIGIN, "");
    let at_one = new().run(&drive, 1.0).x();
    assert!(at_one > 0.1, "{at_one}");
    assert_eq!(new().run(&pause, 2.0).x(), at_one);
    let (continued, without) = (new().run(&pause, 3.0).x(), new().run(&drive, 2.0).x());
    assert!((continued - without).abs() < 1e-9, "{continued}, not {without}");
}

#[test]
fn a_new_pose_drops_or_keeps_the_commands_that_are_on_their_way() {
    // D5
    let commands: [(f64, &str, &[f64]); 3] = [
        DRIVE,
        (0.0, "control", &[0.0, 2.0, 0.0]),
        (1.0, "initial_pose", &[0.0, 0.0, 0.0, 0.0, 1.0]),
    ];
    let run = |dynamics: &str| {
        let dynamics = model("delay_steer_acc_geared").set("acc_time_delay", 0.5).xml(dynamics);
        let car = vehicle(dynamics).controller(model("planning_interface").xml(ORIGIN));
        let session = world(0.025, car, "").open().0;
        Run::of(session).run(&commands, 1.4).x()
    };
    assert_eq!(run(""), 0.0, "the dead time begins again");
    assert!(run("<compat>autoware-1.0</compat>") > 0.05, "the commands of before arrive at once");
}

#[test]
fn lights_are_reported_from_their_first_command_on() {
    // D8
    let commands: [(f64, &str, &[f64]); 2] =
        [(0.5, "turn_indicators", &[0.0]), (1.0, "hazard_lights", &[2.0])];
    let run = Run::new("ideal_steer_vel", ORIGIN, "").run(&commands, 2.0);
    assert!((run.first("ego/turn_indicators_report") - 0.525).abs() < 1e-9);
    assert_eq!(run.last("ego/turn_indicators_report", "/report"), 1.0);
    assert!((run.first("ego/hazard_lights_report") - 1.025).abs() < 1e-9);
    assert_eq!(run.last("ego/hazard_lights_report", "/report"), 2.0);
}

#[test]
fn noise_repeats_with_the_seed_and_is_shared_by_odometry_and_velocity() {
    // D6
    let noise = "<add_measurement_noise>true</add_measurement_noise>\
                 <vel_noise_stddev>0.5</vel_noise_stddev>";
    let commands: [(f64, &str, &[f64]); 1] = [(0.0, "control", &[5.0, 0.0, 0.1])];
    let numbers = |sensor: &str, stream: &str, path: &str| {
        Run::new("ideal_steer_vel", ORIGIN, sensor).run(&commands, 1.0).numbers(stream, path)
    };
    let (odometry, twist) = ("ego/state/odometry", "/twist/twist/linear/x");
    let speeds = numbers(noise, odometry, twist);
    assert_eq!(speeds, numbers(noise, odometry, twist));
    assert_ne!(speeds, numbers("", odometry, twist));
    let reported = numbers(noise, "ego/state/velocity_report", "/longitudinal_velocity");
    for (speed, reported) in speeds.iter().zip(&reported) {
        assert!((speed - reported).abs() < 1e-6, "{speed} {reported}");
    }
    assert_eq!(speeds.len(), reported.len());
}

#[test]
fn accelerations_have_a_lateral_part_and_poses_a_height() {
    // D9 and D10
    let commands: [(f64, &str, &[f64]); 3] = [
        (0.0, "control", &[5.0, 0.0, 0.1]),
        (0.0, "initial_pose", &[0.0, 0.0, 3.0, 0.0, 2.0]),
        (0.5, "trajectory_z", &[9.0, 1.0]),
    ];
    let run = Run::new("ideal_steer_vel", "", "").run(&commands, 1.0);
    let rate = run.last("ego/state/odometry", "/twist/twist/angular/z");
    let lateral = run.last("ego/state/acceleration", "/accel/accel/linear/y");
    assert!(rate > 0.1 && (lateral - 5.0 * rate).abs() < 1e-12, "{lateral}");
    let z = |run: &Run| run.last("ego/state/odometry", "/pose/pose/position/z");
    assert_eq!(z(&run), 3.0, "the trajectory is older than the pose");
    let later = [commands[0], commands[1], (0.5, "trajectory_z", &[9.0, 2.5][..])];
    assert_eq!(z(&Run::new("ideal_steer_vel", "", "").run(&later, 1.0)), 9.0);
}

#[test]
fn the_world_of_the_book_drives_forwards_and_back() {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..");
    let path = root.join("worlds/autoware.world.xml");
    let session = Session::open(path, Options::default()).unwrap();
    let commands: [(f64, &str, &[f64]); 5] = [
        (0.5, "initial_pose", &[10.0, 5.0, 0.0, 0.5, 0.5]),
        (1.0, "gear", &[2.0]),
        (1.0, "control", &[5.0, 1.5, 0.0]),
        (4.0, "gear", &[20.0]),
        (5.0, "control", &[-2.0, 1.0, 0.0]),
    ];
    let run = Run::of(session).run(&commands, 7.0);
    let speeds = run.numbers("ego/state/velocity_report", "/longitudinal_velocity");
    assert!(speeds.iter().any(|speed| *speed > 3.0) && *speeds.last().unwrap() < -0.5);
}

/// Decelerations by position of the brake and speed.
const BRAKE_MAP: &str =
    "default,0,5,10,20\n0,-0.31,-0.4,-0.48,-0.5\n0.5,-2,-2.2,-2.4,-2.6\n1,-6,-6.5,-7,-7.4\n";

/// Runs a car with pedals behind the command converter. `conversion` are further elements of the converter.
fn convert(class: &str, conversion: &str, commands: &[(f64, &str, &[f64])], end: f64) -> Run {
    let folder = tempfile::tempdir().unwrap();
    let maps = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../plugins/planning/maps");
    let brake = folder.path().join("brake.csv");
    std::fs::write(&brake, BRAKE_MAP).unwrap();
    let [accel, steer] = ["accel.csv", "steer_of_tests.csv"].map(|name| maps.join(name));
    let steer_map = format!("<steer_map_path>{}</steer_map_path>", steer.display());
    let pedals = format!(
        "<accel_map_path>{}</accel_map_path><brake_map_path>{}</brake_map_path>",
        accel.display(),
        brake.display()
    );
    let model_map = if class.ends_with("steer_map") { &*steer_map } else { "" };
    let dynamics = model(class)
        .xml(&pedals)
        .xml(model_map)
        .set("accel_time_delay", 0)
        .set("brake_time_delay", 0)
        .set("steer_time_delay", 0)
        .set("accel_time_constant", 0.03)
        .set("brake_time_constant", 0.03)
        .set("steer_time_constant", 0.03);
    let conversion = conversion.replace("STEER_MAP", &steer_map);
    let converter = model("command_converter").xml(ORIGIN).xml(&pedals).xml(&conversion);
    let session = world(0.01, vehicle(dynamics).controller(converter), "").open().0;
    Run::of(session).run(commands, end)
}

#[test]
fn a_model_behind_the_converter_has_the_commanded_acceleration() {
    let commands: [(f64, &str, &[f64]); 4] = [
        DRIVE,
        (0.0, "control", &[0.0, 1.2, 0.0]),
        (4.0, "control", &[0.0, 0.3, 0.0]),
        (6.0, "control", &[0.0, -1.7, 0.0]),
    ];
    let run = convert("actuation_cmd", "", &commands, 8.0);
    let found = run.numbers("ego/state/acceleration", "/accel/accel/linear/x");
    for (step, wanted) in [(200, 1.2), (350, 1.2), (550, 0.3), (750, -1.7)] {
        // the pedals follow the speed one step late, and the lag of 0.03 s follows the map
        assert!((found[step] - wanted).abs() < 0.02, "step {step}: {}, not {wanted}", found[step]);
    }
    let status = run.last("ego/actuation_status", "/status/brake_status");
    assert!((0.2..0.5).contains(&status), "{status}");
}

#[test]
fn a_model_behind_the_converter_has_the_commanded_steering_angle() {
    let commands: [(f64, &str, &[f64]); 3] =
        [DRIVE, (0.0, "control", &[0.0, 1.0, 0.0]), (2.0, "control", &[0.0, 0.5, 0.2])];
    let vgr = "<convert_steer_cmd_method>vgr</convert_steer_cmd_method>";
    let map = "<convert_steer_cmd_method>steer_map</convert_steer_cmd_method>STEER_MAP";
    for (class, conversion, tolerance) in [
        ("actuation_cmd", "", 1e-6),
        ("actuation_cmd_vgr", vgr, 1e-3),
        ("actuation_cmd_steer_map", map, 0.01),
    ] {
        let run = convert(class, conversion, &commands, 6.0);
        let angle = run.last("ego/state/steering", "/steering_tire_angle");
        assert!((angle - 0.2).abs() < tolerance, "{class}: {angle}");
    }
}

#[test]
fn dimensions_come_from_a_file_whose_errors_have_a_line() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("vehicle_info.param.yaml");
    let open = |text: &str| {
        std::fs::write(&path, text).unwrap();
        let dynamics = model("ideal_steer_vel").set("vehicle_info", path.display());
        let car = vehicle(dynamics).controller(model("planning_interface").xml(ORIGIN));
        world(0.025, car, "")
    };
    let info = |line: &str| format!("/**:\n  ros__parameters:\n    {line}\n");
    let run = Run::of(open(&info("wheel_base: 5.0")).open().0);
    let run = run.run(&[(0.0, "control", &[5.0, 0.0, 0.1])], 1.0);
    let rate = run.last("ego/state/odometry", "/twist/twist/angular/z");
    assert!((rate - 0.1_f64.tan()).abs() < 1e-9, "{rate}");
    let errors = open(&info("wheelbase: 5.0")).errors();
    let text = "yaml: missing `wheel_base`; expected `wheel_base: 2.79` below `ros__parameters`";
    assert!(errors.iter().any(|error| error.text.contains(text)), "{errors:#?}");
}

#[test]
fn all_dimensions_of_a_file_shape_the_car() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("vehicle_info.param.yaml");
    let info = "/**:\n  ros__parameters:\n    wheel_radius: 0.4\n    wheel_width: 0.25\n    wheel_base: 3.0\n    \
                wheel_tread: 1.5\n    front_overhang: 0.8\n    rear_overhang: 0.9\n    left_overhang: 0.1\n    \
                right_overhang: 0.2\n    vehicle_height: 1.7\n    max_steer_angle: 0.3\n";
    std::fs::write(&path, info).unwrap();
    let open = |extra: &str| {
        let dynamics = model("ideal_steer_vel").set("vehicle_info", path.display()).xml(extra);
        let car = vehicle(dynamics).controller(model("planning_interface").xml(ORIGIN));
        world(0.025, car, "").open().0
    };
    let session = open("");
    let car = session.world().description().unwrap().vehicles[0].clone();
    assert_eq!(car.chassis.polygon, [[-0.9, -0.95], [3.8, -0.95], [3.8, 0.85], [-0.9, 0.85]]);
    assert_eq!([car.chassis.z_min, car.chassis.z_max], [0.2, 1.7]);
    assert!(car.wheels.iter().all(|wheel| wheel.diameter == 0.8 && wheel.width == 0.25));
    let run = Run::of(session).run(&[(0.0, "control", &[5.0, 0.0, 0.6])], 1.0);
    let angle = run.last("ego/state/steering", "/steering_tire_angle");
    assert!((angle - 0.3).abs() < 1e-6, "{angle}");
    // what the world file gives counts
    let given = "<rl_wheel diameter=\"0.7\"/><chassis zmax=\"2\"/>";
    let car = open(given).world().description().unwrap().vehicles[0].clone();
    let diameter = |tag: &str| car.wheels.iter().find(|wheel| wheel.tag == tag).unwrap().diameter;
    assert_eq!([diameter("rl_wheel"), diameter("rr_wheel")], [0.7, 0.8]);
    assert_eq!((car.chassis.z_max, car.chassis.polygon[1]), (2.0, [3.8, -0.95]));
}

/// The names come from Autoware's sample.
const SIMULATOR_MODEL: &str = "/**:\n  ros__parameters:\n    simulated_frame_id: \"base_link\"\n    \
    origin_frame_id: \"odom\"\n    vehicle_model_type: \"DELAY_STEER_ACC_GEARED\"\n    \
    initialize_source: \"ORIGIN\"\n    timer_sampling_time_ms: 25\n    \
    add_measurement_noise: False\n    vel_lim: 3.0\n    vel_rate_lim: 7.0\n    steer_lim: 0.2\n    \
    steer_rate_lim: 5.0\n    acc_time_delay: 0.1\n    acc_time_constant: 0.1\n    \
    steer_time_delay: 0.24\n    steer_time_constant: 0.27\n    x_stddev: 0.5\n    \
    csv_path: \"\"\n    steer_time_konstant: 1.0\n";

#[test]
fn a_simulator_model_of_autoware_gives_class_and_parameters() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("simulator_model.param.yaml");
    std::fs::write(&path, SIMULATOR_MODEL).unwrap();
    let file = format!("simulator_model=\"{}\"", path.display());
    let open = |more: &str| {
        World::new().step(0.025).xml(&format!(
            "<vehicle name=\"ego\"><init_pose>0 0 0</init_pose><dynamics {file}>{more}\
             <controller class=\"planning_interface\"/></dynamics>\
             <sensor class=\"planning_reports\" name=\"state\" {file}>\
             <sensor_period>0.025</sensor_period></sensor></vehicle>\n"
        ))
    };
    let commands: [(f64, &str, &[f64]); 2] = [DRIVE, (0.0, "control", &[9.0, 2.0, 0.5])];
    let run = |more: &str| Run::of(open(more).open().0).run(&commands, 5.0);
    let limited = run("");
    let car = limited.session.world().description().unwrap().vehicles[0].clone();
    assert_eq!(car.dynamics.model.id(), "delay_steer_acc_geared");
    let speed = limited.last("ego/state/velocity_report", "/longitudinal_velocity");
    assert!((speed - 3.0).abs() < 1e-6, "{speed}");
    let angle = limited.last("ego/state/steering", "/steering_tire_angle");
    assert!((angle - 0.2).abs() < 1e-3, "{angle}");
    let taken = limited.taken.lock().unwrap()["ego/state/odometry"].last().unwrap().1.clone();
    assert_eq!(taken["header"]["frame_id"], "odom");
    assert_eq!(taken["pose"]["covariance"][0], 0.25);
    // what the world file gives counts
    let given = run("<vel_lim>2</vel_lim>");
    let speed = given.last("ego/state/velocity_report", "/longitudinal_velocity");
    assert!((speed - 2.0).abs() < 1e-6, "{speed}");
    let warnings = open("").warnings();
    let unknown = "unknown parameter `steer_time_konstant` in line 19 of the file";
    assert_eq!(warnings.iter().filter(|text| text.contains(unknown)).count(), 1, "{warnings:#?}");
    assert!(warnings.iter().any(|text| text.contains("did you mean `steer_time_constant`?")));
    std::fs::write(&path, SIMULATOR_MODEL.replace("steer_lim: 0.2", "steer_lim: 9")).unwrap();
    assert!(open("").errors().iter().any(|error| error.text.contains("steer_lim")));
}

#[test]
fn streams_of_odometry_say_which_one_they_are() {
    let session = world(0.025, vehicle("ideal_steer_vel").controller("planning_interface"), "");
    let session = session.open().0;
    let streams = session.world().streams();
    let doc = |name: &str| {
        streams
            .iter()
            .flatten()
            .find(|stream| stream.name == name)
            .unwrap()
            .description()
            .to_owned()
    };
    assert!(doc("ego/odometry").starts_with("Odometry from the wheels"));
    assert!(doc("ego/ground_truth").starts_with("True pose"));
    assert!(doc("ego/state/odometry").contains("planning model reports to Autoware"));
    assert_eq!(doc("clock"), "Simulated time, which is the stamp of the sample.");
}
