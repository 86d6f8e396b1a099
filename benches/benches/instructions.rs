//! Hot paths, each repeated a given number of times, whose instructions `benches/instructions.sh` counts.
//!
//! `instructions PATH REPEATS` runs one path. Without arguments, each path runs once.

#![allow(missing_docs)]

use std::process::ExitCode;

use simhost::{Ensemble, EnsembleOptions};
use simhost_benches::scans::{fan, floor_plan, full_turn};
use simhost_benches::space::{balls, lidar};
use simhost_benches::{Rig, build, camera_simulation, crowd_world, report, simulation};
use simhost_registry::{Catalogue, Options};
use simhost_scene::{Pose2, Pose3};
use simhost_sensing::{Bundle, Return};

/// A hot path: its name, the units of work in a repetition (vehicles, wheels or rays), and a function
/// that repeats it.
type HotPath = (&'static str, usize, fn(&Catalogue, u64));

const PATHS: [HotPath; 8] = [
    ("one differential vehicle", 1, |catalogue, repeats| {
        step(catalogue, "differential", 1, repeats)
    }),
    ("1000 Ackermann vehicles", 1000, |catalogue, repeats| {
        step(catalogue, "ackermann", 1000, repeats);
    }),
    ("default friction", 1024, friction),
    ("laser in a floor plan", 361, laser),
    ("scan in space", 64 * 2048, scan),
    ("camera among boxes", 640 * 480, camera),
    ("loading 1000 vehicles", 1000, loading),
    ("members of an ensemble", MEMBERS, members),
];

/// Number of members of an ensemble.
const MEMBERS: usize = 1024;

fn step(catalogue: &Catalogue, class: &str, count: usize, repeats: u64) {
    let mut simulation = simulation(catalogue, class, count);
    for _ in 0..repeats {
        simulation.step().expect("nothing diverges");
    }
    let moves = simulation.vehicles().all(|vehicle| vehicle.pose[3].is_finite());
    assert!(moves, "all poses are finite");
}

fn friction(catalogue: &Catalogue, repeats: u64) {
    let mut rig = Rig::new(catalogue, "default", 1024);
    (0..repeats).for_each(|_| rig.run(1024));
    assert!(rig.outputs().iter().flatten().all(|value| value.is_finite()));
}

fn laser(_: &Catalogue, repeats: u64) {
    let (scene, points) = floor_plan();
    let angles = full_turn(361);
    let mut ranges = vec![0.0; angles.len()];
    for &[x, y] in points.iter().cycle().take(repeats as usize) {
        scene.cast(&fan(Pose2 { x, y, yaw: x + y }, &angles), &mut ranges);
        assert!(ranges.iter().any(|range| range.is_finite()));
    }
}

fn scan(_: &Catalogue, repeats: u64) {
    let (scene, directions) = (balls(22, 10), lidar());
    let pose = Pose3 { z: 0.3, ..Pose3::default() };
    let max_range = f64::INFINITY;
    let bundle = Bundle { pose, poses: &[], rays_per_pose: 1, directions: &directions, max_range };
    let mut found = vec![Return::NOTHING; directions.len()];
    (0..repeats).for_each(|_| scene.space.scan(&bundle, &|_| true, &mut found));
    assert!(found.iter().any(|found| found.range.is_finite()));
}

fn camera(catalogue: &Catalogue, repeats: u64) {
    let mut simulation = camera_simulation(catalogue);
    for _ in 0..repeats {
        simulation.step().expect("nothing diverges");
        assert!(simulation.samples().is_sampled(0), "a frame in each step");
    }
}

fn loading(catalogue: &Catalogue, repeats: u64) {
    let text = crowd_world("differential", 1000);
    for _ in 0..repeats {
        assert_eq!(build(catalogue, &text, &[], 1).vehicle_names().len(), 1000);
    }
}

fn members(catalogue: &Catalogue, repeats: u64) {
    let text = crowd_world("differential", 1);
    let mut options = EnsembleOptions::members(MEMBERS).seed(1);
    options.session.catalogue = Some(catalogue.clone());
    let ensemble = Ensemble::from_text(&text, "crowd.world.xml", options);
    let mut ensemble = ensemble.expect("the world is correct");
    ensemble.step(repeats).expect("nothing fails");
    assert_eq!(ensemble.apart(), 0, "all members are in tables");
}

fn main() -> ExitCode {
    let catalogue = Catalogue::collect(Options::default()).expect("nothing to scan");
    let arguments: Vec<String> =
        std::env::args().skip(1).filter(|a| !a.starts_with("--")).collect();
    let [name, repeats] = arguments.as_slice() else {
        PATHS.iter().for_each(|(_, _, run)| run(&catalogue, 1));
        return ExitCode::SUCCESS;
    };
    let path = PATHS.iter().find(|(known, _, _)| known == name);
    let (Some((_, units, run)), Ok(repeats)) = (path, repeats.parse()) else {
        report("expected: instructions PATH REPEATS");
        return ExitCode::FAILURE;
    };
    run(&catalogue, repeats);
    report(&format!("{}", units * repeats as usize));
    ExitCode::SUCCESS
}
