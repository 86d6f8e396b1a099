//! Time of a step of 1 ms of cars with wheel travel, alone and among 1,000, by class and suspension.

#![allow(missing_docs)]

use std::fmt::Write;

use criterion::{Criterion, Throughput};
use simhost_benches::{build, fastest, is_test_run, report};
use simhost_engine::Simulation;
use simhost_registry::{Catalogue, Options};

/// Names, elements in `<dynamics>`, and friction classes.
const CARS: [(&str, &str, &str); 4] = [
    ("car_14dof", "", "tmeasy"),
    ("car_14dof", "<suspension class='linear'/>", "tmeasy"),
    ("car_14dof", "<tyres>tmeasy</tyres>", "default"),
    ("car_7dof", "", "tmeasy"),
];

fn cars_world(class: &str, inside: &str, friction: &str, count: usize) -> String {
    let mut text =
        String::from("<mvsim_world version='1.0'><simul_timestep>0.001</simul_timestep>");
    for number in 0..count {
        let (x, y) = (30 * (number % 32), 30 * (number / 32));
        let _ = write!(
            text,
            "<vehicle name='c{number}'><dynamics class='{class}'><controller class='pedals'>\
             <steer_ang_deg>3</steer_ang_deg></controller>{inside}</dynamics>\
             <friction class='{friction}'/><init_pose>{x} {y} 0</init_pose>\
             <init_vel>5 0 0</init_vel></vehicle>",
        );
    }
    text + "</mvsim_world>"
}

fn simulation(catalogue: &Catalogue, car: usize, count: usize) -> Simulation {
    let (class, inside, friction) = CARS[car];
    build(catalogue, &cars_world(class, inside, friction, count), &[], 1)
}

fn cars(criterion: &mut Criterion) {
    let catalogue = Catalogue::collect(Options::default()).expect("nothing to scan");
    for (number, (class, inside, _)) in CARS.into_iter().enumerate() {
        let mut group = criterion.benchmark_group(format!("car-step/{class}{inside}"));
        for count in [1, 1000] {
            group.throughput(Throughput::Elements(count as u64));
            let mut simulation = simulation(&catalogue, number, count);
            group.bench_function(format!("{count}"), |b| {
                b.iter(|| simulation.step().expect("nothing diverges"));
            });
        }
    }
    if !is_test_run() {
        times(&catalogue);
    }
}

/// Prints the time of a step per car.
fn times(catalogue: &Catalogue) {
    const STEPS: u64 = 64;
    report("step of 1 ms per car, least of 21 rounds");
    for (number, (class, inside, _)) in CARS.into_iter().enumerate() {
        for count in [1, 1000] {
            let mut simulation = simulation(catalogue, number, count);
            let run = || simulation.run(STEPS).expect("nothing diverges");
            let step = fastest(2_000 / count, run) / (STEPS as f64 * count as f64);
            report(&format!("  {class} {inside} {count:4}: {:.3} µs", step * 1e6));
        }
    }
}

simhost_benches::bench_main! { samples: 10, cars }
