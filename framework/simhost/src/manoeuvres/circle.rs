//! ISO 4138:2021, constant speed with slowly increasing steering angle (its method 3).

use super::Metric;
use super::rig::{MotionSample, Pedals, Rig, slope};
use crate::Error;

/// Rate of the steering angle, rad/s.
const RATE: f64 = 0.005;
/// Longest run, s.
const DURATION: f64 = 30.0;
/// Lateral accelerations between which gradients are fitted, m/s².
const LINEAR: [f64; 2] = [0.5, 2.0];

/// Drives with slowly increasing steering until the lateral acceleration falls.
pub(super) fn slowly(rig: &Rig<'_>, speed: f64, most: f64) -> Result<Vec<MotionSample>, Error> {
    let mut greatest = 0.0f64;
    rig.drive(speed, DURATION, |now| {
        let lateral = now.speed() * now.yaw_rate();
        greatest = greatest.max(lateral);
        let is_over = lateral > most || lateral < 0.9 * greatest || now.speed() < 0.8 * speed;
        let steer = RATE * now.time;
        (!is_over).then(|| Pedals { steer, drive: rig.hold(now, speed), brake: 0.0 })
    })
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

pub(super) fn run(rig: &Rig<'_>, speed: f64) -> Result<(Vec<Metric>, Vec<MotionSample>), Error> {
    let samples = slowly(rig, speed, f64::INFINITY)?;
    let fit = |value: &dyn Fn(&MotionSample) -> f64| {
        let points = linear(&samples).map(|one| [one.speed() * one.yaw_rate(), value(one)]);
        slope(&points.collect::<Vec<_>>())
    };
    let understeer = understeer(rig, &samples);
    let gains: Vec<[f64; 2]> = linear(&samples).map(|one| [one.steer, one.yaw_rate()]).collect();
    let sideslip = |one: &MotionSample| libm::atan2(one.drift, one.speed());
    let most = samples.iter().map(|one| one.speed() * one.yaw_rate()).fold(0.0, f64::max);
    let characteristic =
        if understeer > 0.0 { (rig.wheelbase / understeer).sqrt() } else { f64::NAN };
    let metrics = vec![
        Metric::new("understeer gradient", understeer.to_degrees(), "°/(m/s²)"),
        Metric::new("yaw velocity gain", slope(&gains), "1/s"),
        Metric::new("sideslip gradient", fit(&sideslip).to_degrees(), "°/(m/s²)"),
        Metric::new("roll gradient", fit(&|one| one.roll).to_degrees(), "°/(m/s²)"),
        Metric::new("characteristic speed", 3.6 * characteristic, "km/h"),
        Metric::new("greatest lateral acceleration", most, "m/s²"),
    ];
    Ok((metrics, samples))
}
