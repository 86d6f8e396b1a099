//! The way into a running session.

use std::sync::Arc;
use std::time::Duration;

use crate::input::{Input, InputError};
use crate::stream::Stream;

/// Controls a session that runs on another thread: sends inputs, and reads what clients can change.
///
/// Servers and terminals hold one. All methods can be called at any time, from any thread, also while the
/// session is paused; none of them waits for a step.
pub trait Control: Send + Sync {
    /// Sends an input, which acts at the start of the next step.
    ///
    /// # Errors
    /// [`InputError`] if the input is not accepted; it then has no effect.
    fn send(&self, input: Input) -> Result<(), InputError>;

    /// Returns the input streams.
    fn input_streams(&self) -> Vec<Arc<Stream>> {
        Vec::new()
    }

    /// Returns the parameters that inputs can set, with their present values.
    fn parameters(&self) -> Vec<Parameter> {
        Vec::new()
    }

    /// Returns the number of inputs that wait for the next step.
    fn waiting(&self) -> usize {
        0
    }

    /// Returns the progress of the session.
    fn progress(&self) -> Progress;
}

/// A parameter that [`Input::Parameter`] sets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parameter {
    /// Name: `VEHICLE/ROLE/KEY`, such as `robot/controller/KP`.
    pub name: String,
    /// Value as in a world file.
    pub value: String,
}

/// Progress of a session.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Progress {
    /// Whether the session is paused.
    pub is_paused: bool,
    /// Simulated time per wall time that the session is to keep; `None` if it runs as fast as possible.
    pub pace: Option<f64>,
    /// Number of steps that have been made, with those before a reset or the return to a snapshot.
    pub steps: u64,
    /// Seed of all random numbers.
    pub seed: u64,
    /// Wall time that was not caught up: simulated time is behind by that much.
    pub lost: Duration,
}

/// Lost wall time above which the delay is reported.
const LONG_DELAY: Duration = Duration::from_secs(1);

impl Progress {
    /// Returns a message for people if the session does not keep its pace.
    pub fn delay(&self) -> Option<String> {
        (self.lost >= LONG_DELAY).then(|| {
            "the run is slower than its clock: simulated time is more than a second behind and falls further \
             behind"
                .to_owned()
        })
    }
}
