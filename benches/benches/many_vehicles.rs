//! Time of a step per vehicle as worlds grow from 1,000 to 100,000 vehicles.

#![allow(missing_docs)]

use criterion::{Criterion, Throughput};
use simhost_benches::{fastest, is_test_run, report, simulation};
use simhost_registry::{Catalogue, Options};

/// Steps of a measurement.
const STEPS: u64 = 16;

fn many_vehicles(criterion: &mut Criterion) {
    let catalogue = Catalogue::collect(Options::default()).expect("nothing to scan");
    let counts: &[usize] = if is_test_run() { &[1_000] } else { &[1_000, 10_000, 100_000] };
    let mut group = criterion.benchmark_group("many vehicles/ackermann");
    let mut times = Vec::new();
    for &count in counts {
        let mut simulation = simulation(&catalogue, "ackermann", count);
        let first = simulation.vehicles().next().expect("a vehicle").pose;
        let mut run = || simulation.run(STEPS).expect("nothing diverges");
        group.throughput(Throughput::Elements(STEPS * count as u64));
        group.bench_function(format!("{count}"), |b| b.iter(&mut run));
        if !is_test_run() {
            times.push(fastest(1_000_000 / count, &mut run) / (STEPS as f64 * count as f64));
        }
        let finite = |pose: [f64; 6]| pose.iter().all(|value| value.is_finite());
        assert!(simulation.vehicles().all(|vehicle| finite(vehicle.pose)));
        assert_ne!(simulation.vehicles().next().expect("a vehicle").pose, first);
    }
    for (count, time) in counts.iter().zip(&times) {
        report(&format!(
            "  {count:6} vehicles: {:.0} ns per vehicle and step, {:.2} times that of 1,000",
            time * 1e9,
            time / times[0]
        ));
    }
}

simhost_benches::bench_main! { samples: 10, many_vehicles }
