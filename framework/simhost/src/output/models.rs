//! The models of a world as a manifest lists them.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};
use simhost_world::{ModelUse, World};

/// Model with its parameters, and the vehicles that use it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ModelEntry {
    /// Kind, such as `friction`.
    pub kind: String,
    /// Full name of the class.
    pub class: String,
    /// Version of the model.
    pub version: String,
    /// Parameter values as in a world file, in the units of the parameters.
    pub parameters: BTreeMap<String, serde_json::Value>,
    /// Names of the vehicles that use it; none for a model of the whole world.
    pub vehicles: Vec<String>,
}

/// Returns the models of vehicles and environments in the order of their first use.
pub fn entries(world: &World) -> Vec<ModelEntry> {
    let mut models: Vec<(&ModelUse, ModelEntry)> = Vec::new();
    for vehicle in &world.vehicles {
        for wanted in of_vehicle(vehicle) {
            let same = |one: &&mut (&ModelUse, ModelEntry)| {
                std::ptr::eq(one.0.model.model, wanted.model.model) && one.0.values == wanted.values
            };
            match models.iter_mut().find(same) {
                // once, also where several wheels have the model
                Some((_, model)) if model.vehicles.last() == Some(&vehicle.name) => {}
                Some((_, model)) => model.vehicles.push(vehicle.name.clone()),
                None => models.push((wanted, entry(wanted, vec![vehicle.name.clone()]))),
            }
        }
    }
    let environments = world.settings.environments.iter();
    let environments = environments.map(|environment| entry(&environment.model, Vec::new()));
    models.into_iter().map(|(_, model)| model).chain(environments).collect()
}

/// Returns the paths of all plugin files from which the models of a world come.
pub fn sources(world: &World) -> BTreeSet<&str> {
    let settings = &world.settings;
    let vehicles = world.vehicles.iter().flat_map(of_vehicle);
    let environments = settings.environments.iter().map(|environment| &environment.model);
    let fleets = world.fleets.iter().map(|fleet| &fleet.model);
    let observers = world.observers.iter().map(|observer| &observer.model);
    let fallback = settings.fallback_friction.iter().map(|fallback| &**fallback);
    let all = vehicles.chain(environments).chain(fleets).chain(observers).chain(fallback);
    all.map(|used| &*used.model.source).collect()
}

/// Returns the models of a world that come from plugin files, each once, as `KIND CLASS (FILE)`.
pub fn foreign_models(world: &World) -> Vec<String> {
    let vehicles = world.vehicles.iter().flat_map(of_vehicle);
    let environments = world.settings.environments.iter().map(|environment| &environment.model);
    let fleets = world.fleets.iter().map(|fleet| &fleet.model);
    let all = vehicles.chain(environments).chain(fleets).map(|used| &used.model);
    let foreign = all.filter(|class| !class.is_linked_in());
    let names = foreign
        .map(|class| format!("{} {} ({})", class.model.kind_tag(), class.full_name, class.source));
    Vec::from_iter(names.collect::<BTreeSet<_>>())
}

fn of_vehicle(vehicle: &simhost_world::Vehicle) -> impl Iterator<Item = &ModelUse> {
    let own = [&*vehicle.dynamics, &*vehicle.friction, &*vehicle.controller];
    let of_wheels = vehicle.wheel_friction.iter().map(|one| &*one.model);
    let actuators = vehicle.actuators.iter().map(|actuator| &actuator.model);
    let suspensions = vehicle.suspensions.iter().map(|suspension| &suspension.model);
    let sensors = vehicle.sensors.iter().map(|sensor| &sensor.model);
    own.into_iter().chain(of_wheels).chain(actuators).chain(suspensions).chain(sensors)
}

fn entry(wanted: &ModelUse, vehicles: Vec<String>) -> ModelEntry {
    let model = wanted.model.model;
    let keys = model.params().iter().map(|param| param.key().to_owned());
    let values = wanted.values.iter().zip(model.params());
    let values = values.map(|(value, desc)| serde_json::json!(value.written(desc)));
    ModelEntry {
        kind: model.kind_tag().to_owned(),
        class: wanted.model.full_name.to_string(),
        version: model.version().to_owned(),
        parameters: keys.zip(values).collect(),
        vehicles,
    }
}
