//! Opening sessions and ensembles.

use std::ffi::{CString, c_char, c_void};
use std::io;
use std::io::Write;
use std::path::PathBuf;

use simhost::{Ensemble, EnsembleOptions, Log, LogLevel, Options, Out, Session};
use simhost_world::{Allow, CodePlace};

use crate::argument::SizedStruct;
use crate::ensemble::OpenEnsemble;
use crate::error::CallError;
use crate::handle::Handle;
use crate::session::OpenSession;
use crate::{argument, handle};

/// `simhost_options` of the header.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct OpeningOptions {
    size: usize,
    path: *const c_char,
    text: *const c_char,
    seed: *const u64,
    plugin_folders: *const *const c_char,
    plugin_folder_count: usize,
    out: *const c_char,
    compat: *const c_char,
    log: Option<LogFunction>,
    log_user: *mut c_void,
    threads: u32,
    log_level: u32,
    force: u32,
    lenient: u32,
    allow: u32,
    reserved: u32,
}

/// `SIMHOST_ALLOW_FMU` and `SIMHOST_ALLOW_SHELL` of the header.
const ALLOW_FMU: u32 = 1;
const ALLOW_SHELL: u32 = 2;

// SAFETY: it has the layout of C, starts with its size, and its zeros are null and 0.
unsafe impl SizedStruct for OpeningOptions {
    const FIRST: usize = std::mem::offset_of!(Self, allow);
}

/// `simhost_ensemble_options` of the header.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct OpeningMembers {
    size: usize,
    members: usize,
    variations: *const *const c_char,
    variation_count: usize,
    max_memory: u64,
}

// SAFETY: it has the layout of C, starts with its size, and its zeros are null and 0.
unsafe impl SizedStruct for OpeningMembers {
    const FIRST: usize = size_of::<Self>();
}

/// World and options of a session.
struct Opening<'t> {
    path: &'t str,
    text: Option<&'t str>,
    options: Options,
}

/// # Safety
/// As [`argument::read`], and the pointers in it are null or as the header describes them.
unsafe fn opening<'t>(from: *const OpeningOptions) -> Result<Opening<'t>, CallError> {
    // SAFETY: as for this function, also below.
    let given = unsafe { argument::read("simhost_options", from)? };
    // SAFETY: as above.
    let path = unsafe { argument::text("path", given.path)? };
    // SAFETY: as above.
    let text = unsafe { argument::optional_text("text", given.text)? };
    let folders = given.plugin_folders;
    // SAFETY: as above.
    let folders = unsafe { argument::texts("plugin_folders", folders, given.plugin_folder_count)? };
    // SAFETY: as above.
    let out = unsafe { argument::optional_text("out", given.out)? };
    // SAFETY: as above.
    let compat = unsafe { argument::optional_text("compat", given.compat)? };
    // SAFETY: as above.
    let seed = unsafe { given.seed.as_ref() }.copied();
    let out = out.map(|folder| {
        let mut out = Out::new(folder);
        out.force = given.force != 0;
        out
    });
    let mut options = Options {
        seed,
        threads: (given.threads as usize).max(1),
        plugin_folders: folders.into_iter().map(PathBuf::from).collect(),
        observer_folder: out.as_ref().map(|out| out.path().to_owned()),
        out,
        log: log(given.log_level, given.log, given.log_user)?,
        ..Options::default()
    };
    options.load.seed = seed;
    options.load.compat = compat.map(str::to_owned);
    options.load.lenient = given.lenient != 0;
    options.load.allow = allow(given.allow)?;
    Ok(Opening { path, text, options })
}

/// Returns what a world may do, from bits.
///
/// # Errors
/// [`Status::Argument`](crate::error::Status::Argument) for an unknown bit.
fn allow(bits: u32) -> Result<Allow, CallError> {
    if bits & !(ALLOW_FMU | ALLOW_SHELL) != 0 {
        let text =
            format!("allow is {bits}; expected SIMHOST_ALLOW_FMU, SIMHOST_ALLOW_SHELL or both");
        return Err(CallError::argument(text));
    }
    // there is no program here that runs the code of FMUs
    let file_models = (bits & ALLOW_FMU != 0).then_some(CodePlace::Here);
    Ok(Allow { shell: bits & ALLOW_SHELL != 0, file_models })
}

/// `open` of the header.
pub unsafe extern "C" fn open(
    options: *const OpeningOptions,
    to: *mut *mut Handle<OpenSession>,
) -> i32 {
    let make = || {
        // SAFETY: the header requires valid arguments.
        let Opening { path, text, options } = unsafe { opening(options)? };
        let session = match text {
            Some(text) => Session::from_text(text, path, options),
            None => Session::open(path, options),
        };
        Ok(OpenSession::new(session?))
    };
    // SAFETY: the header requires valid arguments.
    unsafe { handle::open(to, make) }
}

/// `ensemble_open` of the header.
pub unsafe extern "C" fn ensemble_open(
    options: *const OpeningOptions,
    members: *const OpeningMembers,
    to: *mut *mut Handle<OpenEnsemble>,
) -> i32 {
    let make = || {
        // SAFETY: the header requires valid arguments, also below.
        let Opening { path, text, options } = unsafe { opening(options)? };
        // SAFETY: as above.
        let given = unsafe { argument::read("simhost_ensemble_options", members)? };
        let (list, count) = (given.variations, given.variation_count);
        let mut members = EnsembleOptions::members(given.members);
        // SAFETY: as above.
        for text in unsafe { argument::texts("variations", list, count)? } {
            members = members.vary(text.parse()?);
        }
        members.session = options;
        if given.max_memory != 0 {
            members.max_memory = given.max_memory;
        }
        let ensemble = match text {
            Some(text) => Ensemble::from_text(text, path, members),
            None => Ensemble::open(path, members),
        };
        Ok(OpenEnsemble::new(ensemble?))
    };
    // SAFETY: the header requires valid arguments.
    unsafe { handle::open(to, make) }
}

/// Function of the program that takes a line.
type LogFunction = extern "C" fn(user: *mut c_void, line: *const c_char);

/// Calls a function of the program with each line.
struct Lines {
    function: LogFunction,
    user: *mut c_void,
}

// SAFETY: the header requires that the function can be called on any thread, with the pointer that belongs to it.
unsafe impl Send for Lines {}

impl Write for Lines {
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        for line in line.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()) {
            let text = CString::new(line).unwrap_or_default();
            (self.function)(self.user, text.as_ptr());
        }
        Ok(line.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Returns the log that calls a function with events up to a level, from 1 for errors to 5 for traces.
///
/// # Errors
/// [`Status::Argument`](crate::error::Status::Argument) for another level.
fn log(
    level: u32,
    function: Option<LogFunction>,
    user: *mut c_void,
) -> Result<Option<Log>, CallError> {
    let level = match level {
        0 => return Ok(None),
        1 => LogLevel::ERROR,
        2 => LogLevel::WARN,
        3 => LogLevel::INFO,
        4 => LogLevel::DEBUG,
        5 => LogLevel::TRACE,
        _ => {
            let text = format!("log_level is {level}; expected a number from 0 to 5");
            return Err(CallError::argument(text));
        }
    };
    let Some(function) = function else {
        return Err(CallError::argument("log is null; expected a function, or log_level 0"));
    };
    let log = Log::new(level);
    let opened = log.write_to(Box::new(Lines { function, user }));
    opened.map_err(|error| CallError::argument(error.to_string()))?;
    Ok(Some(log))
}
