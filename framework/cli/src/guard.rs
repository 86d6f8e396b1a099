//! Names the model if a call crashes or ends the process, or does not return.

mod exit;
mod floats;
mod memory;
mod panics;
#[cfg(unix)]
mod signals;
mod watchdog;

use std::time::Duration;

use simhost_model::breadcrumb::Breadcrumb;

pub use exit::{end_of_program, end_process, report_exits};
pub use floats::{changes_of_floats, warn_of_floats};
pub use memory::{limit_memory, shown};
pub use panics::report_panics;
#[cfg(unix)]
pub use signals::{CrashReport, name_crashes};
pub use watchdog::{are_calls_stuck, watch};

/// Longest time in which rows that a run has collected are written before the process ends.
const LAST_ROWS: Duration = Duration::from_millis(200);

/// Crashes are reported by signals only on Unix; elsewhere this does nothing.
#[cfg(not(unix))]
pub fn name_crashes(_: CrashReport) {}

/// Extent of the report of a crash.
#[cfg(not(unix))]
pub enum CrashReport {
    /// The call of a model or what is loaded, and advice.
    All,
    /// The call of a model.
    Call,
    /// Nothing.
    Nothing,
}

/// Describes a call in a message. Formatting does not allocate, so that a signal handler can do it.
struct Call<'p>(Breadcrumb<'p>);

impl std::fmt::Display for Call<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Breadcrumb { class, source, function, entity, lanes, time, .. } = self.0;
        if class.is_empty() {
            return write!(f, "{source}, which is being loaded,");
        }
        write!(f, "{class} ({source}) in `{function}`")?;
        match lanes {
            // a function that is not a phase, or a call without a world
            _ if lanes == 0 || entity.is_unnamed() => return Ok(()),
            1 => write!(f, " for {entity}")?,
            _ => write!(f, " for {entity} and {} more in the same call", lanes - 1)?,
        }
        write!(f, " at {time} s")
    }
}
