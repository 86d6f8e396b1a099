//! The values of state slots at the start of a run.

use simhost_abi::{Model, StateDesc};

use crate::values::ParamValue;
use crate::view::View;

/// Returns the value of each state slot of a model at the start of a run. `values` are the parameters
/// in the order of their declaration.
pub fn initial_states(model: &'static View<Model>, values: &[ParamValue]) -> Vec<f64> {
    model.states().iter().map(|slot| initial_state(slot, model, values)).collect()
}

/// Returns the value of the parameter from which a slot starts, or the constant of its declaration.
fn initial_state(
    slot: &'static View<StateDesc>,
    model: &'static View<Model>,
    values: &[ParamValue],
) -> f64 {
    let key = slot.initial_key();
    let place = model.params().iter().position(|param| !key.is_empty() && param.key() == key);
    match place.and_then(|place| values.get(place)) {
        Some(ParamValue::Number(number)) => *number,
        _ => slot.initial,
    }
}
