//! The committed result hash of each world. Within one build the state hash is also the same on any number
//! of threads and after a restored snapshot.
//!
//! `UPDATE_EXPECT=1 cargo test hashes` rewrites `tests/data/hashes.csv`.
//! `tests/hash_across_builds.sh` compares other builds with it.

use std::path::PathBuf;

use simhost::{Session, Snapshot, seconds, tables};

use crate::support::{
    OPTIMISED, projects,
    world::World,
    world_files::{self, WorldFile},
    world_plugins,
};

/// Simulated time of each run, long enough for vehicles to reach obstacles, s.
const DURATION: f64 = 10.0;

/// Times of the snapshots from which runs are resumed, s, and the number of threads then.
const SNAPSHOTS: [(f64, usize); 2] = [(4.0, 1), (8.0, 4)];

#[derive(Debug, PartialEq)]
struct Hashes {
    state: String,
    result: String,
}

/// Runs a world to its end and returns the hashes.
fn hashes(mut session: Session) -> Hashes {
    session.run_until(seconds(DURATION)).unwrap();
    let simulation = session.simulation();
    let state = tables::state_hash(simulation).unwrap();
    Hashes { state, result: tables::result_hash(simulation) }
}

#[test]
fn every_world_has_its_result_hash_whatever_the_threads() {
    check(&world_plugins::folders(), |world| !world_plugins::needs_cpp(world));
}

#[test]
#[ignore = "needs a C++ compiler"]
fn a_world_with_a_model_in_cpp_has_its_result_hash() {
    check(&world_plugins::folders_with_cpp(), world_plugins::needs_cpp);
}

/// Compares the worlds that are wanted with their rows of the committed table.
fn check(plugins: &[PathBuf], is_wanted: impl Fn(&WorldFile) -> bool) {
    let file = projects::root().join("tests/data/hashes.csv");
    let table = std::fs::read_to_string(&file).unwrap();
    let mut rows: Vec<String> = table.lines().map(str::to_owned).collect();
    let mut changed = Vec::new();
    for (number, world) in world_files::all().into_iter().filter(is_wanted).enumerate() {
        // tests that are not optimised restore the last snapshot of every third world
        let snapshots = match number % 3 {
            _ if OPTIMISED => &SNAPSHOTS[..],
            0 => &SNAPSHOTS[1..],
            _ => &[],
        };
        let row = format!("{},{DURATION},{}", world.name, hash(&world, plugins, snapshots));
        let start = format!("{},", world.name);
        match rows.iter().position(|row| row.starts_with(&start)) {
            Some(index) if rows[index] == row => continue,
            Some(index) => rows[index] = row,
            None => rows.push(row),
        }
        changed.push(world.name);
    }
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        std::fs::write(&file, rows.join("\n") + "\n").unwrap();
        return;
    }
    let help = "results changed; if that is intended, run: UPDATE_EXPECT=1 cargo test hashes";
    assert!(changed.is_empty(), "{changed:?}: {help}");
}

/// Returns the result hash of a world, which is the same on 2 threads, and after each of two restored
/// snapshots on 1 and 4 threads.
fn hash(world: &WorldFile, plugins: &[PathBuf], snapshots: &[(f64, usize)]) -> String {
    let name = &world.name;
    let world =
        plugins.iter().fold(World::shared(name), |world, folder| world.more_plugins(folder));
    let (mut session, _) = world.clone().threads(2).open();
    let mut snapshot = |(time, threads): (f64, usize)| {
        session.run_until(seconds(time)).unwrap();
        (session.snapshot().unwrap().to_bytes(), time, threads)
    };
    let kept: Vec<_> = snapshots.iter().copied().map(&mut snapshot).collect();
    let hashes = self::hashes(session);
    for (bytes, time, threads) in &kept {
        let (mut resumed, _) = world.clone().threads(*threads).open();
        resumed.restore(&Snapshot::from_bytes(bytes).unwrap()).unwrap();
        assert_eq!(self::hashes(resumed), hashes, "{name} from {time} s on {threads} threads");
    }
    hashes.result
}
