//! Time of friction models per wheel in large batches: linked in and loaded from a shared library.
//! The results are compared with single wheels.

#![allow(missing_docs)]

use criterion::{Criterion, Throughput};
use simhost_abi::Kind;
use simhost_benches::{Ratio, Rig, fastest, is_test_run, report, shared_friction};
use simhost_registry::{Catalogue, Options};

const CLASSES: [&str; 3] = ["default", "wardiagnemma", "ellipse"];
/// Number of wheels, and wheels per call.
const SIZES: [(usize, usize); 3] = [(1024, 1), (64, 64), (1024, 1024)];

fn friction(criterion: &mut Criterion) {
    let linked = Catalogue::collect(Options::default()).expect("nothing to scan");
    let shared = shared_friction(&Kind::ALL);
    for class in CLASSES {
        for (from, catalogue) in [("linked", &linked), ("so", &shared)] {
            let mut group = criterion.benchmark_group(format!("friction/{class}/{from}"));
            for (wheels, batch) in SIZES {
                group.throughput(Throughput::Elements(wheels as u64));
                let mut rig = Rig::new(catalogue, class, wheels);
                rig.check(batch);
                group.bench_function(format!("batch {batch}"), |b| b.iter(|| rig.run(batch)));
            }
        }
    }
    if !is_test_run() {
        ratios(&linked, &shared);
        times(&linked);
    }
}

/// Prints the time per wheel of a batch of 1,024.
fn times(catalogue: &Catalogue) {
    report("friction per wheel in batches of 1,024, least of 21 rounds");
    for class in CLASSES {
        let mut rig = Rig::new(catalogue, class, 1024);
        let time = fastest(500, || rig.run(1024)) / 1024.0;
        report(&format!("  {class:13}: {:.2} ns", time * 1e9));
    }
}

/// Measures linked-in and loaded models alternately, and compares their outputs.
fn ratios(linked: &Catalogue, shared: &Catalogue) {
    report(
        "friction: time linked in divided by time in a shared library (medians of alternating rounds)",
    );
    for class in CLASSES {
        for (wheels, batch) in SIZES {
            let repeats = 2_000_000 / wheels / if batch == 1 { 8 } else { 1 };
            // the places of the columns in memory matter as much as the code, so each is created first
            // once
            let [first, second] = [false, true].map(|is_shared_first| {
                let new = |catalogue| Rig::new(catalogue, class, wheels);
                let early = new(if is_shared_first { shared } else { linked });
                let late = new(if is_shared_first { linked } else { shared });
                let (mut ours, mut theirs) =
                    if is_shared_first { (late, early) } else { (early, late) };
                let ratio =
                    Ratio::measure(repeats.max(50) / 10, || ours.run(batch), || theirs.run(batch));
                assert!(ours.outputs() == theirs.outputs(), "{class}: the outputs differ");
                ratio
            });
            let ns = |one: f64, other: f64| (one * other).sqrt() / wheels as f64 * 1e9;
            report(&format!(
                "  {class:13} batch {batch:5}: linked in {:6.2} ns, shared {:6.2} ns per wheel, ratio {:.3}",
                ns(first.first, second.first),
                ns(first.second, second.second),
                (first.value() * second.value()).sqrt()
            ));
        }
    }
}

simhost_benches::bench_main! { samples: 20, friction }
