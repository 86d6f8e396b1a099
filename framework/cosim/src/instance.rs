//! Instances of FMUs: creation, steps, values and states.

use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::fmt::Display;
use std::path::PathBuf;
use std::ptr::{null, null_mut};
use std::sync::{Arc, Mutex, PoisonError};

use crate::description::{FmuDescription, Start, Version};
use crate::functions::{Callbacks, Component, Functions, StateFunctions};

/// A loaded FMU.
pub(crate) struct Fmu {
    /// Path in messages.
    pub file: PathBuf,
    pub description: FmuDescription,
    /// Folder of the unpacked resources.
    pub resources: PathBuf,
    pub functions: Functions,
    /// Functions for the state, or the reason why it cannot be saved.
    pub states: Result<StateFunctions, String>,
}

/// Status codes from `Discard` on are failures; `Fatal` leaves an instance that must not be used.
const DISCARD: c_int = 2;
const FATAL: c_int = 4;

/// Number of characters of a message that are kept.
const MAX_MESSAGE: usize = 200;

/// The last message of an instance.
type Log = Mutex<String>;

/// An instance of an FMU.
pub(crate) struct FmuInstance {
    pub fmu: Arc<Fmu>,
    pub component: Component,
    log: Box<Log>,
    /// FMI 2.0 requires that the callbacks live as long as the instance.
    _callbacks: Option<Box<Callbacks>>,
    pub clock: Clock,
    is_lost: bool,
}

/// Time of an instance, which starts at 0.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Clock {
    /// Time at which the present length of steps began, s.
    pub base: f64,
    /// Number of steps of this length.
    pub count: u64,
    /// Length of a step, s.
    pub step: f64,
}

impl Clock {
    fn time(self) -> f64 {
        self.base + self.count as f64 * self.step
    }

    fn advance(&mut self, step: f64) {
        if step != self.step {
            *self = Self { base: self.time(), count: 0, step };
        }
        self.count += 1;
    }
}

impl FmuInstance {
    /// Creates an instance with values of its variables, and initialises it.
    ///
    /// # Errors
    /// The function that failed, with the message of the FMU.
    pub fn new(fmu: &Arc<Fmu>, values: &[(usize, Start)]) -> Result<Self, String> {
        let mut instance = Self::instantiate(fmu)?;
        for (variable, value) in values {
            instance.set_start(&fmu.description.variables[*variable], value)?;
        }
        let component = instance.component;
        // SAFETY: the instance is new, and the functions are called in the order of the standard.
        unsafe {
            match fmu.functions {
                Functions::Two(two) => {
                    instance
                        .check("SetupExperiment", (two.setup)(component, 0, 0.0, 0.0, 0, 0.0))?;
                    instance.check("EnterInitializationMode", (two.enter)(component))?;
                    instance.check("ExitInitializationMode", (two.exit)(component))?;
                }
                Functions::Three(three) => {
                    let entered = (three.enter)(component, false, 0.0, 0.0, false, 0.0);
                    instance.check("EnterInitializationMode", entered)?;
                    instance.check("ExitInitializationMode", (three.exit)(component))?;
                }
            }
        }
        Ok(instance)
    }

    fn instantiate(fmu: &Arc<Fmu>) -> Result<Self, String> {
        let log = Box::new(Log::default());
        let environment = std::ptr::from_ref(&*log).cast_mut().cast::<c_void>();
        let text = |text: &str| CString::new(text).map_err(|error| error.to_string());
        let (name, token) = (text(&fmu.description.name)?, text(&fmu.description.token)?);
        let folder = fmu.resources.to_string_lossy();
        let (component, callbacks) = match fmu.functions {
            Functions::Two(two) => {
                let address = text(&file_address(&folder))?;
                let callbacks = Box::new(Callbacks {
                    logger: log_two,
                    allocate: libc::calloc,
                    free: libc::free,
                    step_finished: null(),
                    environment,
                });
                let (name, token, address) = (name.as_ptr(), token.as_ptr(), address.as_ptr());
                // SAFETY: all texts live during the call, and the callbacks as long as the instance.
                let made = unsafe {
                    (two.instantiate)(name, 1, token, address, &raw const *callbacks, 0, 0)
                };
                (made, Some(callbacks))
            }
            Functions::Three(three) => {
                let path = text(&format!("{folder}{}", std::path::MAIN_SEPARATOR))?;
                let (name, token, path) = (name.as_ptr(), token.as_ptr(), path.as_ptr());
                // SAFETY: as above.
                let made = unsafe {
                    (three.instantiate)(
                        name,
                        token,
                        path,
                        false,
                        false,
                        false,
                        false,
                        null(),
                        0,
                        environment,
                        log_three,
                        null(),
                    )
                };
                (made, None)
            }
        };
        let fmu = Arc::clone(fmu);
        let clock = Clock::default();
        let instance = Self { fmu, component, log, _callbacks: callbacks, clock, is_lost: false };
        if component.is_null() {
            return Err(instance.failure("Instantiate", "a null pointer"));
        }
        Ok(instance)
    }

    /// Returns an error if a function returned a failure.
    pub fn check(&mut self, function: impl Display, status: c_int) -> Result<(), String> {
        if status < DISCARD {
            return Ok(());
        }
        self.is_lost |= status >= FATAL;
        let names = ["Discard", "Error", "Fatal", "Pending"];
        let name = names.get((status - DISCARD) as usize).unwrap_or(&"an unknown status");
        Err(self.failure(function, name))
    }

    fn failure(&self, function: impl Display, returned: &str) -> String {
        let version = if self.fmu.description.version == Version::Two { 2 } else { 3 };
        let message = std::mem::take(&mut *self.log.lock().unwrap_or_else(PoisonError::into_inner));
        let message = if message.is_empty() { message } else { format!(": {message}") };
        format!("fmi{version}{function} returned {returned}{message}")
    }

    /// Takes a communication step of `step` seconds.
    ///
    /// # Errors
    /// The failure, or a step that ended early.
    pub fn step(&mut self, step: f64) -> Result<(), String> {
        if self.is_lost {
            return Err(
                "the FMU has reported a fatal error; its instance cannot be used".to_owned()
            );
        }
        let (component, time) = (self.component, self.clock.time());
        let (mut events, mut ends, mut is_early, mut last) = (false, false, false, time + step);
        // SAFETY: the instance has been initialised.
        let status = unsafe {
            match self.fmu.functions {
                Functions::Two(two) => (two.step)(component, time, step, 0),
                Functions::Three(three) => (three.step)(
                    component,
                    time,
                    step,
                    false,
                    &raw mut events,
                    &raw mut ends,
                    &raw mut is_early,
                    &raw mut last,
                ),
            }
        };
        self.check(format_args!("DoStep from {time} s by {step} s"), status)?;
        if is_early || ends {
            let what = if ends { "asks for the end of the simulation" } else { "returned early" };
            return Err(format!(
                "the FMU {what} at {last} s; expected the step to {} s",
                time + step
            ));
        }
        self.clock.advance(step);
        Ok(())
    }

    /// Returns the state as bytes.
    ///
    /// # Errors
    /// The function that failed, or the reason why the FMU has no state to save.
    pub fn save(&mut self) -> Result<Vec<u8>, String> {
        let functions = self.states()?;
        let (component, mut state, mut size) = (self.component, null_mut(), 0);
        // SAFETY: the instance exists; the state is freed by the library that made it.
        unsafe {
            self.check("GetFMUState", (functions.get)(component, &raw mut state))?;
            let mut saved = self
                .check("SerializedFMUStateSize", (functions.size)(component, state, &raw mut size))
                .map(|()| vec![0u8; size]);
            if let Ok(bytes) = &mut saved {
                let status = (functions.serialize)(component, state, bytes.as_mut_ptr(), size);
                saved = self.check("SerializeFMUState", status).and(saved);
            }
            (functions.free)(component, &raw mut state);
            saved
        }
    }

    /// Returns to a state.
    ///
    /// # Errors
    /// As of [`Self::save`].
    pub fn restore(&mut self, bytes: &[u8]) -> Result<(), String> {
        let functions = self.states()?;
        let (component, mut state) = (self.component, null_mut());
        // SAFETY: as above.
        unsafe {
            let status =
                (functions.deserialize)(component, bytes.as_ptr(), bytes.len(), &raw mut state);
            self.check("DeSerializeFMUState", status)?;
            let status = (functions.set)(component, state);
            let restored = self.check("SetFMUState", status);
            (functions.free)(component, &raw mut state);
            restored
        }
    }

    fn states(&self) -> Result<StateFunctions, String> {
        self.fmu.states.clone().map_err(|reason| {
            format!("{} prevents saving and restoring: {reason}", self.fmu.file.display())
        })
    }
}

impl Drop for FmuInstance {
    fn drop(&mut self) {
        if self.component.is_null() || self.is_lost {
            return;
        }
        // SAFETY: the instance is not used again.
        unsafe {
            match self.fmu.functions {
                Functions::Two(two) => (two.free)(self.component),
                Functions::Three(three) => (three.free)(self.component),
            }
        }
    }
}

/// Returns the address of a folder, with everything but letters, digits and separators encoded.
fn file_address(folder: &str) -> String {
    use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
    const PATH: &AsciiSet =
        &NON_ALPHANUMERIC.remove(b'/').remove(b'-').remove(b'_').remove(b'.').remove(b':');
    let folder = folder.replace('\\', "/");
    format!("file:///{}", utf8_percent_encode(folder.trim_start_matches('/'), PATH))
}

unsafe extern "C" fn log_two(
    environment: *mut c_void,
    _name: *const c_char,
    status: c_int,
    _category: *const c_char,
    message: *const c_char,
) {
    // SAFETY: the arguments are those of `log_three`.
    unsafe { log_three(environment, status, null(), message) }
}

/// Keeps a message of a failure.
unsafe extern "C" fn log_three(
    environment: *mut c_void,
    status: c_int,
    _category: *const c_char,
    message: *const c_char,
) {
    if environment.is_null() || message.is_null() || status < DISCARD {
        return;
    }
    // SAFETY: the environment is the log of the instance, and the message ends with 0.
    let (log, message) = unsafe { (&*environment.cast::<Log>(), CStr::from_ptr(message)) };
    let text = message.to_string_lossy().chars().take(MAX_MESSAGE).collect();
    *log.lock().unwrap_or_else(PoisonError::into_inner) = text;
}
