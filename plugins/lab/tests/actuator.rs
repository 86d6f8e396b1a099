//! Actuators of the driving lab: numbers J3 of its checklist, and properties for all targets.

#![allow(clippy::approx_constant, clippy::unwrap_used)]

use proptest::prelude::*;
use simhost_lab::actuator::{Kind, Value, VehicleActuator};
use simhost_sdk::prelude::*;
use simhost_sdk::testing;

fn at(current: f64) -> Value {
    Value { current, target: current, out_of_range: 0.0, rejected: 0.0 }
}

/// Returns the number of steps of `dt` seconds after which an actuator has reached `target` from 0.
fn steps_to(actuator: &VehicleActuator, target: f64, dt: f64) -> usize {
    let mut state = at(0.0);
    let mut steps = 0;
    while state.current != target {
        actuator.actuate(target, &(), &Step::new(0.0, dt), &mut state);
        steps += 1;
        assert!(steps < 100_000, "stays at {}", state.current);
    }
    steps
}

fn actuator(kind: &str) -> VehicleActuator {
    testing::written_actuator(&[("kind", kind)])
}

/// 33 ms steps of the lab: the motor takes 54 of them to 3.5 m/s², the steering 48 to its stop.
#[test]
fn j3_motor_and_steering_take_the_times_of_the_lab() {
    assert_eq!(steps_to(&actuator("motor"), 3.5, 0.033), 54);
    assert_eq!(steps_to(&actuator("steering"), 0.785398, 0.033), 48);
    // the exact times are 1.75 s and 1.570796 s
    assert_eq!(steps_to(&actuator("motor"), 3.5, 0.001), 1750);
    assert_eq!(steps_to(&actuator("steering"), 0.785398, 0.0001), 15708);
    assert_eq!(steps_to(&actuator("brake"), 5.0, 0.01), 100);
}

/// After 1 s the motor is at 2 m/s², in however many steps.
#[test]
fn j3_results_do_not_depend_on_the_length_of_a_step() {
    for count in [1, 2, 3, 7, 30, 100, 1000] {
        let (motor, mut state) = (actuator("motor"), at(0.0));
        for _ in 0..count {
            let step = Step::new(0.0, 1.0 / f64::from(count));
            motor.actuate(3.5, &(), &step, &mut state);
        }
        assert!((state.current - 2.0).abs() < 1e-12, "{count} steps: {}", state.current);
    }
}

#[test]
fn j3_a_target_out_of_range_is_limited_and_reported() {
    let (motor, mut state) = (actuator("motor"), at(0.0));
    let step = Step::new(0.0, 0.1);
    for (target, kept, out_of_range, rejected) in [
        (1.0, 1.0, 0.0, 0.0),
        (9.0, 3.5, 1.0, 1.0),
        (8.0, 3.5, 1.0, 1.0),
        (3.5, 3.5, 0.0, 1.0),
        (-2.0, -1.5, 1.0, 2.0),
        (f64::NAN, -1.5, 0.0, 2.0),
    ] {
        motor.actuate(target, &(), &step, &mut state);
        let found = [state.target, state.out_of_range, state.rejected];
        let expected =
            if target.is_nan() { [kept, 1.0, 2.0] } else { [kept, out_of_range, rejected] };
        assert_eq!(found, expected, "{target}");
    }
}

#[test]
fn ranges_and_rates_that_make_no_sense_are_refused() {
    for (given, expected) in [
        (&[("min", "2"), ("max", "1")][..], "min is 2, expected at most max, which is 1"),
        (&[("change_rate", "0")], "change_rate is 0, expected more than 0"),
        (&[("initial", "4")], "initial is 4, expected a value from -1.5 to 3.5"),
    ] {
        let refused = std::panic::catch_unwind(|| {
            testing::written_actuator::<VehicleActuator>(given);
        });
        let text = *refused.unwrap_err().downcast::<String>().unwrap();
        assert!(text.contains(expected), "{text}");
    }
}

proptest! {
    #[test]
    fn j3_an_actuator_never_passes_its_target_and_stays_in_its_range(
        targets in prop::collection::vec(-10.0..10.0_f64, 1..60),
        dt in 0.0001..0.2_f64,
        kind in prop::sample::select(vec!["motor", "brake", "steering"]),
    ) {
        let limits = match kind {
            "motor" => Kind::Motor.limits(),
            "brake" => Kind::Brake.limits(),
            _ => Kind::Steering.limits(),
        };
        let (actuator, mut state) = (actuator(kind), at(0.0));
        for target in targets {
            let before = state.current;
            actuator.actuate(target, &(), &Step::new(0.0, dt), &mut state);
            let (wanted, moved) = (target.clamp(limits.min, limits.max), state.current - before);
            prop_assert!((limits.min..=limits.max).contains(&state.current));
            prop_assert!(moved.abs() <= limits.change_rate * dt * (1.0 + 1e-8));
            prop_assert!(moved * (wanted - before) >= 0.0);
            prop_assert!(moved.abs() <= (wanted - before).abs());
        }
    }
}
