//! Springs and dampers by curve, stops and preloads.

use std::f64::consts::TAU;

use proptest::prelude::*;
use simhost_cars::car::{AxleForces, Car, CarState, Spring};
use simhost_cars::car_14dof::Car14Dof;
use simhost_cars::equations::{Acting, Equations, Found};
use simhost_sdk::testing;
use simhost_suspension::force_file::{self, CurveAxis};
use simhost_suspension::springs::{DamperForce, SpringForce, Stop};

use crate::motion::{Ice, at_rest, symmetric};

/// Stop in compression from 50 mm, and in extension from 70 mm.
const STOPS: [Stop; 2] = [
    Stop { clearance: 0.05, stiffness: 1e5, progression: 3e6 },
    Stop { clearance: 0.07, stiffness: 8e4, progression: 0.0 },
];
const NO_STOPS: [Stop; 2] = [Stop { clearance: 0.0, stiffness: 0.0, progression: 0.0 }; 2];

fn axle(stops: [Stop; 2]) -> AxleForces {
    AxleForces {
        spring: SpringForce::linear(2e4, stops).expect("a stiffness above 0"),
        damper: DamperForce::new(&[[1.0, 1500.0]]).expect("a damping above 0"),
        carries_weight: false,
    }
}

/// A car whose springs are curves.
fn with_curves(axle: &AxleForces) -> Car {
    let curves = [Some(axle.clone()), Some(axle.clone())];
    let springs = symmetric().springs.map(|spring| Spring { damping: 1500.0, ..spring });
    Car { curves, unsprung: [40.0; 4], springs, ..symmetric() }
}

/// Returns the rates of change of a car with these travels and velocities of the wheels, and what is found.
fn rates(car: &Car, travel: [f64; 4], rise: [f64; 4]) -> (CarState, Found) {
    let state = CarState { travel, rise, ..at_rest(car) };
    Equations { car, rest: &car.rest(), tyres: &Ice }.rates(&state, &Acting::NOTHING)
}

proptest! {
    /// A curve through two points is the linear spring that it replaces.
    #[test]
    fn straight_curves_are_linear_springs(
        travel in proptest::array::uniform4(-0.1..0.1_f64), rise in proptest::array::uniform4(-2.0..2.0_f64),
    ) {
        let curved = with_curves(&axle(NO_STOPS));
        let linear = Car { curves: [None, None], ..curved.clone() };
        let [one, other] = [&curved, &linear].map(|car| rates(car, travel, rise).1.spring);
        for (one, other) in one.into_iter().zip(other) {
            prop_assert!((one - other).abs() < 1e-8, "{one} N and {other} N");
        }
    }

    /// A stop acts beyond its gap, and only there.
    #[test]
    fn stops_act_only_beyond_their_gaps(travel in proptest::array::uniform4(-0.12..0.12_f64)) {
        let [free, stopped] = [NO_STOPS, STOPS]
            .map(|stops| rates(&with_curves(&axle(stops)), travel, [0.0; 4]).1.spring);
        for wheel in 0..4 {
            let added = stopped[wheel] - free[wheel];
            let [bump, rebound] = STOPS.map(|stop| stop.clearance);
            if travel[wheel] > bump {
                prop_assert!(added > 0.0, "{added} N at {} m", travel[wheel]);
            } else if travel[wheel] < -rebound {
                prop_assert!(added < 0.0, "{added} N at {} m", travel[wheel]);
            } else {
                prop_assert_eq!(added, 0.0);
            }
        }
    }

    /// Over a closed cycle of its compression, a damper does no work: it takes some.
    #[test]
    fn dampers_take_energy_from_every_cycle(
        rebound in proptest::collection::vec(0.0..2000.0_f64, 1..5),
        bump in proptest::collection::vec(1.0..2000.0_f64, 1..5),
        waves in proptest::collection::vec((0.001..0.05_f64, 0.0..TAU), 1..4),
    ) {
        // forces that grow with the speed
        let side = |steps: &[f64], sign: f64| -> Vec<[f64; 2]> {
            let mut force = 0.0;
            let grown = steps.iter().enumerate().map(|(k, step)| {
                force += step;
                [sign * 0.2 * (k + 1) as f64, sign * force]
            });
            grown.collect()
        };
        let mut points = side(&rebound, -1.0);
        points.reverse();
        points.extend(side(&bump, 1.0));
        let damper = DamperForce::new(&points).expect("forces that grow");
        // the force on the damper works along its speed; the damper works against it
        const PARTS: u32 = 400;
        let work: f64 = (0..PARTS)
            .map(|part| {
                let phase = TAU * f64::from(part) / f64::from(PARTS);
                let wave = |(k, (size, shift)): (usize, &(f64, f64))| {
                    let order = (k + 1) as f64;
                    size * order * TAU * (order * phase + shift).cos()
                };
                let speed: f64 = waves.iter().enumerate().map(wave).sum();
                -damper.at(speed)[0] * speed / f64::from(PARTS)
            })
            .sum();
        prop_assert!(work < 0.0, "{work} J");
    }
}

/// A car that is dropped from a height goes as deep as its energy allows, and less deep with stops.
#[test]
fn bump_stops_limit_the_travel() {
    let deepest = |stops: [Stop; 2]| {
        let car = with_curves(&axle(stops));
        let rest = car.rest();
        let mut state = at_rest(&car);
        state.position.z += 0.4;
        let equations = Equations { car: &car, rest: &rest, tyres: &Ice };
        let mut deepest: f64 = 0.0;
        for _ in 0..1000 {
            equations.step(&mut state, [&Acting::NOTHING; 2], 1e-3);
            deepest = deepest.max(state.travel[2]);
        }
        deepest
    };
    let [free, stopped] = [NO_STOPS, STOPS].map(deepest);
    assert!(free > 0.15, "{free} m");
    assert!(stopped > STOPS[0].clearance && stopped < 0.7 * free, "{stopped} m, {free} m");
}

/// The body settles where the springs carry its weight: m g/4 = P + k z.
#[test]
fn a_smaller_preload_lowers_the_body() {
    let spring = SpringForce::linear(2e4, NO_STOPS).expect("a stiffness above 0");
    let weight = symmetric().body_load()[0];
    let lowered = AxleForces {
        spring: spring.preloaded(weight - 500.0),
        carries_weight: true,
        ..axle(NO_STOPS)
    };
    let mut car = with_curves(&lowered);
    car.springs = car.springs.map(|spring| Spring { preload: 0.0, ..spring });
    let rest = car.rest();
    let mut state = at_rest(&car);
    let equations = Equations { car: &car, rest: &rest, tyres: &Ice };
    for _ in 0..8000 {
        equations.step(&mut state, [&Acting::NOTHING; 2], 1e-3);
    }
    let sunk = car.height - state.position.z;
    assert!((sunk - 500.0 / 2e4).abs() < 1e-6, "{sunk} m");
    assert!((state.travel[0] - 500.0 / 2e4).abs() < 1e-6, "{state:?}");
}

/// Returns the message with which a car is refused. In tests, a file has the name of its parameter.
fn refusal(given: &[(&str, &str)]) -> String {
    let made = std::panic::catch_unwind(|| {
        testing::written_dynamics::<Car14Dof>(given);
    });
    *made.expect_err("the parameters are wrong").downcast::<String>().expect("a text")
}

#[test]
fn wrong_curves_name_the_parameter_and_the_remedy() {
    for (given, expected) in [
        (
            [("front_spring", "compression,force\n-0.1,-2000\n0,0\n0.1,-50\n")],
            "front_spring front_spring: the spring force decreases from 0 N to -50 N between 0 m and 0.1 m, \
             expected a stiffness of at least 0; correct point 3",
        ),
        (
            [("rear_spring", "compression_mm,force_kn\n0,0\n50,1\n40,2\n")],
            "rear_spring rear_spring: point 3 of the spring curve is at 0.04 m after 0.05 m, expected increasing \
             values; sort the points",
        ),
        (
            [("front_damper", "speed,force\n-1,800\n0,0\n1,900\n")],
            "front_damper front_damper: the damper force is 800 N at -1 m/s, expected a force with the sign of the \
             speed, so that the damper loses energy; correct point 1",
        ),
        (
            [("rear_damper", "velocity,force\n1,900\n")],
            "rear_damper rear_damper: line 1: unknown column `velocity`, expected one column `speed` or `speed_mm_s` \
             and one column `force` or `force_kn`; rename or remove columns",
        ),
        (
            [("rear_damper", "speed,force\n0.1,x\n")],
            "rear_damper rear_damper: line 2, column `force`: found 'x', expected a finite number",
        ),
        (
            [("front_spring", "compression,compression_mm\n0,0\n")],
            "front_spring front_spring: line 1: found 2 columns, expected one column `compression` or \
             `compression_mm` and one column `force` or `force_kn`; rename or remove columns",
        ),
    ] {
        assert_eq!(refusal(&given), expected);
    }
}

/// Springs without force let the body fall to the ground.
#[test]
fn springs_that_do_not_carry_the_body_are_refused() {
    let weak =
        refusal(&[("front_spring", "compression,force\n0,0\n0.1,50\n"), ("front_preload", "0")]);
    assert!(weak.starts_with("the front springs carry "), "{weak}");
    assert!(
        weak.ends_with("use a larger front_preload, stiffer springs or a front_bump_stop"),
        "{weak}"
    );
}

/// Units of columns: N and m, or kN and mm.
#[test]
fn columns_have_units() {
    let springs = ["compression,force\n0,0\n0.05,1500\n", "force_kn,compression_mm\n0,0\n1.5,50\n"];
    let [one, other] =
        springs.map(|text| force_file::parse(text, CurveAxis::Compression).expect("two points"));
    assert_eq!(one, other);
}
