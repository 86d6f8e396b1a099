//! Time and memory per vehicle of worlds of growing size, and time of work that grew with the square of the number of
//! objects: bodies close together and distinct parameters at load, rows of commands, and movable blocks among vehicles.
//!
//! `cargo bench -p simhost-benches --bench growth -- growth` prints the table of sizes alone, and fails if a figure is
//! more than 1.5 times the smallest one of its row.
#![allow(missing_docs)]

use std::path::Path;
use std::process::ExitCode;
use std::time::Instant;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group};
use simhost::{Options as SessionOptions, Session};
use simhost_benches::growth::{self, simulation, world};
use simhost_benches::heap::{self, CountedHeap};
use simhost_benches::{crowd_world, is_test_run, report};
use simhost_registry::{Catalogue, Options};

#[global_allocator]
static HEAP: CountedHeap = CountedHeap;

/// Greatest ratio of a figure to the smallest one of its row.
const MOST: f64 = 1.5;
/// Vehicles that are loaded, and their steps, in a round of each size, and rounds; the fastest
/// counts.
const LOADED: usize = 20_000;
const VEHICLE_STEPS: usize = 4_000_000;
const ROUNDS: usize = 5;

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

/// Figures of a world in the order of [`measure`].
const FIGURES: [&str; 3] = ["load, ns", "step, ns", "memory, bytes"];

/// Opens a world as the program does, and steps it. Returns the time to load it and the time of a
/// step, ns, and the greatest number of allocated bytes.
fn measure(path: &Path, vehicles: usize) -> [f64; 3] {
    let open = || {
        let mut session = Session::open(path, SessionOptions::default()).expect("it is correct");
        session.edit().forget_description();
        session.run_steps(1).expect("nothing diverges");
        session
    };
    let (mut session, memory) = heap::peak(open);
    let (mut load, mut step) = (f64::INFINITY, f64::INFINITY);
    let times = |count: usize| if is_test_run() { 1 } else { (count / vehicles.max(100)).max(1) };
    let (loads, steps) = (times(LOADED), times(VEHICLE_STEPS));
    for _ in 0..ROUNDS {
        load = load.min(nanoseconds(|| (0..loads).for_each(|_| drop(open()))) / loads as f64);
        let run = || drop(session.run_steps(steps as u64).expect("nothing diverges"));
        step = step.min(nanoseconds(run) / steps as f64);
    }
    [load, step, memory as f64]
}

/// Returns the time in which this thread does some work: its CPU time if the system reports it, to
/// exclude other programs.
fn nanoseconds(work: impl FnOnce()) -> f64 {
    let own = || {
        let times = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
        times.split(' ').next()?.parse::<f64>().ok()
    };
    let (start, before) = (Instant::now(), own());
    work();
    let passed = own().zip(before).map(|(now, before)| now - before);
    passed.unwrap_or_else(|| start.elapsed().as_nanos() as f64)
}

/// Prints the figures of each size per vehicle. Returns whether no row grows.
fn sizes() -> bool {
    let sizes: &[usize] =
        if is_test_run() { &[100, 1_000] } else { &[100, 1_000, 10_000, 100_000] };
    let folder = tempfile::tempdir().expect("the temporary directory is writable");
    let path = folder.path().join("crowd.world.xml");
    let of = |dynamics: &str, count: usize| {
        std::fs::write(&path, crowd_world(dynamics, count)).expect("the directory is writable");
        measure(&path, count)
    };
    let mut is_even = true;
    for dynamics in ["differential", "ackermann"] {
        // a step of an empty world takes next to nothing
        let [load, _, memory] = of(dynamics, 0);
        let none = [load, 0.0, memory];
        let all: Vec<_> = sizes.iter().map(|count| (*count as f64, of(dynamics, *count))).collect();
        for (row, name) in FIGURES.into_iter().enumerate() {
            let each = all.iter().map(|(count, found)| (found[row] - none[row]) / count);
            let shown: Vec<String> = each.clone().map(|one| format!("{one:9.1}")).collect();
            let ratio =
                each.clone().fold(0.0, f64::max) / each.clone().fold(f64::INFINITY, f64::min);
            let line = format!("{dynamics:>12} {name:13} per vehicle {}", shown.join(" "));
            report(&format!("{line}, greatest / smallest {ratio:.2}"));
            is_even &= ratio <= MOST;
        }
    }
    is_even
}

criterion_group! {
    name = benches;
    config = Criterion::default()
        .sample_size(10)
        .measurement_time(std::time::Duration::from_secs(1));
    targets = growth
}

fn main() -> ExitCode {
    let is_only = std::env::args().any(|argument| argument == "growth");
    let is_even = sizes();
    if is_only {
        return if is_even { ExitCode::SUCCESS } else { ExitCode::FAILURE };
    }
    benches();
    Criterion::default().configure_from_args().final_summary();
    ExitCode::SUCCESS
}
