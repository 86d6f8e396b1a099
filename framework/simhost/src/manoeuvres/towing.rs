//! Manoeuvres of a vehicle with trailers: ISO 14791, ISO 14792, ISO 14793 and ISO 14794 for heavy combinations, and
//! ISO 9815 for passenger cars with trailers.
//!
//! * **Rearward amplification** (ISO 14791:2000, 3.3): greatest lateral acceleration, or yaw velocity, of the last unit
//!   divided by the greatest one of the first unit, after a single sine of the steering angle.
//! * **Damping** (ISO 9815:2010, 8.3): with the amplitudes A_k of successive extremes of the articulation angle after a pulse
//!   of the steering angle, the mean amplitude ratio r of n extremes is the mean of (A_k + A_{k+1})/(A_{k+1} + A_{k+2}), and
//!   the damping is D = ln r/√(π² + ln² r).
//!
//! Angles are of the road wheels. The articulation angle is the angle from the heading of the first trailer to the heading of
//! the towing vehicle.

use std::f64::consts::{PI, TAU};

use super::foot::{Demand, Pace};
use super::motion::{DrivenRun, MotionSample, TrailingUnit, gradient};
use super::rig::Rig;
use super::{ManoeuvreSetting, Metric, dwell, step, turn};
use crate::Error;

/// Lateral acceleration whose steady-state steering angle is the amplitude.
pub(super) const LATERAL: ManoeuvreSetting = ManoeuvreSetting {
    name: "lateral",
    unit: "m/s²",
    default: 1.5,
    range: [0.2, 4.0],
    meaning: "lateral acceleration whose steering angle in a slow drive is the amplitude",
};

/// Frequency of the single sine.
pub(super) const FREQUENCY: ManoeuvreSetting = ManoeuvreSetting {
    name: "frequency",
    unit: "Hz",
    default: 0.4,
    range: [0.1, 1.5],
    meaning: "frequency of the single sine of the steering angle",
};

/// Duration of the pulse.
pub(super) const PULSE: ManoeuvreSetting = ManoeuvreSetting {
    name: "pulse",
    unit: "s",
    default: 0.5,
    range: [0.1, 2.0],
    meaning: "duration of the half sine of the steering angle",
};

/// Lateral acceleration after the step of [`step`], for heavy combinations.
pub(super) const STEP_LATERAL: ManoeuvreSetting =
    ManoeuvreSetting { default: 2.0, ..step::LATERAL };

/// Begin of steering, and time for which the combination is observed afterwards, s.
const START: f64 = 0.5;
const OBSERVED: f64 = 8.0;
/// Least amplitude of an extreme as a part of the first one.
const LEAST: f64 = 0.02;
/// Least and greatest number of extremes.
const EXTREMES: [usize; 2] = [4, 12];

/// Returns a value of the last unit.
fn trailing(value: impl Fn(&TrailingUnit) -> f64) -> impl Fn(&MotionSample) -> f64 {
    move |one| one.trailing.as_ref().map_or(f64::NAN, &value)
}

/// Returns the greatest magnitude of a value.
fn greatest(samples: &[MotionSample], value: impl Fn(&MotionSample) -> f64) -> f64 {
    samples.iter().map(|one| value(one).abs()).fold(0.0, f64::max)
}

pub(super) fn run_lane_change(rig: &Rig<'_>) -> Result<(Vec<Metric>, DrivenRun), Error> {
    let amplitude = dwell::find_angle(rig, rig.value(&LATERAL))?;
    let period = 1.0 / rig.value(&FREQUENCY);
    let run = rig.drive(START + period + OBSERVED, |now| {
        let part = ((now.time - START) / period).clamp(0.0, 1.0);
        Some(Demand { steer: amplitude * libm::sin(TAU * part), pace: Pace::Hold })
    })?;
    let samples = &run.samples;
    rig.check_stable(samples)?;
    let lateral =
        [greatest(samples, |one| one.lateral), greatest(samples, trailing(|unit| unit.lateral))];
    let rate = [
        greatest(samples, MotionSample::yaw_rate),
        greatest(samples, trailing(|unit| unit.yaw_rate)),
    ];
    let articulation = greatest(samples, trailing(|unit| unit.articulation));
    let metrics = vec![
        Metric::new("amplitude of the steering angle", amplitude.to_degrees(), "°"),
        Metric::new("greatest lateral acceleration of the first unit", lateral[0], "m/s²"),
        Metric::new("greatest lateral acceleration of the last unit", lateral[1], "m/s²"),
        Metric::new(
            "rearward amplification of the lateral acceleration",
            lateral[1] / lateral[0],
            "1",
        ),
        Metric::new("rearward amplification of the yaw velocity", rate[1] / rate[0], "1"),
        Metric::new("greatest articulation angle", articulation.to_degrees(), "°"),
    ];
    Ok((metrics, run))
}

pub(super) fn run_pulse(rig: &Rig<'_>) -> Result<(Vec<Metric>, DrivenRun), Error> {
    let amplitude = dwell::find_angle(rig, rig.value(&LATERAL))?;
    let end = START + rig.value(&PULSE);
    let run = rig.drive(end + OBSERVED, |now| {
        let part = ((now.time - START) / (end - START)).clamp(0.0, 1.0);
        Some(Demand { steer: amplitude * libm::sin(PI * part), pace: Pace::Hold })
    })?;
    rig.check_stable(&run.samples)?;
    let articulation = trailing(|unit| unit.articulation);
    let free: Vec<[f64; 2]> = run
        .samples
        .iter()
        .filter(|one| one.time >= end)
        .map(|one| [one.time, articulation(one)])
        .collect();
    let found = extremes(&free);
    let [least, _] = EXTREMES;
    if found.len() < least {
        return Err(rig.without_result(format!(
            "the articulation angle has {} extremes after the pulse; expected at least {least}, which a greater speed can give",
            found.len()
        )));
    }
    let (ratio, damping) = damping(&found);
    let last = found.len() - 1;
    let half = (found[last][0] - found[0][0]) / last as f64;
    let metrics = vec![
        Metric::new("amplitude of the steering angle", amplitude.to_degrees(), "°"),
        Metric::new(
            "first articulation angle after the pulse",
            found[0][1].abs().to_degrees(),
            "°",
        ),
        Metric::new("mean amplitude ratio", ratio, "1"),
        Metric::new("damping of the articulation angle", damping, "1"),
        Metric::new("frequency of the articulation angle", 0.5 / half, "Hz"),
    ];
    Ok((metrics, run))
}

/// Returns time, s, and value of the successive extremes of a value over time, up to one that is too small to be measured.
fn extremes(values: &[[f64; 2]]) -> Vec<[f64; 2]> {
    let mut found: Vec<[f64; 2]> = Vec::new();
    for near in values.windows(3) {
        let [before, now, after] = [near[0][1], near[1][1], near[2][1]];
        if (now - before) * (after - now) > 0.0 || now == before {
            continue;
        }
        let first = found.first().map_or(0.0, |first| first[1].abs());
        let is_opposite = found.last().is_none_or(|last| last[1] * now < 0.0);
        if now.abs() < LEAST * first || !is_opposite || found.len() == EXTREMES[1] {
            break;
        }
        // vertex of the parabola through three points
        let bend = before - 2.0 * now + after;
        let shift = if bend == 0.0 { 0.0 } else { 0.5 * (before - after) / bend };
        let value = now - 0.25 * (before - after) * shift;
        found.push([near[1][0] + shift * (near[2][0] - near[1][0]), value]);
    }
    found
}

/// Returns the mean amplitude ratio of at least three extremes, and the damping.
fn damping(extremes: &[[f64; 2]]) -> (f64, f64) {
    let sums: Vec<f64> =
        extremes.windows(2).map(|pair| pair[0][1].abs() + pair[1][1].abs()).collect();
    let ratios = sums.windows(2).map(|pair| pair[0] / pair[1]);
    let ratio = ratios.sum::<f64>() / (sums.len() - 1) as f64;
    let log = libm::log(ratio);
    (ratio, log / PI.hypot(log))
}

pub(super) fn run_circle(rig: &Rig<'_>) -> Result<(Vec<Metric>, DrivenRun), Error> {
    let (mut metrics, run) = dwell::run_circle(rig)?;
    let articulation = trailing(|unit| unit.articulation);
    let rise = gradient(dwell::linear(&run.samples), articulation);
    metrics.push(Metric::new("articulation angle gradient", rise.to_degrees(), "°/(m/s²)"));
    Ok((metrics, run))
}

pub(super) fn run_step(rig: &Rig<'_>) -> Result<(Vec<Metric>, DrivenRun), Error> {
    let (mut metrics, run) = step::run_to(rig, rig.value(&STEP_LATERAL))?;
    let samples = &run.samples;
    let end = samples.last().and_then(|last| last.trailing).map_or(f64::NAN, |unit| unit.yaw_rate);
    let rate = greatest(samples, trailing(|unit| unit.yaw_rate));
    let first = greatest(samples, |one| one.lateral);
    let last = greatest(samples, trailing(|unit| unit.lateral));
    metrics.push(Metric::new(
        "yaw velocity overshoot of the last unit",
        100.0 * (rate / end.abs() - 1.0),
        "%",
    ));
    metrics.push(Metric::new(
        "rearward amplification of the lateral acceleration",
        last / first,
        "1",
    ));
    Ok((metrics, run))
}

pub(super) fn run_braking(rig: &Rig<'_>) -> Result<(Vec<Metric>, DrivenRun), Error> {
    let (mut metrics, run) = turn::run_braking(rig)?;
    let start = step::STEER_DURATION;
    let articulation = trailing(|unit| unit.articulation);
    let after = || run.samples.iter().filter(|one| one.time >= start - 1e-9);
    let begin = after().next().map_or(f64::NAN, &articulation);
    let change = |until: f64| {
        let changes = after().filter(|one| one.time <= until);
        changes.map(|one| (articulation(one) - begin).abs()).fold(0.0, f64::max).to_degrees()
    };
    metrics.push(Metric::new("initial articulation angle", begin.to_degrees(), "°"));
    metrics.push(Metric::new(
        "greatest change of the articulation angle in the first second",
        change(start + 1.0),
        "°",
    ));
    metrics.push(Metric::new(
        "greatest change of the articulation angle",
        change(f64::INFINITY),
        "°",
    ));
    Ok((metrics, run))
}

#[cfg(test)]
mod tests {
    use super::{PI, damping, extremes};

    #[test]
    fn the_damping_of_an_oscillation_is_found() {
        for expected in [0.05, 0.2, 0.35] {
            let (natural, decay) = (5.0, 5.0 * expected);
            let damped = natural * libm::sqrt(1.0 - expected * expected);
            let value = |time: f64| libm::exp(-decay * time) * libm::sin(damped * time);
            let values: Vec<[f64; 2]> =
                (0..8000).map(|k| 1e-3 * f64::from(k)).map(|time| [time, value(time)]).collect();
            let found = extremes(&values);
            assert!(found.len() >= 4, "{found:?}");
            let (_, damping) = damping(&found);
            assert!((damping - expected).abs() < 1e-4, "{damping}, expected {expected}");
            let half = (found[2][0] - found[0][0]) / 2.0;
            assert!((half - PI / damped).abs() < 1e-4, "{half}");
        }
    }
}
