//! `manifest.json`: the inputs of a run and the hashes of its results.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::Serialize;
use simhost_engine::{Simulation, Snapshot, Stop};
use simhost_model::ParamValue;
use simhost_registry::Catalogue;
use simhost_registry::page::{PluginPage, sha256};
use simhost_world::ModelUse;

use crate::exit::{Code, Failure};
use crate::hashes;

/// Content of the file. File names have no folders, so that equal runs have equal manifests
/// wherever they run.
#[derive(Serialize)]
struct Manifest<'a> {
    simhost: &'static str,
    abi_epoch: u32,
    world: String,
    world_sha256: Option<String>,
    profile: &'static str,
    seed: u64,
    timestep_s: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    resumed: Option<Resumed>,
    plugins: Vec<Plugin>,
    models: &'a [Model],
    vehicles: Vec<Vehicle<'a>>,
    end: End,
}

/// Mass properties of a vehicle with its wheels.
#[derive(Serialize)]
struct Vehicle<'a> {
    name: &'a str,
    mass_kg: f64,
    /// Moment of inertia about the vertical axis through the centre of mass.
    yaw_inertia_kgm2: f64,
    /// Centre of mass in the vehicle frame.
    centre_of_mass_m: [f64; 2],
}

/// Snapshot from which the run was resumed.
#[derive(Serialize)]
struct Resumed {
    step: u64,
    time_s: f64,
    state_hash: String,
}

/// End of the run.
#[derive(Serialize)]
struct End {
    step: u64,
    time_s: f64,
    /// Missing if a model cannot save its memory.
    state_hash: Option<String>,
    result_hash: String,
    /// Observer that ended the run, and its reason.
    #[serde(skip_serializing_if = "Option::is_none")]
    stopped_by: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
}

/// Inputs of a run.
pub struct Inputs<'a> {
    /// Path of the world file.
    pub world: &'a Path,
    /// Name of the profile.
    pub profile: &'static str,
    /// The models of all vehicles.
    pub models: Vec<Model>,
    /// Seed of all random numbers.
    pub seed: u64,
}

#[derive(Serialize)]
struct Plugin {
    file: String,
    vendor: &'static str,
    name: &'static str,
    version: &'static str,
    sha256: Option<String>,
}

/// Model with its parameters, and the vehicles that use it.
#[derive(Serialize)]
pub struct Model {
    kind: &'static str,
    class: String,
    version: &'static str,
    /// Parameter values in the units of the model.
    parameters: BTreeMap<&'static str, ParamValue>,
    vehicles: Vec<String>,
}

/// Outcome of a run.
pub struct Outcome<'a> {
    /// Simulation after its last step.
    pub simulation: &'a Simulation,
    /// Request of an observer that ended the run.
    pub stop: Option<&'a Stop>,
}

/// Writes the manifest of a run into its output directory.
///
/// # Errors
/// Fails if the file cannot be written.
pub fn write(
    directory: &Path,
    inputs: &Inputs<'_>,
    catalogue: &Catalogue,
    Outcome { simulation, stop }: Outcome<'_>,
    resumed: Option<&Snapshot>,
) -> Result<PathBuf, Failure> {
    let clock = simulation.clock();
    let manifest = Manifest {
        simhost: env!("CARGO_PKG_VERSION"),
        abi_epoch: simhost_abi::EPOCH,
        world: file_name(inputs.world),
        world_sha256: sha256(inputs.world),
        profile: inputs.profile,
        seed: inputs.seed,
        timestep_s: clock.dt,
        resumed: resumed.map(|snapshot| Resumed {
            step: snapshot.header().step,
            time_s: snapshot.header().time,
            state_hash: format!("{:032x}", snapshot.state_hash()),
        }),
        plugins: plugins(catalogue),
        models: &inputs.models,
        vehicles: vehicles(simulation),
        end: End {
            step: clock.steps,
            time_s: clock.time(),
            state_hash: hashes::of(simulation).ok(),
            result_hash: hashes::of_results(simulation),
            stopped_by: stop.map(|stop| stop.observer.clone()),
            reason: stop.map(|stop| stop.reason.clone()),
        },
    };
    let path = directory.join("manifest.json");
    std::fs::write(&path, crate::plugin::json(&manifest)).map_err(|error| {
        Failure::new(Code::Output, format!("cannot write {}: {error}", path.display()))
    })?;
    Ok(path)
}

fn file_name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// Returns the plugins that are used, without the built-in models.
fn plugins(catalogue: &Catalogue) -> Vec<Plugin> {
    let used = catalogue.libraries().iter().filter(|library| library.refusal.is_none());
    used.filter_map(|library| {
        let file = library.file.as_deref()?;
        let PluginPage { vendor, name, version, sha256, .. } = PluginPage::of(library)?;
        Some(Plugin { file: file_name(file), vendor, name, version, sha256 })
    })
    .collect()
}

fn vehicles(simulation: &Simulation) -> Vec<Vehicle<'_>> {
    let names = simulation.vehicle_names().iter();
    names
        .zip(simulation.masses())
        .map(|(name, body)| Vehicle {
            name,
            mass_kg: body.mass,
            yaw_inertia_kgm2: body.yaw_inertia,
            centre_of_mass_m: body.centre,
        })
        .collect()
}

/// Returns all models with the vehicles that use them, in the order of their first use.
pub fn models(vehicles: &[simhost_world::Vehicle]) -> Vec<Model> {
    let mut models: Vec<(&ModelUse, Model)> = Vec::new();
    for vehicle in vehicles {
        let own = [&*vehicle.dynamics, &*vehicle.friction, &*vehicle.controller];
        let sensors = vehicle.sensors.iter().map(|sensor| &sensor.model);
        let actuators = vehicle.actuators.iter().map(|actuator| &actuator.model);
        for wanted in own.into_iter().chain(actuators).chain(sensors) {
            let same = |one: &&mut (&ModelUse, Model)| {
                std::ptr::eq(one.0.model.model, wanted.model.model) && one.0.values == wanted.values
            };
            match models.iter_mut().find(same) {
                Some((_, model)) => model.vehicles.push(vehicle.name.clone()),
                None => models.push((wanted, model_of(wanted, vec![vehicle.name.clone()]))),
            }
        }
    }
    models.into_iter().map(|(_, model)| model).collect()
}

/// Returns the models of the environments, which belong to no vehicle.
pub fn environments(world: &simhost_world::World) -> Vec<Model> {
    let used = world.settings.environments.iter();
    used.map(|environment| model_of(&environment.model, Vec::new())).collect()
}

fn model_of(wanted: &ModelUse, vehicles: Vec<String>) -> Model {
    let model = wanted.model.model;
    let keys = model.params().iter().map(|param| param.key());
    Model {
        kind: model.kind_tag(),
        class: wanted.model.full_name.to_string(),
        version: model.version(),
        parameters: keys.zip(wanted.values.iter().cloned()).collect(),
        vehicles,
    }
}
