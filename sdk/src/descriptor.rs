//! The parts of a model descriptor that all kinds share.

use std::ffi::c_void;

use simhost_abi::{
    CallFn, Fault, Kind, Model, ParamDesc, ParamKind, Phase, PortDesc, Slice, StateDesc, Str,
    Value, fault_code, is_same, model_flag,
};

use crate::abilities;
use crate::batch::{self, Independent};
use crate::checks;
use crate::message::Message;
use crate::model_core::{Integrated, ModelCore, Rates};
use crate::{Params, State, fault};

/// Returns a descriptor with the fields that all kinds share.
pub(crate) const fn model<M: ModelCore>(
    kind: Kind,
    id: &'static str,
    version: &'static str,
) -> Model {
    check_initial_keys(M::State::STATES, M::PARAMS);
    checks::host_keys(kind, M::PARAMS);
    match kind {
        Kind::Controller => {}
        Kind::Fleet => {
            assert!(!M::COMMANDS.is_empty(), "a fleet gives at least one kind of command");
        }
        _ => assert!(M::COMMANDS.is_empty(), "only controllers and fleets have commands"),
    }
    // streams of sensors are always there
    let unused = if matches!(kind, Kind::Sensor) { model_flag::RANDOM } else { 0 };
    Model {
        size: size_of::<Model>() as u32,
        kind: kind as u32,
        flags: flags::<M>(matches!(kind, Kind::Fleet)) & !unused,
        schema: M::State::SCHEMA,
        id: Str::new(id),
        version: Str::new(version),
        doc: Str::new(M::DOC),
        params: Slice::new(M::PARAMS),
        states: Slice::new(M::State::STATES),
        commands: Slice::new(M::COMMANDS),
        wheels: Slice::new(&[]),
        chassis: std::ptr::null(),
        phases: Slice::new(&[]),
        create: create::<M>,
        destroy: destroy::<M>,
        arrange: None,
        capacity: None,
        ability: Some(abilities::find::<M>),
    }
}

/// Fails to compile when a state starts from something that is not a number among the parameters.
const fn check_initial_keys(states: &[StateDesc], params: &[ParamDesc]) {
    let mut slot = 0;
    while slot < states.len() {
        // SAFETY: declarations are static, here and below.
        let (name, key) =
            unsafe { (states[slot].name.as_str(), states[slot].initial_key.as_str()) };
        let mut message = Message::of(&["state `", name, "` starts from `", key, "`, "])
            .and("which is not a number or integer among the parameters; expected one of:");
        let mut found = key.is_empty();
        let mut param = 0;
        while param < params.len() {
            let ParamDesc { kind, key: other, .. } = params[param];
            if kind == ParamKind::Number as u32 || kind == ParamKind::Integer as u32 {
                // SAFETY: as above.
                let other = unsafe { other.as_str() };
                found = found || is_same(other, key);
                message = message.and(" `").and(other).and("`");
            }
            param += 1;
        }
        if !found {
            panic!("{}", message.as_str());
        }
        slot += 1;
    }
}

/// Returns the flags of a model whose lanes depend on each other or not.
pub(crate) const fn flags<M: ModelCore>(whole_batch: bool) -> u32 {
    let random = if M::RANDOM { model_flag::RANDOM } else { 0 };
    let whole_batch = if whole_batch { model_flag::WHOLE_BATCH } else { 0 };
    let perceives = if M::PERCEIVES { model_flag::PERCEIVES } else { 0 };
    let time_invariant = if M::TIME_INVARIANT { model_flag::TIME_INVARIANT } else { 0 };
    random | whole_batch | perceives | time_invariant
}

/// Returns the descriptor of a phase.
pub(crate) const fn phase(
    id: &'static str,
    inputs: &'static [PortDesc],
    outputs: &'static [PortDesc],
    call: CallFn,
) -> Phase {
    Phase {
        size: size_of::<Phase>() as u32,
        reserved: 0,
        id: Str::new(id),
        inputs: Slice::new(inputs),
        outputs: Slice::new(outputs),
        call,
    }
}

/// Returns the phase with the rates of change of states, in which lanes do not depend on each other.
pub(crate) const fn rates_phase<D: Integrated>(
    inputs: &'static [PortDesc],
    rates: &'static [PortDesc],
) -> Phase {
    phase("rates", inputs, rates, batch::phase::<Independent<Rates<D>>>)
}

/// Reads the parameters, lets the model check them, and writes the handle.
///
/// # Safety
///
/// `values` live during the call and follow the declaration of the model; `handle` can be written.
unsafe extern "C" fn create<M: ModelCore>(
    values: Slice<Value>,
    handle: *mut *mut c_void,
    fault: *mut Fault,
) -> u32 {
    // SAFETY: promised by the caller.
    let values = unsafe { values.as_slice() };
    if values.len() != M::PARAMS.len() {
        let text = format!("expected {} parameters, found {}", M::PARAMS.len(), values.len());
        return fault::report(fault, fault_code::REFUSED, 0, &text);
    }
    fault::install_hook();
    let made = fault::contain(|| {
        let mut model = M::read(values);
        model.prepare().map(|()| Box::into_raw(Box::new(model)))
    });
    match made {
        Ok(Ok(model)) => {
            // SAFETY: promised by the caller.
            unsafe { *handle = model.cast() };
            fault_code::NONE
        }
        Ok(Err(text)) => fault::report(fault, fault_code::REFUSED, 0, &text),
        Err(caught) => caught.report(fault, 0),
    }
}

unsafe extern "C" fn destroy<M: Params>(handle: *mut c_void) {
    // SAFETY: the handle came from `create` of this type and is not used again.
    let model = unsafe { Box::from_raw(handle.cast::<M>()) };
    // a panic in a destructor must not cross the boundary
    fault::contain_drop(|| drop(model));
}
