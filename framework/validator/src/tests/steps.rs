//! Tests of single steps with unusual and with ordinary inputs.

use crate::case::Case;
use crate::instance::{Outcome, fail_for, of_seed};
use crate::process::compare_trace;
use crate::rig::{DT, Rig, When, inputs};

/// `step-zero-dt`
pub(crate) fn zero_dt(case: &Case) -> Outcome {
    let expected = case.rig(2)?.trace(0..5)?;
    let instance = case.instance()?;
    for step in 0..3 {
        let mut rig = Rig::new(&instance, 2, case.seed)?;
        // any result is accepted, provided that the call returns
        let _ = rig.step(When { step, dt: 0.0 });
    }
    let found = Rig::new(&instance, 2, case.seed)?.trace(0..5)?;
    compare_trace(&expected, &found, "after a step of length 0")
}

/// `step-nonfinite-input`
pub(crate) fn nonfinite_input(case: &Case) -> Outcome {
    let expected = case.rig(2)?.trace(0..5)?;
    let instance = case.instance()?;
    let mut rig = Rig::new(&instance, 2, case.seed)?;
    rig.fill(0);
    for phase in 0..rig.phases.len() {
        for port in inputs(rig.phases[phase].phase) {
            for value in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, f64::MAX] {
                rig.fill(0);
                rig.set(phase, port.name(), value);
                // any result is accepted, provided that the call returns
                let _ = rig.call(phase, 0..2, When { step: 0, dt: DT });
            }
        }
    }
    let found = Rig::new(&instance, 2, case.seed)?.trace(0..5)?;
    compare_trace(&expected, &found, "after inputs that are not finite")
}

/// `step-output-finite`
pub(crate) fn output_finite(case: &Case) -> Outcome {
    let instance = case.instance()?;
    for seed in case.seeds() {
        of_seed(seed, run(&mut Rig::new(&instance, 4, seed)?))?;
    }
    Ok(())
}

fn run(rig: &mut Rig) -> Outcome {
    for step in 0..20 {
        let when = When { step, dt: DT };
        rig.sound(when)?;
        if let Some((what, index, value)) = rig.first_not_finite() {
            return fail_for(format!("{what} is {value}"), rig.inputs_of(index % 4, when));
        }
    }
    Ok(())
}
