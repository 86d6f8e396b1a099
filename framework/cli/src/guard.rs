//! Names the model if a call crashes the process or does not return.

#[cfg(unix)]
mod signals;
mod watchdog;

#[cfg(unix)]
pub use signals::name_crashes;
pub use watchdog::watch;

/// Crashes are reported by signals only on Unix; elsewhere this does nothing.
#[cfg(not(unix))]
pub fn name_crashes() {}

use simhost_engine::breadcrumb::Breadcrumb;

/// Describes a call in a message. Formatting does not allocate, so that a signal handler can do it.
struct Call(Breadcrumb);

impl std::fmt::Display for Call {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Breadcrumb { class, source, phase, entity, more, time, .. } = self.0;
        write!(f, "{class} ({source}) in `{phase}` for {entity}")?;
        if more > 0 {
            write!(f, " and {more} more in the same call")?;
        }
        write!(f, " at {time} s")
    }
}
