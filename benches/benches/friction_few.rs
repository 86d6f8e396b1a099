//! Time of friction models per wheel in batches of 1 to 4, the wheels of one vehicle. The results
//! are compared with those of single wheels.

#![allow(missing_docs)]

use criterion::{Criterion, Throughput};
use simhost_benches::{Rig, fastest, is_test_run, peer, report};
use simhost_registry::{Catalogue, Options};

fn friction(criterion: &mut Criterion) {
    let catalogue = Catalogue::collect(Options::default()).expect("nothing to scan");
    for class in ["default", "wardiagnemma", "ellipse"] {
        let mut group = criterion.benchmark_group(format!("friction-few/{class}"));
        for wheels in 1..=4 {
            group.throughput(Throughput::Elements(wheels as u64));
            let mut rig = Rig::new(&catalogue, class, wheels);
            rig.check(wheels);
            group.bench_function(format!("batch {wheels}"), |b| b.iter(|| rig.run(wheels)));
        }
    }
    if !is_test_run() {
        beside_peer(&catalogue);
    }
}

/// Prints the time per wheel of batches of 1 to 4 and that of MVSim.
fn beside_peer(catalogue: &Catalogue) {
    report("friction per wheel in small batches, least of 21 rounds");
    for (class, mvsim) in peer::FRICTION_NS {
        for wheels in 1..=4 {
            let mut rig = Rig::new(catalogue, class, wheels);
            let time = fastest(100_000, || rig.run(wheels)) / wheels as f64;
            peer::compare(&format!("{class:13} batch {wheels}"), "ns", time * 1e9, mvsim);
        }
    }
}

simhost_benches::bench_main! { samples: 20, friction }
