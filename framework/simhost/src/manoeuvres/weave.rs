//! ISO 13674-1:2010: on-centre handling in a slow sine of the steering angle at high speed.
//!
//! The loops of lateral acceleration and yaw velocity over the steering angle give sensitivities, gains and the width of the
//! hysteresis. A vehicle with a steering system has the same metrics of the torque over the lateral acceleration.

use std::f64::consts::TAU;

use super::foot::{Demand, Pace};
use super::motion::{DrivenRun, MotionSample, slope};
use super::rig::Rig;
use super::spectrum::transfer;
use super::{ManoeuvreSetting, Metric, dwell};
use crate::Error;

/// Peak of the lateral acceleration.
pub(super) const LATERAL: ManoeuvreSetting = ManoeuvreSetting {
    name: "lateral",
    unit: "m/s²",
    default: 2.0,
    range: [0.5, 4.0],
    meaning: "lateral acceleration for which the amplitude is chosen in a slow drive",
};

/// Frequency of the sine.
pub(super) const FREQUENCY: ManoeuvreSetting = ManoeuvreSetting {
    name: "frequency",
    unit: "Hz",
    default: 0.2,
    range: [0.05, 1.0],
    meaning: "frequency of the steering angle",
};

/// Begin of steering, s; periods before the evaluation, and periods that are evaluated.
const START: f64 = 0.5;
const SETTLING: f64 = 2.0;
const EVALUATED: f64 = 4.0;
/// Part of the amplitude around the middle in which the sensitivity is fitted.
const CENTRE: f64 = 0.2;

pub(super) fn run(rig: &Rig<'_>) -> Result<(Vec<Metric>, DrivenRun), Error> {
    let (lateral, hertz) = (rig.value(&LATERAL), rig.value(&FREQUENCY));
    let amplitude = dwell::find_angle(rig, lateral)?;
    let duration = START + (SETTLING + EVALUATED) / hertz;
    let run = rig.drive(duration, |now| {
        let phase = TAU * hertz * (now.time - START).max(0.0);
        Some(Demand { steer: amplitude * libm::sin(phase), pace: Pace::Hold })
    })?;
    let begin = START + SETTLING / hertz;
    let samples: Vec<MotionSample> =
        run.samples.iter().filter(|one| one.time > begin).copied().collect();
    rig.check_stable(&samples)?;
    let ratio = rig.settings.steering_ratio;
    let metrics = metrics(&samples, hertz, amplitude, ratio);
    Ok((metrics, run))
}

/// Returns the metrics of whole periods, with angles of the steering wheel.
fn metrics(samples: &[MotionSample], hertz: f64, amplitude: f64, ratio: f64) -> Vec<Metric> {
    let series =
        |value: &dyn Fn(&MotionSample) -> f64| -> Vec<f64> { samples.iter().map(value).collect() };
    let steer = series(&|one| one.steer);
    let (lateral, rate) = (series(&|one| one.lateral), series(&MotionSample::yaw_rate));
    let dt = samples.windows(2).next().map_or(f64::NAN, |pair| pair[1].time - pair[0].time);
    let response = |output: &[f64]| transfer(&steer, output, dt, &[hertz]);
    let ([lateral_gain, lateral_phase], [rate_gain, rate_phase]) =
        (response(&lateral), response(&rate));
    let lag = |phase: f64| -phase / (TAU * hertz);
    let central = samples.iter().filter(|one| one.steer.abs() < CENTRE * amplitude);
    let points: Vec<[f64; 2]> = central.map(|one| [one.steer, one.lateral]).collect();
    let per_degree = (slope(&points) / ratio).to_radians();
    let torque = series(&|one| one.torque);
    let peak = lateral.iter().fold(0.0, |most: f64, one| most.max(one.abs()));
    let dead = ratio * width(&lateral, &steer);
    let mut metrics = vec![
        Metric::new("amplitude of the steering wheel", ratio * amplitude.to_degrees(), "°"),
        Metric::new("greatest lateral acceleration", peak, "m/s²"),
        Metric::new("steering sensitivity at zero angle", per_degree, "(m/s²)/°"),
        Metric::new("lateral acceleration gain", (lateral_gain / ratio).to_radians(), "(m/s²)/°"),
        Metric::new("yaw velocity gain", rate_gain / ratio, "1/s"),
        Metric::new("lag of the lateral acceleration", lag(lateral_phase), "s"),
        Metric::new("lag of the yaw velocity", lag(rate_phase), "s"),
        Metric::new("steering-wheel angle hysteresis at zero acceleration", dead.to_degrees(), "°"),
        Metric::new(
            "lateral acceleration hysteresis at zero angle",
            width(&steer, &lateral),
            "m/s²",
        ),
    ];
    if torque.iter().all(|one| one.is_finite()) {
        metrics.extend(torque_metrics(&lateral, &torque, peak));
    }
    metrics
}

/// Returns the metrics of the torque on the steering wheel over the lateral acceleration, whose greatest value is `peak`,
/// m/s².
fn torque_metrics(lateral: &[f64], torque: &[f64], peak: f64) -> [Metric; 4] {
    let points = lateral.iter().zip(torque).map(|(lateral, torque)| [*lateral, *torque]);
    let central: Vec<_> = points.filter(|[lateral, _]| lateral.abs() < CENTRE * peak).collect();
    let most = torque.iter().fold(0.0, |most: f64, one| most.max(one.abs()));
    let friction = 0.5 * width(lateral, torque);
    let returned = 0.5 * width(torque, lateral);
    [
        Metric::new("greatest steering-wheel torque", most, "N·m"),
        Metric::new("steering-wheel torque at zero acceleration", friction, "N·m"),
        Metric::new(
            "steering-wheel torque gradient at zero acceleration",
            slope(&central),
            "N·m/(m/s²)",
        ),
        Metric::new("lateral acceleration at zero steering-wheel torque", returned, "m/s²"),
    ]
}

/// Returns the width of a loop: the mean of `value` where `zero` rises through zero, less its mean
/// where `zero` falls, as a distance.
fn width(zero: &[f64], value: &[f64]) -> f64 {
    let (mut sums, mut counts) = ([0.0; 2], [0.0; 2]);
    for (pair, values) in zero.windows(2).zip(value.windows(2)) {
        if (pair[0] < 0.0) == (pair[1] < 0.0) {
            continue;
        }
        let part = pair[0] / (pair[0] - pair[1]);
        let which = usize::from(pair[1] < pair[0]);
        sums[which] += values[0] + part * (values[1] - values[0]);
        counts[which] += 1.0;
    }
    (sums[0] / counts[0] - sums[1] / counts[1]).abs()
}

#[cfg(test)]
mod tests {
    use super::{torque_metrics, width};

    #[test]
    fn the_torque_follows_from_gradient_and_friction() {
        // 3 N·m/(m/s²), and 0.4 N·m of friction against the motion
        let time = |k: u32| 0.01 * f64::from(k);
        let lateral: Vec<f64> = (1..3770).map(|k| 2.0 * libm::sin(time(k))).collect();
        let push = |k: u32| 0.4_f64.copysign(libm::cos(time(k)));
        let torque: Vec<f64> = (1..3770).map(|k| 6.0 * libm::sin(time(k)) + push(k)).collect();
        let found = torque_metrics(&lateral, &torque, 2.0).map(|metric| metric.value);
        for (found, expected) in found.into_iter().zip([6.4, 0.4, 3.0, 0.4 / 3.0]) {
            assert!((found - expected).abs() < 0.02, "{found}, expected {expected}");
        }
    }

    #[test]
    fn the_width_of_a_loop_follows_from_its_phase() {
        let wave = |lag: f64| -> Vec<f64> {
            (1..4000).map(|k| libm::sin(0.01 * f64::from(k) - lag)).collect()
        };
        // sin(t) is sin(0.3) where sin(t − 0.3) rises through zero, and −sin(0.3) where it falls
        let found = width(&wave(0.3), &wave(0.0));
        assert!((found - 2.0 * libm::sin(0.3)).abs() < 1e-4, "{found}");
    }
}
