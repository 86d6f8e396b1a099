//! What a run was made of: `manifest.json` beside its results.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::Serialize;
use simhost_engine::{Simulation, Snapshot};
use simhost_model::ParamValue;
use simhost_registry::Catalogue;
use simhost_registry::page::{PluginPage, sha256};
use simhost_world::{Loaded, ModelUse};

use crate::exit::{Code, Failure};
use crate::hashes;

/// The file's contents. Names of files are without folders, so that equal runs have equal manifests
/// wherever they are made.
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
    models: Vec<Model<'a>>,
    vehicles: Vec<Vehicle<'a>>,
    end: End,
}

/// What a vehicle weighs, with its wheels.
#[derive(Serialize)]
struct Vehicle<'a> {
    name: &'a str,
    mass_kg: f64,
    /// About the vertical through the centre of mass.
    yaw_inertia_kgm2: f64,
    /// Vehicle frame.
    centre_of_mass_m: [f64; 2],
}

/// The snapshot that the run went on from.
#[derive(Serialize)]
struct Resumed {
    step: u64,
    time_s: f64,
    state_hash: String,
}

/// Where the run ended.
#[derive(Serialize)]
struct End {
    step: u64,
    time_s: f64,
    /// None where a model cannot save what it remembers.
    state_hash: Option<String>,
    result_hash: String,
}

/// What a run is made of.
pub struct Made<'a> {
    /// World file.
    pub world: &'a Path,
    /// What was read of it.
    pub loaded: &'a Loaded,
    /// Seed of the draws.
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

/// A model with its parameters, and who has it.
#[derive(Serialize)]
struct Model<'a> {
    kind: &'static str,
    class: &'a str,
    version: &'static str,
    /// In the units of the model.
    parameters: BTreeMap<&'static str, &'a ParamValue>,
    vehicles: Vec<&'a str>,
}

/// Writes the manifest of a run into its directory.
///
/// # Errors
/// It cannot be written.
pub fn write(
    directory: &Path,
    made: &Made<'_>,
    catalogue: &Catalogue,
    simulation: &Simulation,
    resumed: Option<&Snapshot>,
) -> Result<PathBuf, Failure> {
    let clock = simulation.clock();
    let manifest = Manifest {
        simhost: env!("CARGO_PKG_VERSION"),
        abi_epoch: simhost_abi::EPOCH,
        world: file_name(made.world),
        world_sha256: sha256(made.world),
        profile: made.loaded.world.settings.profile.name,
        seed: made.seed,
        timestep_s: clock.dt,
        resumed: resumed.map(|snapshot| Resumed {
            step: snapshot.header().step,
            time_s: snapshot.header().time,
            state_hash: format!("{:032x}", snapshot.state_hash()),
        }),
        plugins: plugins(catalogue),
        models: models(made.loaded),
        vehicles: vehicles(simulation),
        end: End {
            step: clock.steps,
            time_s: clock.time(),
            state_hash: hashes::of(simulation).ok(),
            result_hash: hashes::of_results(simulation),
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

/// The libraries that are used, those that are linked in left out.
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

fn models(loaded: &Loaded) -> Vec<Model<'_>> {
    let mut models: Vec<(&ModelUse, Model<'_>)> = Vec::new();
    for vehicle in &loaded.world.vehicles {
        let own = [&*vehicle.dynamics, &*vehicle.friction, &*vehicle.controller];
        let sensors = vehicle.sensors.iter().map(|sensor| &sensor.model);
        for wanted in own.into_iter().chain(sensors) {
            let same = |one: &&mut (&ModelUse, Model<'_>)| {
                std::ptr::eq(one.0.model.model, wanted.model.model) && one.0.values == wanted.values
            };
            match models.iter_mut().find(same) {
                Some((_, model)) => model.vehicles.push(&vehicle.name),
                None => models.push((wanted, model_of(wanted, &vehicle.name))),
            }
        }
    }
    models.into_iter().map(|(_, model)| model).collect()
}

fn model_of<'a>(wanted: &'a ModelUse, vehicle: &'a str) -> Model<'a> {
    let model = wanted.model.model;
    let keys = model.params().iter().map(|param| param.key());
    Model {
        kind: model.kind_tag(),
        class: &wanted.model.full_name,
        version: model.version(),
        parameters: keys.zip(&wanted.values).collect(),
        vehicles: vec![vehicle],
    }
}
