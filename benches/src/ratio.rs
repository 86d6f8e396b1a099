//! Ratios of the times of two pieces of work, measured alternately within one process.

use std::io::Write;
use std::time::Instant;

/// Number of rounds of each piece of work.
const ROUNDS: usize = 21;

/// Times of two pieces of work.
#[derive(Clone, Copy, Debug)]
pub struct Ratio {
    /// Median time of the first, s.
    pub first: f64,
    /// Median time of the second, s.
    pub second: f64,
}

impl Ratio {
    /// Measures two pieces of work alternately: the medians of 21 rounds of `repeats` calls each.
    pub fn measure(repeats: usize, mut first: impl FnMut(), mut second: impl FnMut()) -> Self {
        let mut times = [Vec::new(), Vec::new()];
        for _ in 0..ROUNDS {
            times[0].push(seconds(repeats, &mut first));
            times[1].push(seconds(repeats, &mut second));
        }
        let [first, second] = times.map(median);
        Self { first, second }
    }

    /// Returns the time of the first divided by the time of the second.
    pub fn value(&self) -> f64 {
        self.first / self.second
    }
}

fn seconds(repeats: usize, work: &mut impl FnMut()) -> f64 {
    let start = Instant::now();
    for _ in 0..repeats {
        work();
    }
    start.elapsed().as_secs_f64() / repeats as f64
}

/// Returns the shortest time of a call, s, over 21 rounds of `repeats` calls.
pub fn fastest(repeats: usize, mut work: impl FnMut()) -> f64 {
    let rounds = (0..ROUNDS).map(|_| seconds(repeats, &mut work));
    rounds.fold(f64::INFINITY, f64::min)
}

fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

/// Prints a line of a report.
pub fn report(text: &str) {
    let _ = writeln!(std::io::stdout(), "{text}");
}

/// Returns whether the benches only run once as a test, as by `cargo bench -- --test`.
pub fn is_test_run() -> bool {
    std::env::args().any(|argument| argument == "--test")
}
