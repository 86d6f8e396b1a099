//! Use of a GPU as the manifest of a run describes it.

use serde::{Deserialize, Serialize};

/// Use of a GPU in a run.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct GpuEntry {
    /// Name of the adapter; missing if none could be opened.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub adapter: Option<String>,
    /// `Vulkan` or `OpenGL`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub backend: Option<String>,
    /// Name and version of the driver.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub driver: Option<String>,
    /// The sensors with rays, and what has cast them.
    pub sensors: Vec<SensorEntry>,
    /// The point from which the CPU has cast all rays.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fallback: Option<Fallback>,
}

/// A sensor with rays.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct SensorEntry {
    /// Names of the vehicle and of the sensor.
    pub sensor: String,
    /// `cpu` or `gpu`.
    pub engine: String,
    /// The reason for `cpu`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

/// The point from which the CPU has cast all rays.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Fallback {
    /// Number of completed steps.
    pub step: u64,
    /// Simulated time.
    pub time_s: f64,
    /// Error of the GPU.
    pub reason: String,
}
