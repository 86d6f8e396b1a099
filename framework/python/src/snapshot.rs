//! Snapshots of sessions.

use std::path::PathBuf;

use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::errors::raise;

/// The complete state of a session. It can be pickled.
#[pyclass(frozen, module = "simhost._core")]
pub struct Snapshot {
    pub snapshot: simhost::Snapshot,
}

#[pymethods]
impl Snapshot {
    /// Reads a snapshot from the bytes of `to_bytes`.
    #[staticmethod]
    fn from_bytes(bytes: &[u8]) -> PyResult<Self> {
        let read = simhost::Snapshot::from_bytes(bytes);
        read.map(|snapshot| Self { snapshot }).map_err(|error| raise("SnapshotError", error))
    }

    /// Reads a snapshot from a file.
    #[staticmethod]
    fn read(path: PathBuf) -> PyResult<Self> {
        let read = simhost::Snapshot::read(&path);
        read.map(|snapshot| Self { snapshot }).map_err(|error| raise("SnapshotError", error))
    }

    /// Writes the snapshot to a file.
    fn write(&self, path: PathBuf) -> PyResult<()> {
        self.snapshot.write(&path).map_err(|error| raise("SnapshotError", error))
    }

    /// Returns the snapshot as bytes.
    fn to_bytes<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.snapshot.to_bytes())
    }

    /// 128 bits over the state, in hexadecimal digits.
    #[getter]
    fn state_hash(&self) -> String {
        format!("{:032x}", self.snapshot.state_hash())
    }

    fn __reduce__<'py>(
        slf: &Bound<'py, Self>,
    ) -> PyResult<(Bound<'py, PyAny>, (Bound<'py, PyBytes>,))> {
        let from = slf.get_type().getattr("from_bytes")?;
        Ok((from, (slf.get().to_bytes(slf.py()),)))
    }

    fn __eq__(&self, other: &Self) -> bool {
        self.snapshot.state_hash() == other.snapshot.state_hash()
    }

    fn __hash__(&self) -> u64 {
        self.snapshot.state_hash() as u64
    }
}
