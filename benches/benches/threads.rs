//! Wall time of 10,000 vehicles on one and on two threads. Their results are compared.
//!
//! The bench `lasers` does the same for lasers.

#![allow(missing_docs)]

use criterion as _;
use simhost_benches::{Ratio, is_test_run, report, simulation_on_threads};
use simhost_registry::{Catalogue, Options};

/// Steps of a measurement: so many that it hardly matters that the caches hold the other simulation at
/// the start.
const STEPS: u64 = 160;

fn main() {
    let catalogue = Catalogue::collect(Options::default()).expect("nothing to scan");
    let (count, repeats) = if is_test_run() { (1_000, 1) } else { (10_000, 5) };
    for class in ["differential", "ackermann"] {
        let [mut one, mut two] =
            [1, 2].map(|threads| simulation_on_threads(&catalogue, class, count, threads));
        let ratio = Ratio::measure(
            repeats,
            || one.run(STEPS).expect("nothing diverges"),
            || two.run(STEPS).expect("nothing diverges"),
        );
        assert_eq!(one.result_hash(), two.result_hash(), "threads do not change results");
        if !is_test_run() {
            report(&format!(
                "  {count} {class} vehicles: {:.0} µs per step on one thread, {:.0} µs on two, ratio {:.2}",
                ratio.first * 1e6 / STEPS as f64,
                ratio.second * 1e6 / STEPS as f64,
                ratio.value()
            ));
        }
    }
}
