//! Test of the state of an FMU: after a return to it, the same step has the same results.

use std::sync::Arc;

use crate::description::{Causality, Start, Variable};
use crate::instance::{FmuInstance, LoadedFmu};
use crate::lane::{Advance, FmuLane as _};

/// Length of the step of an FMU that suggests none, s.
const STEP: f64 = 0.01;

/// Saves the state at the start, takes a step, restores the state in another instance, and takes the same step there.
///
/// # Errors
/// Why the FMU does not count as restorable: a failure, or the output that differs.
pub(crate) fn check_state(fmu: &Arc<LoadedFmu>) -> Result<(), String> {
    let step = fmu.description.step.unwrap_or(STEP);
    let mut first = FmuInstance::new(fmu, &[])?;
    let state = first.save()?;
    let expected = outputs(&mut first, step)?;
    let mut second = FmuInstance::new(fmu, &[])?;
    // so that an FMU that ignores the call is not at the same state
    second.advance(&Advance { step: Some(step), ..Advance::default() }, &mut Vec::new())?;
    second.restore(&state)?;
    let found = outputs(&mut second, step)?;
    let differs =
        expected.iter().zip(&found).find(|((_, one), (_, other))| one.to_bits() != other.to_bits());
    match differs {
        None => Ok(()),
        Some(((variable, expected), (_, found))) => Err(format!(
            "variable {:?} is {found} after a step from a restored state; expected {expected} as before",
            variable.name
        )),
    }
}

/// Takes a step in which each input changes by 1, and returns the numbers among the outputs.
fn outputs(instance: &mut FmuInstance, step: f64) -> Result<Vec<(Variable, f64)>, String> {
    let description = Arc::clone(&instance.fmu.description);
    let sets = with_role(&description.variables, Causality::Input).map(|(index, input)| {
        let start = match input.start {
            Some(Start::Number(start)) => start,
            _ => 0.0,
        };
        let (min, max) = (input.min.unwrap_or(f64::MIN), input.max.unwrap_or(f64::MAX));
        (index, (start + 1.0).clamp(min, max))
    });
    let (gets, read): (Vec<_>, Vec<_>) =
        with_role(&description.variables, Causality::Output).unzip();
    let mut values = Vec::new();
    instance.advance(&Advance { sets: sets.collect(), step: Some(step), gets }, &mut values)?;
    Ok(read.into_iter().cloned().zip(values).collect())
}

/// Returns the numbers of a role with their indices.
fn with_role(
    variables: &[Variable],
    causality: Causality,
) -> impl Iterator<Item = (usize, &Variable)> {
    let numbered = variables.iter().enumerate();
    numbered.filter(move |(_, one)| one.causality == causality && one.kind.is_number())
}
