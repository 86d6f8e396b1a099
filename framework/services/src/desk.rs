//! Access of services to a session: questions, inputs, and waiting for it.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use serde_json::Value;
use simhost_streams::{
    Control, Input, InputError, Parameter, Progress, SessionHost, SessionRequest, Stream,
};

use crate::drivers::Drivers;

/// `RESULT_FEATURE_UNSUPPORTED` of `simulation_interfaces/msg/Result`.
pub(crate) const UNSUPPORTED: u8 = 0;
/// `RESULT_OK`.
pub(crate) const OK: u8 = 1;
/// `RESULT_NOT_FOUND`.
pub(crate) const NOT_FOUND: u8 = 2;
/// `RESULT_OPERATION_FAILED`.
pub const FAILED: u8 = 4;

/// Reason why a request is rejected: a code of `simulation_interfaces` and a message.
pub type ServiceRefusal = (u8, String);

/// Wall time without any progress after which waiting ends.
const PATIENCE: Duration = Duration::from_secs(15);

/// Access of services to a session.
pub struct ServiceDesk {
    /// The session. It refuses inputs while too many wait.
    pub control: Arc<dyn Control>,
    /// Answers questions about the world, where it is known.
    pub host: Option<Arc<dyn SessionHost>>,
    /// Clients that drive vehicles.
    pub drivers: Drivers,
    /// Name of the world.
    pub(crate) world: String,
    /// Path of the world file.
    pub(crate) path: String,
    /// Folders with files that requests can name.
    pub(crate) folders: Vec<PathBuf>,
    state: Mutex<State>,
    /// Wakes services that wait for progress of the session.
    progressed: (Mutex<()>, Condvar),
    /// Lets the session take its inputs and make the steps that are due, in programs with one thread.
    turn: Option<Box<dyn Fn() + Send + Sync>>,
}

/// Memory of the services.
#[derive(Default)]
pub(crate) struct State {
    /// Number of steps at which the simulation was stopped, if it has not been played or stepped since.
    pub stopped_at: Option<u64>,
    /// Entities that have been spawned and not deleted.
    pub spawned: Vec<String>,
}

impl ServiceDesk {
    /// Creates the access to a session.
    pub fn new(control: Arc<dyn Control>) -> Self {
        Self {
            control: Arc::new(Bounded(control)),
            host: None,
            drivers: Drivers::default(),
            world: String::new(),
            path: String::new(),
            folders: Vec::new(),
            state: Mutex::default(),
            progressed: Default::default(),
            turn: None,
        }
    }

    /// Returns the same access, with answers to questions about the world.
    #[must_use]
    pub fn with_host(self, host: Arc<dyn SessionHost>) -> Self {
        Self { host: Some(host), ..self }
    }

    /// Returns the same access, with the name and the file of the world. Requests can name files in its folder.
    #[must_use]
    pub fn with_world(mut self, name: impl Into<String>, path: impl Into<String>) -> Self {
        (self.world, self.path) = (name.into(), path.into());
        // a name alone is in the working folder
        let folder = Path::new(&self.path).parent().map(|folder| Path::new(".").join(folder));
        self.folders.extend(folder);
        self
    }

    /// Returns the same access, with further folders whose files requests can name.
    #[must_use]
    pub fn with_folders(mut self, folders: impl IntoIterator<Item = PathBuf>) -> Self {
        self.folders.extend(folders);
        self
    }

    /// Returns the same access for a program with one thread. Instead of waiting for the session, services call `turn`,
    /// in which the session takes its inputs and makes the steps that are due.
    #[must_use]
    pub fn with_turns(self, turn: impl Fn() + Send + Sync + 'static) -> Self {
        Self { turn: Some(Box::new(turn)), ..self }
    }

    pub(crate) fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Wakes services that wait for progress of the session. Called between two steps, and after the last one.
    pub fn wake(&self) {
        let (looking, progressed) = &self.progressed;
        let _looking = looking.lock().unwrap_or_else(PoisonError::into_inner);
        progressed.notify_all();
    }

    /// Sends an input.
    ///
    /// # Errors
    /// The reason why it is not accepted.
    pub fn post(&self, input: Input) -> Result<(), ServiceRefusal> {
        self.control.send(input).map_err(|error| (FAILED, error.to_string()))
    }

    /// Sends an input, and waits until it has acted.
    pub(crate) fn send(&self, input: Input) -> Result<(), ServiceRefusal> {
        self.post(input)?;
        self.settle();
        Ok(())
    }

    /// Sends an input, and waits until a step has been made with it, or the session is paused.
    pub(crate) fn send_before_step(&self, input: Input) -> Result<(), ServiceRefusal> {
        self.send(input)?;
        let before = self.control.progress().steps;
        self.wait(&|progress| progress.is_paused || progress.steps != before);
        Ok(())
    }

    /// Waits until the inputs that have been sent have acted.
    pub fn settle(&self) {
        // the session answers before it takes inputs, and after it has carried out those that it has taken
        while self.ask(SessionRequest::ReadQuantities(Vec::new())).is_ok()
            && self.control.waiting() > 0
        {}
        let _ = self.ask(SessionRequest::ReadQuantities(Vec::new()));
    }

    /// Waits until the progress of the session meets a condition, while steps are made or for a while. Returns whether
    /// it does.
    pub fn wait(&self, is_met: &dyn Fn(&Progress) -> bool) -> bool {
        if let Some(turn) = &self.turn {
            return self.wait_by_turns(turn, is_met);
        }
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

    /// Lets the session take turns until a condition is met, or a turn makes no step.
    fn wait_by_turns(&self, turn: &dyn Fn(), is_met: &dyn Fn(&Progress) -> bool) -> bool {
        loop {
            let before = self.control.progress();
            if is_met(&before) {
                return true;
            }
            turn();
            let after = self.control.progress();
            if after.steps == before.steps {
                return is_met(&after);
            }
        }
    }

    /// Returns the answer of the session to a request.
    ///
    /// # Errors
    /// The reason why there is none.
    pub(crate) fn answer(&self, request: SessionRequest) -> Result<String, ServiceRefusal> {
        let Some(host) = &self.host else {
            return Err((FAILED, "this server has no session".to_owned()));
        };
        host.ask(request).map_err(|error| (FAILED, error))
    }

    /// Returns the answer of the session to a request, as JSON.
    ///
    /// # Errors
    /// The reason why there is none.
    pub fn ask(&self, request: SessionRequest) -> Result<Value, ServiceRefusal> {
        let text = self.answer(request)?;
        Ok(serde_json::from_str(&text).unwrap_or(Value::String(text)))
    }

    /// Returns the description of the world.
    ///
    /// # Errors
    /// The reason why there is none.
    pub fn description(&self) -> Result<Value, ServiceRefusal> {
        let Some(host) = &self.host else {
            return Err((FAILED, "this server has no session".to_owned()));
        };
        let text = host.describe().map_err(|error| (FAILED, error))?;
        serde_json::from_str(&text).map_err(|error| (FAILED, error.to_string()))
    }

    /// Returns the simulated time in s; 0 if the session does not answer.
    pub fn time(&self) -> f64 {
        let answer = self.ask(SessionRequest::ReadQuantities(Vec::new()));
        answer.map_or(0.0, |answer| answer["time_s"].as_f64().unwrap_or(0.0))
    }
}

/// Inputs that may wait for the next step. One step of a fast client takes a handful.
const MAX_WAITING: usize = 10_000;
/// Further ones that control the run itself, so that a client can always end it.
const RESERVED: usize = 100;

/// Passes inputs on to a session while not too many wait there, so that no client fills its memory.
struct Bounded(pub Arc<dyn Control>);

impl Control for Bounded {
    fn send(&self, input: Input) -> Result<(), InputError> {
        let is_of_run = matches!(
            input,
            Input::Pause | Input::Resume | Input::Step { .. } | Input::Pace { .. } | Input::Stop
        );
        let waiting = self.0.waiting();
        if waiting >= MAX_WAITING + if is_of_run { RESERVED } else { 0 } {
            return Err(InputError::Busy { waiting });
        }
        self.0.send(input)
    }

    fn input_streams(&self) -> Vec<Arc<Stream>> {
        self.0.input_streams()
    }

    fn parameters(&self) -> Vec<Parameter> {
        self.0.parameters()
    }

    fn waiting(&self) -> usize {
        self.0.waiting()
    }

    fn progress(&self) -> Progress {
        self.0.progress()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    /// A session that takes no step.
    #[derive(Default)]
    struct Stuck(AtomicUsize);

    impl Control for Stuck {
        fn send(&self, _: Input) -> Result<(), InputError> {
            self.0.fetch_add(1, Ordering::Relaxed);
            Ok(())
        }

        fn waiting(&self) -> usize {
            self.0.load(Ordering::Relaxed)
        }

        fn progress(&self) -> Progress {
            Progress::default()
        }
    }

    /// A session that makes a step in each turn, up to three.
    #[derive(Default)]
    struct Walking(AtomicUsize);

    impl Control for Walking {
        fn send(&self, _: Input) -> Result<(), InputError> {
            Ok(())
        }

        fn progress(&self) -> Progress {
            let steps = self.0.load(Ordering::Relaxed).min(3) as u64;
            Progress { steps, ..Progress::default() }
        }
    }

    #[test]
    fn a_program_with_one_thread_takes_turns_instead_of_waiting() {
        let session = Arc::new(Walking::default());
        let stepped = session.clone();
        let turn = move || {
            stepped.0.fetch_add(1, Ordering::Relaxed);
        };
        let desk = ServiceDesk::new(session.clone()).with_turns(turn);
        assert!(desk.wait(&|progress| progress.steps >= 2));
        assert_eq!(session.0.load(Ordering::Relaxed), 2);
        // ends although no thread ever reaches this
        assert!(!desk.wait(&|progress| progress.steps >= 4));
    }

    #[test]
    fn inputs_are_refused_while_too_many_wait() {
        let bounded = Bounded(Arc::new(Stuck::default()));
        let reset = || Input::Reset { seed: 1 };
        for _ in 0..MAX_WAITING {
            bounded.send(reset()).unwrap();
        }
        let error = bounded.send(reset()).unwrap_err();
        assert!(error.to_string().contains("10000 inputs wait"), "{error}");
        bounded.send(Input::Stop).unwrap();
        assert_eq!(bounded.waiting(), MAX_WAITING + 1);
    }
}
