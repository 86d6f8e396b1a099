//! The models repeat Autoware `simple_planning_simulator` 1.0.0 with `compat="autoware-1.0"`. The
//! numbers come from an independent implementation of its arithmetic, with all digits that it
//! prints.

#![allow(clippy::unwrap_used)]

use std::path::Path;

use crate::support::{Car, near};

const NAMES: [&str; 6] = ["x", "y", "yaw", "vx", "ax", "steer"];

/// Manoeuvres of the upstream tests, which `--example planning` runs through the catalogue too.
#[test]
fn the_manoeuvres_of_the_source_are_repeated() {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../validation/data");
    let text = std::fs::read_to_string(data.join("planning_cases.csv")).unwrap();
    let rows: Vec<&str> = text.lines().filter(|line| !line.starts_with('#')).skip(1).collect();
    assert!(rows.len() >= 39);
    for row in rows {
        let cells: Vec<&str> = row.split(',').collect();
        let number = |at: usize| cells[at].parse::<f64>().unwrap_or(0.0);
        let params: Vec<(&str, String)> = cells[10]
            .split(';')
            .map(|pair| pair.split_once('=').unwrap())
            .map(|(name, value)| match name.ends_with("_path") {
                true => (name, std::fs::read_to_string(data.join(value)).unwrap()),
                false => (name, value.to_owned()),
            })
            .collect();
        let given: Vec<(&str, &str)> = params.iter().map(|(a, b)| (*a, b.as_str())).collect();
        let mut car = Car::new(cells[0], true, &given);
        car = car.command(cells[0], [number(7), number(8), number(9)]).at(number(5));
        if cells[0].contains("GEARED") || cells[0].contains("ACTUATION") {
            car.set("gear", f64::from(simhost_planning::gear::number(cells[4]).unwrap()));
        }
        let found = car.go(60);
        for (k, name) in NAMES.iter().enumerate() {
            near(
                found[k],
                number(11 + k),
                number(17),
                &format!("{} {} {name}", cells[0], cells[4]),
            );
        }
    }
}

#[track_caller]
fn rows(mut car: Car, expected: &[(u64, [f64; 6])], relative: f64) {
    let mut at = 0;
    for (step, values) in expected {
        let found = car.go(step - at);
        at = *step;
        for (k, name) in NAMES.iter().enumerate() {
            if !values[k].is_nan() {
                near(found[k], values[k], relative, &format!("{name} at step {step}"));
            }
        }
    }
}

const ANY: f64 = f64::NAN;

#[test]
fn delay_steer_acc_from_rest() {
    let car = Car::new("DELAY_STEER_ACC", true, &[]).command("DELAY_STEER_ACC", [2.0, 0.1, 0.0]);
    let expected = [
        (4, [0.0; 6]),
        (5, [4.8828125e-05, 0.0, 0.0, 0.00576171875, 0.4423828125, 0.0]),
        (8, [0.00264211601187, 0.0, 0.0, 0.0735788398813, 1.26421160119, 0.0]),
        (10, [0.00803712825467, 0.0, 0.0, 0.144628717453, 1.55371282547, 0.0]),
        (
            11,
            [
                0.0121492771319,
                9.93108850622e-09,
                7.10066072123e-06,
                0.184757228681,
                1.65242771319,
                0.00925925925926,
            ],
        ),
        (
            22,
            [
                0.132277705736,
                0.000108358028093,
                0.00216277069488,
                0.70222220043,
                1.9777779957,
                0.0688378192365,
            ],
        ),
        (
            30,
            [
                0.312467720725,
                0.000942498508995,
                0.00727148525029,
                1.10030076625,
                1.99699233745,
                0.0856765906411,
            ],
        ),
    ];
    rows(car, &expected, 1e-11);
}

#[test]
fn delay_steer_vel_from_rest() {
    let car = Car::new("DELAY_STEER_VEL", true, &[]).command("DELAY_STEER_VEL", [5.0, 0.1, 0.0]);
    let expected = [
        (11, [0.00218749999999, ANY, ANY, 0.175, 7.0, ANY]),
        (30, [0.827533157435, 0.00740608756769, 0.0204164242066, 3.02358624679, ANY, ANY]),
        (60, [3.80104238571, 0.218124796631, ANY, 4.55900244681, 0.904417071706, ANY]),
    ];
    rows(car, &expected, 1e-11);
}

#[test]
fn dead_band_bias_rate_and_factors() {
    let acc = |given: &[(&str, &str)], command| {
        Car::new("DELAY_STEER_ACC", true, given).command("DELAY_STEER_ACC", command)
    };
    near(acc(&[("steer_dead_band", "0.05")], [0.0, 0.2, 0.0]).go(400)[5], 0.15, 1e-9, "dead band");
    let mut biased = acc(&[("steer_bias", "0.02")], [0.0, 0.2, 0.0]).at(5.0);
    near(biased.go(400)[5], 0.2, 1e-9, "measured");
    near(biased.measured("odometry_omega"), 0.326110267097, 1e-11, "yaw rate");
    let mut slow = acc(&[("steer_rate_lim", "0.5")], [0.0, 1.0, 0.0]);
    near(slow.go(20)[5], 0.125, 1e-12, "rate");
    let mut scaled = acc(&[("debug_acc_scaling_factor", "0.5")], [20.0, 0.0, 0.0]);
    near(scaled.go(100)[4], 3.5, 1e-9, "factor after the limit");
    let mut steep = acc(&[("debug_steer_scaling_factor", "2")], [0.0, 0.8, 0.0]);
    near(steep.go(400)[5], 1.6, 1e-9, "factor after the limit");
    let negative = [("debug_acc_scaling_factor", "-1"), ("debug_steer_scaling_factor", "-3")];
    assert_eq!(acc(&negative, [2.0, 0.1, 0.0]).go(60), [0.0; 6]);
}

#[test]
fn gears_stop_the_car() {
    let model = "DELAY_STEER_ACC_GEARED";
    let car = Car::new(model, true, &[]).command(model, [-2.0, 0.0, 0.0]).at(1.0);
    let expected = [
        (4, [0.1, 0.0, 0.0, 1.0, ANY, 0.0]),
        (27, [0.439438670301, 0.0, 0.0, 0.0493632969904, ANY, 0.0]),
        (28, [0.439438670301, 0.0, 0.0, 0.0, -1.97453187962, 0.0]),
        (29, [0.439438670301, 0.0, 0.0, 0.0, 0.0, 0.0]),
        (40, [0.439438670301, 0.0, 0.0, 0.0, 0.0, 0.0]),
    ];
    rows(car, &expected, 1e-10);
    for gear in [0.0, 1.0, 22.0] {
        let mut car = Car::new(model, true, &[]).with("gear", gear).at(1.0);
        assert_eq!(car.go(1), [0.0, 0.0, 0.0, 0.0, -40.0, 0.0]);
        assert_eq!(car.go(1)[4], 0.0);
    }
    let model = "IDEAL_STEER_ACC_GEARED";
    let mut ideal = Car::new(model, true, &[]).command(model, [-2.0, 0.0, 0.0]).at(0.03);
    rows_of(&ideal.go(1), [0.0, 0.0, 0.0, 0.0, -1.2, 0.0]);
    let model = "DELAY_STEER_ACC_GEARED";
    let mut reverse =
        Car::new(model, true, &[]).command(model, [-1.0, 0.1, 0.0]).with("gear", 20.0);
    let found = reverse.go(40);
    for (k, expected) in [-0.324994866402, 0.00130814742458, -0.00916166383428, -0.800012345437]
        .into_iter()
        .enumerate()
    {
        near(found[k], expected, 1e-11, NAMES[k]);
    }
}

fn rows_of(found: &[f64; 6], expected: [f64; 6]) {
    for (k, expected) in expected.into_iter().enumerate() {
        near(found[k], expected, 1e-12, NAMES[k]);
    }
}

#[test]
fn a_long_step_oscillates_in_the_source_and_converges_here() {
    let given = [("steer_time_constant", "0.03"), ("steer_time_delay", "0")];
    let run = |compat| {
        let car = Car::new("DELAY_STEER_VEL", compat, &given).every(0.1);
        let mut car = car.command("DELAY_STEER_VEL", [0.0, 0.2, 0.0]);
        [1, 1, 1, 17].map(|steps| car.go(steps)[5])
    };
    let found = run(true);
    for (found, expected) in found.into_iter().zip([0.5, 0.0, 0.5, 0.0]) {
        near(found, expected, 1e-12, "steer");
    }
    near(run(false)[3], 0.2, 1e-12, "converged");
}

#[test]
fn the_ideal_car_drives_the_circle_of_its_steering_angle() {
    for compat in [true, false] {
        let car = Car::new("IDEAL_STEER_VEL", compat, &[]);
        let mut car = car.command("IDEAL_STEER_VEL", [5.0, 0.2, 0.0]);
        let [x, y, yaw, ..] = car.go(400);
        let radius = 13.763502102887433;
        let turned = 50.0 / radius;
        assert!((x - radius * f64::sin(turned)).abs() < 1e-10 * radius);
        assert!((y - radius * (1.0 - f64::cos(turned))).abs() < 1e-10 * radius);
        assert!((yaw - turned).abs() < 1e-10);
        for (found, expected) in
            [x, y, yaw].into_iter().zip([-6.49207320418, 25.8996866619, 3.63279633528])
        {
            near(found, expected, 1e-11, "state after 400 steps");
        }
    }
}
