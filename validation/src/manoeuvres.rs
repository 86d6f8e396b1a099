//! Standard manoeuvres compared with closed-form solutions.

use std::path::Path;

use crate::check::{Case, Check};
use crate::plot::{Line, svg};
use crate::recording::{Recording, Track};
use crate::single_track::CAR;

const GRAVITY: f64 = 9.81;

/// Runs all manoeuvres on the worlds in `folder`.
pub fn all(folder: &Path) -> Vec<Case> {
    let run = |name: &str| Recording::of(&folder.join(format!("{name}.world.xml")));
    vec![
        circle(&run("iso_4138_circle"), &steering(folder, "iso_4138_circle")),
        step_steer(&run("iso_7401_step_steer"), &steering(folder, "iso_7401_step_steer")),
        lane_change(&run("iso_3888_lane_change"), &steering(folder, "iso_3888_lane_change")),
        coast_down(&run("coast_down")),
        split_braking(&run("mu_split_braking")),
        hill_hold(&run("hill_hold")),
    ]
}

/// A steering command.
struct Steer {
    time: f64,
    vehicle: String,
    /// Steering angle, rad.
    angle: f64,
}

/// Reads the steering commands that belong to a world.
fn steering(folder: &Path, name: &str) -> Vec<Steer> {
    let text = std::fs::read_to_string(folder.join(format!("{name}.commands.csv")));
    let text = text.expect("the commands are in the folder of the world");
    let row = |row: &str| {
        let values: Vec<&str> = row.split(',').collect();
        let (time, angle) = (values.first()?.parse().ok()?, values.last()?.parse().ok()?);
        Some(Steer { time, vehicle: (*values.get(1)?).to_owned(), angle })
    };
    text.lines().skip(1).filter_map(row).collect()
}

/// Returns the steering angle of the only vehicle at a time, rad.
fn angle(steering: &[Steer], time: f64) -> f64 {
    let place = steering.partition_point(|row| row.time <= time + 1e-9);
    place.checked_sub(1).map_or(0.0, |place| steering[place].angle)
}

/// Compares the change of energy with the sum of all work terms, relative to the largest of them.
fn energy_balance(tracks: &[Track]) -> Check {
    let worst = tracks.iter().map(Track::imbalance).fold(0.0, f64::max);
    Check::within("imbalance of energy and work, relative", 0.0, worst, 0.01)
}

fn last(values: &[f64]) -> f64 {
    values.last().copied().unwrap_or(f64::NAN)
}

fn circle(run: &Recording, steering: &[Steer]) -> Case {
    let mut checks = vec![energy_balance(&run.tracks)];
    let (mut speeds, mut gains, mut expected) = (Vec::new(), Vec::new(), Vec::new());
    for track in &run.tracks {
        let speed = last(&track.series(|_, twist| twist[0]));
        let nominal: f64 = track.name.trim_start_matches('v').parse().unwrap_or(f64::NAN);
        let steer =
            steering.iter().find(|row| row.vehicle == track.name).map_or(f64::NAN, |row| row.angle);
        let gain = last(&track.yaw_rate()) / steer;
        let closed = CAR.yaw_gain(speed);
        checks.push(Check::relative(
            &format!("yaw rate per steering angle at {nominal} m/s, 1/s"),
            closed,
            gain,
            0.03,
        ));
        speeds.push(speed);
        gains.push(gain);
        expected.push(closed);
    }
    let lines = [
        Line::new("simhost", &speeds, &gains),
        Line::reference("v/(L + K v²)", &speeds, &expected),
    ];
    Case {
        title: "ISO 4138: steady-state circle",
        file: "iso-4138-circle",
        text: format!(
            "ISO 4138: steady-state turns at constant steering angles and a lateral acceleration of about 1.5 m/s². For the linear single-track \
             model r/δ = v/(L + K v²), with the understeer gradient K = m/L (b/C_f − a/C_r) = {:.3e} rad/(m/s²). Tyre model: `fiala`.",
            CAR.understeer()
        ),
        checks,
        picture: svg("Yaw rate per steering angle", ["speed, m/s", "r/δ, 1/s"], &lines),
    }
}

fn step_steer(run: &Recording, steering: &[Steer]) -> Case {
    let track = &run.tracks[0];
    let (_, expected) = CAR.drive(&run.time, 22.0, |time| angle(steering, time));
    let found = track.yaw_rate();
    let end = last(&expected);
    let worst = difference(&found, &expected) / end;
    let rise = |rates: &[f64]| {
        let place = rates.iter().position(|rate| *rate >= 0.9 * last(rates));
        place.map_or(f64::NAN, |place| run.time[place] - 0.5)
    };
    let lines =
        [Line::new("simhost", &run.time, &found), Line::reference("linear", &run.time, &expected)];
    Case {
        title: "ISO 7401: step steer",
        file: "iso-7401-step-steer",
        text: "ISO 7401: a step of the steering angle at 22 m/s, to a lateral acceleration of about 2 m/s², in neutral. Compared with the linear \
               single-track model, integrated by the classical Runge-Kutta method. Tyre model: `fiala`, which is slightly nonlinear at this \
               acceleration."
            .to_owned(),
        checks: vec![
            energy_balance(&run.tracks),
            Check::within("largest difference of the yaw rate, relative to its final value", 0.0, worst, 0.05),
            Check::within("time to 90 % of the yaw rate, s", rise(&expected), rise(&found), 0.02),
        ],
        picture: svg("Yaw rate after a step of the steering angle", ["time, s", "yaw rate, rad/s"], &lines),
    }
}

fn difference(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
}

fn lane_change(run: &Recording, steering: &[Steer]) -> Case {
    let track = &run.tracks[0];
    let steer = |time| angle(steering, time);
    let (path, _) = CAR.drive(&run.time, 20.0, steer);
    let [x, y] = [0, 1].map(|axis| track.series(|pose, _| pose[axis]));
    let [expected_x, expected_y] =
        [0, 1].map(|axis| path.iter().map(|at| at[axis]).collect::<Vec<f64>>());
    let aside = y.iter().copied().fold(0.0, f64::max);
    let lines = [Line::new("simhost", &x, &y), Line::reference("linear", &expected_x, &expected_y)];
    Case {
        title: "ISO 3888: lane change",
        file: "iso-3888-lane-change",
        text: "Based on ISO 3888-1: a change to the left lane and back at 20 m/s (72 km/h) with a prescribed steering angle and no \
               driver model. Compared with the path of the linear single-track model."
            .to_owned(),
        checks: vec![
            energy_balance(&run.tracks),
            Check::within("largest lateral offset, m", 3.5, aside, 0.25),
            Check::within("largest difference of the lateral offsets, m", 0.0, difference(&y, &expected_y), 0.2),
        ],
        picture: svg("Lane change", ["x, m", "y, m"], &lines),
    }
}

fn coast_down(run: &Recording) -> Case {
    let track = &run.tracks[0];
    // m_r v' = −m g c_rr − ½ ρ A v²; the wheels are solid cylinders
    let rolling_mass = CAR.mass + 4.0 * 0.5 * 15.0;
    let (air, rolling) =
        (0.5 * 1.225 * 0.66 / rolling_mass, CAR.mass * GRAVITY * 0.012 / rolling_mass);
    let (root, slope) = ((air * rolling).sqrt(), (air / rolling).sqrt());
    let speed = |time: f64| ((35.0 * slope).atan() - root * time).tan() / slope;
    let expected: Vec<f64> = run.time.iter().map(|time| speed(*time)).collect();
    let found = track.series(|_, twist| twist[0]);
    let lines = [
        Line::new("simhost", &run.time, &found),
        Line::reference("closed form", &run.time, &expected),
    ];
    Case {
        title: "Coast-down",
        file: "coast-down",
        text: "SAE J1263: coasting in neutral from 35 m/s with a drag area of 0.66 m² and a rolling resistance coefficient of 0.012. \
               The solution of m v' = −m g c − ½ ρ A v² is v = √(c'/k) tan(atan(v₀ √(k/c')) − √(k c') t)."
            .to_owned(),
        checks: vec![
            energy_balance(&run.tracks),
            Check::within("largest difference of the speed, m/s", 0.0, difference(&found, &expected), 0.05),
            Check::relative("speed after 60 s, m/s", last(&expected), last(&found), 0.005),
        ],
        picture: svg("Coast-down", ["time, s", "speed, m/s"], &lines),
    }
}

fn split_braking(run: &Recording) -> Case {
    let track = &run.tracks[0];
    let speed = track.series(|_, twist| twist[0]);
    let at = |time: f64| run.time.partition_point(|t| *t < time - 1e-9);
    let found = (speed[at(0.6)] - speed[at(0.8)]) / 0.2;
    // wheels on ice slide at their friction limit, the others brake with their torque
    let torque = 2400.0;
    let gripping = 0.5 * torque / 0.3;
    let sliding = 0.1 * 0.5 * CAR.mass * GRAVITY;
    let expected = (gripping + sliding) / (CAR.mass + 2.0 * 0.5 * 15.0);
    let yaw = last(&track.series(|pose, _| pose[3])).to_degrees();
    let time = &run.time;
    let rate: Vec<f64> = track.yaw_rate();
    let lines = [Line::new("speed, m/s", time, &speed), Line::new("yaw rate, rad/s", time, &rate)];
    Case {
        title: "Braking on split friction",
        file: "mu-split-braking",
        text: format!(
            "Based on ISO 14512: braking with 2400 N·m at 20 m/s with the left wheels on μ = 0.1. The left wheels lock and slide; the right \
             wheels brake with T/R. The deceleration is a = (½ T/R + μ ½ m g)/m. The car turns to the right, by {:.0}° at the end.",
            -yaw
        ),
        checks: vec![
            energy_balance(&run.tracks),
            Check::relative("deceleration after 0.1 to 0.3 s, m/s²", expected, found, 0.05),
            Check::within(
                "direction of the turn (1: to the right, where the grip is)",
                1.0,
                -yaw.signum(),
                0.0,
            ),
        ],
        picture: svg("Braking with one side on ice", ["time, s", ""], &lines),
    }
}

fn hill_hold(run: &Recording) -> Case {
    let track = &run.tracks[0];
    let x = track.series(|pose, _| pose[0]);
    let speed = track.series(|_, twist| twist[0]);
    let at = |time: f64| run.time.partition_point(|t| *t < time - 1e-9);
    let creep = x[..at(60.0)].iter().map(|now| (now - x[0]).abs() * 1e3).fold(0.0, f64::max);
    let rolls = -last(&speed) / (last(&run.time) - 60.0);
    let expected = GRAVITY * 10f64.to_radians().sin() * CAR.mass / (CAR.mass + 4.0 * 0.5 * 15.0);
    let lines = [Line::new("speed, m/s", &run.time, &speed)];
    Case {
        title: "Hill hold",
        file: "hill-hold",
        text: "A car is held by its brakes on a slope of 10° for 60 s and then released in neutral. It rolls with the acceleration \
               g sin θ m/(m + Σ I/R²)."
            .to_owned(),
        checks: vec![
            energy_balance(&run.tracks),
            Check::within("creep in 60 s, mm", 0.0, creep, 1.0),
            Check::relative("acceleration after release, m/s²", expected, rolls, 0.01),
        ],
        picture: svg("Hill hold", ["time, s", "speed, m/s"], &lines),
    }
}
