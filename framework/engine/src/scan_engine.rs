//! Engines that cast the rays of sensors in space in place of the CPU, such as one on a GPU.

use simhost_scene::Rotation;

pub use simhost_sensing::{Placed, TriangleHit, TriangleMesh};

/// A sensor during a scan. Rays that are cast from several poses are several of them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ScanPose {
    /// Number of the pattern of directions.
    pub pattern: usize,
    /// Position in the world, m.
    pub position: [f64; 3],
    /// Axes in the world: x ahead, y left, z up.
    pub rotation: Rotation,
    /// Largest range, m; can be infinite.
    pub max_range: f64,
    /// Number of the object that moves and through which the rays pass, see [`Placed::number`].
    pub ignored: Option<u32>,
}

/// An engine cannot cast rays.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{text}")]
pub struct ScanError {
    /// Description of the error.
    pub text: String,
}

/// An engine that finds the first triangle along rays.
///
/// The simulation calls it on the thread that steps, with [`Self::load`] and [`Self::set_patterns`] before
/// the first scan and again when the scene or the patterns change, and [`Self::scan`] once or twice per step in
/// which sensors are due. All of them may allocate. After an error, the engine is not called again.
pub trait ScanEngine: Send {
    /// Returns the name of the device.
    fn name(&self) -> String;

    /// Replaces the scene: all meshes, and the pieces that never move.
    ///
    /// # Errors
    /// [`ScanError`] if the device cannot hold the scene, or has failed.
    fn load(&mut self, meshes: &[TriangleMesh], fixed: &[Placed]) -> Result<(), ScanError>;

    /// Replaces the patterns: the directions of rays in the frame of their sensor, of unit length.
    ///
    /// # Errors
    /// [`ScanError`] if the device cannot hold the patterns, or has failed.
    fn set_patterns(&mut self, patterns: &[Vec<[f64; 3]>]) -> Result<(), ScanError>;

    /// Casts the rays of all sensors against the fixed pieces and those in `moving`. Appends the first triangle of
    /// each ray to `hits`, sensor after sensor, in the order of their patterns.
    ///
    /// # Errors
    /// [`ScanError`] if the device has failed.
    fn scan(
        &mut self,
        moving: &[Placed],
        sensors: &[ScanPose],
        hits: &mut Vec<TriangleHit>,
    ) -> Result<(), ScanError>;
}

/// A sensor with rays, and what casts them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SensorEngine {
    /// Name of the vehicle, or `world`.
    pub vehicle: String,
    /// Name of the sensor.
    pub sensor: String,
    /// The reason why the CPU casts its rays, or `None` if the engine does.
    pub on_cpu: Option<&'static str>,
}

/// The end of the use of an engine, after which the CPU casts all rays.
#[derive(Clone, Debug, PartialEq)]
pub struct ScanFallback {
    /// Number of completed steps.
    pub step: u64,
    /// Simulated time, s.
    pub time: f64,
    /// Error of the engine.
    pub reason: String,
}

/// Use of the engine of a simulation.
#[derive(Clone, Debug, PartialEq)]
pub struct ScanReport {
    /// Name of the device.
    pub device: String,
    /// The sensors with rays in the order of the world file.
    pub sensors: Vec<SensorEngine>,
    /// The failure after which the CPU casts all rays.
    pub fallback: Option<ScanFallback>,
}
