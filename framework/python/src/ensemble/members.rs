//! Members of an ensemble.

use numpy::{PyArray1, PyArray2};
use pyo3::prelude::*;
use pyo3::types::PyAny;
use simhost::{Command, MemberEnd, MetricRequest, Time, VariedValue};

use super::Ensemble;
use crate::arrays::{append_numbers, matrix};
use crate::errors::Failure;
use crate::session::Session;

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
