//! Behaviour of the models: manoeuvres of the upstream tests with both kinds of arithmetic, step responses,
//! gears, slopes, files, and what the corrections change.

#![allow(clippy::unwrap_used)]

use crate::support::{Car, MODELS, map, near, vehicle};
use simhost_sdk::Step;

/// Parameters of a car of the upstream tests.
fn car(model: &str, compat: bool) -> Car {
    let [accel, steer, acceleration] =
        ["accel_of_tests.csv", "steer_of_tests.csv", "acceleration.csv"].map(map);
    let mut given: Vec<(&str, &str)> = vec![("wheel_base", "3")];
    if model.starts_with("ACTUATION") {
        let pedals = ["accel_time_delay", "accel_time_constant", "brake_time_delay"];
        given.extend(pedals.map(|name| (name, "0.2")));
        given.extend([("brake_time_constant", "0.2"), ("accel_map_path", &*accel)]);
    }
    if model.ends_with("STEER_MAP") {
        given.push(("steer_map_path", &*steer));
    }
    if model.contains("MAP_ACC") {
        given.push(("acceleration_map_path", &*acceleration));
    }
    Car::new(model, compat, &given)
}

/// Drives a model as in the upstream tests, and returns how far it went and its results.
fn manoeuvre(model: &str, compat: bool, reverse: bool, steer: f64) -> [f64; 6] {
    let sign = if reverse { -1.0 } else { 1.0 };
    let inputs = match model {
        "ACTUATION_CMD" => [0.5, 0.0, steer],
        _ if model.starts_with("ACTUATION") => [0.5, 0.0, 100.0 * steer],
        _ if model.ends_with("FALL_GUARD") => [5.0, steer, 0.0],
        _ => [5.0 * sign, steer, 0.0],
    };
    let mut car = car(model, compat).command(model, inputs);
    if model.contains("GEARED") || model.starts_with("ACTUATION") {
        car.set("gear", if reverse { 20.0 } else { 2.0 });
    }
    car.go(60)
}

/// Thresholds of `test_simple_planning_simulator.cpp`, Autoware 1.0.0, which tests neither the
/// model with the acceleration map nor the model of submodels.
#[test]
fn the_thresholds_of_the_upstream_tests_hold() {
    let untested = ["DELAY_STEER_MAP_ACC_GEARED", "LEARNED_STEER_VEL"];
    for model in MODELS.into_iter().filter(|model| !untested.contains(model)) {
        for compat in [true, false] {
            let of = format!("{model}, compatible: {compat}");
            let [x, y, ..] = manoeuvre(model, compat, false, 0.0);
            assert!(x > 1.0 && y.abs() < 0.01, "{of}: forward to {x} {y}");
            let [x, y, ..] = manoeuvre(model, compat, true, 0.0);
            assert!(x < -1.0 && y.abs() < 0.01, "{of}: backward to {x} {y}");
            let [x, y, ..] = manoeuvre(model, compat, false, 0.2);
            assert!(x > 1.0 && y > 0.1, "{of}: forward left to {x} {y}");
            let [x, y, ..] = manoeuvre(model, compat, true, -0.2);
            assert!(x < -1.0 && y < -0.1, "{of}: backward right to {x} {y}");
        }
    }
}

/// The time at which a result first reaches a value.
fn time_to(car: &mut Car, dt: f64, result: usize, value: f64) -> f64 {
    let mut before = car.result()[result];
    for step in 1..20_000 {
        let now = car.go(1)[result];
        if now >= value {
            let share = (value - before) / (now - before);
            return dt * (f64::from(step - 1) + share);
        }
        before = now;
    }
    panic!("the value {value} is never reached");
}

#[test]
fn responses_begin_after_the_delay_and_reach_63_per_cent_after_the_time_constant() {
    let share = 1.0 - f64::exp(-1.0);
    for dt in [0.01, 0.025, 0.05] {
        // steering of 0.1 rad, delay 0.24 s, time constant 0.27 s
        for model in ["DELAY_STEER_VEL", "DELAY_STEER_ACC", "DELAY_STEER_ACC_GEARED_WO_FALL_GUARD"]
        {
            let new = || Car::new(model, false, &[]).every(dt).command(model, [0.0, 0.1, 0.0]);
            let start = time_to(&mut new(), dt, 5, 1e-9);
            assert!((start - 0.24).abs() <= dt, "{model} at {dt}: begins at {start}");
            let at = time_to(&mut new(), dt, 5, share * 0.1);
            assert!((at - 0.51).abs() < 0.02 * 0.51, "{model} at {dt}: 63 % at {at}");
        }
        // acceleration of 2 m/s², 0.1 s and 0.1 s
        let model = "DELAY_STEER_ACC_GEARED";
        let new = || Car::new(model, false, &[]).every(dt).command(model, [2.0, 0.0, 0.0]);
        let at = time_to(&mut new(), dt, 4, share * 2.0);
        assert!((at - 0.2).abs() < 0.02, "acceleration at {dt}: 63 % at {at}");
        // speed of 2 m/s, 0.25 s and 0.5 s
        let model = "DELAY_STEER_VEL";
        let new = || Car::new(model, false, &[]).every(dt).command(model, [2.0, 0.0, 0.0]);
        let at = time_to(&mut new(), dt, 3, share * 2.0);
        assert!((at - 0.75).abs() < 0.02, "speed at {dt}: 63 % at {at}");
    }
}

#[test]
fn delays_are_times_and_count_calls_in_the_source() {
    for dt in [0.01, 0.025, 0.05] {
        let moved = |compat| {
            let given = [("timer_sampling_time_ms", "25")];
            let model = "DELAY_STEER_ACC";
            let mut car = Car::new(model, compat, &given).every(dt).command(model, [2.0, 0.0, 0.0]);
            time_to(&mut car, dt, 4, 1e-9)
        };
        assert!((moved(false) - 0.1).abs() <= 0.5 * dt, "{dt}: {}", moved(false));
        near(moved(true), 4.0 * dt, 1e-6, "four calls");
    }
}

#[test]
fn a_car_stops_within_the_step_in_which_its_speed_reaches_zero() {
    let model = "IDEAL_STEER_ACC_GEARED";
    let run = |compat| {
        let mut car = Car::new(model, compat, &[]).command(model, [-2.0, 0.0, 0.0]).at(1.03);
        car.go(40)
    };
    // v²/2a; the source loses the way of the last step
    near(run(false)[0], 1.03 * 1.03 / 4.0, 1e-9, "stopping distance");
    let lost = 1.03 * 1.03 / 4.0 - run(true)[0];
    assert!(lost > 1e-5, "{lost}");
    assert_eq!(run(false)[3..5], [0.0, 0.0]);
}

#[test]
fn corrected_cars_stay_within_their_limits() {
    let given = [("debug_acc_scaling_factor", "3"), ("debug_steer_scaling_factor", "2")];
    for model in
        ["DELAY_STEER_ACC", "DELAY_STEER_ACC_GEARED", "DELAY_STEER_ACC_GEARED_WO_FALL_GUARD"]
    {
        let mut car = Car::new(model, false, &given).command(model, [20.0, 0.8, 0.0]);
        for _ in 0..800 {
            let [.., speed, acceleration, steer] = car.go(1);
            assert!(speed <= 50.0 && acceleration <= 7.0 + 1e-9 && steer <= 1.0 + 1e-12, "{model}");
        }
        near(car.result()[3], 50.0, 1e-12, "top speed");
    }
}

#[test]
fn pedals_hold_and_release_a_car_on_a_slope() {
    let model = "DELAY_STEER_ACC_GEARED_WO_FALL_GUARD";
    let new = |compat, pedal: f64, slope: f64, gear: f64| {
        let car = Car::new(model, compat, &[]).command(model, [pedal, 0.0, 0.0]);
        car.with("slope_acceleration", slope).with("gear", gear)
    };
    for compat in [true, false] {
        // the brake arrives after its delay, and then holds
        let mut held = new(compat, -2.0, -0.5, 2.0);
        held.go(100);
        let at = held.result();
        assert_eq!(held.go(100)[..4], at[..4], "held");
        assert_eq!(at[3], 0.0);
        // in neutral the car rolls with the slope
        near(new(compat, 0.0, -0.5, 1.0).go(40)[3], -0.5, 1e-9, "rolls");
        // in reverse the throttle drives backwards
        assert!(new(compat, 1.0, 0.0, 20.0).go(80)[3] < -1.0);
    }
    // a weak brake leaves slope − brake; the source slides with the full slope while the car stands
    let slide = |compat| {
        let mut car = new(compat, -0.2, -0.5, 2.0);
        car.go(400);
        car.result()[4]
    };
    near(slide(false), -0.3, 1e-6, "slides");
    // parking stops the car; the source lets it coast
    assert_eq!(new(false, 0.0, 0.0, 22.0).at(1.0).go(1)[3], 0.0);
    assert_eq!(new(true, 0.0, 0.0, 22.0).at(1.0).go(40)[3], 1.0);
}

#[test]
fn the_map_converts_the_throttle_in_the_direction_of_the_gear() {
    let text = map("acceleration.csv");
    let model = "DELAY_STEER_MAP_ACC_GEARED";
    let run = |compat| {
        let car = Car::new(model, compat, &[("acceleration_map_path", &*text)]);
        car.command(model, [-1.0, 0.0, 0.0]).with("gear", 20.0)
    };
    // 1.0 m/s² at rest is 1.0 m/s²; the source looks −1 m/s² up among the brakes
    let first = |compat| run(compat).go(25)[4];
    assert!((first(false) + 1.0).abs() < 0.1, "{}", first(false));
    assert!((first(true) + 1.3).abs() < 0.1, "{}", first(true));
    // the slope is not converted
    let mut slope = run(false).with("acceleration_command", -1.4).with("slope_acceleration", -0.4);
    assert!((slope.go(25)[4] + 1.4).abs() < 0.1);
}

#[test]
fn speeds_ignore_gears_and_accelerations_do_not() {
    for model in MODELS {
        let geared = model.contains("GEARED") || model.starts_with("ACTUATION");
        if geared {
            let mut car = car(model, false).command(model, [0.5, 0.0, 0.0]).with("gear", 0.0);
            assert_eq!(car.go(60)[0], 0.0, "{model}");
        }
    }
}

#[test]
fn pedals_are_reported_for_the_present_acceleration() {
    let brake = "default,0,1\n0,-0.3,-0.3\n0.5,-3,-3\n";
    let accel = map("accel_of_tests.csv");
    let given = [("brake_map_path", brake), ("accel_map_path", &*accel), ("brake_time_delay", "0")];
    for (compat, expected) in [(false, 0.25), (true, 0.25)] {
        let model = "ACTUATION_CMD";
        let mut car = Car::new(model, compat, &given).command(model, [0.0, 0.25, 0.0]).at(20.0);
        car.go(100);
        near(car.measured("brake_status"), expected, 1e-3, "in the middle of the mirror");
        car.set("brake_command", 0.1);
        car.go(40);
        let mirrored = if compat { 0.4 } else { 0.1 };
        near(car.measured("brake_status"), mirrored, 1e-3, "brake");
        assert_eq!(car.measured("accel_status"), 0.0);
    }
    let model = "ACTUATION_CMD_VGR";
    let mut car = car(model, false).command(model, [0.4, 0.0, 1.0]).at(5.0);
    car.go(200);
    near(car.measured("accel_status"), 0.4, 1e-6, "accelerator");
    // at a constant speed the tyre reaches the angle of the wheel
    car.set("accel_command", 0.0);
    car.go(400);
    near(car.measured("steer_status"), 1.0, 1e-6, "steering wheel");
}

#[test]
fn a_step_without_length_gives_finite_results() {
    for model in MODELS {
        let mut vehicle = vehicle(model, &[]);
        for name in ["velocity_command", "acceleration_command", "pedal_command", "accel_command"] {
            vehicle.inputs.set(name, 1.0);
        }
        vehicle.inputs["steer_command"] = 0.1;
        vehicle.go(&Step::new(0.0, 0.0));
        vehicle.go(&Step::new(0.0, 0.025));
        vehicle.go(&Step::new(0.025, 0.0));
        let measured = vehicle.measure();
        for name in ["odometry_vx", "longitudinal_acceleration", "steer_angle", "brake_status"] {
            assert!(measured[name].is_finite(), "{model} {name}");
        }
        assert!(vehicle.body.x.is_finite() && vehicle.body.yaw.is_finite(), "{model}");
    }
}

#[test]
fn a_model_that_is_not_engaged_waits_and_then_continues() {
    for model in MODELS {
        let inputs = [0.5, 0.1, 0.1];
        let mut through = car(model, false).command(model, inputs);
        let mut waits = car(model, false).command(model, inputs);
        waits.go(30);
        waits.set("engaged", 0.0);
        let at = waits.result();
        assert_eq!(waits.go(10)[..3], at[..3], "{model}");
        waits.set("engaged", 1.0);
        let (found, expected) = (waits.go(30), through.go(60));
        for (found, expected) in found.into_iter().zip(expected) {
            near(found, expected, 1e-9, model);
        }
    }
}

#[test]
fn an_initial_pose_clears_the_delays_and_does_not_in_the_source() {
    let model = "DELAY_STEER_ACC";
    for (compat, expected) in [(false, 0.0), (true, 0.4423828125)] {
        let mut car = Car::new(model, compat, &[]).command(model, [2.0, 0.0, 0.0]);
        car.go(30);
        for (name, value) in
            [("initial_x", 5.0), ("initial_y", 6.0), ("initial_yaw", 1.0), ("initial_vx", 0.0)]
        {
            car.set(name, value);
        }
        car.set("initial_pose_number", 1.0);
        let [x, y, yaw, _, acceleration, _] = car.go(1);
        assert!((x - 5.0).abs() < 1e-3 && (y - 6.0).abs() < 1e-3 && yaw == 1.0);
        near(acceleration, expected, 1e-9, "commands that were on their way");
    }
}

#[test]
fn a_body_that_something_stops_stops_the_model() {
    for model in MODELS {
        let mut car = car(model, false).command(model, [1.0, 0.0, 0.0]);
        car.go(60);
        let x = car.result()[0];
        car.vehicle.body.x -= 0.5;
        car.vehicle.push(0.0, 0.0, 0.0);
        let after = car.go(1);
        assert!((after[0] - (x - 0.5)).abs() < 0.05, "{model}: {} after {x}", after[0]);
        assert!(after[3].abs() < 0.3 || model == "IDEAL_STEER_VEL", "{model}: {}", after[3]);
    }
}

#[test]
fn a_dead_band_of_pedal_cars_holds_the_steering() {
    for compat in [false, true] {
        let steer = |command: f64| {
            let model = "ACTUATION_CMD";
            let mut car = Car::new(model, compat, &[("steer_dead_band", "0.05")]);
            car = car.command(model, [0.0, 0.0, command]);
            car.go(400)[5]
        };
        assert_eq!(steer(0.04), 0.0, "within the band");
        near(steer(0.2), 0.15, 1e-9, "up to the band");
        near(steer(-0.2), -0.15, 1e-9, "up to the band");
    }
}

#[test]
fn the_steering_ends_at_the_angle_of_the_file_with_the_dimensions() {
    let info = "/**:\n  ros__parameters:\n    wheel_base: 2.79\n    max_steer_angle: 0.1\n";
    for model in MODELS {
        let wheel = model.starts_with("ACTUATION") && model != "ACTUATION_CMD";
        let steer = |compat: bool| {
            let mut car = Car::new(model, compat, &[("vehicle_info", info)]).at(2.0);
            car = match model.ends_with("FALL_GUARD") || !model.starts_with("ACTUATION") {
                true => car.command(model, [1.0, 0.4, 0.0]),
                false => car.command(model, [0.5, 0.0, if wheel { 20.0 } else { 0.4 }]),
            };
            if model.contains("GEARED") || model.starts_with("ACTUATION") {
                car.set("gear", 2.0);
            }
            car.go(200)[5]
        };
        let (limited, source) = (steer(false), steer(true));
        assert!(limited <= 0.1 + 1e-9, "{model}: {limited}");
        assert!(source > 0.15, "{model}: {source}");
    }
}
