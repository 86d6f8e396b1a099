//! A session in a program writes the tables that the command line writes.

use std::collections::BTreeMap;
use std::path::Path;

use simhost::{Options, Out, Session, TableOptions};

use crate::support::world::{World, ackermann, differential, model};
use crate::support::{Table, Workspace, projects};

/// Returns the files of a folder and of the folders in it, by their path from `root`, without those that name
/// options, and without pictures, which only the command line draws.
fn files(root: &Path, folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut files = BTreeMap::new();
    for path in std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
        let name = path.strip_prefix(root).unwrap().to_str().unwrap().to_owned();
        if path.is_dir() {
            files.extend(self::files(root, &path));
        } else if name != "manifest.json" && !name.ends_with(".svg") {
            files.insert(name, std::fs::read(&path).unwrap());
        }
    }
    files
}

#[test]
fn a_session_writes_the_tables_of_the_command_line() {
    for (name, period) in [("demo", None), ("lidar", Some(0.05)), ("nearby", None)] {
        let world = projects::root().join(format!("worlds/{name}.world.xml"));
        let workspace = Workspace::new("");
        let mut arguments = vec![world.to_str().unwrap(), "--duration", "1", "--out", "of_program"];
        arguments.extend(["--hash-every", "0.25", "--energy", "--record", "*/pose"]);
        let text = period.map(|period: f64| period.to_string());
        arguments.extend(text.iter().flat_map(|text| ["--log-period", text]));
        let outcome = workspace.run(&arguments);
        assert_eq!(outcome.code, 0, "{name}: {}", outcome.stderr);

        let mut out = Out::new(workspace.path("of_session"));
        out.tables = Some(TableOptions {
            period,
            hash_period: Some(0.25),
            record: vec!["*/pose".to_owned()],
        });
        let options = Options { out: Some(out), ..Options::default() };
        let mut session = Session::open(&world, options).unwrap();
        session.edit().keep_energy_books();
        // any division into runs gives the same rows
        session.run_steps(1).unwrap();
        session.run_until(simhost::seconds(1.0)).unwrap();
        let written = session.finish().unwrap();
        assert!(written[0].ends_with("trajectory.csv"), "{written:?}");

        let [program, session] = ["of_program", "of_session"].map(|out| {
            let folder = workspace.path(out);
            files(&folder, &folder)
        });
        assert!(program.contains_key("hash.csv") && program.contains_key("quantities.csv"));
        let names = |files: &BTreeMap<String, Vec<u8>>| files.keys().cloned().collect::<Vec<_>>();
        assert_eq!(names(&session), names(&program), "{name}");
        for (file, content) in &program {
            assert!(session[file] == *content, "{name}: {file} differs");
        }
    }
}

/// After a reset, the rows continue in separate files, which a later session in the folder removes.
#[test]
fn rows_after_a_reset_are_in_a_folder_of_their_own() {
    let world = projects::root().join("worlds/demo.world.xml");
    let workspace = Workspace::new("");
    let folder = workspace.path("out");
    let open = || {
        let options = Options { out: Some(Out::new(&folder)), ..Options::default() };
        Session::open(&world, options).unwrap()
    };
    let mut session = open();
    session.run_steps(10).unwrap();
    assert_eq!(session.outputs().table_folder(), Some(&*folder));
    session.edit().reset(0).unwrap();
    session.run_steps(10).unwrap();
    assert_eq!(session.outputs().table_folder(), Some(&*folder.join("session-2")));
    session.finish().unwrap();
    let [first, second] =
        ["", "session-2"].map(|name| std::fs::read(folder.join(name).join("wheels.csv")).unwrap());
    assert!(first == second, "the run is the same from the start");
    let mut session = open();
    session.run_steps(1).unwrap();
    session.finish().unwrap();
    assert!(!folder.join("session-2").exists());
}

/// Reading a stream measures before the first step, and writes no rows: what is set up afterwards is in them.
#[test]
fn the_first_rows_are_those_of_the_state_from_which_a_run_starts() {
    let world = projects::root().join("worlds/demo.world.xml");
    let workspace = Workspace::new("");
    let folder = workspace.path("out");
    let options = Options { out: Some(Out::new(&folder)), ..Options::default() };
    let mut session = Session::open(&world, options).unwrap();
    session.latest::<simhost::Odometry>("robot/ground_truth").unwrap();
    session.edit().set_pose("robot", [1.0, 2.0, 0.0]).unwrap();
    session.run_steps(2).unwrap();
    session.edit().set_pose("robot", [2.0, 3.0, 0.0]).unwrap();
    session.finish().unwrap();
    let text = std::fs::read_to_string(folder.join("trajectory.csv")).unwrap();
    let rows: Vec<&str> = text.lines().filter(|line| line.contains(",robot,")).collect();
    assert!(rows.len() == 3 && rows[0].starts_with("0,robot,1,2,"), "{rows:?}");
}

#[test]
fn a_pattern_without_a_quantity_leaves_the_folder_alone() {
    let world = projects::root().join("worlds/demo.world.xml");
    let workspace = Workspace::new("");
    let mut out = Out::new(workspace.path("out"));
    out.tables = Some(TableOptions { record: vec!["robot/poes".to_owned()], ..Default::default() });
    let opened = Session::open(world, Options { out: Some(out), ..Options::default() });
    let text = opened.map(drop).unwrap_err().to_string();
    assert_eq!(text, "no quantity matches `robot/poes`; did you mean `robot/pose`?");
    assert!(!workspace.path("out").exists());
}

/// The first rows show the initial state: a vehicle that starts with a velocity neither slips nor
/// lacks the forces of its tyres, and odometry has its twist.
#[test]
fn the_first_rows_are_those_of_the_initial_state() {
    let car = ackermann().controller("raw").pose(0, 0, 0).velocity(5, 0, 10);
    let car = car.friction("burckhardt").xml("<sensor class=\"odometry\" name=\"o\"/>");
    let run = World::new().step(0.005).vehicle("a", car).run(0.2);
    let wheels = run.table("wheels.csv");
    for name in ["rl", "rr", "fl", "fr"] {
        let wheel = wheels.only("wheel", name);
        let of = |column: &str| wheel.numbers(column);
        assert!((of("vx_mps")[0] - of("vx_mps")[1]).abs() < 0.05, "{:?}", of("vx_mps"));
        assert!((of("spin_radps")[0] * 0.2 - of("vx_mps")[0]).abs() < 0.05, "{name}");
        let forces = of("fy_n");
        // the rear axle has no lateral velocity
        assert!(
            name.starts_with('r')
                || forces[0].abs() > 1.0 && (forces[0] - forces[1]).abs() < 0.2 * forces[1].abs()
        );
    }
    let first = run.readings("o").numbers("linear_x_mps")[0];
    assert!((first - 5.0).abs() < 0.1, "{first}");
}

#[test]
fn collisions_are_in_the_manifest_and_in_the_report() {
    let driver = |x: f64, yaw: f64| {
        differential().controller(model("twist_ideal").set("V", 1)).pose(x, 0, yaw)
    };
    let crate_ = "<block name=\"crate\"><init_pose>1.5 5 0</init_pose><mass>5</mass>\
        <shape><pt>-0.5 -0.5</pt><pt>0.5 -0.5</pt><pt>0.5 0.5</pt><pt>-0.5 0.5</pt></shape></block>";
    let pusher = differential().controller(model("twist_ideal").set("V", 1)).pose(0, 5, 0);
    let bumper = differential().controller(model("twist_ideal").set("V", 1)).pose(0, 10, 0);
    let world = World::new()
        .step(0.01)
        .vehicle("a", driver(0.0, 0.0))
        .vehicle("b", driver(3.0, 180.0))
        .vehicle("pusher", pusher)
        .vehicle("bumper", bumper)
        .wall([1.5, 9.0], [1.5, 11.0], 1.0)
        .xml(crate_);
    let run = world.run(3.0);
    let text = std::fs::read_to_string(run.path("manifest.json")).unwrap();
    let manifest: serde_json::Value = serde_json::from_str(&text).unwrap();
    let found = manifest["end"]["collisions"].as_array().unwrap();
    let with = |vehicle: &str| -> Vec<&serde_json::Value> {
        found.iter().filter(|entry| entry["vehicle"] == vehicle).collect()
    };
    for (vehicle, other) in
        [("a", Some("b")), ("b", Some("a")), ("pusher", Some("block/crate")), ("bumper", None)]
    {
        let own = with(vehicle);
        assert_eq!(own.len(), 1, "a touch that lasts is one collision: {found:?}");
        assert_eq!(own[0].get("with").and_then(|with| with.as_str()), other);
        let time = own[0]["time_s"].as_f64().unwrap();
        assert!((0.3..1.5).contains(&time), "{vehicle}: {time}");
    }
    let runs = simhost_pictures::NamedRun::open_all(&[run.path("")], &|_| true).unwrap();
    let page = simhost_pictures::report(&runs, &Default::default()).unwrap();
    for event in ["a touches b", "pusher touches block/crate", "bumper touches an obstacle"] {
        assert!(page.contains(&format!("collision: {event}")), "{event}");
    }
    assert!(!page.contains("b touches a"), "both have one event");
}

#[test]
fn clear_empties_the_tables_of_a_run_which_goes_on() {
    let robot = differential().controller(model("twist_pid").set("V", 1)).pose(0, 0, 0);
    let laser =
        "<sensor class=\"laser\" name=\"scan\"><sensor_period>0.05</sensor_period></sensor>";
    let world = World::new().step(0.01).every(0.05).vehicle("a", robot.xml(laser)).record("a/pose");
    let times = |path: std::path::PathBuf| -> Vec<f64> {
        let text = std::fs::read_to_string(path).unwrap();
        text.lines().skip(1).map(|row| row.split(',').next().unwrap().parse().unwrap()).collect()
    };
    let run = world.run_with(0.0, |session, folder| {
        let inputs = session.inputs();
        let clear = |vehicle: &str| simhost::Input::Recording {
            vehicle: vehicle.to_owned(),
            action: simhost::RecordingAction::Clear,
        };
        let refused = inputs.send(clear("a")).unwrap_err().to_string();
        assert!(refused.contains("rows of all vehicles"), "{refused}");
        session.run_until(simhost::seconds(0.3)).unwrap();
        inputs.send(clear("")).unwrap();
        session.run_until(simhost::seconds(0.5)).unwrap();
        session.finish().unwrap();
        for name in ["trajectory.csv", "wheels.csv", "quantities.csv", "a.scan.csv"] {
            let mut times = times(folder.join(name));
            times.dedup();
            assert!((times[0] - 0.35).abs() < 1e-9 && times.len() == 4, "{name}: {times:?}");
        }
    });
    drop(run);
}

/// A parameter that is set during a run moves its vehicle to a separate table; the rows of all
/// vehicles are still found. Another number of rays begins new files.
#[test]
fn rows_follow_parameters_that_are_set_during_a_run() {
    let vehicle = |number: usize| {
        let robot = differential().controller("raw").pose(0, 20 * number, 0).velocity(3, 2, 0);
        let laser = "<sensor class=\"laser\" name=\"s\" nrays=\"9\">\
                     <sensor_period>0.02</sensor_period></sensor>";
        robot.friction("burckhardt").xml(laser)
    };
    let world = || {
        let named = ["v0", "v1", "v2"].into_iter().enumerate();
        named.fold(World::new().step(0.01), |world, (number, name)| {
            world.vehicle(name, vehicle(number))
        })
    };
    let plain = world().run(0.3);
    let (mut session, folder) = (None, tempfile::tempdir().unwrap());
    let changed = world().run_into(folder.path(), 0.0, |opened, _| {
        let run = |session: &mut simhost::Session, end: f64| {
            session.run_until(simhost::seconds(end)).unwrap();
        };
        run(opened, 0.1);
        opened.edit().set_parameter("v1/friction/c1", "0.2").unwrap();
        run(opened, 0.2);
        assert_eq!(opened.outputs().table_folder(), Some(folder.path()));
        opened.edit().set_parameter("v1/sensor/s/nrays", "13").unwrap();
        opened.edit().set_parameter("v1/sensor/s/nrays", "5").unwrap();
        opened.edit().forget_description();
        run(opened, 0.3);
        session = opened.outputs().table_folder().map(Path::to_owned);
    });
    let second = folder.path().join("session-2");
    assert_eq!(session.as_deref(), Some(&*second));
    let rows = |folder: &Path| Table::read(&folder.join("trajectory.csv")).rows;
    let found = [rows(folder.path()), rows(&second)].concat();
    let expected = &plain.table("trajectory.csv").rows;
    assert_eq!(found.len(), expected.len());
    for (found, expected) in found.iter().zip(expected) {
        let is_changed = expected[1] == "v1" && expected[0].parse::<f64>().unwrap() > 0.105;
        assert_eq!(found == expected, !is_changed, "{found:?} {expected:?}");
    }
    let rays = |folder: &Path| {
        let head = Table::read(&folder.join("v1.s.csv")).header;
        head.iter().filter(|name| name.starts_with("range")).count()
    };
    assert_eq!([rays(folder.path()), rays(&second)], [9, 5]);
    assert!(changed.faults.is_empty());
}
