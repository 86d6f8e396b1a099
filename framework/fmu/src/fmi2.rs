//! The functions of FMI 2.0 for co-simulation.

use std::ffi::{CString, c_char, c_int, c_void};
use std::ptr::null_mut;

use crate::declare::{absent, calls, getters, setters, states, unsupported};
use crate::entry;
use crate::instance::{Failure, Instance};
use crate::logger::{LogFunction2, Logger, Status};
use crate::state::InstanceState;
use crate::values::ParameterValue;

/// `fmi2CoSimulation` of `fmi2Type`.
const CO_SIMULATION: c_int = 1;
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
    if kind != CO_SIMULATION {
        logger.report(Status::Error, "this FMU supports co-simulation only");
        return null_mut();
    }
    // SAFETY: as above.
    unsafe { entry::instantiate(guid, location, logger) }
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
        instance.start = start;
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

absent! {
    fmi2GetInteger(*mut c_int);
    fmi2SetInteger(*const c_int);
    fmi2SetRealInputDerivatives(*const c_int, *const f64);
    fmi2GetRealOutputDerivatives(*const c_int, *mut f64);
}

unsupported! {
    fmi2GetDirectionalDerivative(*const u32, usize, *const u32, usize, *const f64, *mut f64);
    fmi2CancelStep();
    fmi2GetStatus(c_int, *mut c_int);
    fmi2GetIntegerStatus(c_int, *mut c_int);
    fmi2GetStringStatus(c_int, *mut *const c_char);
    fmi2EnterEventMode();
    fmi2NewDiscreteStates(*mut c_void);
    fmi2EnterContinuousTimeMode();
    fmi2CompletedIntegratorStep(c_int, *mut c_int, *mut c_int);
    fmi2SetTime(f64);
    fmi2SetContinuousStates(*const f64, usize);
    fmi2GetDerivatives(*mut f64, usize);
    fmi2GetEventIndicators(*mut f64, usize);
    fmi2GetContinuousStates(*mut f64, usize);
    fmi2GetNominalsOfContinuousStates(*mut f64, usize);
}
