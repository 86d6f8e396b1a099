//! The J-turn and the fishhook of the NHTSA: fast steering that may lift the wheels on one side (G. Forkenbrock et al., "An
//! experimental examination of J-turn and fishhook maneuvers that may induce on-road, untripped, light vehicle rollover",
//! SAE 2003-01-1008).
//!
//! The amplitude is a multiple of the steering angle A at 0.3 g in a slow drive. The driver releases the accelerator pedal.
//! Limit: the tests of the NHTSA repeat the manoeuvre at rising speeds; here, the speed is the speed of the world.

use super::foot::{Demand, Pace};
use super::motion::{DrivenRun, MotionSample};
use super::rig::Rig;
use super::{ManoeuvreSetting, Metric, dwell};
use crate::Error;

/// Amplitude of the J-turn.
pub(super) const J_TURN_MULTIPLE: ManoeuvreSetting = ManoeuvreSetting {
    name: "multiple",
    unit: "1",
    default: 8.0,
    range: [0.5, 20.0],
    meaning: "amplitude divided by the steering angle at 0.3 g",
};

/// Amplitude of the fishhook.
pub(super) const FISHHOOK_MULTIPLE: ManoeuvreSetting =
    ManoeuvreSetting { default: 6.5, ..J_TURN_MULTIPLE };

/// Begin of steering, s.
const START: f64 = 0.5;
/// Rates of the steering wheel in the J-turn and in the fishhook, rad/s.
const J_TURN_RATE: f64 = 1000.0 * DEGREE;
const FISHHOOK_RATE: f64 = 720.0 * DEGREE;
const DEGREE: f64 = std::f64::consts::PI / 180.0;
/// Times for which the final angle is held, s, and time in which the steering returns.
const J_TURN_HOLD: f64 = 4.0;
const FISHHOOK_HOLD: f64 = 3.0;
const RETURN: f64 = 2.0;
/// Roll rate below which the driver of the fishhook steers to the other side, rad/s, and the longest time of waiting for it.
const ROLL_RATE: f64 = 1.5 * DEGREE;
const LONGEST_WAIT: f64 = 2.0;

/// Returns the steering angle of a hold at an amplitude that was reached `since` s ago, and of the return from it.
fn hold_and_return(amplitude: f64, since: f64, hold: f64) -> f64 {
    amplitude * (1.0 - (since - hold) / RETURN).clamp(0.0, 1.0)
}

fn pace(time: f64) -> Pace {
    if time < START { Pace::Hold } else { Pace::Coast }
}

pub(super) fn run_j_turn(rig: &Rig<'_>) -> Result<(Vec<Metric>, DrivenRun), Error> {
    let amplitude = rig.value(&J_TURN_MULTIPLE) * dwell::find_reference(rig)?;
    let rate = J_TURN_RATE / rig.settings.steering_ratio;
    let rise = amplitude / rate;
    let run = rig.drive(START + rise + J_TURN_HOLD + RETURN, |now| {
        let since = (now.time - START).max(0.0);
        let steer = if since < rise {
            rate * since
        } else {
            hold_and_return(amplitude, since - rise, J_TURN_HOLD)
        };
        Some(Demand { steer, pace: pace(now.time) })
    })?;
    Ok((metrics(rig, &run.samples, amplitude), run))
}

/// The driver of a fishhook.
struct FishhookDriver {
    amplitude: f64,
    rate: f64,
    /// Time at which the driver begins to steer to the other side, s.
    turns: Option<f64>,
    /// Time and roll of the last sample.
    before: [f64; 2],
}

impl FishhookDriver {
    fn steer(&mut self, now: &MotionSample) -> f64 {
        let [time, roll] = std::mem::replace(&mut self.before, [now.time, now.roll]);
        let (since, rise) = (now.time - START, self.amplitude / self.rate);
        if let Some(turns) = self.turns {
            let (back, turning) = (now.time - turns, 2.0 * rise);
            return if back < turning {
                self.amplitude - self.rate * back
            } else {
                hold_and_return(-self.amplitude, back - turning, FISHHOOK_HOLD)
            };
        }
        if since < rise {
            return self.rate * since.max(0.0);
        }
        let rolls = (now.roll - roll).abs() > ROLL_RATE * (now.time - time);
        if !rolls || since > rise + LONGEST_WAIT {
            self.turns = Some(now.time);
        }
        self.amplitude
    }

    /// Returns whether the steering has returned.
    fn is_done(&self, time: f64) -> bool {
        let end = 2.0 * self.amplitude / self.rate + FISHHOOK_HOLD + RETURN;
        self.turns.is_some_and(|turns| time > turns + end)
    }
}

pub(super) fn run_fishhook(rig: &Rig<'_>) -> Result<(Vec<Metric>, DrivenRun), Error> {
    let amplitude = rig.value(&FISHHOOK_MULTIPLE) * dwell::find_reference(rig)?;
    let rate = FISHHOOK_RATE / rig.settings.steering_ratio;
    let mut driver = FishhookDriver { amplitude, rate, turns: None, before: [0.0; 2] };
    let run = rig.drive(60.0, |now| {
        (!driver.is_done(now.time))
            .then(|| Demand { steer: driver.steer(now), pace: pace(now.time) })
    })?;
    let dwell = driver.turns.map_or(f64::NAN, |turns| turns - START - amplitude / rate);
    let mut metrics = metrics(rig, &run.samples, amplitude);
    metrics.insert(1, Metric::new("time at the first angle", dwell, "s"));
    Ok((metrics, run))
}

fn metrics(rig: &Rig<'_>, samples: &[MotionSample], amplitude: f64) -> Vec<Metric> {
    let greatest = |value: &dyn Fn(&MotionSample) -> f64| {
        samples.iter().map(|one| value(one).abs()).fold(0.0, f64::max)
    };
    let side = |one: &MotionSample| {
        let [left, right] = one.loads;
        left.min(right) / (left + right)
    };
    let least = samples.iter().map(side).fold(f64::INFINITY, f64::min);
    let wheel = rig.settings.steering_ratio * amplitude.to_degrees();
    let turned = greatest(&MotionSample::yaw_rate).to_degrees();
    vec![
        Metric::new("amplitude of the steering wheel", wheel, "°"),
        Metric::new("greatest lateral acceleration", greatest(&|one| one.lateral), "m/s²"),
        Metric::new("greatest yaw rate", turned, "°/s"),
        Metric::new("greatest roll", greatest(&|one| one.roll).to_degrees(), "°"),
        Metric::limited("least load of the wheels on one side", 100.0 * least, "%", least > 0.0),
    ]
}
