//! Ensembles.

mod actor;
mod steps;

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, TryLockError};

use numpy::{PyArray1, PyArray2};
use pyo3::prelude::*;
use pyo3::types::PyAny;
use simhost::{
    Command, EnsembleOptions, MemberEnd, MetricRequest, QuantityRange, Selected, Time, Variation,
    VariedValue,
};

use crate::arrays::{append_numbers, matrix};
use crate::errors::{Failure, raise};
use crate::forked::Home;
use crate::quantities::{Column, columns, ranges};
use crate::session::Session;
use crate::world_options::WorldOptions;
use crate::{arrays, runs};

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

#[pymethods]
impl Ensemble {
    /// Names of the variations.
    #[getter]
    fn variations(&self) -> PyResult<Vec<String>> {
        Ok(self.with(|state| Ok(state.ensemble.variations().map(str::to_owned).collect()))?)
    }

    /// Returns the present value of each variation for a member.
    fn values<'py>(&self, py: Python<'py>, member: usize) -> PyResult<Vec<Bound<'py, PyAny>>> {
        let values = self.with(|state| Ok(state.ensemble.values(member)?))?;
        let of = |value: VariedValue| match value {
            VariedValue::Number(number) => Ok(number.into_pyobject(py)?.into_any()),
            VariedValue::Text(text) => Ok(text.into_pyobject(py)?.into_any()),
        };
        values.into_iter().map(of).collect()
    }

    /// Returns the number of completed steps of each member.
    fn steps<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<i64>>> {
        let steps = self.with(|state| {
            let each =
                (0..self.members).map(|member| Ok(state.ensemble.member(member)?.steps() as i64));
            each.collect::<Result<Vec<i64>, simhost::Error>>().map_err(Into::into)
        })?;
        Ok(PyArray1::from_vec(py, steps))
    }

    /// Returns whether each member has ended.
    fn ended<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<bool>>> {
        let ended =
            self.with(|state| Ok(state.ensemble.ends().iter().map(Option::is_some).collect()))?;
        Ok(PyArray1::from_vec(py, ended))
    }

    /// Returns the members that have ended, each with the short name of its end and a text.
    fn ends(&self) -> PyResult<Vec<(usize, &'static str, String)>> {
        Ok(self.with(|state| {
            let ends = state.ensemble.ends().iter().enumerate();
            let of = |(member, end): (usize, &Option<MemberEnd>)| {
                end.as_ref().map(|end| (member, end.name(), end.to_string()))
            };
            Ok(ends.filter_map(of).collect())
        })?)
    }

    /// Seed of a member.
    fn seed(&self, member: usize) -> PyResult<u64> {
        Ok(self.with(|state| Ok(state.ensemble.member(member)?.seed()))?)
    }

    /// Returns 128 bits over the results of a member, in hexadecimal digits.
    fn result_hash(&self, member: usize) -> PyResult<String> {
        Ok(self
            .with(|state| Ok(format!("{:032x}", state.ensemble.member(member)?.result_hash()?)))?)
    }

    /// Returns a session that continues from the state of a member.
    fn to_session(&self, member: usize) -> PyResult<Session> {
        let session = self.with(|state| Ok(state.ensemble.member(member)?.to_session()?))?;
        Ok(Session::new(session, self.home.of_copy()))
    }

    /// Moves an entity of a member, at rest.
    fn set_pose(&self, member: usize, entity: &str, pose: [f64; 3]) -> PyResult<()> {
        Ok(self.with(|state| Ok(state.ensemble.member(member)?.set_pose(entity, pose)?))?)
    }

    /// Sets the velocity of an entity of a member.
    fn set_velocity(&self, member: usize, entity: &str, velocity: [f64; 3]) -> PyResult<()> {
        Ok(self
            .with(|state| Ok(state.ensemble.member(member)?.set_velocity(entity, velocity)?))?)
    }

    /// Commands a vehicle of a member from the next step on: values in the order of the kind.
    fn command(
        &self,
        member: usize,
        vehicle: &str,
        kind: String,
        values: Vec<f64>,
    ) -> PyResult<()> {
        let command = Command { kind, values };
        Ok(self.with(|state| Ok(state.ensemble.member(member)?.command(vehicle, command)?))?)
    }

    /// Sets a state slot of a model, or the spin of a wheel, by the name of its quantity: a number for each member.
    fn set_state(&self, name: &str, values: Bound<'_, PyAny>) -> PyResult<()> {
        let mut numbers = Vec::new();
        append_numbers(&format!("'{name}'"), &values, &[self.members], &mut numbers)?;
        Ok(self.with(|state| Ok(state.ensemble.set_state(name, &numbers)?))?)
    }

    /// Returns pose and velocity of an entity as `set_pose` and `set_velocity` take them, one row per member; NaN for an
    /// entity that cannot be moved.
    fn motions<'py>(&self, py: Python<'py>, entity: &str) -> PyResult<Bound<'py, PyArray2<f64>>> {
        matrix(py, [self.members, 6], |to: &mut [f64]| {
            self.with(|state| {
                for (member, row) in to.chunks_exact_mut(6).enumerate() {
                    let motion = state.ensemble.member(member)?.motion_of(entity)?;
                    row.copy_from_slice(motion.unwrap_or([[f64::NAN; 3]; 2]).as_flattened());
                }
                Ok::<(), Failure>(())
            })
        })
    }

    /// Lets all members start from the present state of a session.
    fn restart(&self, py: Python<'_>, session: &Session) -> PyResult<()> {
        let restart = || {
            self.with(|state| session.with(|open| Ok(state.ensemble.restart(&mut open.session)?)))
        };
        Ok(py.detach(restart)?)
    }

    /// Returns which random values of the world file the members share; `None` if there are none.
    fn shared_random_values(&self) -> PyResult<Option<String>> {
        Ok(self.with(|state| Ok(state.ensemble.shared_random_values()))?)
    }

    /// Returns why the members cannot share tables; nothing if they share them.
    fn why_not_shared(&self) -> PyResult<Vec<String>> {
        Ok(self.with(|state| Ok(state.ensemble.why_not_shared().to_vec()))?)
    }

    /// Number of members that have a simulation of their own at present.
    fn apart(&self) -> PyResult<usize> {
        Ok(self.with(|state| Ok(state.ensemble.apart()))?)
    }

    /// Time step, s.
    #[getter]
    fn dt(&self) -> PyResult<f64> {
        Ok(self.with(|state| Ok(state.ensemble.session().simulation().clock().dt))?)
    }

    /// Runs all members until a simulated time, s, and returns names and values of metrics, one row per metric. `every` is
    /// the simulated time between samples, s.
    fn metrics<'py>(
        &self,
        py: Python<'py>,
        metrics: Vec<String>,
        every: f64,
        until: f64,
    ) -> PyResult<(Vec<String>, Bound<'py, PyArray2<f64>>)> {
        let parsed = metrics.iter().map(|text| text.parse::<MetricRequest>());
        let parsed: Vec<MetricRequest> = parsed.collect::<Result<_, _>>().map_err(Failure::from)?;
        let run = || self.with(|state| Ok(state.ensemble.run_with(&parsed, every, Time(until))?));
        let found = py.detach(run)?;
        let (names, members) = (found.metrics().names().to_vec(), self.members);
        let values = matrix(py, [names.len(), members], |to: &mut [f64]| {
            for member in 0..members {
                let row = found.row(member).into_iter().enumerate();
                row.for_each(|(metric, value)| to[metric * members + member] = value);
            }
            Ok::<(), Failure>(())
        })?;
        Ok((names, values))
    }

    /// Ends members after a number of steps in place of the duration of the world; `None` for never.
    fn end_after(&self, steps: Option<u64>) -> PyResult<()> {
        Ok(self.with(|state| {
            state.ensemble.end_after(steps);
            Ok(())
        })?)
    }
}
