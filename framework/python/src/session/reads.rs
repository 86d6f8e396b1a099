//! What a session shows of its state.

use numpy::{PyArray1, PyArray3};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use super::Session;
use crate::arrays::vector;
use crate::picture::{image, picture};
use crate::quantities::{Described, described};
use crate::sample::{self, DescribedStream, Reading};

/// A fault of a model: time, entity, class and text.
type Fault = (f64, String, String, String);
/// An entry of the fault memory of a vehicle: time, part, severity, code and text.
type Entry = (f64, String, String, u32, String);

#[pymethods]
impl Session {
    /// Names of the vehicles in the order of the world.
    #[getter]
    fn vehicles(&self) -> PyResult<Vec<String>> {
        Ok(self.with(|state| Ok(state.session.simulation().vehicle_names().to_vec()))?)
    }

    /// Returns the quantities that match any of the patterns.
    fn quantities(&self, patterns: Vec<String>) -> PyResult<Vec<Described>> {
        Ok(self.with(|state| {
            let quantities = state.session.quantities(&patterns)?;
            Ok(described(
                state.session.world().description().map(|world| &**world),
                quantities.infos(),
            ))
        })?)
    }

    /// Reads quantities now.
    fn read<'py>(
        &self,
        py: Python<'py>,
        patterns: Vec<String>,
    ) -> PyResult<Bound<'py, PyArray1<f64>>> {
        let row = self.with(|state| {
            let mut row = Vec::new();
            let quantities = state.session.quantities(&patterns)?;
            quantities.read(state.session.simulation(), &mut row);
            Ok(row)
        })?;
        Ok(vector(py, row))
    }

    /// Pose (6) and twist (3) of a vehicle.
    fn motion<'py>(
        &self,
        py: Python<'py>,
        vehicle: &str,
    ) -> PyResult<[Bound<'py, PyArray1<f64>>; 2]> {
        let (pose, twist) = self.with(|state| {
            state.session.vehicle(vehicle)?;
            let mut vehicles = state.session.simulation().vehicles();
            let found = vehicles.find(|one| one.name == vehicle);
            Ok(found.map_or(([f64::NAN; 6], [f64::NAN; 3]), |one| (one.pose, one.twist)))
        })?;
        Ok([PyArray1::from_slice(py, &pose), PyArray1::from_slice(py, &twist)])
    }

    /// Returns the present state from above as an SVG document.
    fn svg(&self, py: Python<'_>) -> PyResult<String> {
        Ok(py.detach(|| self.with(|state| Ok(picture(&state.session)?.svg())))?)
    }

    /// Returns the present state from above as an image: height, width, and red, green and blue.
    fn image<'py>(&self, py: Python<'py>, scale: f32) -> PyResult<Bound<'py, PyArray3<u8>>> {
        let picture = self.with(|state| picture(&state.session))?;
        image(py, &picture, scale)
    }

    /// Returns the streams of the world, outputs first.
    fn streams(&self) -> PyResult<Vec<DescribedStream>> {
        Ok(self.with(|state| {
            let streams = state.session.world().streams()?;
            Ok(streams.iter().map(|stream| sample::described(stream)).collect())
        })?)
    }

    /// Returns the fields of a sample of a stream, taken now.
    fn latest<'py>(&self, py: Python<'py>, stream: &str) -> PyResult<Bound<'py, PyDict>> {
        let reading: Reading = self.with(|state| Ok(state.session.latest(stream)?))?;
        reading.into_fields(py)
    }

    /// Returns the faults of models after which the run has continued.
    fn model_faults(&self) -> PyResult<Vec<Fault>> {
        Ok(self.with(|state| {
            let faults = state.session.simulation().faults().iter();
            let of = |one: &simhost_engine::FaultReport| {
                (one.time, one.entity.clone(), one.class.clone(), one.text.clone())
            };
            Ok(faults.map(of).collect())
        })?)
    }

    /// Returns the fault memory of a vehicle.
    fn fault_memory(&self, vehicle: &str) -> PyResult<Vec<Entry>> {
        Ok(self.with(|state| {
            let entries = state.session.world().fault_memory(vehicle)?.entries();
            let of = |one: &simhost::FaultEntry| {
                (
                    one.time,
                    one.sensor.clone(),
                    one.severity.name().to_owned(),
                    one.code,
                    one.text.clone(),
                )
            };
            Ok(entries.map(of).collect())
        })?)
    }
}
