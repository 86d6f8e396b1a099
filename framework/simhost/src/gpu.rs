//! Scans on a GPU: the device that sessions share, and what it has been used for.

#[cfg(feature = "gpu")]
mod device;
mod entry;
#[cfg(not(feature = "gpu"))]
mod missing;
mod mode;

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use simhost_engine::{ScanFallback, Simulation};

#[cfg(feature = "gpu")]
use device::Opened;
#[cfg(not(feature = "gpu"))]
use missing::Opened;

pub use entry::{Fallback, GpuEntry, SensorEntry};
pub use mode::GpuMode;

/// No GPU casts rays, and one is required.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum GpuError {
    /// There is no adapter, or it cannot be used.
    #[error("{0}")]
    Adapter(String),
    /// The library is built without scans on a GPU.
    #[error(
        "this program is built without scans on a GPU, which --gpu {0} needs\nhelp: build it with `cargo build --release --features gpu`"
    )]
    Feature(GpuMode),
}

/// The GPU that casts the rays of sensors in space. Sessions with clones of it share the device, which the first of
/// them opens. By default, the CPU casts all rays.
#[derive(Clone, Debug, Default)]
pub struct Gpu {
    mode: GpuMode,
    state: Arc<Mutex<GpuState>>,
}

#[derive(Debug, Default)]
struct GpuState {
    device: Option<Opened>,
    /// The reason why the device cannot be used.
    failure: Option<String>,
    /// The first failure of the device during a run.
    fallback: Option<ScanFallback>,
}

impl Gpu {
    /// Whether this library is built with scans on a GPU.
    pub const IS_BUILT: bool = cfg!(feature = "gpu");

    /// Creates the use of a GPU. The first session opens the device.
    pub fn new(mode: GpuMode) -> Self {
        Self { mode, state: Arc::default() }
    }

    /// Returns the mode.
    pub fn mode(&self) -> GpuMode {
        self.mode
    }

    /// Returns the reason why the CPU casts all rays in the mode [`GpuMode::Auto`].
    pub fn failure(&self) -> Option<String> {
        self.state().failure.clone()
    }

    /// Returns step, time and reason of the failure of the device during a run, after which the CPU has cast
    /// all rays.
    pub fn fallback(&self) -> Option<ScanFallback> {
        self.state().fallback.clone()
    }

    fn state(&self) -> MutexGuard<'_, GpuState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Lets a simulation use the device, which is opened if that has not been done.
    pub(crate) fn install(&self, simulation: &mut Simulation) -> Result<(), GpuError> {
        if self.mode == GpuMode::Off {
            return Ok(());
        }
        if !Self::IS_BUILT {
            return Err(GpuError::Feature(self.mode));
        }
        let mut state = self.state();
        if state.device.is_none() && state.failure.is_none() {
            match Opened::open(self.mode) {
                Ok(device) => state.device = Some(device),
                Err(text) => state.failure = Some(text),
            }
        }
        match (&state.device, &state.failure) {
            (Some(device), None) => {
                let is_required = self.mode == GpuMode::Require;
                simulation.set_scan_engine(device.engine(), is_required);
                Ok(())
            }
            (_, Some(text)) if self.mode != GpuMode::Auto => Err(GpuError::Adapter(text.clone())),
            _ => Ok(()),
        }
    }

    /// Takes the failure of the device in the last steps. Returns it if it is the first.
    pub(crate) fn note(&self, simulation: &Simulation) -> Option<ScanFallback> {
        let found = simulation.samples().scan_fallback()?;
        let mut state = self.state();
        if state.fallback.is_some() {
            return None;
        }
        state.failure = Some(found.reason.clone());
        state.fallback = Some(found.clone());
        Some(found.clone())
    }

    /// Returns the use of the device for the manifest, or `None` if none was asked for.
    pub(crate) fn entry(&self, simulation: &Simulation) -> Option<GpuEntry> {
        if self.mode == GpuMode::Off {
            return None;
        }
        let state = self.state();
        let adapter = state.device.as_ref().map(Opened::adapter);
        let sensors =
            simulation.samples().scan_report().map_or(Vec::new(), |report| report.sensors);
        let sensors = sensors.into_iter().map(|sensor| SensorEntry {
            sensor: format!("{}/{}", sensor.vehicle, sensor.sensor),
            engine: if sensor.on_cpu.is_some() { "cpu" } else { "gpu" }.to_owned(),
            reason: sensor.on_cpu.map(str::to_owned),
        });
        let during = state.fallback.as_ref().map(|fallback| Fallback {
            step: fallback.step,
            time_s: fallback.time,
            reason: fallback.reason.clone(),
        });
        let before = || {
            let reason = state.failure.clone()?;
            Some(Fallback { step: 0, time_s: 0.0, reason })
        };
        Some(GpuEntry {
            adapter: adapter.as_ref().map(|adapter| adapter.name.clone()),
            backend: adapter.as_ref().map(|adapter| adapter.backend.clone()),
            driver: adapter.map(|adapter| adapter.driver),
            sensors: sensors.collect(),
            fallback: during.or_else(before),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn modes_have_names() {
        for (name, mode) in GpuMode::NAMES {
            assert_eq!(name.parse(), Ok(mode));
            assert_eq!(mode.to_string(), name);
        }
        assert!("on".parse::<GpuMode>().is_err());
    }
}
