//! Keys that control a run on a terminal.
//!
//! A thread reads single keys while the run lasts. Keys of the terminal itself, such as Ctrl-C and
//! Ctrl-Z, keep their meaning, and the terminal is restored however the run ends.

#[cfg(unix)]
mod mode;

#[cfg(unix)]
pub use mode::Keys;
#[cfg(unix)]
pub use mode::restore_for_good;

/// Keys of a paused run.
pub const HELP: &str = "space continues, . steps, q ends";

/// Keys of the play of a recording.
#[cfg(feature = "live")]
pub const PLAY_KEYS: &str = "space pauses and continues, . steps, + and - change the pace, q ends";

/// A key that controls a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Key {
    /// Space: pause or continue.
    Pause,
    /// `.`: make one step and pause.
    Step,
    /// `+`: run at twice the pace.
    Faster,
    /// `-`: run at half the pace.
    Slower,
    /// `q`: end the run.
    Quit,
}

/// Keys are read only on Unix.
#[cfg(not(unix))]
pub struct Keys;

#[cfg(not(unix))]
impl Keys {
    /// Returns nothing: keys are read only on Unix.
    pub fn listen(_: impl FnMut(Key) + Send + 'static) -> Option<Self> {
        None
    }
}

/// Restores the terminal, which is never changed here.
#[cfg(not(unix))]
pub fn restore_for_good() {}
