//! Straight driving: full acceleration, full braking, and braking on split friction.

use super::foot::{Demand, GRAVITY, Pace};
use super::motion::{DrivenRun, MotionSample};
use super::rig::Rig;
use super::{ManoeuvreSetting, Metric};
use crate::Error;

/// Speed at which the acceleration ends.
pub(super) const TARGET: ManoeuvreSetting = ManoeuvreSetting {
    name: "target",
    unit: "km/h",
    default: 100.0,
    range: [5.0, 300.0],
    meaning: "speed at which the acceleration ends",
};

/// Drive torque of a vehicle whose driver sets a torque.
pub(super) const DRIVE_EFFORT: ManoeuvreSetting = ManoeuvreSetting {
    name: "drive_effort",
    unit: "1",
    default: 0.5,
    range: [0.01, 3.0],
    meaning: "drive torque divided by the torque that drives with the whole weight; without effect on a car with a throttle",
};

/// Brake torque.
pub(super) const BRAKE_EFFORT: ManoeuvreSetting = ManoeuvreSetting {
    name: "brake_effort",
    unit: "1",
    default: 1.5,
    range: [0.01, 3.0],
    meaning: "brake torque divided by the torque that brakes with the whole weight, at most a fully pressed pedal",
};

/// Longest acceleration, s.
const LONGEST: f64 = 120.0;

/// Returns the time and the distance after which a speed, m/s, is first exceeded, between samples.
fn reach(samples: &[MotionSample], speed: f64) -> [f64; 2] {
    let pair = samples.windows(2).find(|pair| pair[1].speed() >= speed);
    pair.map_or([f64::NAN; 2], |pair| {
        let part = (speed - pair[0].speed()) / (pair[1].speed() - pair[0].speed());
        let between = |value: &dyn Fn(&MotionSample) -> f64| {
            value(&pair[0]) + part * (value(&pair[1]) - value(&pair[0]))
        };
        [between(&|one| one.time), between(&|one| one.position[0])]
    })
}

pub(super) fn run_acceleration(rig: &Rig<'_>) -> Result<(Vec<Metric>, DrivenRun), Error> {
    let target = rig.value(&TARGET) / 3.6;
    let torque = rig.value(&DRIVE_EFFORT) * rig.mass * GRAVITY * rig.radius;
    let run = rig.drive(LONGEST, |now| {
        let pace = Pace::Full(torque);
        (now.speed() < target).then_some(Demand { steer: 0.0, pace })
    })?;
    let samples = &run.samples;
    let reached = samples.iter().map(MotionSample::speed).fold(0.0, f64::max);
    if reached < target {
        return Err(rig.without_result(format!(
            "the vehicle drives at {:.1} km/h after {LONGEST} s; expected {:.1} km/h",
            3.6 * reached,
            3.6 * target
        )));
    }
    let [[half, _], [time, distance]] = [0.5 * target, target].map(|speed| reach(samples, speed));
    let most = samples.iter().map(|one| one.forward).fold(0.0, f64::max);
    let metrics = vec![
        Metric::new("speed at the end", 3.6 * target, "km/h"),
        Metric::new("time to the speed at the end", time, "s"),
        Metric::new("time to half of the speed", half, "s"),
        Metric::new("distance to the speed at the end", distance, "m"),
        Metric::new("mean acceleration", target / time, "m/s²"),
        Metric::new("greatest longitudinal acceleration", most, "m/s²"),
    ];
    Ok((metrics, run))
}

/// Speed at which a vehicle counts as stopped, m/s.
const STOPPED: f64 = 0.1;
/// Speed above which a wheel that does not turn counts as locked: 15 km/h, m/s; and its spin, as a part of the spin of a
/// rolling wheel.
const LOCKABLE: f64 = 15.0 / 3.6;
const LOCKED: f64 = 0.05;

/// Returns the mean fully developed deceleration of UN Regulation 13-H, m/s²: from 0.8 to 0.1 of the speed at which the
/// braking begins, over the distance between, (v_b² − v_e²)/(2 (s_e − s_b)).
fn mean_fully_developed(braking: &[MotionSample], speed: f64) -> f64 {
    let place = |part: f64| {
        let found = braking.iter().find(|one| one.speed() <= part * speed);
        found.map_or([f64::NAN; 2], |one| [one.speed(), one.position[0]])
    };
    let ([begin, from], [end, to]) = (place(0.8), place(0.1));
    (begin * begin - end * end) / (2.0 * (to - from))
}

pub(super) fn run_braking(rig: &Rig<'_>) -> Result<(Vec<Metric>, DrivenRun), Error> {
    let torque = rig.value(&BRAKE_EFFORT) * rig.mass * GRAVITY * rig.radius;
    let run = rig.drive(LONGEST, |now| {
        let pace = if now.time >= START { Pace::Brake(torque) } else { Pace::Hold };
        (now.speed() > STOPPED).then_some(Demand { steer: 0.0, pace })
    })?;
    let samples = &run.samples;
    let begin = samples.iter().position(|one| one.time >= START).unwrap_or(0);
    let braking = &samples[begin..];
    let ([first, .., last], true) = (braking, run.samples.last().is_some_and(is_stopped)) else {
        return Err(rig
            .without_result(format!("the vehicle drives after {LONGEST} s; expected it to stop")));
    };
    let fast = braking.iter().filter(|one| one.speed() > LOCKABLE);
    let is_locked = |one: &&MotionSample| one.slowest_spin * rig.radius < LOCKED * one.speed();
    let locked = fast.clone().filter(is_locked).count() as f64 / fast.count().max(1) as f64;
    let aside = braking.iter().map(|one| one.position[1].abs()).fold(0.0, f64::max);
    let distance = last.position[0] - first.position[0];
    let metrics = vec![
        Metric::new("stopping distance", distance, "m"),
        Metric::new("stopping time", last.time - first.time, "s"),
        Metric::new(
            "mean fully developed deceleration",
            mean_fully_developed(braking, first.speed()),
            "m/s²",
        ),
        Metric::new(
            "mean deceleration by the distance",
            0.5 * first.speed().powi(2) / distance,
            "m/s²",
        ),
        Metric::new("time with a locked wheel above 15 km/h", 100.0 * locked, "%"),
        Metric::new("greatest lateral deviation", aside, "m"),
        Metric::new("yaw angle at the end", last.yaw.to_degrees(), "°"),
    ];
    Ok((metrics, run))
}

fn is_stopped(one: &MotionSample) -> bool {
    one.speed() <= STOPPED
}

/// Time at which the driver brakes, s.
const START: f64 = 0.5;
/// Longest duration, s: enough to stop from 100 km/h at 2.5 m/s².
const DURATION: f64 = 12.0;
/// Torque of the brakes as a fraction of the torque that brakes with the whole weight.
const EFFORT: f64 = 0.5;

pub(super) fn run_split_braking(rig: &Rig<'_>) -> Result<(Vec<Metric>, DrivenRun), Error> {
    let brake = EFFORT * rig.mass * GRAVITY * rig.radius;
    let run = rig.drive(DURATION, |now| {
        let is_over = now.time > START && now.speed().hypot(now.twist[1]) < 0.5;
        let pace = if now.time >= START { Pace::Brake(brake) } else { Pace::Hold };
        (!is_over).then_some(Demand { steer: 0.0, pace })
    })?;
    let samples = &run.samples;
    let at = |time: f64| samples.iter().find(|one| one.time >= time);
    let (begin, second) = (at(START), at(START + 1.0));
    let value =
        |one: Option<&MotionSample>, of: &dyn Fn(&MotionSample) -> f64| one.map_or(f64::NAN, of);
    let slower = value(begin, &MotionSample::speed) - value(second, &MotionSample::speed);
    let rate = samples
        .iter()
        .filter(|one| one.time <= START + 1.0)
        .map(|one| one.yaw_rate().abs())
        .fold(0.0, f64::max);
    let path = |one: &MotionSample| one.position[1];
    let stop = samples.last().map_or(f64::NAN, |last| {
        let start = begin.map_or([f64::NAN; 2], |one| one.position);
        (last.position[0] - start[0]).hypot(last.position[1] - start[1])
    });
    let metrics = vec![
        Metric::new("mean deceleration in the first second", slower, "m/s²"),
        Metric::new("greatest yaw rate in the first second", rate.to_degrees(), "°/s"),
        Metric::new("yaw angle after one second", value(second, &|one| one.yaw).to_degrees(), "°"),
        Metric::new("lateral deviation after one second", value(second, &path), "m"),
        Metric::new("braking distance", stop, "m"),
    ];
    Ok((metrics, run))
}
