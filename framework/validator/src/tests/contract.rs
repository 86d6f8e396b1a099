//! Tests of side effects of phases.

use simhost_abi::{
    Fault, INTERPRETED_ABILITY, Kind, SELFTEST_ABILITY, SelftestTable, Str, fault_code,
};
use simhost_model::float_control;

use crate::allocations;
use crate::case::Case;
use crate::instance::{Outcome, describe, fail, skip};
use crate::process::compare_trace;
use crate::rig::{DT, When};
use crate::tests::observer;

/// `no-alloc-in-step`
pub(crate) fn no_alloc(case: &Case) -> Outcome {
    // SAFETY: the id lives during the call, and any address is an answer.
    let answer = case.model.ability.map(|find| unsafe { find(Str::borrowed(INTERPRETED_ABILITY)) });
    if answer.is_some_and(|address| !address.is_null()) {
        return skip("it is interpreted, so its calls allocate".to_owned());
    }
    let mut rig = case.rig(20)?;
    if let Err(reason) = allocations::start() {
        return skip(reason);
    }
    for step in 0..5 {
        rig.fill(step);
        for phase in 0..rig.phases.len() {
            let when = When { step, dt: DT };
            let result = rig.call(phase, 0..20, when);
            let (count, bytes) = allocations::counted();
            if count > 0 {
                let id = rig.phases[phase].phase.id();
                return fail(format!(
                    "`{id}` allocated {count} times in one call (of {bytes} bytes at last)"
                ));
            }
            result.or_else(|fault| rig.blame(&fault, when))?;
        }
    }
    Ok(())
}

/// Runs steps of a model, and returns the bits of everything written. An observer writes nothing.
fn exercise(case: &Case, lanes: usize, steps: u64) -> Outcome<Vec<u64>> {
    if case.model.kind() == Some(Kind::Observer) {
        return observer::exercise(case).map(|_| Vec::new());
    }
    case.rig(lanes)?.trace(0..steps)
}

/// `no-stdout`; the parent process checks the output.
pub(crate) fn no_stdout(case: &Case) -> Outcome {
    exercise(case, 4, 20).map(drop)
}

/// `panic-contained`
pub(crate) fn panic_contained(case: &Case) -> Outcome {
    let instance = case.instance()?;
    let table = instance.table::<SelftestTable>().or_else(fail)?;
    let Some(table) = table else {
        return skip(format!("it cannot panic on request: missing ability `{SELFTEST_ABILITY}`"));
    };
    let expected = exercise(case, 2, 5)?;
    let mut fault = Fault::NONE;
    // SAFETY: the fault is ours.
    let code = unsafe { (table.panic)(&raw mut fault) };
    if code != fault_code::PANIC || fault.text_len == 0 {
        let description = describe(&Fault { code, ..fault });
        return fail(format!(
            "a panic was returned as {description}, expected a panic with its message"
        ));
    }
    compare_trace(&expected, &exercise(case, 2, 5)?, "after a panic")
}

/// `float-control`
pub(crate) fn keeps_float_control(case: &Case) -> Outcome {
    exercise(case, 4, 5)?;
    // each file is recorded once, also when the library was loaded
    match float_control::take_changes().first() {
        None => Ok(()),
        Some(change) if change.class.is_empty() => fail(format!(
            "the library changes the floating-point control state while it is loaded ({})",
            change.state
        )),
        Some(change) => fail(format!(
            "`{}` changes the floating-point control state ({})",
            change.function, change.state
        )),
    }
}
