//! Tests of parameters that can differ between lanes.

use std::sync::Arc;

use simhost_model::{ParamValue, lanes};
use simhost_sdk::Random;

use crate::case::Case;
use crate::draw;
use crate::instance::{Instance, Outcome, fail_for, of_seed, skip};
use crate::rig::{DT, Rig, When, outputs, slots};

/// Number of lanes, more than fit into one vector.
const LANES: usize = 19;
/// Number of compared steps.
const STEPS: u64 = 5;
/// Number of random cases.
const CASES: usize = 5;
/// Number of draws until the parameters of a lane are left at their defaults.
const DRAWS: usize = 20;

/// `parameters-per-lane`
pub(crate) fn per_lane(case: &Case) -> Outcome {
    if lanes::per_lane(case.model).next().is_none() {
        return skip("none of its parameters can differ between lanes");
    }
    for seed in case.seeds().take(CASES) {
        let mut random = Random::new(seed);
        let drawn = (0..LANES).map(|_| drawn(case, &mut random, seed));
        let drawn = drawn.collect::<Outcome<Vec<_>>>()?;
        of_seed(seed, compare(case, &drawn, seed))?;
    }
    Ok(())
}

/// The parameters of a lane, and an instance that was created with them.
type Lane = (Vec<ParamValue>, Arc<Instance>);

/// Draws the parameters of a lane until the model accepts them and makes a step, or returns the
/// defaults.
fn drawn(case: &Case, random: &mut Random, seed: u64) -> Outcome<Lane> {
    let usual = case.instance()?;
    for _ in 0..DRAWS {
        let mut values = case.values();
        for (place, param) in lanes::per_lane(case.model) {
            values[place] = draw::within(param, random);
        }
        let Ok(instance) = Instance::new(&case.class, &values) else { continue };
        let instance = Arc::new(instance);
        // an unusual shape is not what this test looks for
        if instance.rays() != usual.rays() || instance.arranged().is_err() {
            continue;
        }
        if Rig::new(&instance, LANES, seed)?.step(When { step: 0, dt: DT }).is_ok() {
            return Ok((values, instance));
        }
    }
    Ok((case.values(), usual))
}

/// Compares one instance, whose lanes have these parameters, with the instances that were created with
/// them.
fn compare(case: &Case, drawn: &[Lane], seed: u64) -> Outcome {
    let own = drawn.iter().map(|(_, instance)| Rig::new(instance, LANES, seed));
    let mut own = own.collect::<Outcome<Vec<_>>>()?;
    let values: Vec<&[ParamValue]> = drawn.iter().map(|(values, _)| &**values).collect();
    let mut rig = Rig::varied(&own, &values, seed)?;
    for step in 0..STEPS {
        let when = When { step, dt: DT };
        rig.fill(step);
        for (lane, own) in own.iter_mut().enumerate() {
            own.fill(step);
            rig.copy_inputs(own, lane);
        }
        for phase in 0..rig.phases.len() {
            for (lane, own) in own.iter_mut().enumerate() {
                if own.call(phase, lane..lane + 1, when).is_err() {
                    return Ok(());
                }
                own.integrate(phase, DT);
            }
            rig.call(phase, 0..LANES, when).or_else(|fault| rig.blame(&fault, when))?;
            rig.integrate(phase, DT);
            for (lane, own) in own.iter().enumerate() {
                if let Some(what) = difference(&rig, own, phase, lane) {
                    let listed = draw::listed(case.model, values[lane]);
                    let input = format!("{listed}; {}", rig.inputs_of(lane, when));
                    return fail_for(what, input);
                }
            }
        }
    }
    Ok(())
}

/// Describes the first difference between the results of a lane.
fn difference(rig: &Rig, own: &Rig, phase: usize, lane: usize) -> Option<String> {
    let bound = &rig.phases[phase];
    let outputs = outputs(bound.phase).iter().map(|port| ("output", port.name(), port.scope));
    let outputs = outputs.zip(bound.outputs.iter().zip(&own.phases[phase].outputs));
    let slots = slots(&rig.instance).iter().map(|slot| ("state", slot.name(), slot.scope));
    let slots = slots.zip(rig.states.iter().zip(&own.states));
    outputs.chain(slots).find_map(|((kind, name, scope), (ours, theirs))| {
        let is_same = |a: f64, b: f64| a.to_bits() == b.to_bits() || a.is_nan() && b.is_nan();
        let place = rig.places(scope, lane).find(|place| !is_same(ours[*place], theirs[*place]))?;
        Some(format!(
            "{kind} `{name}` of lane {lane} of `{}` is {}, expected {} as from an instance that was \
             created with the parameters of the lane",
            bound.phase.id(),
            ours[place],
            theirs[place]
        ))
    })
}
