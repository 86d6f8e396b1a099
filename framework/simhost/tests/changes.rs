//! Poses, parameters and entities that change while a session runs: part of the state, of its hash and of
//! snapshots, the same for any number of threads, and repeatable from the inputs.

#![allow(clippy::unwrap_used)]

use std::sync::{Arc, Mutex};

use simhost::{
    EnsembleOptions, Error, Input, InputError, Odometry, Options, Session, Snapshot, Twist, seconds,
};

const DEMO: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../worlds/demo.world.xml");

/// A second robot of a class of the world, and a box.
const FRAGMENT: &str = r#"
<for var="n" from="1" to="1">
  <vehicle name="second" class="robot"><init_pose>-8 $f{-5-n} 0</init_pose></vehicle>
</for>
<block name="box">
  <init_pose>4.5 -3.5 0</init_pose>
  <mass>5</mass>
  <shape><pt>-0.2 -0.2</pt><pt>0.2 -0.2</pt><pt>0.2 0.2</pt><pt>-0.2 0.2</pt></shape>
</block>
"#;

fn open_with(threads: usize) -> Session {
    Session::open(DEMO, Options { threads, ..Options::default() }).unwrap()
}

fn hash(sim: &Session) -> u128 {
    sim.simulation().state_hash().unwrap()
}

fn forward(speed: f64) -> Twist {
    Twist { vx: speed, vy: 0.0, omega: 0.0 }
}

/// Drives a session through all kinds of changes.
fn drive(sim: &mut Session) {
    sim.vehicle("robot").unwrap().command(forward(0.8)).unwrap();
    sim.run_steps(50).unwrap();
    sim.edit().set_parameter("robot/controller/KP", "35").unwrap();
    sim.run_steps(31).unwrap();
    sim.edit().add(FRAGMENT).unwrap();
    sim.vehicle("second").unwrap().command(forward(0.5)).unwrap();
    sim.run_steps(40).unwrap();
    sim.edit().set_pose("car", [3.0, 5.0, 1.5]).unwrap();
    sim.run_steps(23).unwrap();
    sim.edit().set_pose("block/box", [3.0, -3.0, 0.2]).unwrap();
    sim.edit().set_parameter("second/sensor/scan/range_std_noise", "0.2").unwrap();
    sim.run_steps(60).unwrap();
    sim.edit().remove("robot").unwrap();
    sim.run_steps(20).unwrap();
}

#[test]
fn changes_repeat_bit_for_bit_from_the_log_and_on_any_number_of_threads() {
    let log = Arc::<Mutex<Vec<(u64, Input)>>>::default();
    let mut sim = open_with(1);
    sim.intake_mut().set_log(Box::new(log.clone()));
    drive(&mut sim);
    assert!(sim.intake().refused().is_empty(), "{:?}", sim.intake().refused());
    let names = sim.simulation().vehicle_names().to_vec();
    assert!(!names.contains(&"robot".to_owned()) && names.contains(&"second".to_owned()));
    for threads in [2, 4] {
        let mut other = open_with(threads);
        drive(&mut other);
        assert_eq!(hash(&other), hash(&sim), "{threads} threads");
    }
    let mut again = open_with(1);
    for (step, input) in std::mem::take(&mut *log.lock().unwrap()) {
        // an added fragment is recorded without loops and expressions
        assert!(!matches!(&input, Input::Add { fragment, .. } if fragment.contains("$f")));
        again.intake_mut().plan(step, input).unwrap();
    }
    again.run_steps(sim.steps()).unwrap();
    assert!(again.intake().refused().is_empty(), "{:?}", again.intake().refused());
    assert_eq!(hash(&again), hash(&sim));
    assert_eq!(again.simulation().result_hash(), sim.simulation().result_hash());
}

#[test]
fn a_snapshot_of_a_changed_world_is_restored_into_the_original_one() {
    let mut sim = open_with(1);
    drive(&mut sim);
    let snapshot = Snapshot::from_bytes(&sim.snapshot().unwrap().to_bytes()).unwrap();
    assert_eq!(snapshot.state_hash(), hash(&sim));
    let mut other = open_with(2);
    other.run_steps(7).unwrap();
    let before = other.snapshot().unwrap();
    other.restore(&snapshot).unwrap();
    assert_eq!(hash(&other), hash(&sim));
    let mut fork = sim.fork().unwrap();
    for one in [&mut sim, &mut other, &mut fork] {
        one.vehicle("second").unwrap().command(forward(0.1)).unwrap();
        one.run_steps(100).unwrap();
        one.edit().remove("block/box").unwrap();
        one.run_steps(10).unwrap();
    }
    assert_eq!(hash(&other), hash(&sim));
    assert_eq!(hash(&fork), hash(&sim));
    // and back to a snapshot without changes
    other.restore(&before).unwrap();
    assert_eq!(hash(&other), before.state_hash());
    assert!(other.vehicle("robot").is_ok() && other.vehicle("second").is_err());
}

/// The others do not notice a block that they do not touch, a parameter of another vehicle, and its pose.
#[test]
fn changes_elsewhere_do_not_disturb_a_vehicle() {
    let state = |sim: &mut Session| {
        let robot: Odometry = sim.latest("robot/ground_truth").unwrap();
        let odometry: Odometry = sim.latest("robot/odometry").unwrap();
        (robot, odometry)
    };
    let mut plain = open_with(1);
    let mut changed = open_with(1);
    for sim in [&mut plain, &mut changed] {
        sim.vehicle("robot").unwrap().command(forward(0.7)).unwrap();
        sim.run_steps(100).unwrap();
    }
    changed
        .edit()
        .add("<block name='far'><init_pose>9 9 0</init_pose><mass>5</mass></block>")
        .unwrap();
    changed.edit().set_parameter("car/controller/KP", "300").unwrap();
    changed.edit().set_pose("car", [-3.0, 5.0, 0.3]).unwrap();
    for sim in [&mut plain, &mut changed] {
        sim.run_steps(200).unwrap();
    }
    assert_eq!(state(&mut changed), state(&mut plain));
}

#[test]
fn a_pose_puts_an_entity_at_rest_and_a_parameter_acts() {
    let mut sim = open_with(1);
    sim.vehicle("robot").unwrap().command(forward(1.0)).unwrap();
    sim.run_until(seconds(1.0)).unwrap();
    sim.edit().set_pose("robot", [1.0, 2.0, 0.5]).unwrap();
    let truth: Odometry = sim.latest("robot/ground_truth").unwrap();
    assert_eq!([truth.pose[0], truth.pose[1]], [1.0, 2.0]);
    assert!((truth.pose[3] - 0.5).abs() < 1e-12 && truth.twist == [0.0; 3], "{truth:?}");

    let speed = |limit: Option<&str>| {
        let mut sim = open_with(1);
        if let Some(limit) = limit {
            sim.edit().set_parameter("robot/controller/max_torque", limit).unwrap();
        }
        sim.vehicle("robot").unwrap().command(forward(1.0)).unwrap();
        sim.run_until(seconds(0.2)).unwrap();
        sim.latest::<Odometry>("robot/odometry").unwrap().twist[0]
    };
    assert!(speed(Some("0.2")) < 0.5 * speed(None));
    let listed = sim.inputs().parameters();
    let known =
        |name: &str| listed.iter().find(|(known, _)| known == name).map(|(_, v)| v.as_str());
    assert_eq!(known("robot/controller/KP"), Some("20"));
    sim.edit().set_parameter("robot/controller/KP", "21.5").unwrap();
    let listed = sim.inputs().parameters();
    assert!(listed.contains(&("robot/controller/KP".to_owned(), "21.5".to_owned())));
}

#[test]
fn adding_and_removing_the_same_entity_leaves_no_trace_in_the_description() {
    let mut sim = open_with(1);
    let plain = sim.snapshot().unwrap().state_hash();
    sim.run_steps(3).unwrap();
    for _ in 0..3 {
        sim.edit()
            .add("<vehicle name='x' class='robot'><init_pose>0 8 0</init_pose></vehicle>")
            .unwrap();
        assert!(!sim.simulation().edits().is_empty());
        assert_ne!(hash(&sim), plain);
        sim.edit().set_parameter("x/controller/KP", "3").unwrap();
        sim.run_steps(3).unwrap();
        sim.edit().remove("x").unwrap();
        assert_eq!(sim.simulation().edits(), "");
    }
    sim.edit().add("<block name='b'><init_pose>0 8 0</init_pose><mass>5</mass></block>").unwrap();
    let seed = sim.world().seed();
    sim.edit().reset(seed).unwrap();
    assert_eq!((sim.simulation().edits(), sim.steps(), hash(&sim)), ("", 0, plain));
}

#[test]
fn a_saved_world_has_the_changes() {
    let mut sim = open_with(1);
    sim.edit().add(FRAGMENT).unwrap();
    sim.edit().remove("rover").unwrap();
    sim.edit().set_parameter("car/controller/KP", "411").unwrap();
    sim.edit().set_parameter("robot/controller/KP", "35").unwrap();
    let poses = [("car", [1.0, 2.5, -0.5]), ("block/box", [4.0, 3.0, 1.0])];
    let text = sim.world().saved(&poses.map(|(name, pose)| (name.to_owned(), pose))).unwrap();
    // the class of the robot has its controller, and other robots share it
    assert!(text.contains("robot/controller/KP = 35"), "{text}");
    let saved = Session::from_text(&text, DEMO, Options::default()).unwrap();
    let world = saved.world().description().unwrap();
    let names: Vec<&str> = world.vehicles.iter().map(|one| one.name.as_str()).collect();
    assert_eq!(names, ["robot", "car", "second"]);
    let values = world.parameters();
    let value = |name: &str| values.iter().find(|(known, _)| known == name).unwrap().1.clone();
    assert_eq!(value("car/controller/KP"), "411");
    assert_eq!(value("robot/controller/KP"), "20");
    let car = &world.vehicles[1].pose;
    assert!((car.x - 1.0).abs() + (car.y - 2.5).abs() + (car.yaw + 0.5).abs() < 1e-12, "{car:?}");
    let block = world.blocks.iter().find(|one| one.name == "box").unwrap();
    assert!((block.pose.yaw - 1.0).abs() < 1e-12);
    let unknown = sim.world().saved(&[("cra".to_owned(), [0.0; 3])]).unwrap_err();
    assert!(unknown.to_string().contains("did you mean 'car'?"), "{unknown}");
}

/// The folder of the world can be moved, also with files that includes name.
#[test]
fn a_saved_world_keeps_relative_paths() {
    let plate = "v 0 0 0\nv 1 0 0\nv 1 1 1\nf 1 2 3\n";
    let block = |name: &str, model: &str| {
        format!(
            "<block name=\"{name}\"><init_pose>0 0 0</init_pose><shape_from_visual/>\
             <visual><model_uri>{model}</model_uri></visual></block>"
        )
    };
    let world = format!(
        "<mvsim_world>{}<include file=\"parts/b.xml\"/><include file=\"parts/c.xml\"/></mvsim_world>",
        block("a", "models/a.obj")
    );
    let [b, c] = [block("b", "b.obj"), block("c", "../models/a.obj")];
    let write = |folder: &std::path::Path| {
        for (name, text) in [
            ("w.world.xml", &*world),
            ("models/a.obj", plate),
            ("parts/b.obj", plate),
            ("parts/b.xml", &b),
            ("parts/c.xml", &c),
        ] {
            let path = folder.join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        }
    };
    let [first, second] = [(); 2].map(|()| tempfile::tempdir().unwrap());
    write(first.path());
    let sim = Session::open(first.path().join("w.world.xml"), Options::default()).unwrap();
    let text = sim.world().saved(&[]).unwrap();
    for path in ["<model_uri>models/a.obj<", "<model_uri>parts/b.obj<"] {
        assert!(text.contains(path), "{text}");
    }
    assert!(!text.contains(&*first.path().to_string_lossy()), "{text}");
    drop(first);
    write(second.path());
    let path = second.path().join("saved.world.xml");
    let moved = Session::from_text(&text, path, Options::default()).unwrap();
    assert_eq!(moved.world().description().unwrap().blocks.len(), 3);
}

#[test]
fn wrong_changes_are_reported_and_change_nothing() {
    let mut sim = open_with(1);
    sim.run_steps(20).unwrap();
    let before = hash(&sim);
    let message = |result: Result<(), Error>| result.unwrap_err().to_string();
    let cases = [
        (message(sim.edit().set_pose("robto", [0.0; 3])), "did you mean 'robot'?"),
        (message(sim.edit().set_pose("robot", [0.0, f64::NAN, 0.0])), "expected a finite number"),
        (
            message(sim.edit().set_parameter("robot/controller/KPP", "1")),
            "did you mean 'robot/controller/KP'?",
        ),
        (
            message(sim.edit().set_parameter("robot/controler/KP", "1")),
            "did you mean 'robot/controller'?",
        ),
        (
            message(sim.edit().set_parameter("robot/controller/KP", "fast")),
            "robot/controller/KP:1:1",
        ),
        (message(sim.edit().set_parameter("robot/friction/mu", "-1")), "mu"),
        (message(sim.edit().remove("robo")), "did you mean 'robot'?"),
        (message(sim.edit().remove("block/none")), "unknown entity: 'block/none'"),
        (
            message(sim.edit().add("<vehicle name='robot' class='robot'/>")),
            "duplicate vehicle 'robot'",
        ),
        (message(sim.edit().add("<vehicle name='a' class='robto'/>")), "did you mean `robot`?"),
        (
            message(sim.edit().add("\n <vehicle name='a' class='robot'><init_poze/></vehicle>")),
            "fragment.xml:2:",
        ),
        (
            message(sim.edit().add("<simul_timestep>1</simul_timestep>")),
            "cannot be added to a world",
        ),
        (message(sim.edit().add("<vehicle name='a'")), "fragment.xml:1:"),
    ];
    for (found, expected) in cases {
        assert!(found.contains(expected), "expected {expected} in\n{found}");
    }
    let refused = sim.inputs().send(Input::Add { fragment: "<x/>".into(), files: Vec::new() });
    assert!(matches!(refused, Err(InputError::World { .. })), "{refused:?}");
    assert_eq!(hash(&sim), before);
}

/// The second of two inputs that exclude each other is refused when it is to act, also in a repetition.
#[test]
fn an_input_that_another_one_has_made_impossible_is_refused() {
    let mut sim = open_with(1);
    let inputs = sim.inputs();
    let add = || Input::Add {
        fragment: "<block name='b'><init_pose>0 8 0</init_pose><mass>5</mass></block>".into(),
        files: Vec::new(),
    };
    inputs.send(add()).unwrap();
    inputs.send(add()).unwrap();
    inputs.send(Input::Remove { entity: "robot".to_owned() }).unwrap();
    inputs
        .send(Input::Command {
            vehicle: "robot".into(),
            kind: "twist".into(),
            values: vec![1.0; 3],
        })
        .unwrap();
    sim.run_steps(5).unwrap();
    let [(step, reason)] = sim.intake().refused() else { panic!("{:?}", sim.intake().refused()) };
    assert!(*step == 0 && reason.contains("duplicate block 'b'"), "{reason}");
    assert!(inputs.send(Input::Remove { entity: "robot".to_owned() }).is_err());
}

/// Vehicles stop when their driver falls silent, and the stop is an input that repeats.
#[test]
fn a_command_times_out_and_the_stop_repeats_from_the_log() {
    let log = Arc::<Mutex<Vec<(u64, Input)>>>::default();
    let options = Options { command_time_out: Some(0.25), ..Options::default() };
    let mut sim = Session::open(DEMO, options).unwrap();
    sim.intake_mut().set_log(Box::new(log.clone()));
    let speed = |sim: &mut Session| sim.latest::<Odometry>("robot/ground_truth").unwrap().twist[0];
    for _ in 0..3 {
        sim.vehicle("robot").unwrap().command(forward(0.8)).unwrap();
        sim.run_steps(40).unwrap();
    }
    assert!(speed(&mut sim) > 0.6);
    sim.run_steps(400).unwrap();
    assert!(speed(&mut sim).abs() < 0.01);
    let inputs = log.lock().unwrap().clone();
    let zero = Input::Command {
        vehicle: "robot".to_owned(),
        kind: "twist".to_owned(),
        values: vec![0.0; 3],
    };
    let stops: Vec<u64> =
        inputs.iter().filter(|(_, input)| *input == zero).map(|(step, _)| *step).collect();
    assert_eq!(stops, [80 + 50], "a quarter of a second after the last of three commands");
    let mut again = open_with(1);
    inputs.into_iter().for_each(|(step, input)| again.intake_mut().plan(step, input).unwrap());
    again.run_steps(520).unwrap();
    assert_eq!(hash(&again), hash(&sim));
}

#[test]
fn a_session_without_description_still_runs_and_says_what_it_cannot_do() {
    let mut sim = open_with(1);
    sim.edit().forget_description();
    sim.run_steps(5).unwrap();
    let snapshot = sim.snapshot().unwrap();
    sim.edit().set_pose("car", [0.0, 5.0, 0.0]).unwrap();
    sim.run_steps(5).unwrap();
    sim.restore(&snapshot).unwrap();
    assert!(matches!(sim.edit().remove("car"), Err(Error::Forgotten)));
    assert!(matches!(sim.edit().reset(1), Err(Error::Forgotten)));
}

#[test]
fn changes_of_a_member_are_those_of_a_session() {
    let mut sim = open_with(1);
    sim.vehicle("robot").unwrap().command(forward(0.8)).unwrap();
    sim.run_steps(50).unwrap();
    let spin = "car/wheel/fl/spin";
    for observed in [None, Some(2)] {
        let mut ensemble = sim.ensemble(EnsembleOptions::members(3)).unwrap();
        if let Some(member) = observed {
            ensemble.session_of(member).unwrap();
        }
        let mut member = ensemble.member(2).unwrap();
        member.set_pose("car", [3.0, 5.0, 1.5]).unwrap();
        member.set_velocity("car", [2.0, 0.1, 0.0]).unwrap();
        member.command("robot", forward(-0.5)).unwrap();
        assert_eq!(member.motion_of("car").unwrap().unwrap()[0], [3.0, 5.0, 1.5]);
        assert_eq!(member.motion_of("boat").unwrap(), None);
        ensemble.set_state(spin, &[1.0, 2.0, 3.0]).unwrap();
        ensemble.step(40).unwrap();

        let mut changed = sim.fork().unwrap();
        changed.edit().set_pose("car", [3.0, 5.0, 1.5]).unwrap();
        changed.edit().set_velocity("car", [2.0, 0.1, 0.0]).unwrap();
        changed.vehicle("robot").unwrap().command(forward(-0.5)).unwrap();
        changed.edit().set_state(spin, 3.0).unwrap();
        changed.run_steps(40).unwrap();
        assert_eq!(ensemble.member(2).unwrap().state_hash().unwrap(), hash(&changed));
        let mut other = sim.fork().unwrap();
        other.edit().set_state(spin, 1.0).unwrap();
        other.run_steps(40).unwrap();
        assert_eq!(ensemble.member(0).unwrap().state_hash().unwrap(), hash(&other));

        ensemble.reset(&[true; 3], None).unwrap();
        assert_eq!(ensemble.member(2).unwrap().state_hash().unwrap(), hash(&sim));
    }
    let mut ensemble = sim.ensemble(EnsembleOptions::members(2)).unwrap();
    let text = |error: Error| error.to_string();
    let mut member = ensemble.member(1).unwrap();
    assert!(text(member.set_pose("boat", [0.0; 3]).unwrap_err()).contains("boat"));
    assert!(text(member.set_pose("car", [f64::NAN; 3]).unwrap_err()).contains("NaN"));
    assert!(text(member.command("car", forward(f64::INFINITY)).unwrap_err()).contains("inf"));
    let refused = text(ensemble.set_state("car/wheel/fl/normal_force", &[1.0; 2]).unwrap_err());
    assert!(refused.contains("computed in each step"), "{refused}");
    let refused = text(ensemble.set_state(spin, &[1.0; 3]).unwrap_err());
    assert!(refused.contains("2 members"), "{refused}");
}

/// A client can name files in the folder of the world only, and errors that it receives contain no text of files.
#[test]
fn clients_name_files_of_the_world_only() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    for name in ["world", "world/parts", "shared"] {
        std::fs::create_dir(path(name)).unwrap();
    }
    let part = "<block name='part'><init_pose>8 0 0</init_pose></block>";
    std::fs::write(path("world/part.xml"), part).unwrap();
    std::fs::write(path("shared/part.xml"), part.replace("part", "more")).unwrap();
    // a file can have the name that messages give to a fragment
    for name in ["broken.xml", "parts/fragment.xml"] {
        std::fs::write(path("world").join(name), "<block><secret_of_file/></block>").unwrap();
    }
    std::fs::write(path("outside.xml"), part.replace("part", "outside")).unwrap();
    std::os::unix::fs::symlink("../outside.xml", path("world/link.xml")).unwrap();
    let world = "<mvsim_world><include file='../shared/part.xml'/></mvsim_world>";
    std::fs::write(path("world/a.world.xml"), world).unwrap();
    let open = |client_folders| {
        let load = simhost_world::LoadOptions { client_folders, ..Default::default() };
        Session::open(path("world/a.world.xml"), Options { load, ..Options::default() }).unwrap()
    };
    let send = |sim: &mut Session, fragment: &str| {
        let (fragment, files) = (fragment.to_owned(), Vec::new());
        let sent = sim.inputs().send(Input::Add { fragment, files });
        sim.run_steps(1).unwrap();
        sent.map_err(|error| error.to_string())
    };
    let include = |file: &str| format!("<include file='{file}'/>");
    let mut sim = open(Vec::new());
    let outside = path("outside.xml").display().to_string();
    for file in ["/etc/passwd", "../outside.xml", "link.xml", &outside, "../none.xml"] {
        let refused = send(&mut sim, &include(file)).unwrap_err();
        assert!(refused.contains("--client-files") && !refused.contains("root:"), "{refused}");
    }
    let mesh = "<block><visual><model_uri>../outside.xml</model_uri></visual><init_pose>0 9 0</init_pose></block>";
    for element in [
        "<element class='elevation_map'><dem_xyzrgb_file>/etc/passwd</dem_xyzrgb_file></element>",
        "<element class='occupancy_grid'><file>/etc/passwd</file></element>",
        mesh,
    ] {
        let refused = send(&mut sim, element).unwrap_err();
        let is_told = refused.contains("--client-files") || refused.contains("cannot be added");
        assert!(is_told && !refused.contains("root:"), "{refused}");
    }
    for name in ["broken.xml", "parts/fragment.xml"] {
        let refused = send(&mut sim, &include(name)).unwrap_err();
        assert!(
            refused.contains(&format!("{name}:1:")) && !refused.contains("secret"),
            "{refused}"
        );
    }
    for name in ["$env{HOME}", "$(id)"] {
        let block = format!("<block name='{name}'><init_pose>0 9 0</init_pose></block>");
        let refused = send(&mut sim, &block).unwrap_err();
        assert!(
            refused.contains("cannot read the environment") || refused.contains("not allowed"),
            "{refused}"
        );
    }
    send(&mut sim, &include("part.xml")).unwrap();
    // the program itself, and folders that the user names
    sim.edit().add(&include("../outside.xml")).unwrap();
    let mut sim = open(vec![folder.path().to_owned()]);
    send(&mut sim, &include("../outside.xml")).unwrap();
}

/// An addition that a run cannot simulate is an error for its client, and the run continues.
#[test]
fn additions_of_clients_have_limits() {
    let mut sim = open_with(1);
    let add = |count: usize| Input::Add {
        fragment: format!(
            "<for var='n' from='1' to='{count}'><block><init_pose>60 60 0</init_pose></block></for>"
        ),
        files: Vec::new(),
    };
    let long = Input::Add { fragment: " ".repeat(2 << 20), files: Vec::new() };
    for (input, text) in [
        (add(3000), "too many bodies overlap"),
        (add(20_000), "more than 10000 elements"),
        (long, "expected at most 1048576 bytes"),
    ] {
        let refused = sim.inputs().send(input).unwrap_err().to_string();
        assert!(refused.contains(text), "{text}: {refused}");
    }
    sim.inputs().send(add(2)).unwrap();
    sim.run_steps(5).unwrap();
}
