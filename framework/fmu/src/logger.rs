//! Messages for the importer.

use std::ffi::{CString, c_char, c_int, c_void};

/// Category of all messages, as in the description.
const CATEGORY: &std::ffi::CStr = c"logStatus";

/// Result of a call, with the same numbers in FMI 2.0 and 3.0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(i32)]
pub enum Status {
    Ok = 0,
    Discard = 2,
    Error = 3,
    Fatal = 4,
}

/// Function of FMI 2.0, whose message is a format of `printf`.
pub type LogFunction2 =
    unsafe extern "C" fn(*mut c_void, *const c_char, c_int, *const c_char, *const c_char, ...);
/// Function of FMI 3.0.
pub type LogFunction3 = unsafe extern "C" fn(*mut c_void, c_int, *const c_char, *const c_char);

/// Sends messages to the importer.
pub enum Logger {
    Two { function: LogFunction2, environment: *mut c_void, instance: CString },
    Three { function: LogFunction3, environment: *mut c_void },
    None,
}

impl Logger {
    /// Sends the reason for a status.
    pub fn report(&self, status: Status, text: &str) {
        let Ok(text) = CString::new(text.replace('\0', " ")) else { return };
        let (status, category) = (status as c_int, CATEGORY.as_ptr());
        match self {
            Self::Two { function, environment, instance } => {
                // SAFETY: the importer has given the function, and all texts end with a zero byte.
                unsafe {
                    function(
                        *environment,
                        instance.as_ptr(),
                        status,
                        category,
                        c"%s".as_ptr(),
                        text.as_ptr(),
                    );
                }
            }
            Self::Three { function, environment } => {
                // SAFETY: as before.
                unsafe { function(*environment, status, category, text.as_ptr()) };
            }
            Self::None => {}
        }
    }
}
