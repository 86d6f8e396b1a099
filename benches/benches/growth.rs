//! Time of work that grew with the square of the number of objects: bodies close together and
//! distinct parameters at load, rows of commands, and movable blocks among vehicles.
#![allow(missing_docs)]

use criterion::{BenchmarkId, Criterion, Throughput};
use simhost_benches::growth::{self, simulation, world};
use simhost_benches::is_test_run;
use simhost_registry::{Catalogue, Options};

/// Returns numbers of objects, each twice the one before.
fn counts(largest: usize) -> [usize; 3] {
    let largest = if is_test_run() { 64 } else { largest };
    [largest / 4, largest / 2, largest]
}

fn growth(criterion: &mut Criterion) {
    let catalogue = Catalogue::collect(Options::default()).expect("nothing to scan");
    for (name, generate, largest) in [
        ("close together", growth::close_together as fn(usize) -> String, 40_000),
        ("distinct parameters", growth::distinct, 10_000),
    ] {
        let mut group = criterion.benchmark_group(format!("load/{name}"));
        for count in counts(largest) {
            let world = world(&catalogue, &generate(count));
            group.throughput(Throughput::Elements(count as u64));
            group.bench_function(BenchmarkId::from_parameter(count), |bencher| {
                bencher.iter(|| {
                    let built = simulation(&world);
                    assert_eq!((built.vehicle_names().len(), built.overlaps().count), (count, 0));
                });
            });
        }
    }
    commands(criterion, &catalogue);
    blocks(criterion, &catalogue);
}

fn commands(criterion: &mut Criterion, catalogue: &Catalogue) {
    let mut group = criterion.benchmark_group("commands for 10 rows per vehicle");
    for count in counts(10_000) {
        let mut simulation = simulation(&world(catalogue, &growth::driven_by_torques(count)));
        let commands = growth::commands(&simulation, 10 * count, count);
        group.throughput(Throughput::Elements(commands.len() as u64));
        group.bench_function(BenchmarkId::from_parameter(count), |bencher| {
            bencher.iter(|| simulation.set_commands(&commands).expect("the commands are correct"));
        });
    }
}

fn blocks(criterion: &mut Criterion, catalogue: &Catalogue) {
    let mut group = criterion.benchmark_group("step/vehicles among as many movable blocks");
    for count in counts(1_000) {
        let mut simulation = simulation(&world(catalogue, &growth::among_blocks(count)));
        simulation.start().expect("the start has no faults");
        group.throughput(Throughput::Elements(count as u64));
        group.bench_function(BenchmarkId::from_parameter(count), |bencher| {
            bencher.iter(|| simulation.step().expect("nothing diverges"));
        });
        let heights = simulation.vehicles().map(|vehicle| vehicle.pose[2]);
        assert!(heights.into_iter().all(|z| z == 0.0), "no vehicle stands on a block");
    }
}

simhost_benches::bench_main! { samples: 10, growth }
