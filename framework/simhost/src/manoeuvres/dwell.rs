//! ISO 19365:2016 and FMVSS 126: one period of a sine of 0.7 Hz with a pause of 0.5 s at its second peak.

use std::f64::consts::TAU;

use super::Metric;
use super::foot::{Demand, GRAVITY, Pace};
use super::motion::{DrivenRun, LINEAR, LateralPeak, MotionSample, gradient, slope};
use super::rig::Rig;
use crate::Error;

/// Frequency of the sine, Hz, and length of the pause at its second peak, s, as FMVSS 126 prescribes them.
const FREQUENCY: f64 = 0.7;
const DWELL: f64 = 0.5;
/// Begin of steering, s.
const START: f64 = 0.5;
/// Lateral acceleration of the reference angle A, m/s².
const REFERENCE: f64 = 0.3 * GRAVITY;
/// Lateral accelerations between which a line is fitted to the steering angle to find A, m/s².
const FITTED: [f64; 2] = [0.1 * GRAVITY, 0.375 * GRAVITY];
/// Greatest amplitude as a multiple of A.
const MULTIPLE: f64 = 6.5;
/// Angles of the steering wheel up to which amplitudes rise at least, and beyond which none does, rad.
const WHEEL: [f64; 2] = [270.0 * DEGREE, 300.0 * DEGREE];
const DEGREE: f64 = std::f64::consts::PI / 180.0;
/// Mass up to which a vehicle counts as light, kg, and least displacements of light and heavy vehicles, m.
const LIGHT: f64 = 3500.0;
const DISPLACEMENTS: [f64; 2] = [1.83, 1.52];
/// Error of a sum of parts of A.
const ROUNDING: f64 = 1e-9;

/// Returns the steering angle as a part of the amplitude.
fn shape(time: f64) -> f64 {
    let (pause, period) = (0.75 / FREQUENCY, 1.0 / FREQUENCY);
    let phase = match time - START {
        since if since < 0.0 || since > period + DWELL => return 0.0,
        since if since < pause => since,
        since if since < pause + DWELL => pause,
        since => since - DWELL,
    };
    libm::sin(TAU * FREQUENCY * phase)
}

/// Returns the steering angle of a steady lateral acceleration of 0.3 g, rad, of the line through the motion with slowly
/// increasing steering.
fn reference(slow: &[MotionSample]) -> f64 {
    let points: Vec<[f64; 2]> = slow
        .iter()
        .map(|one| [one.centripetal(), one.steer])
        .filter(|[lateral, _]| (FITTED[0]..=FITTED[1]).contains(lateral))
        .collect();
    let mean = |axis: usize| points.iter().map(|at| at[axis]).sum::<f64>() / points.len() as f64;
    mean(1) + slope(&points) * (REFERENCE - mean(0))
}

/// Returns the greatest amplitude for the reference angle A, rad: 6.5 A or 270° of the steering wheel, whichever is greater,
/// but at most 300° of it.
fn last_amplitude(reference: f64, steering_ratio: f64) -> f64 {
    let [least, most] = WHEEL.map(|angle| angle / steering_ratio);
    (MULTIPLE * reference).clamp(least, most)
}

/// Drives with slowly increasing steering, and returns the angle A of 0.3 g, rad.
///
/// # Errors
/// [`Error::Manoeuvre`] if the vehicle does not reach the lateral accelerations of the fit.
pub(super) fn find_reference(rig: &Rig<'_>) -> Result<f64, Error> {
    let slow = slowly(rig, 1.5 * REFERENCE)?.samples;
    check_reached(rig, &slow, FITTED[1])?;
    Ok(reference(&slow))
}

/// Returns the error of a vehicle whose lateral acceleration does not reach a value, m/s², with slowly increasing steering.
fn check_reached(rig: &Rig<'_>, slow: &[MotionSample], expected: f64) -> Result<(), Error> {
    let most = greatest(slow);
    if most >= expected {
        return Ok(());
    }
    Err(rig.without_result(format!(
        "the lateral acceleration reaches {most:.2} m/s² with slowly increasing steering; expected {expected:.2} m/s²"
    )))
}

/// Returns the steering angle of a steady lateral acceleration, m/s², rad: of the last sample of a drive to it.
///
/// # Errors
/// [`Error::Manoeuvre`] if the vehicle does not reach it.
pub(super) fn find_angle(rig: &Rig<'_>, lateral: f64) -> Result<f64, Error> {
    let slow = slowly(rig, lateral)?.samples;
    check_reached(rig, &slow, lateral)?;
    Ok(slow.last().map_or(f64::NAN, |last| last.steer))
}

pub(super) fn run(rig: &Rig<'_>) -> Result<(Vec<Metric>, DrivenRun), Error> {
    let steering_ratio = rig.settings.steering_ratio;
    let reference = find_reference(rig)?;
    let last = last_amplitude(reference, steering_ratio);
    let end = START + 1.0 / FREQUENCY + DWELL;
    let (mut run, mut ratios, mut shift) = (DrivenRun::default(), [0.0f64; 2], f64::INFINITY);
    let mut next = Some(1.5 * reference);
    let mut amplitude = 0.0;
    while let Some(present) = next {
        amplitude = present;
        // the last amplitude need not be a multiple
        next = (present < last).then(|| (present + 0.5 * reference).min(last));
        run = rig.drive(end + 2.0, |now| {
            let pace = if now.time < START { Pace::Hold } else { Pace::Coast };
            Some(Demand { steer: amplitude * shape(now.time), pace })
        })?;
        let samples = &run.samples;
        let at = |time: f64| samples.iter().find(|one| one.time >= time);
        let turn = START + 0.5 / FREQUENCY;
        let second = samples.iter().filter(|one| one.time > turn && one.time < end);
        let peak = second.map(|one| -one.yaw_rate()).fold(0.0, f64::max);
        for (ratio, after) in ratios.iter_mut().zip([1.0, 1.75]) {
            let rate = at(end + after).map_or(f64::NAN, |one| -one.yaw_rate());
            *ratio = ratio.max(rate / peak);
        }
        if amplitude >= (5.0 - ROUNDING) * reference {
            let aside = |one: &MotionSample| one.place([rig.centre, 0.0])[1];
            shift = shift.min(at(START + 1.07).map_or(0.0, aside));
        }
    }
    let least = DISPLACEMENTS[usize::from(rig.mass > LIGHT)];
    let metrics = vec![
        Metric::new("steering angle at 0.3 g", reference.to_degrees(), "°"),
        Metric::new("greatest amplitude", amplitude.to_degrees(), "°"),
        Metric::new(
            "greatest angle of the steering wheel",
            (steering_ratio * amplitude).to_degrees(),
            "°",
        ),
        Metric::limited(
            "yaw rate 1 s after the end, of the second peak",
            100.0 * ratios[0],
            "%",
            ratios[0] <= 0.35,
        ),
        Metric::limited(
            "yaw rate 1.75 s after the end, of the second peak",
            100.0 * ratios[1],
            "%",
            ratios[1] <= 0.20,
        ),
        Metric::limited("lateral displacement after 1.07 s", shift, "m", shift >= least),
    ];
    Ok((metrics, run))
}

/// Greatest rate of the steering angle, rad/s.
const RATE: f64 = 0.005;
/// Time in which a vehicle that neither understeers nor oversteers reaches the end of the linear range, s. Understeer
/// gradients of a car at 60 to 116 km/h with it and with a fifth of the rate agree within 0.3 %.
const RISE: f64 = 40.0;
/// Longest run, s.
const DURATION: f64 = 200.0;

/// Drives with slowly increasing steering until the lateral acceleration falls, or is greater than `most`. Beyond the linear
/// range, the steering angle rises faster.
pub(super) fn slowly(rig: &Rig<'_>, most: f64) -> Result<DrivenRun, Error> {
    let speed = rig.speed;
    let slow = (LINEAR[1] * rig.wheelbase / (speed * speed * RISE)).min(RATE);
    let (mut peak, mut steer, mut before) = (LateralPeak::default(), 0.0, 0.0);
    rig.drive(DURATION, |now| {
        let falls = peak.falls_at(now);
        let is_over = now.centripetal() > most || falls || now.speed() < 0.8 * speed;
        let rate = if peak.0 > LINEAR[1] { RATE } else { slow };
        steer += rate * (now.time - std::mem::replace(&mut before, now.time));
        (!is_over).then_some(Demand { steer, pace: Pace::Hold })
    })
}

/// Returns the greatest lateral acceleration, m/s².
fn greatest(samples: &[MotionSample]) -> f64 {
    samples.iter().map(MotionSample::centripetal).fold(0.0, f64::max)
}

/// Returns the samples in which the tyres are nearly linear.
pub(super) fn linear(samples: &[MotionSample]) -> impl Iterator<Item = &MotionSample> {
    samples.iter().filter(|one| (LINEAR[0]..=LINEAR[1]).contains(&one.centripetal()))
}

/// Returns the understeer gradient, rad/(m/s²).
pub(super) fn understeer(rig: &Rig<'_>, samples: &[MotionSample]) -> f64 {
    gradient(linear(samples), |one| one.steer - rig.wheelbase * one.yaw_rate() / one.speed())
}

pub(super) fn run_circle(rig: &Rig<'_>) -> Result<(Vec<Metric>, DrivenRun), Error> {
    let run = slowly(rig, f64::INFINITY)?;
    let samples = &run.samples;
    let fit = |value: &dyn Fn(&MotionSample) -> f64| gradient(linear(samples), value);
    let understeer = understeer(rig, samples);
    let gains: Vec<[f64; 2]> = linear(samples).map(|one| [one.steer, one.yaw_rate()]).collect();
    rig.check_linear(greatest(samples))?;
    // beyond the limit of grip, the yaw rate times the speed is more than the acceleration
    let lateral = samples.iter().map(|one| one.lateral).fold(0.0, f64::max);
    // an oversteering car has a critical speed instead
    let name = if understeer < 0.0 { "critical speed" } else { "characteristic speed" };
    let special = (rig.wheelbase / understeer.abs()).sqrt();
    let metrics = vec![
        Metric::new("understeer gradient", understeer.to_degrees(), "°/(m/s²)"),
        Metric::new("yaw velocity gain", slope(&gains), "1/s"),
        Metric::new("sideslip gradient", fit(&MotionSample::sideslip).to_degrees(), "°/(m/s²)"),
        Metric::new("roll gradient", fit(&|one| one.roll).to_degrees(), "°/(m/s²)"),
        Metric::new(name, 3.6 * special, "km/h"),
        Metric::new("greatest lateral acceleration", lateral, "m/s²"),
    ];
    Ok((metrics, run))
}

#[cfg(test)]
mod tests {
    use super::{DEGREE, last_amplitude};

    #[test]
    fn amplitudes_end_at_angles_of_the_steering_wheel() {
        for ratio in [12.0, 16.0, 21.5] {
            for (reference, expected) in [(20.0, 270.0), (44.0, 286.0), (60.0, 300.0)] {
                let found = last_amplitude(reference * DEGREE / ratio, ratio) * ratio / DEGREE;
                assert!((found - expected).abs() < 1e-9, "{ratio} {reference}: {found}");
            }
        }
    }
}
