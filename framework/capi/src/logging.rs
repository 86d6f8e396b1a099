//! Lines of the log for a function of the program.

use std::ffi::{CString, c_char, c_void};
use std::io::{self, Write};

use simhost::{Log, LogLevel};

use crate::error::CallError;

/// Function of the program that takes a line.
pub type LogFunction = extern "C" fn(user: *mut c_void, line: *const c_char);

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
pub fn log(
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
