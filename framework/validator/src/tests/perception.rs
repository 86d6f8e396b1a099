//! Tests of models that ask about the world around them.

use simhost_abi::model_flag;

use crate::case::Case;
use crate::instance::{Outcome, fail, fail_for, of_seed, skip};
use crate::rig::{DT, Rig, When};
use crate::surroundings::{Surroundings, take_asked};

/// Number of lanes, and of steps.
const LANES: usize = 7;
const STEPS: u64 = 8;

/// `perception-declared`
pub(crate) fn declared(case: &Case) -> Outcome {
    if case.model.flags & model_flag::PERCEIVES != 0 {
        return Ok(());
    }
    let mut rig = surrounded(case, case.seed, Surroundings::NotFound)?;
    take_asked();
    for step in 0..STEPS {
        // other tests report a fault
        let _ = rig.step(When { step, dt: DT });
    }
    if take_asked() {
        return fail("it asks for a service that only models with PERCEIVES get");
    }
    Ok(())
}

/// `perception-answers`
pub(crate) fn answers(case: &Case) -> Outcome {
    perceives(case)?;
    for seed in case.seeds() {
        for (surroundings, words) in Surroundings::ALL {
            let mut rig = surrounded(case, seed, surroundings)?;
            for step in 0..STEPS {
                let when = When { step, dt: DT };
                of_seed(seed, rig.sound(when))?;
                if let Some((what, index, value)) = rig.first_not_finite() {
                    let what = format!("{what} is {value} {words}");
                    return of_seed(seed, fail_for(what, rig.inputs_of(index % LANES, when)));
                }
            }
        }
    }
    Ok(())
}

/// `perception-lanes`
pub(crate) fn lanes(case: &Case) -> Outcome {
    perceives(case)?;
    if case.model.flags & model_flag::WHOLE_BATCH != 0 {
        return skip("its lanes depend on each other (WHOLE_BATCH)");
    }
    for seed in case.seeds().take(20) {
        let traced = |size: usize| {
            let mut rig = surrounded(case, seed, Surroundings::Crowded)?;
            let mut bits = Vec::new();
            for step in 0..STEPS {
                rig.fill(step);
                for phase in 0..rig.phases.len() {
                    let when = When { step, dt: DT };
                    for first in (0..LANES).step_by(size) {
                        let result = rig.call(phase, first..(first + size).min(LANES), when);
                        result.or_else(|fault| rig.blame(&fault, when))?;
                    }
                    rig.integrate(phase, DT);
                }
                bits.extend(rig.bits());
            }
            Ok(bits)
        };
        let whole = traced(LANES)?;
        for size in [1, 2, 3] {
            if traced(size)? != whole {
                let what = format!("results change if the lanes are called {size} at a time");
                return of_seed(seed, fail(what));
            }
        }
    }
    Ok(())
}

/// Skips a test for a model that does not perceive.
fn perceives(case: &Case) -> Outcome {
    if case.model.flags & model_flag::PERCEIVES == 0 {
        return skip("it does not perceive (PERCEIVES)");
    }
    Ok(())
}

fn surrounded(case: &Case, seed: u64, surroundings: Surroundings) -> Outcome<Rig> {
    let mut rig = Rig::new(&case.instance()?, LANES, seed)?;
    rig.surroundings = surroundings;
    Ok(rig)
}
