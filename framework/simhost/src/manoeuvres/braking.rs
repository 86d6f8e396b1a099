//! ISO 14512:1999, straight-ahead braking on surfaces with split coefficient of friction, without correction of
//! the steering.

use super::Metric;
use super::foot::{Demand, GRAVITY, Pace};
use super::motion::{DrivenRun, MotionSample};
use super::rig::Rig;
use crate::Error;

/// Time at which the driver brakes, s.
const START: f64 = 0.5;
/// Longest duration, s: enough to stop from 100 km/h at 2.5 m/s².
const DURATION: f64 = 12.0;
/// Torque of the brakes as a fraction of the torque that brakes with the whole weight.
const EFFORT: f64 = 0.5;

pub(super) fn run(rig: &Rig<'_>) -> Result<(Vec<Metric>, DrivenRun), Error> {
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
