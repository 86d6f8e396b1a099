//! Sessions that run on a separate thread.

use std::collections::VecDeque;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;

use simhost_streams::{Input, InputError};

use super::{Ended, Flow, Session, WhenPaused};
use crate::error::Error;
use crate::hooks::Time;
use crate::inputs::Inputs;
use crate::records::Record;

type Request = Box<dyn FnOnce(&mut Session) + Send>;

/// A session that runs on a separate thread. Dropping it stops the session.
pub struct Running {
    thread: Option<JoinHandle<(Session, Result<Ended, Error>)>>,
    shared: Arc<SharedSession>,
    inputs: Inputs,
}

#[derive(Default)]
struct SharedSession {
    progress: Mutex<Progress>,
    /// Notifies waiting threads when the run has progressed or ended.
    changed: Condvar,
}

#[derive(Default)]
struct Progress {
    time: f64,
    is_ended: bool,
    waiting: usize,
    requests: VecDeque<Request>,
}

impl Session {
    /// Steps until the time of [`RunControl::stop_after`](crate::RunControl::stop_after), or else
    /// the `<duration>` of the world. Without either, the run ends when an observer or an input
    /// stops it.
    ///
    /// # Errors
    /// As [`Self::run_steps`].
    pub fn run(&mut self) -> Result<Ended, Error> {
        let last = self.last_of_run();
        self.run_pieces(last, u64::MAX, &mut |_| Ok(Flow::Continue))
    }

    /// Runs the session on a separate thread, as [`Self::run`] does. A pause waits for an input.
    ///
    /// # Errors
    /// [`Error::Thread`] if the thread cannot be started.
    pub fn spawn(mut self) -> Result<Running, Error> {
        let shared = Arc::new(SharedSession::default());
        shared.lock().time = self.time().0;
        let (inputs, of_thread) = (self.inputs(), shared.clone());
        let thread =
            std::thread::Builder::new().name("simhost session".to_owned()).spawn(move || {
                // dropped at the end, also of a panic, so that no thread waits in vain
                let end = EndOfRun(&of_thread);
                let before = std::mem::replace(&mut self.control.when_paused, WhenPaused::Wait);
                let last = self.last_of_run();
                let ended = self.run_pieces(last, u64::MAX, &mut |session| {
                    of_thread.look(session);
                    Ok(Flow::Continue)
                });
                of_thread.look(&mut self);
                self.control.when_paused = before;
                drop(end);
                (self, ended)
            });
        let thread = thread.map_err(|source| Error::Thread { source })?;
        Ok(Running { thread: Some(thread), shared, inputs })
    }

    /// Returns the number of the last step of [`Self::run`].
    fn last_of_run(&self) -> u64 {
        let clock = self.world.simulation.clock();
        let end = self.control.end.or(self.duration);
        end.map_or(u64::MAX, |end| clock.last_step(end).0)
    }
}

impl SharedSession {
    fn lock(&self) -> MutexGuard<'_, Progress> {
        self.progress.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Reports the progress, and handles requests.
    fn look(&self, session: &mut Session) {
        let mut progress = self.lock();
        progress.time = session.time().0;
        if progress.waiting > 0 {
            self.changed.notify_all();
        }
        let requests = std::mem::take(&mut progress.requests);
        drop(progress);
        requests.into_iter().for_each(|request| request(session));
    }
}

/// Reports the end of a run when it is dropped.
struct EndOfRun<'s>(&'s SharedSession);

impl Drop for EndOfRun<'_> {
    fn drop(&mut self) {
        let mut progress = self.0.lock();
        progress.is_ended = true;
        // those who wait for an answer learn that there will be none
        progress.requests.clear();
        self.0.changed.notify_all();
    }
}

impl Running {
    /// Returns the sender of inputs.
    pub fn inputs(&self) -> &Inputs {
        &self.inputs
    }

    /// Sends an input.
    ///
    /// # Errors
    /// As [`Inputs::send`].
    pub fn send(&self, input: Input) -> Result<(), InputError> {
        self.inputs.send(input)
    }

    /// Returns the simulated time after the last steps.
    pub fn time(&self) -> Time {
        Time(self.shared.lock().time)
    }

    /// Returns whether the run has ended.
    pub fn is_ended(&self) -> bool {
        self.shared.lock().is_ended
    }

    /// Blocks until the simulated time has reached `time` or the run has ended. Returns whether the time
    /// has been reached. The session does not wait: its time can be later when this returns.
    pub fn wait_for(&self, time: Time) -> bool {
        let is_due = |progress: &Progress| progress.time >= time.0 - 1e-9;
        let progress = self.wait_while(|progress| !is_due(progress));
        is_due(&progress)
    }

    /// Blocks until the run has ended.
    pub fn wait(&self) {
        drop(self.wait_while(|_| true));
    }

    fn wait_while(&self, condition: impl Fn(&Progress) -> bool) -> MutexGuard<'_, Progress> {
        let mut progress = self.shared.lock();
        progress.waiting += 1;
        let waited = self
            .shared
            .changed
            .wait_while(progress, |progress| !progress.is_ended && condition(progress));
        progress = waited.unwrap_or_else(PoisonError::into_inner);
        progress.waiting -= 1;
        progress
    }

    /// Calls `act` with the session between two steps, on the thread of the session, and returns its answer.
    /// Blocks until then.
    ///
    /// # Errors
    /// [`Error::Input`] if the run has ended.
    pub fn with<T: Send + 'static>(
        &self,
        act: impl FnOnce(&mut Session) -> T + Send + 'static,
    ) -> Result<T, Error> {
        let (sender, receiver) = std::sync::mpsc::sync_channel(1);
        {
            let mut progress = self.shared.lock();
            if progress.is_ended {
                return Err(InputError::Ended.into());
            }
            progress.requests.push_back(Box::new(move |session| {
                // a caller that has gone does not need the answer
                let _ = sender.send(act(session));
            }));
        }
        self.inputs.wake();
        receiver.recv().map_err(|_| InputError::Ended.into())
    }

    /// Returns a sample of a stream, taken between two steps.
    ///
    /// # Errors
    /// As [`Session::latest`], and [`Error::Input`] if the run has ended.
    pub fn latest<R: Record + Send + 'static>(&self, stream: &str) -> Result<R, Error> {
        let stream = stream.to_owned();
        self.with(move |session| session.latest(&stream))?
    }

    /// Blocks until the run has ended, and returns the session with the reason of the end.
    ///
    /// # Panics
    /// Panics if a hook, a sink or a model has panicked on the thread of the session.
    pub fn join(mut self) -> (Session, Result<Ended, Error>) {
        let thread = self.thread.take().expect("only this call and `drop` take the thread");
        thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    }

    /// Stops the run after the present step, and returns the session with the reason of the end.
    ///
    /// # Panics
    /// As [`Self::join`].
    pub fn stop(self) -> (Session, Result<Ended, Error>) {
        // a session that has ended needs no stop
        let _ = self.inputs.send(Input::Stop);
        self.join()
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        if let Some(thread) = self.thread.take() {
            // a session that has ended needs no stop, and its panic has been printed
            let _ = self.inputs.send(Input::Stop);
            let _ = thread.join();
        }
    }
}
