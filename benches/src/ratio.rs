//! Ratios of two pieces of work, measured in turns within one process.

use std::io::Write;
use std::time::Instant;

/// Rounds of each side.
const ROUNDS: usize = 21;

/// How long two pieces of work took.
#[derive(Clone, Copy, Debug)]
pub struct Ratio {
    /// Median time of the first, s.
    pub first: f64,
    /// Median time of the second, s.
    pub second: f64,
}

impl Ratio {
    /// Measures two pieces of work in turns: medians of 21 rounds of `repeats` calls each.
    pub fn measure(repeats: usize, mut first: impl FnMut(), mut second: impl FnMut()) -> Self {
        let mut times = [Vec::new(), Vec::new()];
        for _ in 0..ROUNDS {
            times[0].push(seconds(repeats, &mut first));
            times[1].push(seconds(repeats, &mut second));
        }
        let [first, second] = times.map(median);
        Self { first, second }
    }

    /// Time of the first by time of the second.
    pub fn value(&self) -> f64 {
        self.first / self.second
    }
}

fn seconds(repeats: usize, work: &mut impl FnMut()) -> f64 {
    let begun = Instant::now();
    for _ in 0..repeats {
        work();
    }
    begun.elapsed().as_secs_f64() / repeats as f64
}

fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

/// Prints a line of a report.
pub fn report(text: &str) {
    let _ = writeln!(std::io::stdout(), "{text}");
}

/// Whether the benches are only tried, as by `cargo bench -- --test`.
pub fn is_test_run() -> bool {
    std::env::args().any(|argument| argument == "--test")
}
