//! Access of services to a session: questions, inputs, and waiting for it.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use serde_json::Value;
use simhost_streams::{Control, Input, SessionHost, SessionRequest};

use super::{FAILED, Refusal};

/// Wall time between two looks at a session that is to reach a state.
const LOOK: Duration = Duration::from_millis(1);
/// Wall time without any progress after which waiting ends.
const PATIENCE: Duration = Duration::from_secs(15);

/// Access of services to a session.
pub struct ServiceDesk {
    /// The session.
    pub control: Arc<dyn Control>,
    /// Answers questions about the world.
    pub host: Option<Arc<dyn SessionHost>>,
    /// Name of the world.
    pub world: String,
    /// Path of the world file.
    pub path: String,
    state: Mutex<State>,
}

/// Memory of the services.
#[derive(Default)]
pub(super) struct State {
    /// Number of steps at which the simulation was stopped, if it has not been played or stepped since.
    pub stopped_at: Option<u64>,
    /// Entities that have been spawned and not deleted.
    pub spawned: Vec<String>,
}

impl ServiceDesk {
    /// Creates the access to a session of a world.
    pub fn new(
        control: Arc<dyn Control>,
        host: Option<Arc<dyn SessionHost>>,
        world: impl Into<String>,
        path: impl Into<String>,
    ) -> Self {
        let (world, path) = (world.into(), path.into());
        Self { control, host, world, path, state: Mutex::default() }
    }

    pub(super) fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Sends an input.
    pub(super) fn post(&self, input: Input) -> Result<(), Refusal> {
        self.control.send(input).map_err(|error| (FAILED, error.to_string()))
    }

    /// Sends an input, and waits until it has acted.
    pub(super) fn send(&self, input: Input) -> Result<(), Refusal> {
        self.post(input)?;
        self.settle();
        Ok(())
    }

    /// Sends an input, and waits until a step has been made with it, or the session is paused.
    pub(super) fn send_before_step(&self, input: Input) -> Result<(), Refusal> {
        self.send(input)?;
        let before = self.control.progress().steps;
        self.wait(&mut || {
            let progress = self.control.progress();
            (progress.is_paused || progress.steps != before).then_some(())
        });
        Ok(())
    }

    /// Waits until the inputs that have been sent have acted.
    pub(super) fn settle(&self) {
        self.wait(&mut || (self.control.waiting() == 0).then_some(()));
        // the session answers after it has carried out the inputs that it has taken
        if let Some(host) = &self.host {
            let _ = host.ask(SessionRequest::ReadQuantities(Vec::new()));
        }
    }

    /// Waits until a condition holds, while steps are made or for a while.
    pub(super) fn wait<T>(&self, condition: &mut dyn FnMut() -> Option<T>) -> Option<T> {
        let (mut steps, mut since) = (self.control.progress().steps, Instant::now());
        loop {
            if let Some(found) = condition() {
                return Some(found);
            }
            let now = self.control.progress().steps;
            if now != steps {
                (steps, since) = (now, Instant::now());
            }
            if since.elapsed() > PATIENCE {
                return None;
            }
            std::thread::sleep(LOOK);
        }
    }

    /// Asks the session.
    pub(crate) fn ask(&self, request: SessionRequest) -> Result<Value, Refusal> {
        let host = self.host.as_ref().ok_or((FAILED, "the world is not known".to_owned()))?;
        let text = host.ask(request).map_err(|error| (FAILED, error))?;
        Ok(serde_json::from_str(&text).unwrap_or(Value::String(text)))
    }

    /// Returns the description of the world.
    pub(super) fn description(&self) -> Result<Value, Refusal> {
        let host = self.host.as_ref().ok_or((FAILED, "the world is not known".to_owned()))?;
        let text = host.describe().map_err(|error| (FAILED, error))?;
        serde_json::from_str(&text).map_err(|error| (FAILED, error.to_string()))
    }

    /// Returns the simulated time in s; 0 if the session does not answer.
    pub fn time(&self) -> f64 {
        let answer = self.ask(SessionRequest::ReadQuantities(Vec::new()));
        answer.map_or(0.0, |answer| answer["time_s"].as_f64().unwrap_or(0.0))
    }
}
