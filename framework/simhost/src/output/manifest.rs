//! `manifest.json`: what a run is made of, and the hashes of its results.

use std::path::Path;

use serde::{Deserialize, Serialize};
use simhost_record::{MANIFEST_FILE, RecordError};

use crate::gpu::GpuEntry;

use super::Host;
use super::error::OutputError;
use super::models::ModelEntry;

/// Content of the file. It is written at the start of a run without its end, and replaced at the end.
///
/// Apart from [`Host`], file names have no folders, so that equal runs have equal manifests wherever
/// they run.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Manifest {
    /// Version of simhost.
    pub simhost: String,
    /// Epoch of the plugin ABI.
    pub abi_epoch: u32,
    /// Name of the world file.
    pub world: String,
    /// SHA-256 of the world file, without the files that it includes.
    pub world_sha256: Option<String>,
    /// SHA-256 of `world.flat.xml`, which contains everything that is included.
    pub flat_world_sha256: Option<String>,
    /// Name of the profile.
    pub profile: String,
    /// Seed of all random numbers.
    pub seed: u64,
    /// Simulated time per step.
    pub timestep_s: f64,
    /// Options that affect the results.
    pub options: Choices,
    /// Options that decide what is written.
    pub output: serde_json::Map<String, serde_json::Value>,
    /// File of commands, whose commands are among the inputs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub commands: Option<NamedFile>,
    /// Snapshot from which the run was resumed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub resumed: Option<Resumed>,
    /// Files that the world refers to: images, meshes, tables.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub assets: Vec<NamedFile>,
    /// Plugin files that were available.
    pub plugins: Vec<PluginFile>,
    /// Models of vehicles and environments.
    pub models: Vec<ModelEntry>,
    /// Mass properties of the vehicles.
    pub vehicles: Vec<VehicleEntry>,
    /// Use of a GPU; missing without one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gpu: Option<GpuEntry>,
    /// Machine.
    pub host: Host,
    /// Names of all files of the run in its folder.
    pub files: Vec<String>,
    /// End of the run; missing while it is running, and if it was killed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub end: Option<End>,
}

/// Options that affect the results.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Choices {
    /// Whether unknown names in the world are warnings.
    pub lenient: bool,
    /// Whether missing meshes and images are left out.
    pub placeholders: bool,
    /// Largest size of a file, bytes.
    pub max_file_size: u64,
    /// Deepest nesting of elements.
    pub max_depth: u64,
    /// Largest number of elements.
    pub max_elements: u64,
    /// Largest number of pixels of an image or cells of a map.
    pub max_pixels: u64,
    /// Kinds whose built-in models are disabled.
    pub builtin_off: Vec<String>,
    /// Greatest speed of a body, m/s.
    pub max_speed: f64,
    /// Greatest yaw rate of a body, rad/s.
    pub max_yaw_rate: f64,
    /// Whether plugins are reloaded when they are rebuilt, so that the run cannot be repeated.
    pub watch: bool,
    /// Mode of the scans on a GPU, as for `--gpu`.
    #[serde(skip_serializing_if = "is_off")]
    pub gpu: String,
}

impl Default for Choices {
    fn default() -> Self {
        let load = simhost_world::LoadOptions::default();
        let limits = simhost_engine::Limits::default();
        Self::of(&load, &limits)
    }
}

impl Choices {
    /// Returns the options of a session.
    pub fn of(load: &simhost_world::LoadOptions, limits: &simhost_engine::Limits) -> Self {
        Self {
            lenient: load.lenient,
            placeholders: load.missing_assets == simhost_world::MissingAssets::Placeholder,
            max_file_size: load.limits.file_size,
            max_depth: load.limits.depth as u64,
            max_elements: load.limits.elements as u64,
            max_pixels: load.asset_limits.max_pixels,
            builtin_off: Vec::new(),
            max_speed: limits.speed,
            max_yaw_rate: limits.yaw_rate,
            watch: false,
            gpu: OFF.to_owned(),
        }
    }

    /// Changes the options for reading a world to these.
    pub fn apply(&self, load: &mut simhost_world::LoadOptions) {
        load.lenient = self.lenient;
        load.missing_assets = match self.placeholders {
            true => simhost_world::MissingAssets::Placeholder,
            false => simhost_world::MissingAssets::Error,
        };
        load.limits = simhost_world::Limits {
            file_size: self.max_file_size,
            depth: self.max_depth as usize,
            elements: self.max_elements as usize,
        };
        load.asset_limits.max_file_bytes = self.max_file_size;
        load.asset_limits.max_pixels = self.max_pixels;
    }

    /// Returns the limits beyond which a state counts as diverged.
    pub fn limits(&self) -> simhost_engine::Limits {
        let default = simhost_engine::Limits::default();
        simhost_engine::Limits { speed: self.max_speed, yaw_rate: self.max_yaw_rate, ..default }
    }
}

/// Name of the mode without a GPU.
const OFF: &str = "off";

fn is_off(mode: &str) -> bool {
    mode == OFF
}

/// A file with its checksum.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NamedFile {
    /// Name without folder.
    pub file: String,
    /// SHA-256 in hexadecimal digits; missing if the file cannot be read.
    pub sha256: Option<String>,
}

/// A plugin file.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct PluginFile {
    /// Name without folder.
    pub file: String,
    /// Vendor.
    pub vendor: String,
    /// Name of the plugin.
    pub name: String,
    /// Version of the plugin.
    pub version: String,
    /// SHA-256 in hexadecimal digits.
    pub sha256: Option<String>,
    /// Whether the world uses a model of the file.
    pub is_used: bool,
}

/// Mass properties of a vehicle with its wheels. A dynamics class that imposes its motion has those that it
/// measures.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct VehicleEntry {
    /// Name in the world.
    pub name: String,
    /// Mass, kg.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mass_kg: Option<f64>,
    /// Moment of inertia about the vertical axis through the centre of mass.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub yaw_inertia_kgm2: Option<f64>,
    /// Centre of mass in the vehicle frame.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub centre_of_mass_m: Option<[f64; 2]>,
    /// The wheels.
    #[serde(default)]
    pub wheels: Vec<WheelEntry>,
}

/// Wheel of a vehicle.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct WheelEntry {
    /// Tag without `_wheel`.
    pub name: String,
    /// Position of the centre in the vehicle frame.
    pub position_m: [f64; 2],
}

/// Snapshot from which a run was resumed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Resumed {
    /// Number of completed steps.
    pub step: u64,
    /// Simulated time.
    pub time_s: f64,
    /// State hash in hexadecimal digits.
    pub state_hash: String,
}

/// End of a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct End {
    /// Number of completed steps.
    pub step: u64,
    /// Simulated time.
    pub time_s: f64,
    /// State hash in hexadecimal digits; missing if a model cannot save its memory.
    pub state_hash: Option<String>,
    /// Result hash in hexadecimal digits.
    pub result_hash: String,
    /// Number of inputs.
    #[serde(default)]
    pub inputs: u64,
    /// Error that ended the run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// Observer that ended the run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stopped_by: Option<String>,
    /// Its reason.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The first 1000 collisions of vehicles.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub collisions: Vec<CollisionEntry>,
    /// The blocks and actors that can move.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub movers: Vec<MoverEntry>,
}

/// A block or an actor that can move, where it is at the end of a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MoverEntry {
    /// `block/NAME` or `actor/NAME`.
    pub name: String,
    /// Position in the world.
    pub position_m: [f64; 2],
    /// Heading.
    pub yaw_rad: f64,
}

/// The moment at which a vehicle begins to touch something.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CollisionEntry {
    /// Simulated time.
    pub time_s: f64,
    /// Name of the vehicle.
    pub vehicle: String,
    /// Name of what it touches; missing for an obstacle that never moves.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub with: Option<String>,
}

impl Manifest {
    /// Returns whether a folder has a manifest that simhost has written.
    pub fn is_in(folder: &Path) -> bool {
        Self::read(folder).is_ok()
    }

    /// Reads the manifest of a folder.
    ///
    /// # Errors
    /// [`OutputError`] if the file cannot be read, or is not a manifest of simhost.
    pub fn read(folder: &Path) -> Result<Self, OutputError> {
        let path = folder.join(MANIFEST_FILE);
        let failed = |source| OutputError::Read { path: path.clone(), source };
        let text = simhost_files::read(&path, simhost_files::MAX_BYTES).map_err(failed)?;
        let content = |text: String| OutputError::Content {
            path: path.clone(),
            line: None,
            text,
            help: "name a folder that `simhost run --out` has written, and do not edit its files",
        };
        let manifest: Self = serde_json::from_slice(&text)
            .map_err(|error| content(format!("not a manifest of a run: {error}")))?;
        match manifest.simhost.is_empty() {
            true => Err(content("not a manifest of simhost: missing field `simhost`".to_owned())),
            false => Ok(manifest),
        }
    }

    /// Returns the content of the file.
    pub fn to_bytes(&self) -> Vec<u8> {
        let text = serde_json::to_string_pretty(self)
            .expect("manifests have string keys, and their numbers are finite or null");
        (text + "\n").into_bytes()
    }

    /// Writes the manifest into a folder. Whoever reads the file finds this manifest or the one before.
    ///
    /// # Errors
    /// [`RecordError`] if the file cannot be written.
    pub fn write(&self, folder: &Path) -> Result<(), RecordError> {
        let path = folder.join(MANIFEST_FILE);
        let new = folder.join(".manifest.json.new");
        let written = simhost_files::write(&new, self.to_bytes());
        written
            .and_then(|()| std::fs::rename(&new, &path))
            .map_err(|source| RecordError::Create { path, source })
    }
}
