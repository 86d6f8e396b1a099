//! Time of suspensions: both wheels of an axle in motion, with hardpoints solved from the pose of the step before, and a
//! look-up in a table. A wheel on hardpoints takes at most 1 µs, and a look-up 50 ns.

#![allow(missing_docs)]

use std::hint::black_box;

use criterion::Criterion;
use simhost_benches::{fastest, is_test_run, report};
use simhost_sdk::{AxleMotion, Suspension, testing};
use simhost_suspension::double_wishbone::DoubleWishbone;
use simhost_suspension::five_link::FiveLink;
use simhost_suspension::interpolation::Interpolation;
use simhost_suspension::kinematics_table::{KinematicsTable, file};
use simhost_suspension::mcpherson::McPherson;
use simhost_suspension::rigid_axle::RigidAxleSuspension;
use simhost_suspension::tables::Tables;
use simhost_suspension::trailing_arm::TrailingArms;

const TABLE: &str = include_str!("../../plugins/suspension/tests/reference/kc_table.csv");
/// Calls of a measurement, in which the wheels travel once down and up.
const CALLS: u32 = 4000;

/// Solves all axles once.
type Round = Box<dyn FnMut()>;

/// Returns the inputs of a step of 1 ms at wheel speeds of up to 50 mm/s.
fn motion(step: u32) -> AxleMotion {
    let travel = 0.05 * ((f64::from(step) / 1000.0 - 2.0).abs() - 1.0);
    AxleMotion {
        travel_left: travel,
        travel_right: -0.7 * travel,
        rack: 0.3 * travel,
        fy_left: 1000.0,
        fz_left: 4000.0,
        half_track: 0.76,
        wheel_radius: 0.31,
        ..AxleMotion::default()
    }
}

/// A model in motion.
fn drive<M: Suspension<Inputs = ()>>() -> impl FnMut() {
    let model: M = testing::suspension(&[]);
    let mut state = testing::initial::<M::State>();
    move || {
        for step in 0..CALLS {
            black_box(model.kinematics(&motion(step), &testing::step(), &mut state));
        }
    }
}

/// A table in motion.
fn look_up() -> impl FnMut() {
    let points = file::parse(TABLE).expect("the table of the tests");
    let table = KinematicsTable::new(points, Interpolation::Monotone);
    move || {
        for step in 0..CALLS {
            let axle = motion(step);
            black_box(table.at(axle.travel_left, axle.rack));
        }
    }
}

fn suspension(criterion: &mut Criterion) {
    let axles: [(&str, Round); 6] = [
        ("tables", Box::new(drive::<Tables>())),
        ("double_wishbone", Box::new(drive::<DoubleWishbone>())),
        ("mcpherson", Box::new(drive::<McPherson>())),
        ("five_link", Box::new(drive::<FiveLink>())),
        ("rigid_axle", Box::new(drive::<RigidAxleSuspension>())),
        ("trailing_arm", Box::new(drive::<TrailingArms>())),
    ];
    let mut look_up = look_up();
    let time = |work: &mut dyn FnMut()| fastest(5, work) / f64::from(CALLS) * 1e9;
    for (class, mut axle) in axles {
        criterion.bench_function(&format!("suspension/{class}"), |b| b.iter(&mut axle));
        if !is_test_run() {
            report(&format!("  {class:16}: {:6.1} ns per wheel", 0.5 * time(&mut axle)));
        }
    }
    criterion.bench_function("suspension/look-up", |b| b.iter(&mut look_up));
    if !is_test_run() {
        report(&format!("  {:16}: {:6.1} ns", "look-up", time(&mut look_up)));
    }
}

simhost_benches::bench_main! { samples: 20, suspension }
