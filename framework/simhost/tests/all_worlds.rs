//! Every world can be changed while it runs: the changed state is restored bit for bit, and repeats from the
//! same inputs.

#![allow(clippy::unwrap_used)]

use std::path::{Path, PathBuf};

use simhost::{CommandSchedule, Options, Session};

/// Returns the worlds that need no plugin.
pub fn worlds() -> Vec<PathBuf> {
    worlds_in("worlds")
}

/// Returns the worlds of a folder that need no plugin.
fn worlds_in(folder: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(folder);
    let files = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut worlds: Vec<PathBuf> = files
        .filter(|path| path.to_string_lossy().ends_with(".world.xml"))
        .filter(|path| Session::open(path, Options::default()).is_ok())
        .collect();
    worlds.sort();
    worlds
}

/// Changes a world between a few steps.
fn change(sim: &mut Session) {
    sim.run_steps(7).unwrap();
    let box_far_away =
        "<block name='box_far_away'><init_pose>7 120 0</init_pose><mass>3</mass></block>";
    sim.edit().add(box_far_away).unwrap();
    sim.run_steps(9).unwrap();
    sim.edit().set_pose("block/box_far_away", [8.0, 121.0, 1.0]).unwrap();
    sim.edit().set_velocity("block/box_far_away", [0.5, 0.1, -0.2]).unwrap();
    let first = sim.simulation().placeable().next().unwrap().to_owned();
    sim.run_steps(5).unwrap();
    let pose = [0.4, -0.3, 0.7];
    sim.edit().set_pose(&first, pose).unwrap();
    sim.run_steps(9).unwrap();
    let parameters = sim.inputs().parameters();
    if let Some((name, value)) = parameters.iter().find(|(name, _)| name.contains("/friction/")) {
        sim.edit().set_parameter(name, value).unwrap();
    }
    sim.run_steps(4).unwrap();
}

#[test]
fn every_world_can_be_changed_while_it_runs() {
    let worlds = worlds();
    assert!(worlds.len() > 15, "{worlds:?}");
    for world in worlds {
        let name = world.file_name().unwrap().to_string_lossy().into_owned();
        let open =
            |threads| Session::open(&world, Options { threads, ..Options::default() }).unwrap();
        let hash = |sim: &Session| sim.simulation().state_hash().unwrap();
        let mut sim = open(1);
        change(&mut sim);
        let mut other = open(2);
        change(&mut other);
        assert_eq!(hash(&other), hash(&sim), "{name}: repeated");
        let snapshot = sim.snapshot().unwrap();
        let mut restored = open(2);
        restored.restore(&snapshot).unwrap();
        for one in [&mut sim, &mut restored] {
            one.run_steps(6).unwrap();
            one.edit().remove("block/box_far_away").unwrap();
            one.run_steps(6).unwrap();
        }
        assert_eq!(hash(&restored), hash(&sim), "{name}: restored");
    }
}

/// A fork continues bit for bit as the session does, also when this one has ended, and takes nothing from it.
#[test]
fn forks_of_every_world_continue_as_it_does() {
    for world in ["worlds", "worlds/validation"].into_iter().flat_map(worlds_in) {
        let hashes = |sim: &Session| {
            (sim.simulation().state_hash().unwrap(), sim.simulation().result_hash())
        };
        let mut sim = Session::open(&world, Options::default()).unwrap();
        let file = world.to_string_lossy().replace(".world.xml", ".commands.csv");
        if Path::new(&file).exists() {
            let commands = CommandSchedule::read(Path::new(&file), sim.simulation()).unwrap();
            sim.edit().set_commands(commands).unwrap();
        }
        for steps in [0, 40, 160, 500] {
            sim.run_steps(steps).unwrap();
            let (mut fork, start) = (sim.fork().unwrap(), hashes(&sim));
            assert_eq!(hashes(&fork), start, "{} at {steps}: at the fork", world.display());
            fork.run_steps(30).unwrap();
            assert_eq!(hashes(&sim), start, "{} at {steps}: unchanged", world.display());
            sim.run_steps(30).unwrap();
            assert_eq!(hashes(&fork), hashes(&sim), "{} at {steps}: forked", world.display());
            sim = fork;
        }
    }
}

/// From the third time on, a world is copied instead of built; the copies start as a new session does.
#[test]
fn every_world_starts_alike_whenever_it_is_reset() {
    for world in ["worlds", "worlds/validation"].into_iter().flat_map(worlds_in) {
        let open = |seed| Session::open(&world, Options { seed: Some(seed), ..Options::default() });
        let mut sim = open(1).unwrap();
        for seed in [2, 1, 1, 3] {
            sim.run_steps(9).unwrap();
            sim.edit().reset(seed).unwrap();
            let mut new = open(seed).unwrap();
            for one in [&mut sim, &mut new] {
                one.run_steps(25).unwrap();
            }
            let hash = |one: &Session| one.simulation().state_hash().unwrap();
            assert_eq!(hash(&sim), hash(&new), "{} with seed {seed}", world.display());
        }
    }
}

/// An initial velocity that is set again equals `<init_vel>`, for all classes of vehicles, for
/// blocks, and in all profiles.
#[test]
fn setting_the_velocities_of_a_world_again_changes_nothing() {
    let (mut moving, mut entities) = (0, 0);
    for world in ["worlds", "worlds/validation"].into_iter().flat_map(worlds_in) {
        let open = || Session::open(&world, Options::default()).unwrap();
        let (mut plain, mut set) = (open(), open());
        let described = plain.world().description().unwrap().clone();
        let vehicles = described.vehicles.iter().map(|one| (one.name.clone(), one.velocity));
        let blocks = described.blocks.iter();
        let blocks = blocks.map(|one| (format!("block/{}", one.name), one.velocity));
        let placeable: Vec<String> = plain.simulation().placeable().map(str::to_owned).collect();
        for (entity, velocity) in vehicles.chain(blocks) {
            if placeable.contains(&entity) {
                set.edit().set_velocity(&entity, velocity).unwrap();
                entities += 1;
                moving += u32::from(velocity != [0.0; 3]);
            }
        }
        for one in [&mut plain, &mut set] {
            one.run_steps(12).unwrap();
        }
        let hash = |one: &Session| one.simulation().state_hash().unwrap();
        let [found, expected] = [&set, &plain].map(hash);
        assert_eq!(found, expected, "{}", world.display());
    }
    assert!(moving > 15 && entities > 100, "{moving} of {entities}");
}
