//! Opening sessions and ensembles.

use std::ffi::{c_char, c_void};
use std::path::PathBuf;

use simhost::{Ensemble, EnsembleOptions, Options, Out, Session};

use crate::argument::{self, SizedStruct};
use crate::ensemble::OpenEnsemble;
use crate::error::CallError;
use crate::handle::{self, Handle};
use crate::logging::{self, LogFunction};
use crate::session::OpenSession;

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
}

// SAFETY: it has the layout of C, starts with its size, and its zeros are null and 0.
unsafe impl SizedStruct for OpeningOptions {
    const FIRST: usize = size_of::<Self>();
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
        log: logging::log(given.log_level, given.log, given.log_user)?,
        ..Options::default()
    };
    options.load.seed = seed;
    options.load.compat = compat.map(str::to_owned);
    options.load.lenient = given.lenient != 0;
    Ok(Opening { path, text, options })
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
