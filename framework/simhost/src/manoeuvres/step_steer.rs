//! ISO 7401:2011, step input.

use super::Metric;
use super::foot::{Demand, Pace};
use super::motion::{DrivenRun, MotionSample};
use super::rig::Rig;
use crate::Error;

/// Lateral acceleration of the steady state, m/s².
const LATERAL: f64 = 4.0;
/// Time of the step, and time within which the steering angle rises, s.
const START: f64 = 0.5;
const RISE: f64 = 0.1;
/// Duration, s, in which slow vehicles also reach a steady state.
const DURATION: f64 = 5.0;

fn step(rig: &Rig<'_>, steer: f64) -> Result<DrivenRun, Error> {
    let drive = |now: &MotionSample| {
        let part = ((now.time - START) / RISE).clamp(0.0, 1.0);
        Some(Demand { steer: part * steer, pace: Pace::Hold })
    };
    rig.drive(DURATION, drive)
}

/// Returns the mean of the last half second.
fn steady(samples: &[MotionSample], value: impl Fn(&MotionSample) -> f64) -> f64 {
    let last: Vec<f64> =
        samples.iter().filter(|one| one.time > DURATION - 0.5).map(value).collect();
    last.iter().sum::<f64>() / last.len() as f64
}

pub(super) fn run(rig: &Rig<'_>) -> Result<(Vec<Metric>, DrivenRun), Error> {
    let lateral = |one: &MotionSample| one.speed() * one.yaw_rate();
    let mut steer = 0.01;
    let mut run = DrivenRun::default();
    for _ in 0..4 {
        run = step(rig, steer)?;
        let found = steady(&run.samples, lateral);
        if (found - LATERAL).abs() < 0.01 * LATERAL || found <= 0.0 {
            break;
        }
        steer *= (LATERAL / found).min(20.0);
    }
    let samples = &run.samples;
    rig.check_stable(samples)?;
    let found = steady(samples, lateral);
    if (found - LATERAL).abs() > 0.1 * LATERAL {
        return Err(rig.without_result(format!(
            "the lateral acceleration of the steady state is {found:.2} m/s²; expected {LATERAL} m/s²"
        )));
    }
    // times count from half of the steering angle on
    let zero = START + 0.5 * RISE;
    let response = |value: &dyn Fn(&MotionSample) -> f64| {
        let end = steady(samples, value);
        let reached = samples.iter().find(|one| value(one) >= 0.9 * end);
        let peak = samples.iter().max_by(|a, b| value(a).total_cmp(&value(b)));
        let after = |one: Option<&MotionSample>| one.map_or(f64::NAN, |one| one.time - zero);
        let overshoot = peak.map_or(f64::NAN, |one| value(one) / end - 1.0);
        [end, after(reached), after(peak), 100.0 * overshoot]
    };
    let [rate, rate_time, rate_peak, rate_overshoot] = response(&MotionSample::yaw_rate);
    let [lateral, lateral_time, lateral_peak, lateral_overshoot] = response(&|one| one.lateral);
    // without slip, both follow at once: the lateral acceleration also with the rate of the steering angle
    if rate_time.min(lateral_time) < START - zero {
        let reason = "the response begins before the steering; expected a vehicle that follows it";
        return Err(rig.without_result(reason.to_owned()));
    }
    let metrics = vec![
        Metric::new("steering angle of the wheels", steer.to_degrees(), "°"),
        Metric::new("steady-state lateral acceleration", lateral, "m/s²"),
        Metric::new("steady-state yaw velocity gain", rate / steer, "1/s"),
        Metric::new("yaw velocity response time", rate_time, "s"),
        Metric::new("yaw velocity peak response time", rate_peak, "s"),
        Metric::new("yaw velocity overshoot", rate_overshoot, "%"),
        Metric::new("lateral acceleration response time", lateral_time, "s"),
        Metric::new("lateral acceleration peak response time", lateral_peak, "s"),
        Metric::new("lateral acceleration overshoot", lateral_overshoot, "%"),
    ];
    Ok((metrics, run))
}
