//! Tests of models that read sensors.

use std::sync::Arc;

use simhost_abi::Scope;

use crate::case::Case;
use crate::instance::{Instance, Outcome, fail_for, of_seed, skip};
use crate::rig::{ARRAY_CAPACITY, DT, Rig, When, inputs, reads_sensors};

/// Number of lanes, and of steps.
const LANES: usize = 6;
const STEPS: u64 = 8;

/// `reading-empty`
pub(crate) fn empty(case: &Case) -> Outcome {
    let instance = case.instance()?;
    if !has_readings(&instance) {
        return skip("no input is a reading of a sensor");
    }
    for seed in case.seeds() {
        let mut rig = Rig::new(&instance, LANES, seed)?;
        for step in 0..STEPS {
            rig.fill(step);
            // some readings are still missing in the last steps, and then none
            if step < STEPS / 2 {
                rig.readings.set(0);
            }
            let when = When { step, dt: DT };
            let result = rig.phases_of_step(when);
            of_seed(seed, result.or_else(|fault| rig.blame(&fault, when)))?;
            if let Some((what, index, value)) = rig.first_not_finite() {
                let what = format!("{what} is {value}, though a sensor has not been sampled yet");
                return of_seed(seed, fail_for(what, rig.inputs_of(index % LANES, when)));
            }
        }
    }
    Ok(())
}

/// `reading-count`
pub(crate) fn count(case: &Case) -> Outcome {
    let instance = case.instance()?;
    if !has_readings(&instance) {
        return skip("no input is a reading of a sensor");
    }
    for seed in case.seeds().take(20) {
        for poison in [f64::NAN, 1e9, 0.0] {
            of_seed(seed, compare(&instance, seed, poison))?;
        }
    }
    Ok(())
}

/// Runs the same steps with and without `poison` beyond the counts.
fn compare(instance: &Arc<Instance>, seed: u64, poison: f64) -> Outcome {
    let (mut plain, mut spoilt) =
        (Rig::new(instance, LANES, seed)?, Rig::new(instance, LANES, seed)?);
    for step in 0..STEPS {
        let when = When { step, dt: DT };
        plain.sound(when)?;
        spoilt.fill(step);
        spoil(&mut spoilt, poison);
        if spoilt.phases_of_step(when).is_err() || spoilt.bits() != plain.bits() {
            let what = format!("results change with {poison} beyond the count of a reading");
            let lane = first_difference(&plain, &spoilt);
            return fail_for(what, plain.inputs_of(lane, when));
        }
    }
    Ok(())
}

fn has_readings(instance: &Instance) -> bool {
    instance.phases().iter().any(reads_sensors)
}

/// Sets the values of all readings beyond the counts.
fn spoil(rig: &mut Rig, poison: f64) {
    for bound in &mut rig.model.phases {
        let ports = inputs(bound.phase).iter().zip(&mut bound.inputs);
        for (_, column) in ports.filter(|(port, _)| port.scope == Scope::Array as u32) {
            for (values, count) in column.chunks_mut(ARRAY_CAPACITY).zip(&rig.readings.counts) {
                values[*count as usize..].fill(poison);
            }
        }
    }
}

/// Returns the first lane with an output of one value per lane that differs.
fn first_difference(one: &Rig, other: &Rig) -> usize {
    let outputs = |rig: &Rig| {
        let columns = rig.phases.iter().flat_map(|bound| bound.outputs.clone());
        columns.chain(rig.states.clone()).collect::<Vec<_>>()
    };
    let mut pairs = outputs(one).into_iter().zip(outputs(other));
    let differs = |(a, b): &(f64, f64)| a.to_bits() != b.to_bits();
    let lane = pairs.find_map(|(a, b)| a.into_iter().zip(b).position(|pair| differs(&pair)));
    lane.unwrap_or(0) % LANES
}
