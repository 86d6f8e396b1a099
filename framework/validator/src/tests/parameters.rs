//! Tests of parameters.

use std::sync::Arc;

use simhost_abi::{Kind, fault_code};
use simhost_model::ParamValue;
use simhost_sdk::Random;

use crate::case::Case;
use crate::draw;
use crate::instance::{Instance, Outcome, describe, fail, fail_for, of_seed, refuses};
use crate::rig::{DT, Rig, When};
use crate::tests::observer;

/// Number of steps with one set of parameters.
const STEPS: u64 = 3;

/// `param-unknown-rejected`
pub(crate) fn unknown_rejected(case: &Case) -> Outcome {
    let mut values = case.values();
    let declared = values.len();
    values.push(ParamValue::Text("nobody declared this".into()));
    match Instance::new(&case.class, &values) {
        Ok(_) => fail(format!(
            "`create` took {} values, expected a rejection: {declared} are declared",
            values.len()
        )),
        Err(fault) if fault.code == fault_code::REFUSED => Ok(()),
        Err(fault) => fail(format!("`create` returned {}, expected a rejection", describe(&fault))),
    }
}

/// `param-fuzz-bounds`
pub(crate) fn fuzz_bounds(case: &Case) -> Outcome {
    for seed in case.seeds() {
        let values = case.drawn(&mut Random::new(seed));
        let values = case.with_few_rays(values);
        of_seed(seed, drawn(case, &values, seed))?;
    }
    Ok(())
}

fn drawn(case: &Case, values: &[ParamValue], seed: u64) -> Outcome {
    let listed = || draw::listed(case.model, values);
    let instance = match Instance::new(&case.class, values) {
        Ok(instance) => Arc::new(instance),
        Err(fault) if refuses(&fault) => return Ok(()),
        Err(fault) => {
            let what =
                format!("`create` returned {}, expected a model or a rejection", describe(&fault));
            return fail_for(what, listed());
        }
    };
    if instance.arranged().is_err_and(|fault| refuses(&fault)) {
        return Ok(());
    }
    if instance.kind() == Kind::Observer {
        return observer::fuzzed(case, values, seed);
    }
    let mut rig = Rig::new(&instance, 2, seed)?;
    let mut step = 0;
    while step < STEPS {
        let when = When { step, dt: DT };
        match rig.step(when) {
            // a model can refuse a vehicle whose wheels do not steer, but not one whose wheels do as well
            Err(fault) if step == 0 && !rig.steers && refuses(&fault) => {
                rig = Rig { steers: true, ..Rig::new(&instance, 2, seed)? };
                continue;
            }
            // the model rejects its parameters on this vehicle, whose constants are drawn for each step
            Err(fault) if instance.knows_vehicle() && refuses(&fault) => return Ok(()),
            Err(fault) if fault.code == fault_code::STEP_TOO_LARGE => return Ok(()),
            Err(fault) => {
                let input = format!("{}; {}", listed(), rig.inputs_of(0, when));
                return fail_for(format!("a step returned {}", describe(&fault)), input);
            }
            Ok(()) => {}
        }
        if let Some((what, index, value)) = rig.first_not_finite() {
            let input = format!("{}; {}", listed(), rig.inputs_of(index % 2, when));
            return fail_for(format!("{what} is {value}"), input);
        }
        step += 1;
    }
    Ok(())
}
