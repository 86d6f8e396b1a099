//! Sessions.

mod edits;
mod live;
mod reads;
mod run;

use std::path::PathBuf;
use std::sync::{Arc, Mutex, TryLockError};

use numpy::PyArray1;
use pyo3::prelude::*;
use simhost::{RunEnding, Time};

use crate::errors::Failure;
use crate::forked::Home;
use crate::picked::Picked;
use crate::recorder::Samples;
use crate::runs;
use crate::snapshot::Snapshot;
use crate::world_options::WorldOptions;

/// One simulation that runs.
#[pyclass(frozen, module = "simhost._core")]
pub struct Session {
    state: Mutex<Option<OpenSession>>,
    home: Home,
}

impl Drop for Session {
    fn drop(&mut self) {
        self.home.forget_copy(&mut self.state);
    }
}

/// A session with the records and the arrays that it fills.
pub struct OpenSession {
    pub session: simhost::Session,
    records: Vec<Arc<Mutex<Samples>>>,
    watches: Vec<Watch>,
    /// How the last run has ended, as observers learn it.
    ending: RunEnding,
}

/// An array that every run refreshes.
struct Watch {
    picked: Picked,
    array: Py<PyArray1<f64>>,
    row: Vec<f64>,
}

impl Session {
    pub fn new(session: simhost::Session, home: Home) -> Self {
        let (records, watches, ending) = (Vec::new(), Vec::new(), RunEnding::Duration);
        let state = OpenSession { session, records, watches, ending };
        Self { state: Mutex::new(Some(state)), home }
    }

    /// Calls `act` with the state, unless another call does so.
    pub fn with<R>(
        &self,
        act: impl FnOnce(&mut OpenSession) -> Result<R, Failure>,
    ) -> Result<R, Failure> {
        self.home.check()?;
        let mut state = match self.state.try_lock() {
            Ok(state) => state,
            Err(TryLockError::Poisoned(poisoned)) => poisoned.into_inner(),
            Err(TryLockError::WouldBlock) => return Err(Failure::Busy),
        };
        runs::call(|| act(state.as_mut().ok_or(Failure::Closed)?))
    }
}

#[pymethods]
impl Session {
    /// Opens a world file, or the text of one whose relative paths start at the folder of `path`.
    #[staticmethod]
    #[pyo3(signature = (path, text, options))]
    fn open(
        py: Python<'_>,
        path: PathBuf,
        text: Option<String>,
        options: WorldOptions,
    ) -> PyResult<Self> {
        let home = Home::of(options.threads);
        let options = options.session()?;
        if options.out.is_some() {
            home.settle();
        }
        let open = || {
            Ok(match text {
                Some(text) => simhost::Session::from_text(&text, &path, options),
                None => simhost::Session::open(&path, options),
            }?)
        };
        Ok(Self::new(py.detach(|| runs::call(open))?, home))
    }

    /// Completes the output of the session, and ends it. Returns the paths of the files: none in a forked process, whose
    /// copy of the session leaves the files alone.
    fn close(&self, py: Python<'_>) -> PyResult<Vec<PathBuf>> {
        if self.home.is_left() {
            return Ok(Vec::new());
        }
        let mut state = match self.state.try_lock() {
            Ok(state) => state,
            Err(TryLockError::Poisoned(poisoned)) => poisoned.into_inner(),
            Err(TryLockError::WouldBlock) => return Err(Failure::Busy.into()),
        };
        let Some(OpenSession { mut session, ending, .. }) = state.take() else {
            return Ok(Vec::new());
        };
        Ok(py.detach(move || runs::call(|| Ok(session.finish_with(&ending)?)))?)
    }

    /// Simulated time, s.
    #[getter]
    fn time(&self) -> PyResult<f64> {
        let Time(time) = self.with(|state| Ok(state.session.time()))?;
        Ok(time)
    }

    /// Number of completed steps.
    #[getter]
    fn steps(&self) -> PyResult<u64> {
        Ok(self.with(|state| Ok(state.session.steps()))?)
    }

    /// Time step, s.
    #[getter]
    fn dt(&self) -> PyResult<f64> {
        Ok(self.with(|state| Ok(state.session.simulation().clock().dt))?)
    }

    /// Duration of the world, s.
    #[getter]
    fn duration(&self) -> PyResult<Option<f64>> {
        Ok(self.with(|state| {
            Ok(state.session.world().description().and_then(|world| world.settings.duration))
        })?)
    }

    /// Seed of all random numbers.
    #[getter]
    fn seed(&self) -> PyResult<u64> {
        Ok(self.with(|state| Ok(state.session.world().seed()))?)
    }

    /// Takes a snapshot.
    fn snapshot(&self) -> PyResult<Snapshot> {
        Ok(self.with(|state| Ok(Snapshot { snapshot: state.session.snapshot()? }))?)
    }

    /// Returns to a snapshot of the same world.
    fn restore(&self, snapshot: &Snapshot) -> PyResult<()> {
        Ok(self.with(|state| Ok(state.session.restore(&snapshot.snapshot)?))?)
    }

    /// Returns a second session that continues from the present state.
    fn fork(&self, py: Python<'_>) -> PyResult<Self> {
        let fork = py.detach(|| self.with(|state| Ok(state.session.fork()?)))?;
        Ok(Self::new(fork, self.home.of_copy()))
    }

    /// Returns 128 bits over the results, in hexadecimal digits.
    fn result_hash(&self) -> PyResult<String> {
        Ok(self.with(|state| Ok(format!("{:032x}", state.session.simulation().result_hash())))?)
    }
}
