//! Ensembles.

mod actor;
mod members;
mod steps;

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, TryLockError};

use pyo3::prelude::*;
use simhost::{EnsembleOptions, QuantityRange, Selected, Variation};

use crate::arrays;
use crate::errors::{Failure, raise};
use crate::forked::Home;
use crate::picked::{Column, columns, ranges};
use crate::runs;
use crate::session::Session;
use crate::world_options::WorldOptions;

pub use actor::Actor;

/// Number of the next ensemble.
static NEXT: AtomicU64 = AtomicU64::new(0);

/// One world many times, with differences, stepped together.
#[pyclass(frozen, module = "simhost._core")]
pub struct Ensemble {
    state: Mutex<Option<OpenEnsemble>>,
    /// Distinguishes selections of several ensembles.
    number: u64,
    #[pyo3(get)]
    members: usize,
    home: Home,
}

impl Drop for Ensemble {
    fn drop(&mut self) {
        self.home.forget_copy(&mut self.state);
    }
}

struct OpenEnsemble {
    ensemble: simhost::Ensemble,
    /// Values of a command.
    values: Vec<f64>,
}

/// Quantities of all members.
#[pyclass(frozen, module = "simhost._core")]
pub struct Selection {
    selected: Selected,
    /// Smallest and largest value of each column; infinite where nothing is known.
    #[pyo3(get)]
    ranges: Vec<QuantityRange>,
    ensemble: u64,
}

/// The state of all members.
#[pyclass(frozen, module = "simhost._core")]
pub struct EnsembleSnapshot {
    snapshot: simhost::EnsembleSnapshot,
}

#[pymethods]
impl Selection {
    /// Number of values of a member.
    #[getter]
    fn width(&self) -> usize {
        self.selected.width()
    }

    /// Name, unit and description of each column.
    #[getter]
    fn columns(&self) -> Vec<Column> {
        columns(self.selected.infos())
    }
}

impl Ensemble {
    fn of(ensemble: simhost::Ensemble, home: Home) -> Self {
        let members = ensemble.members();
        let state = Mutex::new(Some(OpenEnsemble { ensemble, values: Vec::new() }));
        Self { state, number: NEXT.fetch_add(1, Ordering::Relaxed), members, home }
    }

    /// Calls `act` with the ensemble, unless another call does so.
    fn with<R>(
        &self,
        act: impl FnOnce(&mut OpenEnsemble) -> Result<R, Failure>,
    ) -> Result<R, Failure> {
        self.home.check()?;
        let mut state = match self.state.try_lock() {
            Ok(state) => state,
            Err(TryLockError::Poisoned(poisoned)) => poisoned.into_inner(),
            Err(TryLockError::WouldBlock) => return Err(Failure::Busy),
        };
        runs::call(|| act(state.as_mut().ok_or(Failure::Closed)?))
    }

    /// Checks that a selection is one of this ensemble.
    fn check(&self, selection: &Selection) -> PyResult<()> {
        match selection.ensemble == self.number {
            true => Ok(()),
            false => Err(raise(
                "InputError",
                "the selection is that of another ensemble; expected one of this ensemble",
            )),
        }
    }
}

/// A variation: its text, or its name with one number or text for each member.
#[derive(FromPyObject)]
enum Varied<'py> {
    Text(String),
    Texts(String, Vec<String>),
    Column(String, Bound<'py, PyAny>),
}

impl Varied<'_> {
    fn variation(self, members: usize) -> PyResult<Variation> {
        match self {
            Self::Text(text) => Ok(text.parse::<Variation>().map_err(Failure::from)?),
            Self::Texts(name, texts) => Ok(Variation::texts(name, texts)),
            Self::Column(name, values) => {
                let mut numbers = Vec::new();
                arrays::append_numbers(&format!("'{name}'"), &values, &[members], &mut numbers)?;
                Ok(Variation::column(name, numbers))
            }
        }
    }
}

/// Returns the options of an ensemble without the options of its session.
fn ensemble_options(
    members: usize,
    vary: Vec<Bound<'_, PyAny>>,
    max_memory: Option<u64>,
) -> PyResult<EnsembleOptions> {
    if members == 0 {
        return Err(raise("InputError", "members is 0; expected at least 1"));
    }
    let mut options = EnsembleOptions::members(members);
    options.max_memory = max_memory.unwrap_or(options.max_memory);
    for one in vary {
        options.variations.push(one.extract::<Varied<'_>>()?.variation(members)?);
    }
    Ok(options)
}

#[pymethods]
impl Ensemble {
    /// Opens a world file, or the text of one whose relative paths start at the folder of `path`, with the commands of a
    /// file.
    #[staticmethod]
    #[pyo3(signature = (path, text, members, vary, max_memory, commands, options))]
    #[allow(clippy::too_many_arguments)]
    fn open(
        py: Python<'_>,
        path: std::path::PathBuf,
        text: Option<String>,
        members: usize,
        vary: Vec<Bound<'_, PyAny>>,
        max_memory: Option<u64>,
        commands: Option<std::path::PathBuf>,
        options: WorldOptions,
    ) -> PyResult<Self> {
        let mut all = ensemble_options(members, vary, max_memory)?;
        let home = Home::of(options.threads);
        all.session = options.session()?;
        let open = || {
            let mut session = match text {
                Some(text) => simhost::Session::from_text(&text, &path, all.session.clone()),
                None => simhost::Session::open(&path, all.session.clone()),
            }?;
            if let Some(commands) = commands {
                let read = simhost::CommandSchedule::read(&commands, session.simulation())?;
                session.edit().set_commands(read)?;
            }
            Ok(simhost::Ensemble::from_session(session, all)?)
        };
        Ok(Self::of(py.detach(|| runs::call(open))?, home))
    }

    /// Returns an ensemble whose members start from the present state of a session.
    #[staticmethod]
    #[pyo3(signature = (session, members, vary, max_memory, threads))]
    fn of_session(
        py: Python<'_>,
        session: &Session,
        members: usize,
        vary: Vec<Bound<'_, PyAny>>,
        max_memory: Option<u64>,
        threads: usize,
    ) -> PyResult<Self> {
        let options = ensemble_options(members, vary, max_memory)?.threads(threads);
        let opened = py.detach(|| session.with(|open| Ok(open.session.ensemble(options)?)))?;
        Ok(Self::of(opened, Home::of(threads)))
    }

    /// Ends the ensemble.
    fn close(&self, py: Python<'_>) -> PyResult<()> {
        if self.home.is_left() {
            return Ok(());
        }
        let taken = match self.state.try_lock() {
            Ok(mut state) => state.take(),
            Err(TryLockError::Poisoned(poisoned)) => poisoned.into_inner().take(),
            Err(TryLockError::WouldBlock) => return Err(Failure::Busy.into()),
        };
        py.detach(|| drop(taken));
        Ok(())
    }

    /// Selects quantities by patterns, in the order of the world.
    fn select(&self, patterns: Vec<String>) -> PyResult<Selection> {
        let (selected, ranges) = self.with(|state| {
            let selected = state.ensemble.select(patterns)?;
            let ranges = ranges(
                state.ensemble.world().description().map(|world| &**world),
                selected.infos(),
            );
            Ok((selected, ranges))
        })?;
        Ok(Selection { selected, ranges, ensemble: self.number })
    }

    /// Takes a snapshot of all members.
    fn snapshot(&self, py: Python<'_>) -> PyResult<EnsembleSnapshot> {
        let snapshot = py.detach(|| self.with(|state| Ok(state.ensemble.snapshot()?)))?;
        Ok(EnsembleSnapshot { snapshot })
    }

    /// Returns to a snapshot of this ensemble.
    fn restore(&self, py: Python<'_>, snapshot: &EnsembleSnapshot) -> PyResult<()> {
        Ok(py.detach(|| self.with(|state| Ok(state.ensemble.restore(&snapshot.snapshot)?)))?)
    }
}
