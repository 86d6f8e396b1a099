//! The functions that the page calls.
//!
//! Each returns 0, or 1 for an error, and leaves its result or the text of the error in memory at
//! [`simhost_result`]. Its argument is a text or bytes that the page has written to [`simhost_argument`]. A panic is a
//! trap, after which nothing else may be called; its message has been printed to standard error.

use std::cell::RefCell;
use std::path::Path;

use simhost_live::LiveMessage;

use crate::tab::{self, OpenRequest, Tab};

/// State of the module.
#[derive(Default)]
struct Module {
    argument: Vec<u8>,
    result: Vec<u8>,
    tab: Option<Tab>,
}

thread_local! {
    static MODULE: RefCell<Module> = RefCell::default();
}

/// Calls a function with the argument, and keeps its result.
fn call(function: impl FnOnce(&mut Module) -> Result<Vec<u8>, String>) -> i32 {
    MODULE.with_borrow_mut(|module| {
        let (result, status) = match function(module) {
            Ok(result) => (result, 0),
            Err(text) => (text.into_bytes(), 1),
        };
        module.result = result;
        status
    })
}

/// Calls a function with the open world.
fn call_tab(function: impl FnOnce(&Tab, &[u8]) -> Result<Vec<u8>, String>) -> i32 {
    call(|module| match &module.tab {
        Some(tab) => function(tab, &module.argument),
        None => Err("no world is open".to_owned()),
    })
}

fn text(bytes: &[u8]) -> Result<&str, String> {
    std::str::from_utf8(bytes).map_err(|error| format!("the argument is not UTF-8: {error}"))
}

/// Starts the module, once. Constructors register the families of models.
#[unsafe(no_mangle)]
pub extern "C" fn simhost_start() {
    // the linker drops families that nothing refers to
    std::hint::black_box(simhost_families::PLUGINS);
    #[cfg(target_family = "wasm")]
    crate::missing_libc::construct();
}

/// Makes room for an argument of a length, and returns its address.
#[unsafe(no_mangle)]
pub extern "C" fn simhost_argument(length: usize) -> *mut u8 {
    MODULE.with_borrow_mut(|module| {
        module.argument = vec![0; length];
        module.argument.as_mut_ptr()
    })
}

/// Returns the address of the last result.
#[unsafe(no_mangle)]
pub extern "C" fn simhost_result() -> *const u8 {
    MODULE.with_borrow(|module| module.result.as_ptr())
}

/// Returns the length of the last result, bytes.
#[unsafe(no_mangle)]
pub extern "C" fn simhost_result_length() -> usize {
    MODULE.with_borrow(|module| module.result.len())
}

/// Results in the version of simhost.
#[unsafe(no_mangle)]
pub extern "C" fn simhost_version() -> i32 {
    call(|_| Ok(env!("CARGO_PKG_VERSION").into()))
}

/// Results in the report of `simhost check --json` about the world file at the path in the argument.
#[unsafe(no_mangle)]
pub extern "C" fn simhost_check() -> i32 {
    call(|module| tab::check(Path::new(text(&module.argument)?)).map(String::into_bytes))
}

/// Opens a world as an [`OpenRequest`] in JSON describes. An error is the report of `simhost check --json`.
#[unsafe(no_mangle)]
pub extern "C" fn simhost_open() -> i32 {
    call(|module| {
        module.tab = None;
        let request: OpenRequest =
            serde_json::from_slice(&module.argument).map_err(|error| error.to_string())?;
        module.tab = Some(Tab::open(&request)?);
        Ok(Vec::new())
    })
}

/// Handles a message of the client, which is a text if `is_text` is not 0.
#[unsafe(no_mangle)]
pub extern "C" fn simhost_receive(is_text: i32) -> i32 {
    call_tab(|tab, bytes| {
        let message = match is_text {
            0 => LiveMessage::Binary(bytes.to_vec()),
            _ => LiveMessage::Text(text(bytes)?.to_owned()),
        };
        tab.receive(&message).map(|()| Vec::new())
    })
}

/// Makes the steps that are due by the clock.
#[unsafe(no_mangle)]
pub extern "C" fn simhost_advance() -> i32 {
    call_tab(|tab, _| tab.advance().map(|()| Vec::new()))
}

/// Results in the messages to the client since the last call. Each has a byte that is 1 for a text, its length in four
/// bytes with the lowest first, and its bytes.
#[unsafe(no_mangle)]
pub extern "C" fn simhost_frames() -> i32 {
    call_tab(|tab, _| {
        let mut all = Vec::new();
        for message in tab.messages() {
            let (is_text, bytes) = match &message {
                LiveMessage::Text(text) => (1, text.as_bytes()),
                LiveMessage::Binary(bytes) => (0, &bytes[..]),
            };
            let length = u32::try_from(bytes.len()).map_err(|error| error.to_string())?;
            all.push(is_text);
            all.extend_from_slice(&length.to_le_bytes());
            all.extend_from_slice(bytes);
        }
        Ok(all)
    })
}

/// Steps to a simulated time, s, without waiting for the clock.
#[unsafe(no_mangle)]
pub extern "C" fn simhost_run_to(time: f64) -> i32 {
    call_tab(|tab, _| tab.run_to(time).map(|()| Vec::new()))
}

/// Results in the result hash of the run so far.
#[unsafe(no_mangle)]
pub extern "C" fn simhost_hash() -> i32 {
    call_tab(|tab, _| Ok(tab.hash().into_bytes()))
}

/// Results in the world with all edits as a world file.
#[unsafe(no_mangle)]
pub extern "C" fn simhost_save_world() -> i32 {
    call_tab(|tab, _| tab.save_world().map(String::into_bytes))
}

/// Completes the record of the run in its folder.
#[unsafe(no_mangle)]
pub extern "C" fn simhost_finish() -> i32 {
    call_tab(|tab, _| tab.finish().map(|()| Vec::new()))
}

/// Closes the world, if one is open.
#[unsafe(no_mangle)]
pub extern "C" fn simhost_close() -> i32 {
    call(|module| {
        module.tab = None;
        Ok(Vec::new())
    })
}
