//! Random worlds: nothing diverges, passes through a wall, is thrown, gains energy or moves without a reason, and
//! results are equal however they are computed.

mod energy;
mod generate;
mod judge;
mod repeats;
mod trios;

use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;

use crate::support::{OPTIMISED, number_of};

/// Judges the cases of the seeds from `first` on.
fn judge_all(first: u64, count: u64, judge: impl Fn(u64) -> Vec<String> + Sync) {
    let next = AtomicU64::new(first);
    let judge_some = || {
        let mut bad = Vec::new();
        loop {
            let seed = next.fetch_add(1, Ordering::Relaxed);
            if seed >= first + count {
                return bad;
            }
            let wrong = judge(seed);
            bad.extend((!wrong.is_empty()).then(|| format!("{seed}: {}", wrong.join("; "))));
        }
    };
    let mut bad = thread::scope(|scope| {
        let threads = [(); 2].map(|()| scope.spawn(judge_some));
        threads.into_iter().flat_map(|thread| thread.join().unwrap()).collect::<Vec<_>>()
    });
    bad.sort();
    bad.iter_mut().for_each(|text| text.truncate(1000));
    // `SIMHOST_RANDOM_WORLD=SEED` writes the world of a seed
    assert!(bad.is_empty(), "{} of {count}:\n{}", bad.len(), bad.join("\n"));
}

/// Judges the motion in the world of a seed, and results that have to be equal.
fn judge_world(seed: u64, duration: f64) -> Vec<String> {
    let world = generate::world(seed, duration);
    let (mut wrong, hash) = judge::judge(&world);
    if wrong.is_empty() {
        wrong.extend(repeats::differences(&world, hash));
    }
    wrong
}

#[test]
fn some_worlds_are_right() {
    judge_all(0, 20, |seed| judge_world(seed, 3.0));
}

/// `SIMHOST_RANDOM_FIRST` and `SIMHOST_RANDOM_COUNT` choose other worlds.
#[test]
#[ignore = "takes minutes without optimisation"]
fn many_worlds_of_ten_seconds_are_right() {
    let (first, count) =
        (number_of("SIMHOST_RANDOM_FIRST", 0), number_of("SIMHOST_RANDOM_COUNT", 200));
    judge_all(first, count, |seed| judge_world(seed, 10.0));
}

/// Regression: a parameter of one of three vehicles was given to another.
#[test]
fn vehicles_with_other_parameters_move_as_alone() {
    let first = number_of("SIMHOST_RANDOM_FIRST", 0);
    judge_all(first, if OPTIMISED { 200 } else { 12 }, trios::differences);
}

/// Writes the world of the seed in `SIMHOST_RANDOM_WORLD` and its commands to the temporary folder, to be looked at.
#[test]
#[ignore = "writes files"]
fn one_world() {
    let seed: u64 = std::env::var("SIMHOST_RANDOM_WORLD").unwrap().parse().unwrap();
    let world = generate::world(seed, 10.0).world;
    let path = |name: &str| std::env::temp_dir().join(format!("random-{seed}.{name}"));
    std::fs::write(path("world.xml"), world.text()).unwrap();
    std::fs::write(path("commands.csv"), world.commands_text()).unwrap();
}
