//! Time of friction models per wheel in batches of 1 to 4, the wheels of one vehicle. The results
//! are compared with those of single wheels.

#![allow(missing_docs)]

use criterion::{Criterion, Throughput, criterion_group};
use simhost_benches::Rig;
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
}

criterion_group! {
    name = benches;
    config = Criterion::default().sample_size(20).measurement_time(std::time::Duration::from_secs(1));
    targets = friction
}

fn main() {
    benches();
    Criterion::default().configure_from_args().final_summary();
}
