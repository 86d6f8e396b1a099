//! ISO 4138:2021, constant speed with slowly increasing steering angle (its method 3).

use super::Metric;
use super::foot::{Demand, Pace};
use super::motion::{DrivenRun, MotionSample, slope};
use super::rig::Rig;
use crate::Error;

/// Greatest rate of the steering angle, rad/s.
const RATE: f64 = 0.005;
/// Time in which a vehicle that neither understeers nor oversteers reaches the end of the linear range, s. Understeer
/// gradients of a car at 60 to 116 km/h with it and with a fifth of the rate agree within 0.3 %.
const RISE: f64 = 40.0;
/// Longest run, s.
const DURATION: f64 = 200.0;
/// Lateral accelerations between which gradients are fitted, m/s².
const LINEAR: [f64; 2] = [0.5, 2.0];

/// Drives with slowly increasing steering until the lateral acceleration falls, or is greater than `most`. Beyond the linear
/// range, the steering angle rises faster.
pub(super) fn slowly(rig: &Rig<'_>, most: f64) -> Result<DrivenRun, Error> {
    let speed = rig.speed;
    let slow = (LINEAR[1] * rig.wheelbase / (speed * speed * RISE)).min(RATE);
    let (mut greatest, mut steer, mut before) = (0.0f64, 0.0, 0.0);
    rig.drive(DURATION, |now| {
        let lateral = now.speed() * now.yaw_rate();
        greatest = greatest.max(lateral);
        // at the start, the acceleration is as small as the errors of rounding
        let falls = greatest > LINEAR[0] && lateral < 0.9 * greatest;
        let is_over = lateral > most || falls || now.speed() < 0.8 * speed;
        let rate = if greatest > LINEAR[1] { RATE } else { slow };
        steer += rate * (now.time - std::mem::replace(&mut before, now.time));
        (!is_over).then_some(Demand { steer, pace: Pace::Hold })
    })
}

/// Returns the greatest lateral acceleration, m/s².
pub(super) fn greatest(samples: &[MotionSample]) -> f64 {
    samples.iter().map(|one| one.speed() * one.yaw_rate()).fold(0.0, f64::max)
}

/// Returns the samples in which the tyres are nearly linear.
fn linear(samples: &[MotionSample]) -> impl Iterator<Item = &MotionSample> {
    samples.iter().filter(|one| {
        let lateral = one.speed() * one.yaw_rate();
        (LINEAR[0]..=LINEAR[1]).contains(&lateral)
    })
}

/// Returns the understeer gradient, rad/(m/s²).
pub(super) fn understeer(rig: &Rig<'_>, samples: &[MotionSample]) -> f64 {
    let points = linear(samples).map(|one| {
        let (speed, rate) = (one.speed(), one.yaw_rate());
        [speed * rate, one.steer - rig.wheelbase * rate / speed]
    });
    slope(&points.collect::<Vec<_>>())
}

pub(super) fn run(rig: &Rig<'_>) -> Result<(Vec<Metric>, DrivenRun), Error> {
    let run = slowly(rig, f64::INFINITY)?;
    let samples = &run.samples;
    let fit = |value: &dyn Fn(&MotionSample) -> f64| {
        let points = linear(samples).map(|one| [one.speed() * one.yaw_rate(), value(one)]);
        slope(&points.collect::<Vec<_>>())
    };
    let understeer = understeer(rig, samples);
    let gains: Vec<[f64; 2]> = linear(samples).map(|one| [one.steer, one.yaw_rate()]).collect();
    let sideslip = |one: &MotionSample| libm::atan2(one.drift, one.speed());
    let most = greatest(samples);
    // beyond the limit of grip, the yaw rate times the speed is more than the acceleration
    let lateral = samples.iter().map(|one| one.lateral).fold(0.0, f64::max);
    if most < LINEAR[1] {
        let [low, high] = LINEAR;
        return Err(rig.without_result(format!(
            "the lateral acceleration reaches {most:.2} m/s²; expected {low} to {high} m/s², between which gradients are fitted"
        )));
    }
    // an oversteering car has a critical speed instead
    let name = if understeer < 0.0 { "critical speed" } else { "characteristic speed" };
    let special = (rig.wheelbase / understeer.abs()).sqrt();
    let metrics = vec![
        Metric::new("understeer gradient", understeer.to_degrees(), "°/(m/s²)"),
        Metric::new("yaw velocity gain", slope(&gains), "1/s"),
        Metric::new("sideslip gradient", fit(&sideslip).to_degrees(), "°/(m/s²)"),
        Metric::new("roll gradient", fit(&|one| one.roll).to_degrees(), "°/(m/s²)"),
        Metric::new(name, 3.6 * special, "km/h"),
        Metric::new("greatest lateral acceleration", lateral, "m/s²"),
    ];
    Ok((metrics, run))
}
