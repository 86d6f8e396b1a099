//! ISO 7401:2011, frequency response of yaw velocity and lateral acceleration to the steering angle, from random steering
//! and from a sine of rising frequency.
//!
//! With the transforms X of the steering angle and Y of a response, the gain is |Σ X* Y|/Σ |X|², and the coherence
//! |Σ X* Y|²/(Σ |X|² Σ |Y|²), each summed over the frequencies of the record within 0.05 Hz of the stated one (J. S. Bendat
//! and A. G. Piersol, "Random Data", 4th ed. 2010, chapters 6 and 11). Steering fades in and out, and the record ends when
//! the vehicle drives straight on again, so no window is needed. Delays of the steering system are part of the response.

use std::f64::consts::TAU;

use simhost_sdk::Random;

use super::foot::{Demand, Pace};
use super::motion::{DrivenRun, MotionSample};
use super::rig::Rig;
use super::spectrum::{estimate, sums};
use super::{ManoeuvreSetting, Metric, dwell};
use crate::Error;

/// Size of the steering angles.
pub(super) const LATERAL: ManoeuvreSetting = ManoeuvreSetting {
    name: "lateral",
    unit: "m/s²",
    default: 2.0,
    range: [0.2, 6.0],
    meaning: "steady lateral acceleration of the greatest steering angle",
};

/// Choice of the random steering angles.
pub(super) const SEED: ManoeuvreSetting = ManoeuvreSetting {
    name: "seed",
    unit: "1",
    default: 0.0,
    range: [0.0, 1e9],
    meaning: "whole number that selects the random steering angles",
};

/// Duration of the random steering, s; distance of its frequencies, least and greatest one, Hz.
const RANDOM: f64 = 100.0;
const SPACING: f64 = 0.02;
const LOW: f64 = 0.1;
const HIGH: f64 = 4.0;
/// Duration of the rising sine, s.
const SWEEP: f64 = 60.0;
/// Time in which steering fades in and out, and straight driving after it, s.
const FADE: f64 = 1.0;
const END: f64 = 4.0;
/// Greatest angle of random steering, in units of its root mean square.
const CREST: f64 = 3.0;

/// Frequencies of the response, Hz: 0.2 to 3.0 in steps of 0.1; half width of the band of each, and time between the values
/// that are transformed, s.
const COUNT: usize = 29;
const BAND: f64 = 0.05;
const SAMPLING: f64 = 0.01;

/// Returns the factor by which steering fades in and out.
fn fade(time: f64, duration: f64) -> f64 {
    (time / FADE).min((duration - time) / FADE).clamp(0.0, 1.0)
}

/// Drives with a steering angle, given as a part of the greatest one.
fn drive(
    rig: &Rig<'_>,
    duration: f64,
    shape: impl Fn(f64) -> f64,
) -> Result<(Vec<Metric>, DrivenRun), Error> {
    let most = dwell::find_angle(rig, rig.value(&LATERAL))?;
    let run = rig.drive(duration + END, |now| {
        let steer = most * fade(now.time, duration) * shape(now.time).clamp(-1.0, 1.0);
        Some(Demand { steer, pace: Pace::Hold })
    })?;
    rig.check_stable(&run.samples)?;
    let metrics = metrics(&responses(&run.samples));
    Ok((metrics, run))
}

/// Steers by a sum of sines of random phases.
pub(super) fn run_random(rig: &Rig<'_>) -> Result<(Vec<Metric>, DrivenRun), Error> {
    let count = ((HIGH - LOW) / SPACING).round() as usize + 1;
    let mut random = Random::new((rig.value(&SEED) as u64).wrapping_add(rig.settings.seed));
    let phases: Vec<f64> = (0..count).map(|_| TAU * random.uniform()).collect();
    let amplitude = libm::sqrt(2.0 / count as f64) / CREST;
    drive(rig, RANDOM, |time| {
        let sine =
            |(k, phase): (usize, &f64)| libm::sin(TAU * (LOW + SPACING * k as f64) * time + phase);
        amplitude * phases.iter().enumerate().map(sine).sum::<f64>()
    })
}

/// Steers by a sine whose frequency rises exponentially.
pub(super) fn run_sweep(rig: &Rig<'_>) -> Result<(Vec<Metric>, DrivenRun), Error> {
    let rise = libm::log(HIGH / LOW) / SWEEP;
    drive(rig, SWEEP, |time| libm::sin(TAU * LOW / rise * (libm::exp(rise * time) - 1.0)))
}

/// Response of a vehicle to the angle of the road wheels at a frequency.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FrequencyResponse {
    /// Frequency, Hz.
    pub frequency: f64,
    /// Yaw velocity per steering angle, 1/s.
    pub yaw_gain: f64,
    /// Phase of the yaw velocity, rad, negative behind the steering angle.
    pub yaw_phase: f64,
    /// Coherence of steering angle and yaw velocity, from 0 to 1.
    pub yaw_coherence: f64,
    /// Lateral acceleration per steering angle, (m/s²)/rad.
    pub lateral_gain: f64,
    /// Phase of the lateral acceleration, rad.
    pub lateral_phase: f64,
    /// Coherence of steering angle and lateral acceleration, from 0 to 1.
    pub lateral_coherence: f64,
}

/// Heading of the table of responses.
pub(super) const HEADING: &str = "| Frequency, Hz | Yaw velocity gain, 1/s | Phase, ° | Coherence \
| Lateral acceleration gain, (m/s²)/° | Phase, ° | Coherence |\n|---|---|---|---|---|---|---|\n";

impl FrequencyResponse {
    /// Returns the response as a row of a table in Markdown.
    pub(super) fn row(&self) -> String {
        format!(
            "| {:.1} | {:.4} | {:.2} | {:.4} | {:.4} | {:.2} | {:.4} |",
            self.frequency,
            self.yaw_gain,
            self.yaw_phase.to_degrees(),
            self.yaw_coherence,
            self.lateral_gain.to_radians(),
            self.lateral_phase.to_degrees(),
            self.lateral_coherence
        )
    }
}

/// Returns the responses in a run.
pub(super) fn responses(samples: &[MotionSample]) -> Vec<FrequencyResponse> {
    let step = samples.windows(2).next().map_or(SAMPLING, |pair| pair[1].time - pair[0].time);
    let stride = ((SAMPLING / step).round() as usize).max(1);
    let dt = step * stride as f64;
    let series = |value: &dyn Fn(&MotionSample) -> f64| -> Vec<f64> {
        samples.iter().step_by(stride).map(value).collect()
    };
    let steer = series(&|one| one.steer);
    let (rate, lateral) = (series(&MotionSample::yaw_rate), series(&|one| one.lateral));
    let resolution = 1.0 / (dt * steer.len() as f64);
    let mut last = [0.0; 2];
    let respond = |k: usize| {
        let frequency = 0.1 * (k + 2) as f64;
        let [from, to] = [frequency - BAND, frequency + BAND].map(|one| (one / resolution).ceil());
        let band: Vec<f64> =
            (from as usize..to as usize).map(|bin| resolution * bin as f64).collect();
        let [yaw, side] =
            [&rate, &lateral].map(|output| estimate(&sums(&steer, output, dt, &band)));
        // without jumps by a whole turn from frequency to frequency
        let near = |phase: f64, last: f64| phase - TAU * ((phase - last) / TAU).round();
        last = [near(yaw[1], last[0]), near(side[1], last[1])];
        FrequencyResponse {
            frequency,
            yaw_gain: yaw[0],
            yaw_phase: last[0],
            yaw_coherence: yaw[2],
            lateral_gain: side[0],
            lateral_phase: last[1],
            lateral_coherence: side[2],
        }
    };
    (0..COUNT).map(respond).collect()
}

/// Returns the frequency at which a value first falls below a limit, Hz, between the frequencies of a response.
fn falls_below(
    responses: &[FrequencyResponse],
    value: impl Fn(&FrequencyResponse) -> f64,
    limit: f64,
) -> Option<f64> {
    let pair = responses.windows(2).find(|pair| value(&pair[1]) < limit)?;
    let [from, to] = [value(&pair[0]), value(&pair[1])];
    let part = ((limit - from) / (to - from)).clamp(0.0, 1.0);
    Some(pair[0].frequency + part * (pair[1].frequency - pair[0].frequency))
}

/// Returns frequency, Hz, and value of the greatest yaw velocity gain, at the top of the parabola through three gains.
fn peak(responses: &[FrequencyResponse]) -> [f64; 2] {
    let gain = |at: usize| responses[at].yaw_gain;
    let top = (0..responses.len()).max_by(|a, b| gain(*a).total_cmp(&gain(*b))).unwrap_or(0);
    if top == 0 || top + 1 == responses.len() {
        return [responses[top].frequency, gain(top)];
    }
    let [before, at, after] = [gain(top - 1), gain(top), gain(top + 1)];
    let shift = 0.5 * (before - after) / (before - 2.0 * at + after);
    [responses[top].frequency + 0.1 * shift, at - 0.25 * (before - after) * shift]
}

fn metrics(responses: &[FrequencyResponse]) -> Vec<Metric> {
    let [first, one] = [0, 8].map(|at| responses[at]);
    let [frequency, greatest] = peak(responses);
    let coherence = responses.iter().filter(|one| one.frequency < 2.05);
    let least =
        coherence.map(|one| one.yaw_coherence.min(one.lateral_coherence)).fold(1.0, f64::min);
    let mut metrics = vec![
        Metric::new("yaw velocity gain at 0.2 Hz", first.yaw_gain, "1/s"),
        Metric::new("frequency of the greatest yaw velocity gain", frequency, "Hz"),
        Metric::new(
            "greatest yaw velocity gain, of that at 0.2 Hz",
            greatest / first.yaw_gain,
            "1",
        ),
        Metric::new("yaw velocity phase at 1 Hz", one.yaw_phase.to_degrees(), "°"),
        Metric::new(
            "lateral acceleration gain at 0.2 Hz",
            first.lateral_gain.to_radians(),
            "(m/s²)/°",
        ),
        Metric::new("lateral acceleration gain at 1 Hz", one.lateral_gain.to_radians(), "(m/s²)/°"),
        Metric::new("lateral acceleration phase at 1 Hz", one.lateral_phase.to_degrees(), "°"),
        Metric::new("least coherence up to 2 Hz", least, "1"),
    ];
    let lag = falls_below(responses, |one| one.yaw_phase, -0.25 * std::f64::consts::PI);
    let bandwidth =
        falls_below(responses, |one| one.yaw_gain, first.yaw_gain / std::f64::consts::SQRT_2);
    let optional = [
        ("frequency of −45° of the yaw velocity", lag),
        ("yaw velocity bandwidth, −3 dB", bandwidth),
    ];
    metrics.extend(
        optional.into_iter().filter_map(|(name, hertz)| Some(Metric::new(name, hertz?, "Hz"))),
    );
    metrics
}

#[cfg(test)]
mod tests {
    use super::{MotionSample, TAU, metrics, responses};

    /// An oscillator x'' = ω² (u − x) − 2 ζ ω x' with 1 Hz, excited by a sine of rising frequency: its closed form.
    #[test]
    fn the_response_of_an_oscillator_is_that_of_its_closed_form() {
        let (omega, damping, dt) = (TAU, 0.4, 0.002);
        let (mut place, mut speed, mut samples) = (0.0, 0.0, Vec::new());
        for step in 0..32_000 {
            let time = dt * f64::from(step);
            let fade = super::fade(time, 60.0);
            let steer = fade * libm::sin(5.0 * (libm::exp(0.075 * time) - 1.0));
            let twist = [20.0, 0.0, place];
            samples.push(MotionSample {
                time,
                twist,
                steer,
                lateral: -place,
                ..Default::default()
            });
            speed += dt * (omega * omega * (steer - place) - 2.0 * damping * omega * speed);
            place += dt * speed;
        }
        let found = responses(&samples);
        for one in found.iter().filter(|one| one.frequency < 2.05) {
            let ratio = one.frequency;
            let (re, im) = (1.0 - ratio * ratio, 2.0 * damping * ratio);
            let gain = 1.0 / re.hypot(im);
            assert!((one.yaw_gain / gain - 1.0).abs() < 0.02, "{one:?} {gain}");
            assert!((one.yaw_phase + libm::atan2(im, re)).abs() < 0.03, "{one:?}");
            assert!((one.lateral_gain - one.yaw_gain).abs() < 1e-9);
            assert!(one.yaw_coherence > 0.99, "{one:?}");
        }
        // the gain is greatest at ω √(1 − 2 ζ²)
        let peak = metrics(&found)[1].value;
        assert!((peak - libm::sqrt(1.0 - 2.0 * damping * damping)).abs() < 0.02, "{peak}");
    }

    /// Noise that does not follow the steering angle.
    #[test]
    fn noise_lowers_the_coherence() {
        let mut random = simhost_sdk::Random::new(7);
        let samples: Vec<MotionSample> = (0..20_000)
            .map(|step| {
                let (steer, noise) = (random.normal(), random.normal());
                let (time, twist) = (0.01 * f64::from(step), [20.0, 0.0, steer + noise]);
                MotionSample { time, twist, steer, lateral: steer, ..Default::default() }
            })
            .collect();
        let found = responses(&samples);
        let mean = found.iter().map(|one| one.yaw_coherence).sum::<f64>() / found.len() as f64;
        assert!((0.4..0.65).contains(&mean), "{mean}");
        assert!(found.iter().all(|one| one.lateral_coherence > 0.999_999));
    }
}
