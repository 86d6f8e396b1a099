//! Rays per second of planar scans. The ranges are compared with brute force in the same run.

#![allow(missing_docs)]

use std::time::Instant;

use criterion::{Criterion, Throughput};
use simhost_benches::scans::{crowd, fan, floor_plan, full_turn, random_cells, segments};
use simhost_benches::{Ratio, floor_plan_simulation, is_test_run, report, segments_simulation};
use simhost_engine::Simulation;
use simhost_registry::{Catalogue, Options};
use simhost_scene::Pose2;
use simhost_sensing::{PlanarScene, reference};

/// Parameters of a laser without noise.
const QUIET: &str =
    "<range_std_noise>0</range_std_noise><angle_std_noise_deg>0</angle_std_noise_deg>";

/// Duration of a step, s.
const STEP: f64 = 0.005;

/// Compares the ranges from some points with brute force.
fn check(scene: &PlanarScene, points: &[[f64; 2]], angles: &[f64]) {
    let (mut fast, mut slow) = (vec![0.0; angles.len()], vec![0.0; angles.len()]);
    for &[x, y] in points.iter().take(20) {
        let fan = fan(Pose2 { x, y, yaw: x + y }, angles);
        scene.cast(&fan, &mut fast);
        reference::cast(scene, &fan, &mut slow);
        assert_eq!(fast, slow, "from {:?}", fan.origin);
    }
}

fn scans(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("scan");
    let ((plan, rooms), (noise, gaps)) = (floor_plan(), random_cells(0.05));
    let few = segments(200);
    let middle = [[0.0, 0.0], [0.3, -0.2], [-0.4, 0.7]];
    let scenes: [(&str, &PlanarScene, &[[f64; 2]]); 3] = [
        ("floor plan", &plan, &rooms),
        ("5 % random cells", &noise, &gaps),
        ("200 segments", &few, &middle),
    ];
    for (name, scene, points) in scenes {
        for rays in [361, 1080] {
            let angles = full_turn(rays);
            check(scene, points, &angles);
            let mut ranges = vec![0.0; rays];
            let mut at = points.iter().cycle();
            group.throughput(Throughput::Elements(rays as u64));
            group.bench_function(format!("{name}, {rays} rays"), |b| {
                b.iter(|| {
                    let [x, y] = *at.next().expect("a cycle does not end");
                    scene.cast(&fan(Pose2 { x, y, yaw: x + y }, &angles), &mut ranges)
                });
            });
        }
    }
}

fn crowds(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("laser among others");
    let angles = full_turn(181);
    let mut ranges = vec![0.0; angles.len()];
    for count in [1_000, 100_000] {
        let (scene, points) = crowd(count);
        check(&scene, &points, &angles);
        let mut at = points.iter().cycle();
        group.bench_function(format!("{count}"), |b| {
            b.iter(|| {
                let [x, y] = *at.next().expect("a cycle does not end");
                scene.cast(&fan(Pose2 { x, y, yaw: 0.0 }, &angles), &mut ranges)
            });
        });
    }
}

/// Compares the readings of a robot's laser without noise with brute force.
fn check_readings(simulation: &Simulation, scene: &PlanarScene, rays: usize) {
    let [x, y, _, yaw, ..] = simulation.vehicles().next().expect("a robot").pose;
    let (_, readings) = simulation.samples().readings().next().expect("a sample in each step");
    let angles = full_turn(rays);
    let mut ranges = vec![0.0; angles.len()];
    reference::cast(scene, &fan(Pose2 { x, y, yaw }, &angles), &mut ranges);
    for (reading, range) in readings.iter().zip(ranges) {
        let range = if range.is_finite() { range } else { 80.0 };
        assert!((reading - range).abs() < 1e-9, "{reading}, not {range}");
    }
}

/// Measures the steps of a robot with a laser, without and with noise, in a scene that `simulate` simulates.
fn robot(
    criterion: &mut Criterion,
    title: &str,
    scene: &PlanarScene,
    rays: usize,
    simulate: impl Fn(&str) -> Simulation,
) {
    let mut group = criterion.benchmark_group(title);
    group.throughput(Throughput::Elements(rays as u64));
    for (name, parameters) in [("without noise", QUIET), ("with noise", "")] {
        let mut simulation = simulate(parameters);
        if parameters == QUIET {
            for _ in 0..20 {
                simulation.step().expect("nothing diverges");
                check_readings(&simulation, scene, rays);
            }
        }
        group.bench_function(name, |b| {
            b.iter(|| simulation.step().expect("nothing diverges"));
        });
        if !is_test_run() {
            let time = fastest(20, || simulation.step().expect("nothing diverges"));
            report(&format!("  {name}: {:.1} million rays per second", 1e-6 * rays as f64 / time));
        }
    }
}

fn robots(criterion: &mut Criterion) {
    let catalogue = Catalogue::collect(Options::default()).expect("nothing to scan");
    robot(criterion, "robot with a laser among 200 segments", &segments(200), 1080, |noise| {
        segments_simulation(&catalogue, noise)
    });
    robot(criterion, "robot with a laser in a floor plan", &floor_plan().0, 361, |noise| {
        floor_plan_simulation(&catalogue, 1, 1, STEP, noise)
    });
    if !is_test_run() {
        threads(&catalogue);
    }
}

/// Returns the shortest time of a call, s, over 400 rounds of `repeats` calls.
fn fastest(repeats: usize, mut work: impl FnMut()) -> f64 {
    let mut round = || {
        let start = Instant::now();
        (0..repeats).for_each(|_| work());
        start.elapsed().as_secs_f64() / repeats as f64
    };
    (0..400).map(|_| round()).fold(f64::INFINITY, f64::min)
}

/// Measures a hundred robots with lasers of 10 Hz on one thread.
fn office(criterion: &mut Criterion) {
    let catalogue = Catalogue::collect(Options::default()).expect("nothing to scan");
    let mut simulation = floor_plan_simulation(&catalogue, 100, 1, 0.1, "");
    let mut group = criterion.benchmark_group("100 robots with lasers of 10 Hz in a floor plan");
    group.bench_function("a tenth of a second", |b| {
        b.iter(|| simulation.run(20).expect("nothing diverges"));
    });
    let mut samples = 0;
    for _ in 0..200 {
        simulation.step().expect("nothing diverges");
        samples += (0..100).filter(|sensor| simulation.samples().is_sampled(*sensor)).count();
    }
    assert_eq!(samples, 1000, "ten samples of each laser in a second");
    if !is_test_run() {
        let start = Instant::now();
        simulation.run(2000).expect("nothing diverges");
        let time = start.elapsed().as_secs_f64();
        report(&format!("  {:.0} times real time", 2000.0 * STEP / time));
    }
}

fn threads(catalogue: &Catalogue) {
    let [mut one, mut two] =
        [1, 2].map(|count| floor_plan_simulation(catalogue, 64, count, STEP, ""));
    // so many that it hardly matters that the caches hold the other simulation at the start
    let steps = 40;
    let ratio = Ratio::measure(
        20,
        || one.run(steps).expect("nothing diverges"),
        || two.run(steps).expect("nothing diverges"),
    );
    assert_eq!(one.result_hash(), two.result_hash(), "threads do not change results");
    report(&format!(
        "64 robots with lasers: {:.0} µs per step on one thread, {:.0} µs on two, ratio {:.2}",
        ratio.first * 1e6 / steps as f64,
        ratio.second * 1e6 / steps as f64,
        ratio.value()
    ));
}

simhost_benches::bench_main! { samples: 10, scans, crowds, robots, office }
