//! The functions of FMI 2.0.

use std::ffi::{CString, c_char, c_int, c_void};

use crate::declare::{absent, calls, exchanges, getters, setters, states, unsupported};
use crate::entry::{self, listed};
use crate::instance::Instance;
use crate::logger::{LogFunction2, Logger, Status};
use crate::simulator::Failure;
use crate::state::InstanceState;
use crate::values::ParameterValue;

/// `fmi2ModelExchange` of `fmi2Type`.
const MODEL_EXCHANGE: c_int = 0;
/// `fmi2LastSuccessfulTime` and `fmi2Terminated` of `fmi2StatusKind`.
const LAST_SUCCESSFUL_TIME: c_int = 2;
const TERMINATED: c_int = 3;

/// `fmi2CallbackFunctions`.
#[repr(C)]
struct Callbacks {
    logger: Option<LogFunction2>,
    allocate_memory: *const c_void,
    free_memory: *const c_void,
    step_finished: *const c_void,
    environment: *mut c_void,
}

#[unsafe(no_mangle)]
extern "C" fn fmi2GetTypesPlatform() -> *const c_char {
    c"default".as_ptr()
}

#[unsafe(no_mangle)]
extern "C" fn fmi2GetVersion() -> *const c_char {
    c"2.0".as_ptr()
}

#[unsafe(no_mangle)]
unsafe extern "C" fn fmi2Instantiate(
    name: *const c_char,
    kind: c_int,
    guid: *const c_char,
    location: *const c_char,
    functions: *const Callbacks,
    _visible: c_int,
    _is_logging: c_int,
) -> *mut Instance {
    // SAFETY: the standard requires valid arguments, also below.
    let logger = match unsafe { functions.as_ref() } {
        Some(Callbacks { logger: Some(function), environment, .. }) => Logger::Two {
            function: *function,
            environment: *environment,
            // SAFETY: as above.
            instance: CString::new(unsafe { entry::text(name) }).unwrap_or_default(),
        },
        _ => Logger::None,
    };
    // SAFETY: as above.
    unsafe { entry::instantiate(guid, location, kind == MODEL_EXCHANGE, logger) }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn fmi2FreeInstance(instance: *mut Instance) {
    // SAFETY: the standard requires an instance.
    unsafe { entry::free(instance) }
}

calls! {
    fmi2SetDebugLogging(_instance, _is_on: c_int, _count: usize, _names: *const *const c_char) {
        Ok(())
    }
    fmi2SetupExperiment(
        instance,
        _has_tolerance: c_int,
        _tolerance: f64,
        start: f64,
        _has_stop: c_int,
        _stop: f64
    ) {
        instance.simulator.set_time(start);
        Ok(())
    }
    fmi2EnterInitializationMode(_instance) { Ok(()) }
    fmi2ExitInitializationMode(instance) { instance.initialize() }
    fmi2Terminate(_instance) { Ok(()) }
    fmi2Reset(instance) { instance.reset() }
    fmi2DoStep(instance, point: f64, size: f64, _keeps_state: c_int) {
        let text = "an observer of the world has ended the run".to_owned();
        match instance.step(point, size)? {
            false => Ok(()),
            true => Err(Failure { status: Status::Discard, text }),
        }
    }
    fmi2GetRealStatus(instance, kind: c_int, value: *mut f64) {
        status(kind == LAST_SUCCESSFUL_TIME, value, instance.time())
    }
    fmi2GetBooleanStatus(instance, kind: c_int, value: *mut c_int) {
        status(kind == TERMINATED, value, instance.is_ended.into())
    }
}

/// Writes a status if the library knows its kind.
fn status<T>(is_known: bool, to: *mut T, value: T) -> Result<(), Failure> {
    if !is_known {
        let text = "steps are not asynchronous".to_owned();
        return Err(Failure { status: Status::Discard, text });
    }
    // SAFETY: the standard requires an address that can be written.
    unsafe { entry::put(to, value) }
}

getters! {
    fmi2GetReal(f64) = Instance::number;
    fmi2GetBoolean(c_int) = |instance, one| instance.truth(one).map(c_int::from);
    fmi2GetString(*const c_char) = Instance::text;
}

setters! {
    fmi2SetReal(f64) = Instance::set_number;
    fmi2SetBoolean(c_int) = |instance, one, value| instance.set_other(one, ParameterValue::Truth(value != 0));
    fmi2SetString(*const c_char) = entry::set_text;
}

states! {
    fmi2GetFMUstate, fmi2SetFMUstate, fmi2FreeFMUstate, fmi2SerializedFMUstateSize, fmi2SerializeFMUstate,
    fmi2DeSerializeFMUstate
}

/// `fmi2EventInfo`.
#[repr(C)]
struct EventInfo {
    needs_new_states: c_int,
    terminates: c_int,
    nominals_changed: c_int,
    states_changed: c_int,
    has_next_event: c_int,
    next_event: f64,
}

exchanges! {
    fmi2EnterEventMode, fmi2EnterContinuousTimeMode, fmi2SetTime, fmi2SetContinuousStates, fmi2GetContinuousStates,
    fmi2GetDerivatives, fmi2GetNominalsOfContinuousStates, fmi2GetEventIndicators
}

calls! {
    // models have no events
    fmi2NewDiscreteStates(instance, info: *mut EventInfo) {
        instance.exchange()?;
        let none = EventInfo {
            needs_new_states: 0,
            terminates: 0,
            nominals_changed: 0,
            states_changed: 0,
            has_next_event: 0,
            next_event: 0.0,
        };
        // SAFETY: the standard requires an address that can be written.
        unsafe { entry::put(info, none) }
    }
    fmi2GetDirectionalDerivative(
        instance,
        unknowns: *const u32,
        unknown_count: usize,
        knowns: *const u32,
        known_count: usize,
        direction: *const f64,
        changes: *mut f64
    ) {
        let variables = [listed(unknowns, unknown_count), listed(knowns, known_count)];
        let (seed, results) = (listed(direction, known_count), listed(changes, unknown_count));
        let derivative = Instance::directional_derivative;
        // SAFETY: the standard requires lists of these lengths.
        unsafe {
            entry::differentiate(instance, derivative, variables, seed, results)
        }
    }
    fmi2CompletedIntegratorStep(
        instance,
        _keeps_state: c_int,
        enters_event_mode: *mut c_int,
        terminates: *mut c_int
    ) {
        instance.exchange()?;
        // SAFETY: the standard requires addresses that can be written.
        unsafe {
            entry::put(enters_event_mode, 0)?;
            entry::put(terminates, 0)
        }
    }
}

absent! {
    fmi2GetInteger(*mut c_int);
    fmi2SetInteger(*const c_int);
    fmi2SetRealInputDerivatives(*const c_int, *const f64);
    fmi2GetRealOutputDerivatives(*const c_int, *mut f64);
}

unsupported! {
    fmi2CancelStep();
    fmi2GetStatus(c_int, *mut c_int);
    fmi2GetIntegerStatus(c_int, *mut c_int);
    fmi2GetStringStatus(c_int, *mut *const c_char);
}
