//! ISO 19365:2016 and FMVSS 126: one period of a sine of 0.7 Hz with a pause of 0.5 s at its second peak.

use std::f64::consts::TAU;

use super::rig::{MotionSample, Pedals, Rig};
use super::{Metric, circle};
use crate::Error;

const FREQUENCY: f64 = 0.7;
const DWELL: f64 = 0.5;
/// Begin of steering, s.
const START: f64 = 0.5;
/// Lateral acceleration at which the reference angle is measured, m/s².
const REFERENCE: f64 = 0.3 * 9.81;
/// Greatest road-wheel angle, rad.
const MOST: f64 = 0.35;

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

pub(super) fn run(rig: &Rig<'_>, speed: f64) -> Result<(Vec<Metric>, Vec<MotionSample>), Error> {
    let slow = circle::slowly(rig, speed, 1.5 * REFERENCE)?;
    let reached = slow.iter().find(|one| one.speed() * one.yaw_rate() >= REFERENCE);
    let reference = reached.map_or(f64::NAN, |one| one.steer);
    let end = START + 1.0 / FREQUENCY + DWELL;
    let (mut samples, mut ratios, mut shift) = (Vec::new(), [0.0f64; 2], f64::INFINITY);
    let mut amplitude = 1.5 * reference;
    while reference.is_finite() && amplitude <= (6.5 * reference).min(MOST) {
        samples = rig.drive(speed, end + 2.0, |now| {
            let steer = amplitude * shape(now.time);
            let drive = if now.time < START { rig.hold(now, speed) } else { 0.0 };
            Some(Pedals { steer, drive, brake: 0.0 })
        })?;
        let at = |time: f64| samples.iter().find(|one| one.time >= time);
        let turn = START + 0.5 / FREQUENCY;
        let second = samples.iter().filter(|one| one.time > turn && one.time < end);
        let peak = second.map(|one| -one.yaw_rate()).fold(0.0, f64::max);
        for (ratio, after) in ratios.iter_mut().zip([1.0, 1.75]) {
            let rate = at(end + after).map_or(f64::NAN, |one| -one.yaw_rate());
            *ratio = ratio.max(rate / peak);
        }
        if amplitude >= 5.0 * reference {
            let aside = |one: &MotionSample| one.place([rig.centre, 0.0])[1];
            shift = shift.min(at(START + 1.07).map_or(0.0, aside));
        }
        amplitude += 0.5 * reference;
    }
    let shift = if shift.is_finite() { shift } else { f64::NAN };
    let metrics = vec![
        Metric::new("steering angle at 0.3 g", reference.to_degrees(), "°"),
        Metric::new("greatest amplitude", (amplitude - 0.5 * reference).to_degrees(), "°"),
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
        Metric::limited("lateral displacement after 1.07 s", shift, "m", shift >= 1.83),
    ];
    Ok((metrics, samples))
}
