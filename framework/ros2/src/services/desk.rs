//! Access of services to a session: questions, inputs, and waiting for it.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use serde_json::Value;
use simhost_streams::{Control, Input, Progress, SessionHost, SessionRequest};

use super::{FAILED, Refusal};

/// Wall time without any progress after which waiting ends.
const PATIENCE: Duration = Duration::from_secs(15);

/// Access of services to a session.
pub struct ServiceDesk {
    /// The session.
    pub control: Arc<dyn Control>,
    /// Answers questions about the world.
    pub host: Arc<dyn SessionHost>,
    /// Name of the world.
    pub world: String,
    /// Path of the world file.
    pub path: String,
    /// Folders with files that requests can name.
    pub folders: Vec<PathBuf>,
    state: Mutex<State>,
    /// Wakes services that wait for progress of the session.
    progressed: (Mutex<()>, Condvar),
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
        host: Arc<dyn SessionHost>,
        world: impl Into<String>,
        path: impl Into<String>,
    ) -> Self {
        let (world, path) = (world.into(), path.into());
        // a name alone is in the working folder
        let folder = Path::new(&path).parent().map(|folder| Path::new(".").join(folder));
        let (state, progressed, folders) =
            (Mutex::default(), Default::default(), folder.into_iter().collect());
        Self { control, host, world, path, folders, state, progressed }
    }

    /// Returns the same access, with further folders whose files requests can name.
    #[must_use]
    pub fn with_folders(mut self, folders: impl IntoIterator<Item = PathBuf>) -> Self {
        self.folders.extend(folders);
        self
    }

    pub(super) fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Wakes services that wait for progress of the session.
    pub(crate) fn wake(&self) {
        let (looking, progressed) = &self.progressed;
        let _looking = looking.lock().unwrap_or_else(PoisonError::into_inner);
        progressed.notify_all();
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
        self.wait(&|progress| progress.is_paused || progress.steps != before);
        Ok(())
    }

    /// Waits until the inputs that have been sent have acted.
    pub(super) fn settle(&self) {
        // the session answers before it takes inputs, and after it has carried out those that it has taken
        while self.ask(SessionRequest::ReadQuantities(Vec::new())).is_ok()
            && self.control.waiting() > 0
        {}
        let _ = self.ask(SessionRequest::ReadQuantities(Vec::new()));
    }

    /// Waits until the progress of the session meets a condition, while steps are made or for a while. Returns whether
    /// it does.
    pub(super) fn wait(&self, is_met: &dyn Fn(&Progress) -> bool) -> bool {
        let (looking, progressed) = &self.progressed;
        let mut guard = looking.lock().unwrap_or_else(PoisonError::into_inner);
        let (mut steps, mut since) = (self.control.progress().steps, Instant::now());
        loop {
            let progress = self.control.progress();
            if is_met(&progress) {
                return true;
            }
            if progress.steps != steps {
                (steps, since) = (progress.steps, Instant::now());
            }
            let Some(left) = PATIENCE.checked_sub(since.elapsed()) else { return false };
            let waited = progressed.wait_timeout(guard, left);
            guard = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    /// Asks the session.
    pub(crate) fn ask(&self, request: SessionRequest) -> Result<Value, Refusal> {
        let text = self.host.ask(request).map_err(|error| (FAILED, error))?;
        Ok(serde_json::from_str(&text).unwrap_or(Value::String(text)))
    }

    /// Returns the description of the world.
    pub(super) fn description(&self) -> Result<Value, Refusal> {
        let text = self.host.describe().map_err(|error| (FAILED, error))?;
        serde_json::from_str(&text).map_err(|error| (FAILED, error.to_string()))
    }

    /// Returns the simulated time in s; 0 if the session does not answer.
    pub fn time(&self) -> f64 {
        let answer = self.ask(SessionRequest::ReadQuantities(Vec::new()));
        answer.map_or(0.0, |answer| answer["time_s"].as_f64().unwrap_or(0.0))
    }
}
