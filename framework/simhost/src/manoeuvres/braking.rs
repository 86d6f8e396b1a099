//! ISO 14512:1999, straight-ahead braking on surfaces with split coefficient of friction, without correction of
//! the steering.

use super::Metric;
use super::rig::{MotionSample, Pedals, Rig};
use crate::Error;

const GRAVITY: f64 = 9.81;
/// Time at which the driver brakes, s.
const START: f64 = 0.5;
const DURATION: f64 = 12.0;
/// Torque of the brakes as a part of the one that brakes with the whole weight.
const EFFORT: f64 = 0.5;

pub(super) fn run(rig: &Rig<'_>, speed: f64) -> Result<(Vec<Metric>, Vec<MotionSample>), Error> {
    let brake = EFFORT * rig.mass * GRAVITY * rig.radius;
    let samples = rig.drive(speed, DURATION, |now| {
        let is_over = now.time > START && now.speed().hypot(now.twist[1]) < 0.5;
        let brakes = now.time >= START;
        let drive = if brakes { 0.0 } else { rig.hold(now, speed) };
        (!is_over).then_some(Pedals { steer: 0.0, drive, brake: if brakes { brake } else { 0.0 } })
    })?;
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
    Ok((metrics, samples))
}
