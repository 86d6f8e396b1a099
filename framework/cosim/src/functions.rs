//! The functions of an FMU that every import needs, as tables of addresses.
//!
//! Declarations follow `fmi2Functions.h` of FMI 2.0.4 and `fmi3Functions.h` of FMI 3.0.2.

use std::ffi::{c_char, c_int, c_void};
use std::path::Path;

use simhost_registry::load_library;

use crate::description::{FmuDescription, Version};

/// An instance inside the library.
pub(crate) type Component = *mut c_void;

/// Receives a message of FMI 2.0. The function of the standard has further arguments, which the format of the message names; a
/// callee does not have to read them.
pub(crate) type Log2 =
    unsafe extern "C" fn(*mut c_void, *const c_char, c_int, *const c_char, *const c_char);

/// `fmi2CallbackFunctions`.
#[repr(C)]
pub(crate) struct Callbacks {
    pub logger: Log2,
    pub allocate: unsafe extern "C" fn(usize, usize) -> *mut c_void,
    pub free: unsafe extern "C" fn(*mut c_void),
    pub step_finished: *const c_void,
    pub environment: *mut c_void,
}

/// Declares a table of functions, which are found by their names.
macro_rules! table {
    ($(#[$meta:meta])* $table:ident { $( $field:ident = $symbol:literal: fn($($type:ty),*) -> $result:ty; )* }) => {
        $(#[$meta])*
        #[derive(Clone, Copy)]
        pub(crate) struct $table {
            $( pub $field: unsafe extern "C" fn($($type),*) -> $result, )*
        }

        impl $table {
            /// Finds all functions.
            ///
            /// # Errors
            /// The name of one that is missing.
            ///
            /// # Safety
            /// The functions of the library have the types of the standard.
            unsafe fn find(library: &libloading::Library) -> Result<Self, String> {
                let missing = |name: &str| format!("its library has no function {name}");
                Ok(Self { $(
                    // SAFETY: promised by the caller.
                    $field: *unsafe { library.get($symbol.as_bytes()) }.map_err(|_| missing($symbol))?,
                )* })
            }
        }
    };
}

type Refs = *const u32;

table! {
    /// Functions of FMI 2.0.
    Two {
        instantiate = "fmi2Instantiate": fn(*const c_char, c_int, *const c_char, *const c_char, *const Callbacks, c_int, c_int) -> Component;
        free = "fmi2FreeInstance": fn(Component) -> ();
        setup = "fmi2SetupExperiment": fn(Component, c_int, f64, f64, c_int, f64) -> c_int;
        enter = "fmi2EnterInitializationMode": fn(Component) -> c_int;
        exit = "fmi2ExitInitializationMode": fn(Component) -> c_int;
        set_real = "fmi2SetReal": fn(Component, Refs, usize, *const f64) -> c_int;
        set_integer = "fmi2SetInteger": fn(Component, Refs, usize, *const c_int) -> c_int;
        set_boolean = "fmi2SetBoolean": fn(Component, Refs, usize, *const c_int) -> c_int;
        set_text = "fmi2SetString": fn(Component, Refs, usize, *const *const c_char) -> c_int;
        get_real = "fmi2GetReal": fn(Component, Refs, usize, *mut f64) -> c_int;
        get_integer = "fmi2GetInteger": fn(Component, Refs, usize, *mut c_int) -> c_int;
        get_boolean = "fmi2GetBoolean": fn(Component, Refs, usize, *mut c_int) -> c_int;
    }
}

table! {
    /// Functions of FMI 3.0.
    Three {
        free = "fmi3FreeInstance": fn(Component) -> ();
        enter = "fmi3EnterInitializationMode": fn(Component, bool, f64, f64, bool, f64) -> c_int;
        exit = "fmi3ExitInitializationMode": fn(Component) -> c_int;
        set_real = "fmi3SetFloat64": fn(Component, Refs, usize, *const f64, usize) -> c_int;
        set_float = "fmi3SetFloat32": fn(Component, Refs, usize, *const f32, usize) -> c_int;
        set_integer = "fmi3SetInt32": fn(Component, Refs, usize, *const i32, usize) -> c_int;
        set_long = "fmi3SetInt64": fn(Component, Refs, usize, *const i64, usize) -> c_int;
        set_boolean = "fmi3SetBoolean": fn(Component, Refs, usize, *const bool, usize) -> c_int;
        set_text = "fmi3SetString": fn(Component, Refs, usize, *const *const c_char, usize) -> c_int;
        get_real = "fmi3GetFloat64": fn(Component, Refs, usize, *mut f64, usize) -> c_int;
        get_float = "fmi3GetFloat32": fn(Component, Refs, usize, *mut f32, usize) -> c_int;
        get_integer = "fmi3GetInt32": fn(Component, Refs, usize, *mut i32, usize) -> c_int;
        get_long = "fmi3GetInt64": fn(Component, Refs, usize, *mut i64, usize) -> c_int;
        get_boolean = "fmi3GetBoolean": fn(Component, Refs, usize, *mut bool, usize) -> c_int;
    }
}

table! {
    /// Functions of FMI 2.0 for co-simulation.
    TwoSteps {
        step = "fmi2DoStep": fn(Component, f64, f64, c_int) -> c_int;
    }
}

table! {
    /// Functions of FMI 3.0 for co-simulation.
    ThreeSteps {
        instantiate = "fmi3InstantiateCoSimulation": fn(*const c_char, *const c_char, *const c_char, bool, bool, bool, bool, *const u32, usize, *mut c_void, unsafe extern "C" fn(*mut c_void, c_int, *const c_char, *const c_char), *const c_void) -> Component;
        step = "fmi3DoStep": fn(Component, f64, f64, bool, *mut bool, *mut bool, *mut bool, *mut f64) -> c_int;
    }
}

/// `fmi2EventInfo`.
#[repr(C)]
#[derive(Default)]
pub(crate) struct EventInfo {
    pub needs_update: c_int,
    pub ends: c_int,
    nominals_changed: c_int,
    states_changed: c_int,
    pub has_next: c_int,
    pub next: f64,
}

type ModeFn = unsafe extern "C" fn(Component) -> c_int;
pub(crate) type ReadFn = unsafe extern "C" fn(Component, *mut f64, usize) -> c_int;
type Log3 = unsafe extern "C" fn(*mut c_void, c_int, *const c_char, *const c_char);
type InstantiateFn = unsafe extern "C" fn(
    *const c_char,
    *const c_char,
    *const c_char,
    bool,
    bool,
    *mut c_void,
    Log3,
) -> Component;

/// Functions for model exchange.
#[derive(Clone, Copy)]
pub(crate) struct Exchange {
    pub event_mode: ModeFn,
    pub continuous_mode: ModeFn,
    pub set_time: unsafe extern "C" fn(Component, f64) -> c_int,
    pub set_states: unsafe extern "C" fn(Component, *const f64, usize) -> c_int,
    pub states: ReadFn,
    pub rates: ReadFn,
    pub events: EventFunctions,
}

/// Functions whose types differ between the versions.
#[derive(Clone, Copy)]
pub(crate) enum EventFunctions {
    Two {
        update: unsafe extern "C" fn(Component, *mut EventInfo) -> c_int,
        completed: unsafe extern "C" fn(Component, c_int, *mut c_int, *mut c_int) -> c_int,
    },
    Three {
        instantiate: InstantiateFn,
        update: unsafe extern "C" fn(
            Component,
            *mut bool,
            *mut bool,
            *mut bool,
            *mut bool,
            *mut bool,
            *mut f64,
        ) -> c_int,
        completed: unsafe extern "C" fn(Component, bool, *mut bool, *mut bool) -> c_int,
    },
}

impl Exchange {
    /// Finds the functions of a library.
    ///
    /// # Errors
    /// The name of one that is missing.
    ///
    /// # Safety
    /// The functions of the library have the types of the standard.
    pub unsafe fn find(library: &libloading::Library, version: Version) -> Result<Self, String> {
        let name = |two: &str, three: &str| match version {
            Version::Two => format!("fmi2{two}"),
            Version::Three => format!("fmi3{three}"),
        };
        let same = |both: &str| name(both, both);
        // SAFETY: promised by the caller, also below.
        unsafe {
            let events = match version {
                Version::Two => EventFunctions::Two {
                    update: find(library, "fmi2NewDiscreteStates")?,
                    completed: find(library, "fmi2CompletedIntegratorStep")?,
                },
                Version::Three => EventFunctions::Three {
                    instantiate: find(library, "fmi3InstantiateModelExchange")?,
                    update: find(library, "fmi3UpdateDiscreteStates")?,
                    completed: find(library, "fmi3CompletedIntegratorStep")?,
                },
            };
            Ok(Self {
                event_mode: find(library, &same("EnterEventMode"))?,
                continuous_mode: find(library, &same("EnterContinuousTimeMode"))?,
                set_time: find(library, &same("SetTime"))?,
                set_states: find(library, &same("SetContinuousStates"))?,
                states: find(library, &same("GetContinuousStates"))?,
                rates: find(library, &name("GetDerivatives", "GetContinuousStateDerivatives"))?,
                events,
            })
        }
    }

    /// Returns the function that creates an instance in FMI 3.0.
    pub const fn instantiate(&self) -> Option<InstantiateFn> {
        match self.events {
            EventFunctions::Three { instantiate, .. } => Some(instantiate),
            EventFunctions::Two { .. } => None,
        }
    }
}

/// # Safety
/// The function of the library has this type.
unsafe fn find<F: Copy>(library: &libloading::Library, name: &str) -> Result<F, String> {
    // SAFETY: promised by the caller.
    let found = unsafe { library.get(name.as_bytes()) };
    found.map(|found| *found).map_err(|_| format!("its library has no function {name}"))
}

/// Functions that advance an instance in time.
#[derive(Clone, Copy)]
pub(crate) enum Motion {
    /// Co-simulation in FMI 2.0.
    Two(TwoSteps),
    /// Co-simulation in FMI 3.0.
    Three(ThreeSteps),
    /// Model exchange.
    Exchange(Exchange),
}

type StateFn = unsafe extern "C" fn(Component, *mut *mut c_void) -> c_int;
type BytesFn = unsafe extern "C" fn(Component, *mut c_void, *mut u8, usize) -> c_int;

/// Functions for the state, which have the same types in both versions.
#[derive(Clone, Copy)]
pub(crate) struct StateFunctions {
    pub get: StateFn,
    pub set: unsafe extern "C" fn(Component, *mut c_void) -> c_int,
    pub free: StateFn,
    pub size: unsafe extern "C" fn(Component, *mut c_void, *mut usize) -> c_int,
    pub serialize: BytesFn,
    pub deserialize: unsafe extern "C" fn(Component, *const u8, usize, *mut *mut c_void) -> c_int,
}

/// The functions of a version.
#[derive(Clone, Copy)]
pub(crate) enum Functions {
    Two(Two),
    Three(Three),
}

/// Loads a library, which stays loaded.
///
/// # Errors
/// The reason why it cannot be loaded, or the function that is missing.
pub(crate) fn load(
    path: &Path,
    description: &FmuDescription,
) -> Result<(Functions, Motion, Option<StateFunctions>), String> {
    let version = description.version;
    let library = load_library(path).map_err(|reason| {
        // FMUs of PythonFMU leave this library to the program that loads them
        let missing = reason.split_once("undefined symbol: ").map_or("", |(_, name)| name);
        let lacks_python = missing.trim_start_matches('_').starts_with("Py");
        let help = "; run with LD_PRELOAD=libpython3.11.so.1.0, or the library of your Python";
        format!("cannot load its library: {reason}{}", if lacks_python { help } else { "" })
    })?;
    // SAFETY: a library in an FMU has the functions of its version.
    let functions = unsafe {
        match version {
            Version::Two => Two::find(&library).map(Functions::Two),
            Version::Three => Three::find(&library).map(Functions::Three),
        }
    };
    // SAFETY: as above.
    let motion = unsafe {
        match version {
            _ if description.is_exchange => Exchange::find(&library, version).map(Motion::Exchange),
            Version::Two => TwoSteps::find(&library).map(Motion::Two),
            Version::Three => ThreeSteps::find(&library).map(Motion::Three),
        }
    };
    // SAFETY: as above.
    let states = description.has_state.then(|| unsafe { states(&library, version) }).transpose();
    // instances can live as long as the process
    std::mem::forget(library);
    Ok((functions?, motion?, states?))
}

/// # Safety
/// The functions of the library have the types of the standard.
unsafe fn states(
    library: &libloading::Library,
    version: Version,
) -> Result<StateFunctions, String> {
    let names = match version {
        Version::Two => [
            "fmi2GetFMUstate",
            "fmi2SetFMUstate",
            "fmi2FreeFMUstate",
            "fmi2SerializedFMUstateSize",
            "fmi2SerializeFMUstate",
            "fmi2DeSerializeFMUstate",
        ],
        Version::Three => [
            "fmi3GetFMUState",
            "fmi3SetFMUState",
            "fmi3FreeFMUState",
            "fmi3SerializedFMUStateSize",
            "fmi3SerializeFMUState",
            "fmi3DeserializeFMUState",
        ],
    };
    let missing = |name: &str| format!("its library has no function {name}");
    // SAFETY: promised by the caller.
    unsafe {
        Ok(StateFunctions {
            get: *library.get(names[0].as_bytes()).map_err(|_| missing(names[0]))?,
            set: *library.get(names[1].as_bytes()).map_err(|_| missing(names[1]))?,
            free: *library.get(names[2].as_bytes()).map_err(|_| missing(names[2]))?,
            size: *library.get(names[3].as_bytes()).map_err(|_| missing(names[3]))?,
            serialize: *library.get(names[4].as_bytes()).map_err(|_| missing(names[4]))?,
            deserialize: *library.get(names[5].as_bytes()).map_err(|_| missing(names[5]))?,
        })
    }
}
