//! Time of a whole step per vehicle, and its ratio to rapier's step with as many free bodies.

#![allow(missing_docs)]

use criterion::{Criterion, Throughput, criterion_group};
use rapier2d_f64::prelude::*;
use simhost_benches::{Ratio, is_test_run, report, simulation};
use simhost_registry::{Catalogue, Options};

const CLASSES: [&str; 5] = [
    "differential",
    "differential_3_wheels",
    "differential_4_wheels",
    "ackermann",
    "ackermann_drivetrain",
];

fn vehicles(criterion: &mut Criterion) {
    let catalogue = Catalogue::collect(Options::default()).expect("nothing to scan");
    for class in CLASSES {
        let mut group = criterion.benchmark_group(format!("vehicle-step/{class}"));
        for count in [1, 100, 1000] {
            group.throughput(Throughput::Elements(count as u64));
            let mut simulation = simulation(&catalogue, class, count);
            group.bench_function(format!("{count}"), |b| {
                b.iter(|| simulation.step().expect("nothing diverges"));
            });
        }
    }
    if !is_test_run() {
        ratios(&catalogue);
    }
}

/// Returns a world of free bodies with one box each, which move and do not sleep.
fn free_bodies(count: usize) -> PhysicsWorld {
    let mut world = PhysicsWorld::new();
    world.gravity = Vector::ZERO;
    world.integration_parameters.dt = 0.005;
    for i in 0..count {
        let (x, y) = (30.0 * (i % 32) as f64, 30.0 * (i / 32) as f64);
        let body = RigidBodyBuilder::dynamic()
            .translation(Vector::new(x, y))
            .linvel(Vector::new(0.1, 0.0))
            .can_sleep(false);
        world.insert(body, ColliderBuilder::cuboid(0.5, 0.4));
    }
    world
}

fn ratios(catalogue: &Catalogue) {
    report(
        "step per vehicle divided by rapier's step per free body, 1000 of each (medians of alternating rounds)",
    );
    for class in CLASSES {
        let mut simulation = simulation(catalogue, class, 1000);
        let mut bodies = free_bodies(1000);
        let step = || simulation.step().expect("nothing diverges");
        let ratio = Ratio::measure(20, step, || bodies.step());
        report(&format!(
            "  {class:21}: {:6.0} ns per vehicle and step, rapier {:4.0} ns, ratio {:.2}",
            ratio.first * 1e6,
            ratio.second * 1e6,
            ratio.value()
        ));
    }
}

criterion_group! {
    name = benches;
    config = Criterion::default().sample_size(10).measurement_time(std::time::Duration::from_secs(1));
    targets = vehicles
}

fn main() {
    benches();
    Criterion::default().configure_from_args().final_summary();
}
