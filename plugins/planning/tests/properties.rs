//! Properties of every model, for random parameters and commands.

#![allow(clippy::unwrap_used)]

use crate::support::{Car, MODELS};
use proptest::prelude::*;

/// Drives a car with commands that change every 10 steps, and returns the results after each.
fn drive(model: &str, given: &[(&str, &str)], commands: &[[f64; 4]], mirror: f64) -> Vec<[f64; 6]> {
    let mut car = Car::new(model, false, given);
    let mut results = Vec::new();
    for [along, steer, brake, gear] in commands {
        let (along, steer) = (*along, mirror * steer);
        let inputs = match model {
            _ if model.starts_with("ACTUATION") => [along.abs(), brake.abs(), steer],
            _ => [along, steer, 0.0],
        };
        car = car.command(model, inputs);
        if model.contains("GEARED") || model.starts_with("ACTUATION") {
            car.set("gear", if *gear > 0.0 { 2.0 } else { 20.0 });
        }
        results.push(car.go(10));
    }
    results
}

fn commands() -> impl Strategy<Value = Vec<[f64; 4]>> {
    let command = (-6.0..6.0f64, -0.6..0.6f64, 0.0..1.0f64, -1.0..1.0f64);
    proptest::collection::vec(command.prop_map(|(a, b, c, d)| [a, b, c, d]), 1..8)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    #[test]
    fn results_are_finite_and_repeat(commands in commands(), bias in -0.1..0.1f64) {
        for model in MODELS {
            let bias = bias.to_string();
            let has_bias = model.starts_with("DELAY") || model.starts_with("ACTUATION");
            let given: &[(&str, &str)] = if has_bias { &[("steer_bias", &bias)] } else { &[] };
            let first = drive(model, given, &commands, 1.0);
            prop_assert!(first.iter().flatten().all(|value| value.is_finite()), "{model} {first:?}");
            prop_assert_eq!(&first, &drive(model, given, &commands, 1.0), "{}", model);
        }
    }

    /// The polynomial of the power steering is not symmetrical.
    #[test]
    fn left_and_right_are_mirror_images(commands in commands()) {
        for model in MODELS.into_iter().filter(|model| !model.ends_with("MECHANICAL")) {
            let left = drive(model, &[], &commands, 1.0);
            let right = drive(model, &[], &commands, -1.0);
            for ([x, y, yaw, v, a, steer], [x2, y2, yaw2, v2, a2, steer2]) in left.into_iter().zip(right) {
                let differences = [x - x2, y + y2, yaw + yaw2, v - v2, a - a2, steer + steer2];
                prop_assert!(differences.iter().all(|one| one.abs() < 1e-9), "{model} {differences:?}");
            }
        }
    }

    /// A car in gear never moves against it.
    #[test]
    fn gears_determine_the_direction(
        along in -6.0..6.0f64, steer in -0.6..0.6f64, start in -3.0..3.0f64, slope in -2.0..2.0f64,
        reverse: bool,
    ) {
        let geared = MODELS.into_iter().filter(|model| {
            let actuation = model.starts_with("ACTUATION");
            (model.ends_with("GEARED") && !model.contains("MAP")) || actuation
        });
        for model in geared {
            for compat in [true, false] {
                let inputs = if model.starts_with("ACTUATION") {
                    [along.abs(), 0.0, steer]
                } else {
                    [along, steer, 0.0]
                };
                let mut car = Car::new(model, compat, &[]).command(model, inputs).at(start);
                car.set("gear", if reverse { 20.0 } else { 2.0 });
                car.set("slope_acceleration", slope);
                let sign = if reverse { -1.0 } else { 1.0 };
                for _ in 0..40 {
                    let [.., v, _, _] = car.go(1);
                    prop_assert!(sign * v >= 0.0, "{model} {v}");
                }
            }
        }
    }

    /// Smaller steps lead to the same place.
    #[test]
    fn results_do_not_depend_on_the_step(along in 0.5..3.0f64, steer in -0.3..0.3f64) {
        for model in MODELS.into_iter().filter(|model| {
            // counts steps, or regulates once per step
            !model.starts_with("LEARNED") && !model.ends_with("MECHANICAL")
        }) {
            let run = |dt: f64, steps: u64| {
                let inputs = if model.starts_with("ACTUATION") {
                    [along, 0.0, steer]
                } else {
                    [along, steer, 0.0]
                };
                Car::new(model, false, &[]).every(dt).command(model, inputs).go(steps)
            };
            let (coarse, fine) = (run(0.02, 150), run(0.005, 600));
            for (coarse, fine) in coarse.into_iter().zip(fine).take(4) {
                prop_assert!((coarse - fine).abs() < 2e-3 * fine.abs().max(1.0), "{model} {coarse} {fine}");
            }
        }
    }
}
