//! Commands to a session, and edits of its world.

use std::path::PathBuf;

use pyo3::prelude::*;
use simhost::{Command, Error, Input};

use super::{OpenSession, Session};
use crate::errors::Failure;

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
