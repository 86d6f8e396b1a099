//! Instances of FMUs: creation, steps, values and states.

use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::fmt::Display;
use std::path::PathBuf;
use std::ptr::{null, null_mut};
use std::sync::{Arc, Mutex, PoisonError};

use crate::description::{FmuDescription, Start, Variable, Version};
use crate::functions::{Callbacks, Component, Functions, Motion, StateFunctions, ThreeSteps};
use crate::lane::{Advance, FmuLane};
use crate::progress::{self, Activity};

/// An FMU whose library is loaded into this process.
pub(crate) struct LoadedFmu {
    /// Path in messages.
    pub file: PathBuf,
    pub description: Arc<FmuDescription>,
    /// Folder of the unpacked resources.
    pub resources: PathBuf,
    pub functions: Functions,
    pub motion: Motion,
    /// Functions for the state, or the reason why it cannot be saved.
    pub states: Result<StateFunctions, String>,
}

impl LoadedFmu {
    /// Returns the reason why the state cannot be saved, if it cannot.
    pub fn restorable(&self) -> Result<(), String> {
        self.states.as_ref().map(drop).map_err(Clone::clone)
    }

    /// Returns a variable by its index in the description.
    ///
    /// # Errors
    /// An index without a variable.
    fn variable(&self, index: usize) -> Result<&Variable, String> {
        let missing = || format!("the description has no variable with index {index}");
        self.description.variables.get(index).ok_or_else(missing)
    }
}

/// Status codes from `Discard` on are failures; `Fatal` leaves an instance that must not be used.
const DISCARD: c_int = 2;
const FATAL: c_int = 4;

/// Number of characters of a message that are kept.
const MAX_MESSAGE: usize = 200;

/// The last message of an instance.
type Log = Mutex<String>;

/// An instance of an FMU in this process.
pub(crate) struct FmuInstance {
    pub fmu: Arc<LoadedFmu>,
    pub component: Component,
    log: Box<Log>,
    /// FMI 2.0 requires that the callbacks live as long as the instance.
    _callbacks: Option<Box<Callbacks>>,
    clock: Clock,
    is_lost: bool,
}

/// Time of an instance, which starts at 0.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Clock {
    /// Time at which the present length of steps began, s.
    base: f64,
    /// Number of steps of this length.
    count: u64,
    /// Length of a step, s.
    step: f64,
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

    /// Reads what comes before the state of the FMU: the length of its token, the token, and the clock. Returns the rest, too.
    fn split_off<'b>(bytes: &'b [u8], expected: &str) -> Result<(Self, &'b [u8]), String> {
        let short = || "the saved state of the FMU ends early".to_owned();
        let (length, rest) = bytes.split_first_chunk::<8>().ok_or_else(short)?;
        let length = usize::try_from(u64::from_le_bytes(*length)).unwrap_or(usize::MAX);
        let (token, rest) = rest.split_at_checked(length).ok_or_else(short)?;
        if token != expected.as_bytes() {
            let found = String::from_utf8_lossy(token);
            return Err(format!("the saved state is of FMU {found:?}; expected {expected:?}"));
        }
        let (base, rest) = rest.split_first_chunk::<8>().ok_or_else(short)?;
        let (count, rest) = rest.split_first_chunk::<8>().ok_or_else(short)?;
        let (step, rest) = rest.split_first_chunk::<8>().ok_or_else(short)?;
        let clock = Self {
            base: f64::from_le_bytes(*base),
            count: u64::from_le_bytes(*count),
            step: f64::from_le_bytes(*step),
        };
        Ok((clock, rest))
    }
}

impl FmuInstance {
    /// Creates an instance with values of its variables, and initialises it.
    ///
    /// # Errors
    /// The function that failed, with the message of the FMU.
    pub fn new(fmu: &Arc<LoadedFmu>, values: &[(usize, Start)]) -> Result<Self, String> {
        progress::note(Activity::Start, 0, 0.0);
        let mut instance = Self::instantiate(fmu)?;
        for (variable, value) in values {
            instance.set_start(fmu.variable(*variable)?, value)?;
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

    fn instantiate(fmu: &Arc<LoadedFmu>) -> Result<Self, String> {
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
                let kind = c_int::from(!fmu.description.is_exchange);
                // SAFETY: all texts live during the call, and the callbacks as long as the instance.
                let made = unsafe {
                    (two.instantiate)(name, kind, token, address, &raw const *callbacks, 0, 0)
                };
                (made, Some(callbacks))
            }
            Functions::Three(_) => {
                let path = text(&format!("{folder}{}", std::path::MAIN_SEPARATOR))?;
                let texts = [name.as_ptr(), token.as_ptr(), path.as_ptr()];
                // SAFETY: as above.
                (unsafe { instantiate_three(&fmu.motion, texts, environment) }, None)
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
    fn step(&mut self, step: f64) -> Result<(), String> {
        if self.is_lost {
            return Err(
                "the FMU has reported a fatal error; its instance cannot be used".to_owned()
            );
        }
        let time = self.clock.time();
        match self.fmu.motion {
            Motion::Exchange(exchange) => self.integrate(&exchange, time, step)?,
            Motion::Two(two) => {
                // SAFETY: the instance has been initialised.
                let status = unsafe { (two.step)(self.component, time, step, 0) };
                self.check(format_args!("DoStep from {time} s by {step} s"), status)?;
            }
            Motion::Three(three) => self.step_three(three, time, step)?,
        }
        self.clock.advance(step);
        Ok(())
    }

    fn step_three(&mut self, three: ThreeSteps, time: f64, step: f64) -> Result<(), String> {
        let [mut events, mut ends, mut is_early] = [false; 3];
        let mut last = time + step;
        // SAFETY: the instance has been initialised.
        let status = unsafe {
            (three.step)(
                self.component,
                time,
                step,
                false,
                &raw mut events,
                &raw mut ends,
                &raw mut is_early,
                &raw mut last,
            )
        };
        self.check(format_args!("DoStep from {time} s by {step} s"), status)?;
        if is_early || ends {
            let what = if ends { "asks for the end of the simulation" } else { "returned early" };
            return Err(format!(
                "the FMU {what} at {last} s; expected the step to {} s",
                time + step
            ));
        }
        Ok(())
    }

    /// Returns the state of the FMU as bytes.
    fn save_state(&mut self) -> Result<Vec<u8>, String> {
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

    /// Returns the FMU to a state.
    fn restore_state(&mut self, bytes: &[u8]) -> Result<(), String> {
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

impl FmuLane for FmuInstance {
    fn advance(&mut self, advance: &Advance, results: &mut Vec<f64>) -> Result<(), String> {
        let fmu = Arc::clone(&self.fmu);
        let time = self.clock.time();
        for &(variable, value) in &advance.sets {
            progress::note(Activity::Set, variable, time);
            self.set(fmu.variable(variable)?, value)?;
        }
        if let Some(step) = advance.step {
            progress::note(Activity::Step, 0, time);
            self.step(step)?;
        }
        results.clear();
        for &variable in &advance.gets {
            progress::note(Activity::Get, variable, self.clock.time());
            results.push(self.get(fmu.variable(variable)?)?);
        }
        Ok(())
    }

    fn save(&mut self) -> Result<Vec<u8>, String> {
        progress::note(Activity::Save, 0, self.clock.time());
        let state = self.save_state()?;
        let token = self.fmu.description.token.as_bytes();
        let Clock { base, count, step } = self.clock;
        let mut bytes = (token.len() as u64).to_le_bytes().to_vec();
        bytes.extend(token);
        bytes.extend(base.to_le_bytes());
        bytes.extend(count.to_le_bytes());
        bytes.extend(step.to_le_bytes());
        bytes.extend(state);
        Ok(bytes)
    }

    fn restore(&mut self, bytes: &[u8]) -> Result<(), String> {
        progress::note(Activity::Restore, 0, 0.0);
        let (clock, state) = Clock::split_off(bytes, &self.fmu.description.token)?;
        self.restore_state(state)?;
        self.clock = clock;
        Ok(())
    }
}

impl Drop for FmuInstance {
    fn drop(&mut self) {
        if self.component.is_null() || self.is_lost {
            return;
        }
        progress::note(Activity::End, 0, self.clock.time());
        // SAFETY: the instance is not used again.
        unsafe {
            match self.fmu.functions {
                Functions::Two(two) => (two.free)(self.component),
                Functions::Three(three) => (three.free)(self.component),
            }
        }
    }
}

/// Creates an instance of FMI 3.0 from its name, its token and the path of its resources. Returns null if the functions are of
/// FMI 2.0.
///
/// # Safety
/// The texts end with 0, and the environment is the log of the instance.
unsafe fn instantiate_three(
    motion: &Motion,
    [name, token, path]: [*const c_char; 3],
    environment: *mut c_void,
) -> Component {
    match motion {
        Motion::Two(_) => null_mut(),
        // SAFETY: promised by the caller, also below.
        Motion::Three(three) => unsafe {
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
        },
        Motion::Exchange(exchange) => match exchange.instantiate() {
            // SAFETY: as above.
            Some(make) => unsafe { make(name, token, path, false, false, environment, log_three) },
            None => null_mut(),
        },
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
