//! MCAP files of runs, their recovery, and comparisons of runs.

mod logs;

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

use simhost::{Selection, Sink};
use simhost_mcap::{McapSink, Recording};
use simhost_record::{FolderSink, Format, MvsimLog};
use simhost_streams::Stamp;
use simhost_streams::ros::Leaf;

use crate::support::runs::Run;
use crate::support::waiting::wait_for;
use crate::support::world::{World, differential, model};
use crate::support::{OPTIMISED, Workspace, assert_parts, number_of};

/// A vehicle with a laser, a block that it pushes, and a wall.
fn world(speed: f64, more: &str) -> World {
    let robot = differential().controller(model("twist_pid").set("V", speed).set("W", 25));
    let laser = "<sensor class=\"laser\" name=\"s\"><sensor_period>0.1</sensor_period></sensor>\n";
    let block = "<block name=\"b\"><init_pose>6 1 0</init_pose></block>\n";
    let robot = robot.pose(0.1, 0.2, 30).xml(laser).xml(more);
    World::new().step(0.005).set("duration", 2).vehicle("a", robot).xml(block)
}

fn workspace() -> Workspace {
    world(0.7, "").workspace()
}

/// Values of the messages of a stream over time, by their path.
fn values(path: &Path, stream: &str) -> Vec<(Stamp, BTreeMap<String, f64>)> {
    let mut recording = Recording::open(path).unwrap();
    let mut found = Vec::new();
    let read = recording.for_each(Stamp(0), &mut |message| {
        if message.channel.stream.name == stream {
            let mut values = BTreeMap::new();
            let visited = message.channel.layout.visit(message.data, &mut |name, leaf| {
                let value = match leaf {
                    Leaf::F64(value) => value,
                    Leaf::F32(value) => value.into(),
                    _ => return,
                };
                values.insert(name.to_owned(), value);
            });
            visited.unwrap();
            found.push((message.stamp, values));
        }
        true
    });
    read.unwrap();
    found
}

/// Runs the world for its 2 s, with a recording of streams.
fn recorded(selection: &Selection) -> Run {
    world(0.7, "").run_with(2.0, |session, folder| {
        session.attach(Box::new(McapSink::new(&folder.join("run.mcap"))), selection).unwrap();
    })
}

#[test]
fn a_recording_holds_the_numbers_of_the_csv_files() {
    let run = recorded(&Selection::default());
    let path = run.path("run.mcap");
    assert_parts(&run.read("manifest.json"), &["\"run.mcap\""]);
    for (stream, file) in [("a/ground_truth", "trajectory.csv"), ("a/odometry", "odometry.csv")] {
        let table = run.table(file);
        let messages = values(&path, stream);
        assert_eq!(messages.len(), table.rows.len(), "{stream}");
        let paths = [
            ("x_m", "pose.pose.position.x"),
            ("y_m", "pose.pose.position.y"),
            ("vx_mps", "twist.twist.linear.x"),
            ("vy_mps", "twist.twist.linear.y"),
            ("omega_radps", "twist.twist.angular.z"),
        ];
        for (column, path) in paths {
            let found = messages.iter().map(|(_, values)| values[path].to_bits());
            // negative zero is written as 0 in CSV files
            let found = found.map(|bits| if bits == (-0.0_f64).to_bits() { 0 } else { bits });
            let expected = table.numbers(column).into_iter().map(f64::to_bits);
            assert!(found.eq(expected), "{stream} {path}");
        }
    }
    // a scan each 0.1 s after the start, also where states come more often
    let scans = values(&path, "a/s/scan");
    assert_eq!(scans.len(), 20);
    let table = run.readings("s");
    let range = table.numbers("range_m_0")[7];
    let found = scans[7].1["ranges[0]"];
    assert!(found.is_infinite() || (found as f32).to_bits() == (range as f32).to_bits());
}

#[test]
fn streams_and_their_rate_are_chosen() {
    let patterns = ["a/**", "!a/wheels"].map(str::to_owned).to_vec();
    let run = recorded(&Selection { patterns, state_period: Some(0.25), ..Selection::default() });
    let path = run.path("run.mcap");
    let recording = Recording::open(&path).unwrap();
    let names: Vec<&str> =
        recording.channels().iter().map(|channel| channel.stream.name.as_str()).collect();
    assert!(names.contains(&"a/odometry") && names.contains(&"a/s/scan"), "{names:?}");
    assert!(!names.contains(&"a/wheels") && !names.contains(&"clock"), "{names:?}");
    assert_eq!(values(&path, "a/odometry").len(), 9);
    assert_eq!(values(&path, "a/s/scan").len(), 20);
}

#[test]
fn streams_are_exported_to_other_formats() {
    let run = world(0.7, "").run_with(2.0, |session, folder| {
        let mut export = |sink: Box<dyn Sink>, patterns: &[&str]| {
            let patterns = patterns.iter().map(|pattern| (*pattern).to_owned()).collect();
            let state_period = Some(0.1);
            let selection =
                Selection { patterns, state_period, is_optional: true, ..Selection::default() };
            session.attach(sink, &selection).unwrap();
        };
        for (name, format) in [("tum", Format::Tum), ("kitti", Format::Kitti), ("csv", Format::Csv)]
        {
            export(Box::new(FolderSink::new(&folder.join(name), format)), format.patterns());
        }
        export(Box::new(MvsimLog::new(&folder.join("mvsim"), true)), MvsimLog::patterns());
    });
    let lines = |name: &str| run.read(name).lines().count();
    assert_eq!(lines("tum/a.txt"), 22);
    assert_eq!((lines("kitti/poses/a.txt"), lines("kitti/times.txt")), (21, 21));
    assert_eq!((lines("csv/a.odometry.csv"), lines("csv/a.s.scan.csv")), (22, 21));
    assert_eq!(lines("mvsim/session_1-mvsim_a_pose.csv"), 22);
    assert_eq!(lines("mvsim/session_1-mvsim_a_wheel_2.csv"), 22);
}

#[test]
fn arguments_are_checked_before_the_run() {
    let workspace = workspace();
    for (arguments, code, expected) in [
        (&["--mcap"][..], 2, "--out"),
        (&["--out", "out", "--mcap-period", "1"], 2, "--mcap"),
        (&["--out", "out", "--mcap", "--mcap-period", "0"], 2, "greater than 0"),
        (&["--out", "out", "--mcap", "--mcap-period", "-0.1"], 2, "greater than 0"),
        (
            &["--out", "out", "--mcap", "--mcap-streams", "a/odometri"],
            2,
            "did you mean 'a/odometry'?",
        ),
    ] {
        let outcome = workspace.run(&[&["world.xml"], arguments].concat());
        assert_eq!(outcome.code, code, "{arguments:?}: {}", outcome.stderr);
        assert!(outcome.stderr.contains(expected), "{arguments:?}: {}", outcome.stderr);
    }
}

#[test]
fn runs_are_compared() {
    let workspace = workspace();
    workspace.simulate(&["--mcap"]);
    workspace.write("other.xml", &world(0.71, "").text());
    let outcome = workspace.run(&["other.xml", "--out", "other", "--mcap"]);
    assert_eq!(outcome.code, 0, "{}", outcome.stderr);
    let diff = |arguments: &[&str]| workspace.run(&[&["diff"], arguments].concat());
    let chosen = ["--mcap", "--mcap-streams", "a/**", "--mcap-period", "0.25"];
    let chosen = workspace.run(&[&["world.xml", "--out", "chosen"], &chosen[..]].concat());
    assert_parts(&chosen.stdout, &["files in chosen"]);
    assert_eq!(values(&workspace.path("chosen/run.mcap"), "a/odometry").len(), 9);
    let same = diff(&["out", "out"]);
    assert_eq!(same.code, 0, "{}", same.stderr);
    assert!(same.stdout.starts_with("equal: "), "{}", same.stdout);
    for (first, second) in [("out", "other"), ("out/run.mcap", "other/run.mcap")] {
        let found = diff(&[first, second]);
        assert_eq!(found.code, 1, "{}", found.stderr);
        assert!(found.stdout.starts_with("first difference: "), "{}", found.stdout);
        assert!(found.stdout.contains("largest differences:\n"), "{}", found.stdout);
        assert!(found.stdout.contains(" m/s"), "{}", found.stdout);
        assert_eq!(diff(&[first, second, "--of", "a/pose", "--tolerance", "1"]).code, 0);
        let tight = ["--of", "a/pose", "--tolerance", "1", "--tolerance", "a/p*=1e-9"];
        assert_eq!(diff(&[&[first, second][..], &tight].concat()).code, 1);
    }
    // of one run: angles have passed through quaternions
    let both = diff(&["out", "out/run.mcap", "--of", "a/pose", "--tolerance", "1e-12"]);
    assert_eq!(both.code, 0, "{}{}", both.stdout, both.stderr);
    let json = diff(&["out", "other", "--json"]);
    let json: serde_json::Value = serde_json::from_str(&json.stdout).unwrap();
    assert_eq!(json["equal"], false);
    assert!(json["largest_differences"][0]["unit"].is_string());
}

#[test]
fn runs_that_cannot_be_read_are_clear_errors() {
    let workspace = workspace();
    workspace.simulate(&["--duration", "0.1"]);
    workspace.write("text.mcap", "this is not a recording");
    for (verb, path, expected) in [
        ("diff", "missing", "no such run: missing"),
        ("diff", "text.mcap", "text.mcap is not a run"),
        ("diff", ".", ". is not a run"),
        ("recover", "missing", "cannot read missing"),
        ("recover", "text.mcap", "text.mcap is not an MCAP file"),
        ("recover", "out", "out has no MCAP file"),
    ] {
        let arguments = if verb == "diff" { vec![verb, "out", path] } else { vec![verb, path] };
        let outcome = workspace.run(&arguments);
        assert_eq!(outcome.code, 12, "{arguments:?}: {}", outcome.stderr);
        assert!(outcome.stderr.contains(expected), "{arguments:?}: {}", outcome.stderr);
    }
}

/// Longest time before a run is killed, ms. What a run records in more takes long to read without optimisation.
const LONGEST: u64 = if OPTIMISED { 1500 } else { 600 };

/// Kills runs at random moments. Every file opens after a recovery, and nothing is missing before the end.
fn kill(times: u64) {
    let workspace = workspace();
    let mut random = fastrand::Rng::with_seed(16);
    for number in 0..times {
        let out = format!("killed-{number}");
        let arguments = ["world.xml", "--duration", "1e6", "--mcap", "--out", &out];
        let mut child = workspace.command().args(arguments).spawn().unwrap();
        let path = workspace.path(&out).join("run.mcap");
        wait_for("the recording", || path.exists());
        std::thread::sleep(Duration::from_millis(random.u64(0..LONGEST)));
        child.kill().unwrap();
        child.wait().unwrap();
        let before: Vec<Stamp> =
            values(&path, "a/odometry").into_iter().map(|(stamp, _)| stamp).collect();
        let outcome = workspace.run(&["recover", &out]);
        assert_eq!(outcome.code, 0, "{}", outcome.stderr);
        assert!(Recording::open(&path).unwrap().is_complete());
        let after: Vec<Stamp> =
            values(&path, "a/odometry").into_iter().map(|(stamp, _)| stamp).collect();
        assert_eq!(after, before);
        let expected = (0..after.len() as u64).map(|step| Stamp(step * 5_000_000));
        assert!(after.into_iter().eq(expected), "a step is missing");
        std::fs::remove_dir_all(workspace.path(&out)).unwrap();
    }
}

#[test]
fn a_recording_of_a_killed_run_is_whole_up_to_its_last_chunk() {
    kill(2);
}

/// `SIMHOST_KILLED_RUNS` chooses another number.
#[test]
#[ignore = "takes twenty seconds"]
fn recordings_of_killed_runs_are_whole_up_to_their_last_chunks() {
    kill(number_of("SIMHOST_KILLED_RUNS", 8));
}

/// Streams of the user were not plotted, sensors with odometry were taken for vehicles, and a file alone had
/// neither world nor map.
#[test]
fn a_recording_alone_has_what_pictures_need() {
    let sensor =
        "<sensor class=\"odometry\" name=\"est\"><sensor_period>0.1</sensor_period></sensor>\n";
    let world = world(0.7, sensor).wall([3.0, -2.0], [3.0, 2.0], 1.0);
    let stream = "<stream name=\"drive\"><quantity>a/controller/torque_*</quantity>\
                  <quantity>a/twist</quantity></stream>\n";
    let workspace = world.xml(stream).xml("<record>a/wheel/*/spin</record>\n").workspace();
    workspace.simulate(&["--mcap", "--record", "a/mass"]);
    std::fs::create_dir(workspace.path("alone")).unwrap();
    let file = workspace.path("alone/moved.mcap");
    std::fs::rename(workspace.path("out/run.mcap"), &file).unwrap();
    let keep = |name: &str| {
        ["a/controller/torque_left", "a/twist", "a/mass", "a/wheel/l/spin"].contains(&name)
    };
    let run = simhost_runs::Run::open(&file, &keep).unwrap();
    assert_eq!(run.vehicles, ["a"]);
    assert!(run.manifest.is_some());
    for name in ["a/controller/torque_left", "a/twist", "a/mass", "a/wheel/l/spin"] {
        let series = run.find(name).unwrap();
        assert!(series.columns.iter().all(|column| column.len() > 100), "{name}");
    }
    assert_eq!(run.find("a/twist").unwrap().units, ["m/s", "m/s", "rad/s"]);
    assert_eq!(run.find("a/mass").unwrap().units, ["kg"]);
    let made = |arguments: &[&str]| {
        let outcome = workspace.run(arguments);
        assert_eq!(outcome.code, 0, "{arguments:?}: {}", outcome.stderr);
    };
    made(&["plot", "alone/moved.mcap", "--of", "a/controller/torque_left", "--out", "plot.svg"]);
    made(&["report", "alone/moved.mcap", "--out", "report.html"]);
    let report = std::fs::read_to_string(workspace.path("report.html")).unwrap();
    assert!(report.contains("\"shapes\":[{"), "the report has no wall");
    let scene = simhost_runs::RecordedScene::open(&file).unwrap();
    let scene = simhost_pictures::Scene::recorded(&scene);
    let kinds: Vec<_> = scene.all_shapes().iter().map(|shape| shape.kind).collect();
    assert_eq!(kinds.len(), 2, "{kinds:?}");
    let vehicle = scene.vehicle("a").unwrap();
    assert_eq!(vehicle.wheels.iter().map(|wheel| &*wheel.name).collect::<Vec<_>>(), ["l", "r"]);
    // without the true motion, the odometry of the vehicle is shown
    let streams = ["--mcap-streams", "!**/ground_truth"];
    workspace.simulate(&[&["--mcap"][..], &streams].concat());
    std::fs::rename(workspace.path("out/run.mcap"), workspace.path("alone/odometry.mcap")).unwrap();
    let path = workspace.path("alone/odometry.mcap");
    let run = simhost_runs::Run::open(&path, &|name| name == "a/pose").unwrap();
    assert_eq!(run.get("a/pose").map(|pose| pose.columns.len()), Some(6));
    assert!(run.get("a/odometry_pose").is_none() && run.notes.len() == 1, "{:?}", run.notes);
    // a folder shows streams of its recording, too
    workspace.simulate(&["--mcap"]);
    made(&["plot", "out", "--of", "a/controller/torque_left", "--out", "folder.svg"]);
}

/// Cameras 0.2 m apart, a lidar and an IMU on a robot that drives a circle.
#[test]
fn readings_are_written_in_the_layouts_of_kitti_and_euroc() {
    let camera = |name: &str, y: f64| {
        format!(
            "<sensor class=\"camera\" name=\"{name}\"><pose_3d>0.5 {y} 0.8 -90 0 -90</pose_3d>\
             <sensor_period>0.1</sensor_period><ncols>8</ncols><nrows>6</nrows><fx>50</fx><fy>50</fy>\
             <cx>3.5</cx><cy>2.5</cy></sensor>"
        )
    };
    let sensors = camera("left", 0.1)
        + &camera("right", -0.1)
        + "<sensor class=\"lidar3d\" name=\"lidar\"><pose_3d>0 0 1 0 0 0</pose_3d>\
           <sensor_period>0.1</sensor_period></sensor>\
           <sensor class=\"imu\" name=\"imu\"><sensor_period>0.01</sensor_period></sensor>";
    let robot = differential().controller(model("twist_ideal").set("V", 1).set("W", 60));
    let world = World::new().step(0.01).vehicle("car", robot.pose(1, 2, 30).xml(&sensors));
    let workspace = world.wall([-5.0, 5.0], [5.0, 5.0], 2.0).workspace();
    let run = |arguments: &[&str]| {
        let outcome = workspace.run(arguments);
        assert_eq!(outcome.code, 0, "{}", outcome.stderr);
    };
    run(&["world.xml", "--duration", "0.5", "--out", "out"]);
    run(&["export", "out", "--layout", "kitti", "--out", "kitti"]);
    run(&["export", "out", "--layout", "euroc", "--out", "euroc"]);
    let read = |name: &str| std::fs::read_to_string(workspace.path(name)).unwrap();
    let numbers = |line: &str| -> Vec<f64> {
        line.split([' ', ',']).filter_map(|number| number.parse().ok()).collect()
    };
    let calibration = read("kitti/sequences/00/calib.txt");
    let entry =
        |name: &str| numbers(calibration.lines().find_map(|line| line.strip_prefix(name)).unwrap());
    let is_near = |found: &[f64], expected: &[f64]| {
        let far = found.iter().zip(expected).any(|(a, b)| (a - b).abs() > 1e-9);
        assert!(!far && found.len() == expected.len(), "{found:?} {expected:?}");
    };
    is_near(&entry("P2:"), &[50.0, 0.0, 3.5, 0.0, 0.0, 50.0, 2.5, 0.0, 0.0, 0.0, 1.0, 0.0]);
    // −f b for a baseline of 0.2 m
    is_near(&entry("P3:"), &[50.0, 0.0, 3.5, -10.0, 0.0, 50.0, 2.5, 0.0, 0.0, 0.0, 1.0, 0.0]);
    is_near(&entry("Tr:"), &[0.0, -1.0, 0.0, 0.1, 0.0, 0.0, -1.0, -0.2, 1.0, 0.0, 0.0, -0.5]);
    let poses = read("kitti/poses/00.txt");
    is_near(&numbers(poses.lines().next().unwrap())[..4], &[1.0, 0.0, 0.0, 0.0]);
    // a turn to the left by 60°/s for 0.4 s is one about the y axis, which points down
    let last = numbers(poses.lines().last().unwrap());
    let (sin, cos) = 24_f64.to_radians().sin_cos();
    assert!((last[0] - cos).abs() < 1e-3 && (last[2] + sin).abs() < 1e-3, "{last:?}");
    assert_eq!(poses.lines().count(), read("kitti/sequences/00/times.txt").lines().count());
    let cloud = std::fs::read(workspace.path("kitti/sequences/00/velodyne/000000.bin")).unwrap();
    assert!(!cloud.is_empty() && cloud.len().is_multiple_of(16));
    for image in ["kitti/sequences/00/image_3/000004.png", "euroc/mav0/cam1/data/500000000.png"] {
        assert!(workspace.path(image).is_file(), "{image}");
    }
    assert_eq!(read("euroc/mav0/imu0/data.csv").lines().count(), 51);
    let truth = read("euroc/mav0/state_groundtruth_estimate0/data.csv");
    let state = numbers(truth.lines().last().unwrap());
    // 500 ms, and a speed of 1 m/s
    assert!(state[0] == 5e8 && (state[8].hypot(state[9]) - 1.0).abs() < 1e-6, "{state:?}");
    let again = workspace.run(&["export", "out", "--layout", "kitti", "--out", "kitti"]);
    assert_eq!(again.code, 13, "{}", again.stderr);
}
