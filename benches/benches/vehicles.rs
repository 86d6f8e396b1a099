//! Time of a whole step per vehicle, and its ratio to rapier's step with as many free
//! bodies. The poses are finite and differ from the start.

#![allow(missing_docs)]

use criterion::{Criterion, Throughput};
use rapier2d_f64::prelude::*;
use simhost_benches::{Ratio, fastest, is_test_run, report, simulation};
use simhost_engine::Simulation;
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
            let start = poses(&simulation);
            group.bench_function(format!("{count}"), |b| {
                b.iter(|| simulation.step().expect("nothing diverges"));
            });
            simulation.run(20).expect("nothing diverges");
            for (pose, start) in poses(&simulation).iter().zip(start) {
                assert!(pose.iter().all(|value| value.is_finite()) && *pose != start);
            }
        }
    }
    if !is_test_run() {
        times(&catalogue);
        ratios(&catalogue);
    }
}

fn poses(simulation: &Simulation) -> Vec<[f64; 6]> {
    simulation.vehicles().map(|vehicle| vehicle.pose).collect()
}

/// Prints the time of a step per vehicle.
fn times(catalogue: &Catalogue) {
    const STEPS: u64 = 64;
    report("step per vehicle, least of 21 rounds");
    for class in ["differential", "ackermann"] {
        for count in [1, 100, 1000] {
            let mut simulation = simulation(catalogue, class, count);
            let run = || simulation.run(STEPS).expect("nothing diverges");
            let step = fastest(20_000 / count, run) / (STEPS as f64 * count as f64);
            report(&format!("  {class} {count:4}: {:.3} µs", step * 1e6));
        }
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

simhost_benches::bench_main! { samples: 10, vehicles }
