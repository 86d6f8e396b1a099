//! Names the model when a call crashes the process or does not return.

#[cfg(unix)]
mod signals;
mod watchdog;

#[cfg(unix)]
pub use signals::name_crashes;
pub use watchdog::watch;

/// Only Unix tells of crashes by signals.
#[cfg(not(unix))]
pub fn name_crashes() {}

use simhost_engine::breadcrumb::Breadcrumb;

/// What is said of a call: nothing here allocates, so that a signal handler may say it.
struct Told(Breadcrumb);

impl std::fmt::Display for Told {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Breadcrumb { class, source, phase, entity, more, time, .. } = self.0;
        write!(f, "{class} ({source}) in `{phase}` for {entity}")?;
        if more > 0 {
            write!(f, " and {more} more in the same call")?;
        }
        write!(f, " at {time} s")
    }
}
