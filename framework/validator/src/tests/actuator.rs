//! Tests of actuators.

use simhost_abi::model_flag;
use simhost_sdk::Random;

use crate::case::Case;
use crate::instance::{Outcome, fail_for, of_seed, skip};
use crate::rig::{DT, Rig, When, key};
use crate::tests::halving::divergence;

/// Commands beyond the range of any vehicle.
const EXTREMES: [f64; 7] = [0.0, 1.0, -1.0, 1e3, -1e3, 1e6, -1e6];
/// Number of seeds for which long runs are repeated.
const CASES: usize = 5;
/// Length of the longest step when steps are halved, s, and the number of these steps.
const STEP: f64 = 0.02;
const STEPS: u64 = 100;
/// Number of steps for which a command lasts.
const LASTING: u64 = 10;

/// Sets the command of all lanes, runs a step that must not fault, and returns the output of the first
/// lane.
fn actuate(rig: &mut Rig, command: f64, when: When) -> Outcome<f64> {
    for phase in 0..rig.phases.len() {
        rig.set(phase, "command", command);
    }
    rig.phases_of_step(when).or_else(|fault| rig.blame(&fault, when))?;
    let phase = rig.phase("actuate").unwrap_or_default();
    Ok(rig.output(phase, "value").map_or(0.0, |values| values[0]))
}

/// Returns a rig with one lane, whose measurements stay as they are.
fn rig(case: &Case, seed: u64) -> Outcome<Rig> {
    let mut rig = Rig::new(&case.instance()?, 1, seed)?;
    rig.fill(0);
    Ok(rig)
}

/// Returns a command of one of three magnitudes, which lasts for some steps.
fn command(seed: u64, step: u64) -> f64 {
    let size = [0.1, 1.0, 10.0][(seed % 3) as usize];
    size * (2.0 * Random::new(key(seed, &[step / LASTING])).uniform() - 1.0)
}

/// `actuator-finite`
pub(crate) fn finite(case: &Case) -> Outcome {
    for seed in case.seeds() {
        let mut rig = rig(case, seed)?;
        for step in 0..40 {
            let draw = Random::new(key(seed, &[step / 8])).bits() as usize;
            let when = When { step, dt: DT };
            actuate(&mut rig, EXTREMES[draw % EXTREMES.len()], when)?;
            if let Some((what, _, value)) = rig.first_not_finite() {
                let failed = fail_for(format!("{what} is {value}"), rig.inputs_of(0, when));
                return of_seed(seed, failed);
            }
        }
    }
    Ok(())
}

/// `actuator-stable`
pub(crate) fn stable(case: &Case) -> Outcome {
    const LONG: u64 = 4000;
    for seed in case.seeds().take(CASES) {
        let mut rig = rig(case, seed)?;
        let mut largest = [10.0_f64; 2];
        for step in 0..LONG {
            let value = actuate(&mut rig, command(seed, step), When { step, dt: DT })?;
            let half = &mut largest[usize::from(step >= LONG / 2)];
            // `max` would hide a NaN
            *half = if value.abs() <= *half { *half } else { value.abs() };
        }
        let [early, late] = largest;
        if late > 10.0 * early || late.is_nan() {
            let seconds = LONG as f64 * DT;
            let what = format!(
                "output value reaches {early} in the first half of {seconds} s and {late} in the \
                 second, with commands up to 10"
            );
            return of_seed(seed, fail_for(what, format!("steps of {DT} s")));
        }
    }
    Ok(())
}

/// `actuator-halving-dt`
pub(crate) fn halving_dt(case: &Case) -> Outcome {
    if case.instance()?.has_flag(model_flag::RANDOM) {
        return skip("it draws random numbers");
    }
    for seed in case.seeds().take(CASES) {
        let run = |parts: u64| response(case, seed, parts);
        let [coarse, middle, fine] = [run(1)?, run(2)?, run(4)?];
        if let Some((what, size)) = divergence("output", STEP, [&coarse, &middle, &fine]) {
            return of_seed(seed, fail_for(what, format!("outputs up to {size}")));
        }
    }
    Ok(())
}

/// Returns the output at the ends of steps of [`STEP`] seconds, which are divided into equal parts.
fn response(case: &Case, seed: u64, parts: u64) -> Outcome<Vec<f64>> {
    let mut rig = rig(case, seed)?;
    rig.counted = STEP / parts as f64;
    let mut outputs = Vec::new();
    for step in 0..STEPS {
        let mut last = 0.0;
        for part in 0..parts {
            let when = When { step: step * parts + part, dt: STEP / parts as f64 };
            last = actuate(&mut rig, command(seed, step), when)?;
        }
        outputs.push(last);
    }
    Ok(outputs)
}
