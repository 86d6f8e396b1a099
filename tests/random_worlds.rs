//! Random worlds: nothing diverges, passes through a wall, is thrown, or moves without a reason.

mod generate;
mod judge;

use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;

use simhost_registry::{Catalogue, Options};

use crate::support::number_of;

/// Judges the worlds of the seeds from `first` on.
fn judge_all(first: u64, count: u64, duration: f64) {
    let catalogue = Catalogue::collect(Options::default()).unwrap();
    let next = AtomicU64::new(first);
    let judge_some = || {
        let mut bad = Vec::new();
        loop {
            let seed = next.fetch_add(1, Ordering::Relaxed);
            if seed >= first + count {
                return bad;
            }
            let wrong = judge::judge(&generate::world(seed, duration), &catalogue);
            bad.extend((!wrong.is_empty()).then(|| format!("world {seed}: {}", wrong.join("; "))));
        }
    };
    let mut bad = thread::scope(|scope| {
        let threads = [(); 2].map(|()| scope.spawn(judge_some));
        threads.into_iter().flat_map(|thread| thread.join().unwrap()).collect::<Vec<_>>()
    });
    bad.sort();
    // `SIMHOST_RANDOM_WORLD=SEED` writes the world of a seed
    assert!(bad.is_empty(), "{} of {count} worlds:\n{}", bad.len(), bad.join("\n"));
}

#[test]
fn some_worlds_are_right() {
    judge_all(0, 20, 3.0);
}

/// `SIMHOST_RANDOM_FIRST` and `SIMHOST_RANDOM_COUNT` choose other worlds.
#[test]
#[ignore = "takes minutes without optimisation"]
fn many_worlds_of_ten_seconds_are_right() {
    judge_all(number_of("SIMHOST_RANDOM_FIRST", 0), number_of("SIMHOST_RANDOM_COUNT", 200), 10.0);
}

/// Writes the world of the seed in `SIMHOST_RANDOM_WORLD`, for a look at it.
#[test]
#[ignore = "prints a world"]
fn one_world() {
    let seed = std::env::var("SIMHOST_RANDOM_WORLD").unwrap().parse().unwrap();
    let world = generate::world(seed, 10.0);
    let _ = std::io::Write::write_all(&mut std::io::stdout(), world.text.as_bytes());
}
