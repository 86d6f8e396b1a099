//! Quantities of the host that a phase reads and sets, and random numbers.

use numpy::PyArray1;
use pyo3::prelude::*;
use simhost_abi::Scope;
use simhost_abi::host_port::{
    ACTUATORS, AIM_OUTPUTS, AXLE_INPUTS, AXLE_OUTPUTS, CONTACT_INPUTS, DRIVE_OUTPUTS, FLEET_INPUTS,
    GRAVITY_OUTPUTS, HostPort, MEASUREMENTS, MOTION_OUTPUTS, ODOMETRY, POINT_INPUTS, RAY_RESULTS,
    SENSOR_CONSTANTS, SPACE_AIM_OUTPUTS, SPACE_RAY_RESULTS, SURFACE_OUTPUTS, WHEEL_INPUTS,
    WHEEL_OUTPUTS, WIND_OUTPUTS, WRENCH_OUTPUTS,
};

/// Name, unit, description, default and scope.
type PortRow = (&'static str, &'static str, &'static str, f64, u32);

/// Returns the quantities that a phase can read, and those that the host takes from it. All of the first numbers are
/// those that each model has.
#[pyfunction]
pub fn host_ports(phase: &str) -> (Vec<PortRow>, usize, Vec<PortRow>, usize) {
    let (inputs, needed_inputs, outputs, needed): (&[&[HostPort]], _, &[&[HostPort]], _) =
        match phase {
            "force" => {
                let all: &[&[HostPort]] = &[WHEEL_INPUTS, CONTACT_INPUTS];
                (all, WHEEL_INPUTS.len(), &[WHEEL_OUTPUTS], WHEEL_OUTPUTS.len())
            }
            "drive" => (&[MEASUREMENTS], 0, &[DRIVE_OUTPUTS], 2),
            "wrench" => (&[MEASUREMENTS], 0, &[WRENCH_OUTPUTS], 5),
            "motion" => (&[MEASUREMENTS], 0, &[MOTION_OUTPUTS], 8),
            "measure" => (&[MEASUREMENTS], 0, &[ODOMETRY], 0),
            "control" => (&[MEASUREMENTS], 0, &[ACTUATORS], 0),
            "actuate" => (&[MEASUREMENTS], 0, &[], 0),
            "aim" => (&[MEASUREMENTS], 0, &[AIM_OUTPUTS, SPACE_AIM_OUTPUTS], 0),
            "read" => {
                let all: &[&[HostPort]] =
                    &[MEASUREMENTS, RAY_RESULTS, SENSOR_CONSTANTS, SPACE_RAY_RESULTS];
                (all, 0, &[], 0)
            }
            "kinematics" => {
                let all: &[&[HostPort]] = &[AXLE_INPUTS, MEASUREMENTS];
                (all, AXLE_INPUTS.len(), &[AXLE_OUTPUTS], AXLE_OUTPUTS.len())
            }
            "command" => (&[MEASUREMENTS, FLEET_INPUTS], 0, &[], 0),
            "wind" => (&[POINT_INPUTS], 3, &[WIND_OUTPUTS], WIND_OUTPUTS.len()),
            "surface" => (&[POINT_INPUTS], 3, &[SURFACE_OUTPUTS], SURFACE_OUTPUTS.len()),
            "gravity" => (&[], 0, &[GRAVITY_OUTPUTS], GRAVITY_OUTPUTS.len()),
            _ => (&[], 0, &[], 0),
        };
    let described = |lists: &[&'static [HostPort]]| {
        let ports = lists.iter().flat_map(|list| list.iter());
        ports
            .filter(|port| {
                !["command", "kinematics"].contains(&phase) || port.scope == Scope::Instance
            })
            .map(|port| (port.name, port.unit, port.doc, port.default, port.scope as u32))
            .collect()
    };
    (described(inputs), needed_inputs, described(outputs), needed)
}

/// The random numbers of the lanes of a call: a stream for each lane.
#[pyclass(module = "simhost._core")]
pub struct Random {
    streams: Vec<simhost_sdk::Random>,
}

impl Random {
    /// Returns the streams with these keys.
    pub fn new(keys: impl Iterator<Item = u64>) -> Self {
        Self { streams: keys.map(simhost_sdk::Random::new).collect() }
    }

    fn draw<'py>(
        &mut self,
        py: Python<'py>,
        count: Option<usize>,
        one: impl Fn(&mut simhost_sdk::Random) -> f64,
    ) -> PyResult<Bound<'py, PyAny>> {
        let mut drawn = Vec::with_capacity(self.streams.len() * count.unwrap_or(1));
        for stream in &mut self.streams {
            drawn.extend((0..count.unwrap_or(1)).map(|_| one(stream)));
        }
        let drawn = PyArray1::from_vec(py, drawn);
        Ok(match count {
            Some(count) => {
                let lanes = self.streams.len();
                numpy::PyArrayMethods::reshape(&drawn, [lanes, count])?.into_any()
            }
            None => drawn.into_any(),
        })
    }
}

#[pymethods]
impl Random {
    /// Returns numbers from 0 to 1, 1 excluded: one per lane, or an array of (lanes, count).
    #[pyo3(signature = (count=None))]
    fn uniform<'py>(
        &mut self,
        py: Python<'py>,
        count: Option<usize>,
    ) -> PyResult<Bound<'py, PyAny>> {
        self.draw(py, count, simhost_sdk::Random::uniform)
    }

    /// Returns normally distributed numbers with mean 0 and standard deviation 1: one per lane, or an array of
    /// (lanes, count).
    #[pyo3(signature = (count=None))]
    fn normal<'py>(
        &mut self,
        py: Python<'py>,
        count: Option<usize>,
    ) -> PyResult<Bound<'py, PyAny>> {
        self.draw(py, count, simhost_sdk::Random::normal)
    }
}
