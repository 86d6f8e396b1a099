//! ISO 7401:2011, step input: response times, peaks and overshoots after a fast step of the steering angle.

use super::foot::{Demand, Pace};
use super::motion::{DrivenRun, MotionSample};
use super::rig::Rig;
use super::{ManoeuvreSetting, Metric};
use crate::Error;

/// Lateral acceleration of the steady state.
pub(super) const LATERAL: ManoeuvreSetting = ManoeuvreSetting {
    name: "lateral",
    unit: "m/s²",
    default: 4.0,
    range: [0.5, 8.0],
    meaning: "lateral acceleration of the steady state after the step",
};
/// Time of the step, and time within which the steering angle rises, s.
const STEER_START: f64 = 0.5;
const RISE: f64 = 0.1;
/// Duration, s, in which slow vehicles also reach a steady state.
pub(super) const STEER_DURATION: f64 = 5.0;

/// Returns the part of the final steering angle at a time.
pub(super) fn shape(time: f64) -> f64 {
    ((time - STEER_START) / RISE).clamp(0.0, 1.0)
}

fn step(rig: &Rig<'_>, steer: f64) -> Result<DrivenRun, Error> {
    let drive =
        |now: &MotionSample| Some(Demand { steer: shape(now.time) * steer, pace: Pace::Hold });
    rig.drive(STEER_DURATION, drive)
}

/// Returns the mean of the last half second.
fn steady(samples: &[MotionSample], value: impl Fn(&MotionSample) -> f64) -> f64 {
    let last: Vec<f64> =
        samples.iter().filter(|one| one.time > STEER_DURATION - 0.5).map(value).collect();
    last.iter().sum::<f64>() / last.len() as f64
}

/// Returns the steering angle, rad, after whose step the steady state has a lateral acceleration, m/s², and the run.
///
/// # Errors
/// [`Error::Manoeuvre`] if the vehicle spins or does not reach the acceleration.
pub(super) fn find_steer(rig: &Rig<'_>, lateral: f64) -> Result<(f64, DrivenRun), Error> {
    let mut steer = 0.01;
    let mut run = DrivenRun::default();
    for _ in 0..4 {
        run = step(rig, steer)?;
        let found = steady(&run.samples, MotionSample::centripetal);
        if (found - lateral).abs() < 0.01 * lateral || found <= 0.0 {
            break;
        }
        steer *= (lateral / found).min(20.0);
    }
    rig.check_stable(&run.samples)?;
    let found = steady(&run.samples, MotionSample::centripetal);
    if (found - lateral).abs() > 0.1 * lateral {
        return Err(rig.without_result(format!(
            "the lateral acceleration of the steady state is {found:.2} m/s²; expected {lateral:.2} m/s²"
        )));
    }
    Ok((steer, run))
}

pub(super) fn run(rig: &Rig<'_>) -> Result<(Vec<Metric>, DrivenRun), Error> {
    run_to(rig, rig.value(&LATERAL))
}

/// Drives a step whose steady state has a lateral acceleration, m/s².
pub(super) fn run_to(rig: &Rig<'_>, lateral: f64) -> Result<(Vec<Metric>, DrivenRun), Error> {
    let (steer, run) = find_steer(rig, lateral)?;
    let samples = &run.samples;
    // times count from half of the steering angle on
    let zero = STEER_START + 0.5 * RISE;
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
    if rate_time.min(lateral_time) < STEER_START - zero {
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
