//! Time of friction models per wheel in batches of 1 to 4, the wheels of one vehicle. The results
//! are compared with single wheels.

#![allow(missing_docs)]

use criterion::{Criterion, Throughput};
use simhost_benches::{Rig, fastest, is_test_run, report};
use simhost_registry::{Catalogue, Options};

/// The measured classes.
const CLASSES: [&str; 3] = ["default", "wardiagnemma", "ellipse"];

fn friction(criterion: &mut Criterion) {
    let catalogue = Catalogue::collect(Options::default()).expect("nothing to scan");
    for class in CLASSES {
        let mut group = criterion.benchmark_group(format!("friction-few/{class}"));
        for wheels in 1..=4 {
            group.throughput(Throughput::Elements(wheels as u64));
            let mut rig = Rig::new(&catalogue, class, wheels);
            rig.check(wheels);
            group.bench_function(format!("batch {wheels}"), |b| b.iter(|| rig.run(wheels)));
        }
    }
    if !is_test_run() {
        times(&catalogue);
    }
}

/// Prints the time per wheel of batches of 1 to 4.
fn times(catalogue: &Catalogue) {
    report("friction per wheel in small batches, least of 21 rounds");
    for class in CLASSES {
        for wheels in 1..=4 {
            let mut rig = Rig::new(catalogue, class, wheels);
            let time = fastest(100_000, || rig.run(wheels)) / wheels as f64;
            report(&format!("  {class:13} batch {wheels}: {:.2} ns", time * 1e9));
        }
    }
}

simhost_benches::bench_main! { samples: 20, friction }
