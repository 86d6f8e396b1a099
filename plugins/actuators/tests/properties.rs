//! Properties of the actuators, for all parameters and commands.

use proptest::prelude::*;
use simhost_actuators::backlash::Backlash;
use simhost_actuators::dead_time::{DeadTime, Delayed};
use simhost_actuators::first_order_lag::{FirstOrderLag, Follower, follow};
use simhost_actuators::quantisation::Quantisation;
use simhost_actuators::rate_limit::RateLimit;
use simhost_actuators::saturation::Saturation;
use simhost_sdk::prelude::*;
use simhost_sdk::testing;

/// Length of the steps, s.
const DT: f64 = 0.01;

/// Returns the outputs of an actuator for commands in steps of `dt` seconds.
fn outputs<M: Actuator<Inputs = ()>>(
    actuator: &M,
    state: &mut M::State,
    commands: &[f64],
    dt: f64,
) -> Vec<f64> {
    let mut time = 0.0;
    let mut next = |command: &f64| {
        time += dt;
        actuator.actuate(*command, &(), &Step::new(time - dt, dt), state)
    };
    commands.iter().map(&mut next).collect()
}

fn commands() -> impl Strategy<Value = Vec<f64>> {
    prop::collection::vec(-10.0..10.0_f64, 1..60)
}

fn at(last: f64) -> Follower {
    Follower { last }
}

proptest! {
    #[test]
    fn a_rate_limit_is_never_exceeded(commands in commands(), rate in 0.01..100.0_f64) {
        let limit: RateLimit = testing::actuator(&[("max_rate", rate)]);
        let mut before = 0.0;
        for (output, command) in outputs(&limit, &mut at(0.0), &commands, DT).iter().zip(&commands) {
            let step = output - before;
            prop_assert!(step.abs() <= rate * DT * (1.0 + 1e-12));
            // it moves towards the command, and reaches it where it can
            let left = command - before;
            prop_assert!(step * left >= 0.0 && step.abs() <= left.abs() + 1e-12);
            prop_assert!(left.abs() > rate * DT || output == command);
            before = *output;
        }
    }

    #[test]
    fn a_lag_is_exact_for_steps_of_any_length(
        command in -10.0..10.0_f64,
        time_constant in 0.001..10.0_f64,
        parts in 1_usize..50,
    ) {
        let lag: FirstOrderLag = testing::actuator(&[("time_constant", time_constant)]);
        let dt = DT / parts as f64;
        let fine = outputs(&lag, &mut at(3.0), &vec![command; parts], dt)[parts - 1];
        let exact = command + (3.0 - command) * (-DT / time_constant).exp();
        prop_assert!((fine - exact).abs() < 1e-11, "{fine} instead of {exact}");
    }

    #[test]
    fn a_lag_stays_between_its_output_and_the_command(
        from in -10.0..10.0_f64,
        to in -10.0..10.0_f64,
        time_constant in 0.0..1.0_f64,
        rate in 0.0..10.0_f64,
    ) {
        let next = follow(from, to, time_constant, rate, DT);
        prop_assert!(next >= from.min(to) && next <= from.max(to));
        prop_assert!(rate == 0.0 || (next - from).abs() <= rate * DT * (1.0 + 1e-9) + 1e-12);
    }

    #[test]
    fn a_dead_time_of_whole_steps_shifts_the_commands(commands in commands(), count in 0_usize..40) {
        let line: DeadTime = testing::actuator(&[("delay", count as f64 * DT), ("initial", 7.0)]);
        let mut state = Delayed { last: 7.0, line: Remembered::new(line.memory()) };
        let expected = std::iter::repeat_n(7.0, count).chain(commands.iter().copied());
        let expected: Vec<f64> = expected.take(commands.len()).collect();
        prop_assert_eq!(outputs(&line, &mut state, &commands, DT), expected);
    }

    /// The integral of the output is the integral of the command `delay` seconds before.
    #[test]
    fn a_dead_time_of_parts_of_a_step_keeps_the_integral(
        commands in commands(),
        delay in 0.0..0.3_f64,
    ) {
        let line: DeadTime = testing::actuator(&[("delay", delay)]);
        let mut state = Delayed { last: 0.0, line: Remembered::new(line.memory()) };
        let mut padded = commands.clone();
        padded.extend([0.0; 40]);
        let out: f64 = outputs(&line, &mut state, &padded, DT).iter().sum();
        let sum: f64 = commands.iter().sum();
        prop_assert!((out - sum).abs() < 1e-6, "{} instead of {}", out, sum);
    }

    #[test]
    fn backlash_stays_within_its_gap_and_at_rest_inside(commands in commands(), width in 0.0..5.0_f64) {
        let gap: Backlash = testing::actuator(&[("width", width)]);
        let mut before = 0.0_f64;
        let mut state = testing::initial_from(&[("initial", 0.0)]);
        for (output, command) in outputs(&gap, &mut state, &commands, DT).iter().zip(&commands) {
            prop_assert!((output - command).abs() <= 0.5 * width + 1e-12);
            prop_assert!((before - command).abs() > 0.5 * width || *output == before);
            before = *output;
        }
    }

    #[test]
    fn saturation_limits_and_changes_nothing_inside(
        command in -20.0..20.0_f64,
        lower in -10.0..0.0_f64,
        upper in 0.0..10.0_f64,
    ) {
        let limit: Saturation = testing::actuator(&[("upper", upper), ("lower", lower)]);
        let output = outputs(&limit, &mut (), &[command], DT)[0];
        prop_assert_eq!(output, command.clamp(lower, upper));
        prop_assert_eq!(outputs(&limit, &mut (), &[output], DT)[0], output);
    }

    #[test]
    fn quantisation_rounds_to_the_nearest_multiple(
        command in -1e3..1e3_f64,
        resolution in 1e-3..10.0_f64,
    ) {
        let grid: Quantisation = testing::actuator(&[("resolution", resolution)]);
        let output = outputs(&grid, &mut (), &[command], DT)[0];
        prop_assert!((output - command).abs() <= 0.5 * resolution * (1.0 + 1e-9));
        let multiple = output / resolution;
        prop_assert!((multiple - multiple.round()).abs() < 1e-9);
        prop_assert_eq!(outputs(&grid, &mut (), &[output], DT)[0], output);
        prop_assert_eq!(outputs(&grid, &mut (), &[-command], DT)[0], -output);
    }
}

#[test]
fn saturation_without_a_lower_bound_is_symmetric() {
    let limit: Saturation = testing::actuator(&[("upper", 2.0)]);
    assert_eq!(outputs(&limit, &mut (), &[-5.0, 1.0, 5.0], DT), [-2.0, 1.0, 2.0]);
}
