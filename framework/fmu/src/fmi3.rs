//! The functions of FMI 3.0.

use std::ffi::{c_char, c_int, c_void};
use std::ptr::null_mut;

use crate::declare::{
    absent, calls, derivatives, exchanges, getters, setters, states, unsupported,
};
use crate::entry;
use crate::instance::Instance;
use crate::logger::{LogFunction3, Logger, Status};
use crate::simulator::Failure;
use crate::state::InstanceState;
use crate::values::ParameterValue;

/// Returns the logger of an importer.
fn logger(function: Option<LogFunction3>, environment: *mut c_void) -> Logger {
    match function {
        Some(function) => Logger::Three { function, environment },
        None => Logger::None,
    }
}

#[unsafe(no_mangle)]
extern "C" fn fmi3GetVersion() -> *const c_char {
    c"3.0".as_ptr()
}

#[unsafe(no_mangle)]
unsafe extern "C" fn fmi3InstantiateCoSimulation(
    _name: *const c_char,
    token: *const c_char,
    location: *const c_char,
    _visible: bool,
    _is_logging: bool,
    _event_mode_used: bool,
    _early_return_allowed: bool,
    _intermediate: *const u32,
    _intermediate_count: usize,
    environment: *mut c_void,
    log: Option<LogFunction3>,
    _intermediate_update: *const c_void,
) -> *mut Instance {
    // SAFETY: the standard requires valid arguments.
    unsafe { entry::instantiate(token, location, false, logger(log, environment)) }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn fmi3InstantiateModelExchange(
    _name: *const c_char,
    token: *const c_char,
    location: *const c_char,
    _visible: bool,
    _is_logging: bool,
    environment: *mut c_void,
    log: Option<LogFunction3>,
) -> *mut Instance {
    // SAFETY: the standard requires valid arguments.
    unsafe { entry::instantiate(token, location, true, logger(log, environment)) }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn fmi3InstantiateScheduledExecution(
    _name: *const c_char,
    _token: *const c_char,
    _location: *const c_char,
    _visible: bool,
    _is_logging: bool,
    environment: *mut c_void,
    log: Option<LogFunction3>,
    _clock_update: *const c_void,
    _lock: *const c_void,
    _unlock: *const c_void,
) -> *mut Instance {
    let text = "this FMU does not support scheduled execution";
    logger(log, environment).report(Status::Error, text);
    null_mut()
}

#[unsafe(no_mangle)]
unsafe extern "C" fn fmi3FreeInstance(instance: *mut Instance) {
    // SAFETY: the standard requires an instance.
    unsafe { entry::free(instance) }
}

calls! {
    fmi3SetDebugLogging(_instance, _is_on: bool, _count: usize, _names: *const *const c_char) {
        Ok(())
    }
    fmi3EnterInitializationMode(
        instance,
        _has_tolerance: bool,
        _tolerance: f64,
        start: f64,
        _has_stop: bool,
        _stop: f64
    ) {
        instance.simulator.set_time(start);
        Ok(())
    }
    fmi3ExitInitializationMode(instance) { instance.initialize() }
    fmi3Terminate(_instance) { Ok(()) }
    fmi3Reset(instance) { instance.reset() }
    fmi3DoStep(
        instance,
        point: f64,
        size: f64,
        _keeps_state: bool,
        needs_events: *mut bool,
        terminates: *mut bool,
        is_early: *mut bool,
        last_time: *mut f64
    ) {
        let stepped = instance.step(point, size);
        let is_ended = matches!(stepped, Ok(true));
        // SAFETY: the standard requires addresses that can be written.
        unsafe {
            entry::put(needs_events, false)?;
            entry::put(terminates, is_ended)?;
            entry::put(is_early, false)?;
            entry::put(last_time, instance.time())?;
        }
        stepped.map(drop)
    }
    // models have no events
    fmi3UpdateDiscreteStates(
        instance,
        needs_update: *mut bool,
        terminates: *mut bool,
        nominals_changed: *mut bool,
        states_changed: *mut bool,
        has_next_event: *mut bool,
        next_event: *mut f64
    ) {
        instance.exchange()?;
        // SAFETY: the standard requires addresses that can be written.
        unsafe {
            entry::put(needs_update, false)?;
            entry::put(terminates, false)?;
            entry::put(nominals_changed, false)?;
            entry::put(states_changed, false)?;
            entry::put(has_next_event, false)?;
            entry::put(next_event, 0.0)
        }
    }
    fmi3CompletedIntegratorStep(
        instance,
        _keeps_state: bool,
        enters_event_mode: *mut bool,
        terminates: *mut bool
    ) {
        instance.exchange()?;
        // SAFETY: the standard requires addresses that can be written.
        unsafe {
            entry::put(enters_event_mode, false)?;
            entry::put(terminates, false)
        }
    }
    fmi3GetNumberOfEventIndicators(instance, count: *mut usize) {
        instance.exchange()?;
        // SAFETY: the standard requires an address that can be written.
        unsafe { entry::put(count, 0) }
    }
    fmi3GetNumberOfContinuousStates(instance, count: *mut usize) {
        let states = instance.exchange()?.continuous_states().len();
        // SAFETY: the standard requires an address that can be written.
        unsafe { entry::put(count, states) }
    }
}

exchanges! {
    fmi3EnterEventMode, fmi3EnterContinuousTimeMode, fmi3SetTime, fmi3SetContinuousStates, fmi3GetContinuousStates,
    fmi3GetContinuousStateDerivatives, fmi3GetNominalsOfContinuousStates, fmi3GetEventIndicators
}

derivatives! {
    fmi3GetDirectionalDerivative = Instance::directional_derivative;
    fmi3GetAdjointDerivative = Instance::adjoint_derivative;
}

getters! {
    fmi3GetFloat64(f64, usize) = Instance::number;
    fmi3GetBoolean(bool, usize) = Instance::truth;
    fmi3GetString(*const c_char, usize) = Instance::text;
}

setters! {
    fmi3SetFloat64(f64, usize) = Instance::set_number;
    fmi3SetBoolean(bool, usize) = |instance, one, value| instance.set_other(one, ParameterValue::Truth(value));
    fmi3SetString(*const c_char, usize) = entry::set_text;
}

states! {
    fmi3GetFMUState, fmi3SetFMUState, fmi3FreeFMUState, fmi3SerializedFMUStateSize, fmi3SerializeFMUState,
    fmi3DeserializeFMUState
}

absent! {
    fmi3GetFloat32(*mut f32, usize);
    fmi3SetFloat32(*const f32, usize);
    fmi3GetInt8(*mut i8, usize);
    fmi3SetInt8(*const i8, usize);
    fmi3GetUInt8(*mut u8, usize);
    fmi3SetUInt8(*const u8, usize);
    fmi3GetInt16(*mut i16, usize);
    fmi3SetInt16(*const i16, usize);
    fmi3GetUInt16(*mut u16, usize);
    fmi3SetUInt16(*const u16, usize);
    fmi3GetInt32(*mut i32, usize);
    fmi3SetInt32(*const i32, usize);
    fmi3GetUInt32(*mut u32, usize);
    fmi3SetUInt32(*const u32, usize);
    fmi3GetInt64(*mut i64, usize);
    fmi3SetInt64(*const i64, usize);
    fmi3GetUInt64(*mut u64, usize);
    fmi3SetUInt64(*const u64, usize);
    fmi3GetBinary(*mut usize, *mut *const u8, usize);
    fmi3SetBinary(*const usize, *const *const u8, usize);
    fmi3GetClock(*mut bool);
    fmi3SetClock(*const bool);
    fmi3GetIntervalDecimal(*mut f64, *mut c_int);
    fmi3GetIntervalFraction(*mut u64, *mut u64, *mut c_int);
    fmi3GetShiftDecimal(*mut f64);
    fmi3GetShiftFraction(*mut u64, *mut u64);
    fmi3SetIntervalDecimal(*const f64);
    fmi3SetIntervalFraction(*const u64, *const u64);
    fmi3SetShiftDecimal(*const f64);
    fmi3SetShiftFraction(*const u64, *const u64);
    fmi3GetOutputDerivatives(*const i32, *mut f64, usize);
}

unsupported! {
    fmi3GetNumberOfVariableDependencies(u32, *mut usize);
    fmi3GetVariableDependencies(u32, *mut usize, *mut u32, *mut usize, *mut c_int, usize);
    fmi3EnterConfigurationMode();
    fmi3ExitConfigurationMode();
    fmi3EvaluateDiscreteStates();
    fmi3EnterStepMode();
    fmi3ActivateModelPartition(u32, f64);
}
