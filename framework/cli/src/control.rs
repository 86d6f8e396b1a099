//! The keys of a run: each becomes an input of its session.

use std::sync::Arc;
use std::time::{Duration, Instant};

use simhost_streams::{Input, Progress};

use crate::keys::Key;

/// Highest and lowest pace that keys set, as simulated time per wall time.
const PACES: (f64, f64) = (1.0 / 1024.0, 1024.0);

/// Wall time after a key in which its input acts, unless a step takes longer.
const SETTLED: Duration = Duration::from_millis(250);

/// Turns keys into inputs of a session, or of the play of a recording.
pub struct Control {
    inputs: Arc<dyn simhost_streams::Control>,
    /// State after the inputs that have been sent and have not acted yet.
    is_paused: bool,
    pace: Option<f64>,
    /// Wall time of the last key.
    pressed: Option<Instant>,
}

impl Control {
    /// Creates the control of a session.
    pub fn new(inputs: Arc<dyn simhost_streams::Control>) -> Self {
        let Progress { is_paused, pace, .. } = inputs.progress();
        Self { inputs, is_paused, pace, pressed: None }
    }

    /// Sends the input of a key.
    pub fn press(&mut self, key: Key) {
        let is_settled = self.pressed.is_none_or(|at| at.elapsed() > SETTLED);
        self.pressed = Some(Instant::now());
        if is_settled && self.inputs.waiting() == 0 {
            let Progress { is_paused, pace, .. } = self.inputs.progress();
            (self.is_paused, self.pace) = (is_paused, pace);
        }
        let input = match key {
            Key::Pause if self.is_paused => {
                self.is_paused = false;
                Input::Resume
            }
            Key::Pause => {
                self.is_paused = true;
                Input::Pause
            }
            Key::Step => {
                self.is_paused = true;
                Input::Step { steps: 1 }
            }
            Key::Quit => Input::Stop,
            Key::Faster | Key::Slower => {
                let Some(factor) = self.next_pace(key) else { return };
                self.pace = Some(factor);
                Input::Pace { factor }
            }
        };
        // the inputs of keys name nothing that could be missing
        let _ = self.inputs.send(input);
    }

    /// Returns the pace after a key. A run that is as fast as possible is slowed down to real time.
    fn next_pace(&self, key: Key) -> Option<f64> {
        let (least, most) = PACES;
        match (key, self.pace) {
            (Key::Slower, None) => Some(1.0),
            (Key::Slower, Some(pace)) => Some((pace / 2.0).max(least.min(pace))),
            (Key::Faster, Some(pace)) => Some((pace * 2.0).min(most.max(pace))),
            _ => None,
        }
    }
}
