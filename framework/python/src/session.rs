//! Sessions.

mod reads;
mod run;

use std::path::PathBuf;
use std::sync::{Arc, Mutex, TryLockError};

use numpy::PyArray1;
use pyo3::prelude::*;
use simhost::{ClockMode, Command, Error, Input, LiveQuantities, RunEnding, Selection, Time};
use simhost_live::{LiveError, Server, ServerSettings, ServiceDesk, resolve};

use crate::errors::{Failure, raise};
use crate::forked::Home;
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
    quantities: LiveQuantities,
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

#[pymethods]
impl Session {
    /// Serves live clients on an address from the next run on, and returns its URL. Runs keep `pace` times real time,
    /// if it is given.
    #[pyo3(signature = (address, name, token, pace))]
    fn serve(
        &self,
        address: &str,
        name: String,
        token: Option<String>,
        pace: Option<f64>,
    ) -> PyResult<String> {
        let failed = |error: LiveError| raise("InputError", error);
        if let Some(pace) = pace.filter(|pace| !(pace.is_finite() && *pace > 0.0)) {
            let text = format!("pace is {pace}; expected a number greater than 0, or None");
            return Err(raise("InputError", text));
        }
        let mut settings = ServerSettings::new(resolve(address).map_err(failed)?);
        (settings.token, settings.name) = (token, name);
        let server = Server::bind(settings).map_err(failed)?;
        let url = format!("ws://{}", server.address());
        self.with(|state| {
            self.home.settle();
            if let Some(factor) = pace {
                state.session.control().set_clock(ClockMode::Realtime { factor });
            }
            let sink = server.start(ServiceDesk::new(Arc::new(state.session.client_inputs()?)));
            Ok(state.session.attach(Box::new(sink), &Selection::default()).map(drop)?)
        })?;
        Ok(url)
    }
}

#[pymethods]
impl Session {
    /// Commands a vehicle from the next step on: values in the order of the kind.
    fn command(&self, vehicle: &str, kind: String, values: Vec<f64>) -> PyResult<()> {
        let command = Command { kind, values };
        Ok(self.with(|state| {
            Ok(state.session.vehicle(vehicle)?.command(command).map_err(Error::from)?)
        })?)
    }

    /// Returns the kinds of commands of a vehicle, each with the names of its values; `None` for one that is ignored.
    fn command_kinds(&self, vehicle: &str) -> PyResult<Vec<(String, Vec<Option<String>>)>> {
        Ok(self.with(|state| {
            state.session.vehicle(vehicle)?;
            let simulation = state.session.simulation();
            let number = simulation.vehicle_names().number(vehicle);
            let short = |port: String| port.strip_prefix("command_").unwrap_or(&port).to_owned();
            let kinds = simulation.command_kinds(number.unwrap_or_default()).into_iter();
            let named = |kind: simhost_engine::CommandKind| {
                (kind.name, kind.values.into_iter().map(|port| port.map(short)).collect())
            };
            Ok(kinds.map(named).collect())
        })?)
    }

    /// Moves an entity, at rest.
    fn set_pose(&self, entity: &str, pose: [f64; 3]) -> PyResult<()> {
        self.edit(|state| Ok(state.session.edit().set_pose(entity, pose)?))
    }

    /// Sets the velocity of an entity.
    fn set_velocity(&self, entity: &str, velocity: [f64; 3]) -> PyResult<()> {
        self.edit(|state| Ok(state.session.edit().set_velocity(entity, velocity)?))
    }

    /// Sets a state slot of a model, or the spin of a wheel, by the name of its quantity.
    fn set_state(&self, name: &str, value: f64) -> PyResult<()> {
        self.edit(|state| Ok(state.session.edit().set_state(name, value)?))
    }

    /// Returns pose and velocity of each entity that can be moved, as `set_pose` and `set_velocity` take them.
    fn motions(&self) -> PyResult<Vec<(String, [[f64; 3]; 2])>> {
        Ok(self.with(|state| {
            let simulation = state.session.simulation();
            let of = |name: &str| {
                let (pose, velocity) = simulation.motion_of(name).ok()?;
                Some((name.to_owned(), [pose, velocity]))
            };
            Ok(simulation.placeable().filter_map(of).collect())
        })?)
    }

    /// Returns the parameters of models with their values as in a world file.
    fn parameters(&self) -> PyResult<Vec<(String, String)>> {
        Ok(self.with(|state| Ok(state.session.inputs().parameters()))?)
    }

    /// Sets a parameter of a model to a value as in a world file.
    fn set_parameter(&self, name: &str, value: &str) -> PyResult<()> {
        self.edit(|state| Ok(state.session.edit().set_parameter(name, value)?))
    }

    /// Returns the text of the world file as it was opened, with values of parameters, to be written to `path`.
    fn world_file_with(
        &self,
        values: Vec<(String, String)>,
        path: std::path::PathBuf,
    ) -> PyResult<String> {
        Ok(self.with(|state| Ok(state.session.edit().world_file_with(&values, &path)?))?)
    }

    /// Adds the entities of a fragment of a world file.
    fn add(&self, fragment: &str) -> PyResult<()> {
        self.edit(|state| Ok(state.session.edit().add(fragment)?))
    }

    /// Adds the entities of a file.
    fn add_file(&self, path: PathBuf) -> PyResult<()> {
        self.edit(|state| Ok(state.session.edit().add_file(path)?))
    }

    /// Removes an entity.
    fn remove(&self, entity: &str) -> PyResult<()> {
        self.edit(|state| Ok(state.session.edit().remove(entity)?))
    }

    /// Returns to the start of the world.
    fn reset(&self, seed: Option<u64>) -> PyResult<()> {
        self.edit(|state| {
            let seed = seed.unwrap_or(state.session.world().seed());
            Ok(state.session.edit().reset(seed)?)
        })
    }

    /// Adds an entry to the fault memory of a vehicle, or removes all entries if `sensor` is `None`.
    #[pyo3(signature = (vehicle, sensor, severity, code, text))]
    fn change_faults(
        &self,
        vehicle: String,
        sensor: Option<String>,
        severity: String,
        code: u32,
        text: String,
    ) -> PyResult<()> {
        let input = match sensor {
            Some(sensor) => Input::AddFault { vehicle, sensor, severity, code, text },
            None => Input::ClearFaults { vehicle },
        };
        Ok(self.with(|state| Ok(state.session.inputs().send(input).map_err(Error::from)?))?)
    }

    /// Writes the streams that `patterns` select, all without patterns, to an MCAP file from now on.
    #[pyo3(signature = (path, patterns, every))]
    fn write_mcap(&self, path: PathBuf, patterns: Vec<String>, every: Option<f64>) -> PyResult<()> {
        let selection = simhost::Selection { patterns, state_period: every, ..Default::default() };
        let sink = Box::new(simhost_mcap::McapSink::new(&path));
        Ok(self.with(|state| {
            self.home.settle();
            Ok(state.session.attach(sink, &selection).map(drop)?)
        })?)
    }

    /// Plans the commands of a file.
    fn read_commands(&self, path: PathBuf) -> PyResult<()> {
        let edited = self.with(|state| {
            let read = simhost::CommandSchedule::read(&path, state.session.simulation());
            Ok(read
                .map_err(Error::from)
                .and_then(|schedule| state.session.edit().set_commands(schedule))?)
        });
        Ok(edited?)
    }
}

impl Session {
    /// Edits the world, and refreshes the arrays of `watch`.
    fn edit(&self, act: impl FnOnce(&mut OpenSession) -> Result<(), Failure>) -> PyResult<()> {
        Python::attach(|py| {
            Ok(self.with(|state| {
                act(state)?;
                state.refresh(py)
            })?)
        })
    }
}
