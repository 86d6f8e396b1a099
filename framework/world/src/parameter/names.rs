//! Names of the parameters of a world, and their owners.

use simhost_abi::{Kind, ParamDesc};
use simhost_model::{ParamValue, View};

use crate::models::ModelUse;
use crate::vehicle::{RobotFault, fault_numbers};
use crate::world::World;

/// Models of a world with the start of the names of their parameters.
pub fn models(world: &World) -> impl Iterator<Item = (String, Kind, &ModelUse)> {
    let vehicles = world.vehicles.iter().flat_map(|vehicle| {
        let name = &vehicle.name;
        let own = [
            (format!("{name}/controller"), Kind::Controller, &*vehicle.controller),
            (format!("{name}/dynamics"), Kind::Dynamics, &*vehicle.dynamics),
            (format!("{name}/friction"), Kind::Friction, &*vehicle.friction),
        ];
        let of_wheels = vehicle.wheel_friction.iter().map(move |one| {
            let wheel = vehicle.wheels[one.wheel].name();
            (format!("{name}/friction/{wheel}"), Kind::Friction, &*one.model)
        });
        let actuators = vehicle
            .actuators
            .iter()
            .map(move |one| (format!("{name}/actuator/{}", one.name), Kind::Actuator, &one.model));
        let suspensions = vehicle.suspensions.iter().map(move |one| {
            (format!("{name}/suspension/{}", one.axle), Kind::Suspension, &one.model)
        });
        let sensors = vehicle
            .sensors
            .iter()
            .map(move |one| (format!("{name}/sensor/{}", one.name), Kind::Sensor, &one.model));
        own.into_iter().chain(of_wheels).chain(actuators).chain(suspensions).chain(sensors)
    });
    let sensors = world.sensors.iter();
    let sensors =
        sensors.map(|one| (format!("world/sensor/{}", one.name), Kind::Sensor, &one.model));
    let environments = world
        .settings
        .environments
        .iter()
        .map(|one| (format!("world/environment/{}", one.name), Kind::Environment, &one.model));
    let fleets = world.fleets.iter();
    let fleets = fleets.map(|one| (format!("world/fleet/{}", one.name), Kind::Fleet, &one.model));
    vehicles.chain(sensors).chain(environments).chain(fleets)
}

impl World {
    /// Returns the paths that vehicles, fleets and actors are to follow: the start of their parameters' names, or
    /// `actor/NAME`, and points in the world frame, m. They are the lists of positions among the parameters of models,
    /// and the waypoints of actors.
    pub fn paths(&self) -> Vec<(String, Vec<[f64; 2]>)> {
        let follows = |kind| matches!(kind, Kind::Controller | Kind::Dynamics | Kind::Fleet);
        let mut found = Vec::new();
        for (owner, _, used) in models(self).filter(|(_, kind, _)| follows(*kind)) {
            let params = used.model.model.params().iter().zip(&*used.values);
            let paths = params.filter_map(|(param, value)| points(param.children(), value));
            found.extend(paths.map(|points| (owner.clone(), points)));
        }
        for actor in self.actors.iter().filter(|actor| !actor.path.waypoints.is_empty()) {
            let rest = actor.path.waypoints.iter().map(|point| &point.pose);
            let points = std::iter::once(&actor.pose).chain(rest).map(|pose| [pose.x, pose.y]);
            found.push((format!("actor/{}", actor.name), points.collect()));
        }
        found
    }
}

/// Returns a list of groups with positions x and y as points, m.
fn points(fields: &'static [View<ParamDesc>], value: &ParamValue) -> Option<Vec<[f64; 2]>> {
    let place =
        |name: &str| fields.iter().position(|field| field.key() == name && field.unit() == "m");
    let (x, y) = (place("x")?, place("y")?);
    let ParamValue::Items(groups) = value else { return None };
    let point = |group: &ParamValue| match group {
        ParamValue::Items(group) => match (group.get(x)?, group.get(y)?) {
            (ParamValue::Number(x), ParamValue::Number(y)) => Some([*x, *y]),
            _ => None,
        },
        _ => None,
    };
    groups.iter().map(point).collect::<Option<Vec<_>>>().filter(|points| points.len() > 1)
}

/// The owner of a parameter.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ParameterOwner {
    /// A model.
    Model {
        /// Start of the names of its parameters, such as `robot/controller`.
        name: String,
        /// Kind of the model.
        kind: Kind,
    },
    /// A fault of a robot.
    Fault {
        /// Index of the vehicle.
        vehicle: usize,
        /// Index in [`Vehicle::faults`](crate::Vehicle::faults).
        fault: usize,
    },
}

/// Faults of the vehicles with the start of the names of their numbers, and indices of vehicle and fault. Of those
/// that share part and code in their vehicle, the first one has the name.
pub fn faults(world: &World) -> impl Iterator<Item = (String, [usize; 2], &RobotFault)> {
    world.vehicles.iter().enumerate().flat_map(|(number, vehicle)| {
        let is_same = |a: &RobotFault, b: &RobotFault| (&a.sensor, a.code) == (&b.sensor, b.code);
        vehicle.faults.iter().enumerate().filter_map(move |(index, fault)| {
            let is_first = !vehicle.faults[..index].iter().any(|one| is_same(one, fault));
            let name = format!("{}/fault/{}/{}", vehicle.name, fault.sensor, fault.code);
            is_first.then_some((name, [number, index], fault))
        })
    })
}

/// Returns all parameters of a world that [`World::set_parameters`] can set: names, such as
/// `robot/controller/KP`, and values as in a world file.
pub fn list(world: &World) -> Vec<(String, String)> {
    let mut found = Vec::new();
    for (owner, _, model) in models(world) {
        for (desc, value) in model.model.model.params().iter().zip(&*model.values) {
            if let Some(text) = text_of(desc, value) {
                found.push((format!("{owner}/{}", desc.key()), text));
            }
        }
    }
    for (owner, _, fault) in faults(world) {
        for (key, number) in fault_numbers(fault) {
            found.push((format!("{owner}/{key}"), number.to_string()));
        }
    }
    found
}

/// Meaning of a parameter, and the values it may have.
#[derive(Clone, Debug, PartialEq)]
pub struct ParameterInfo {
    /// Name, such as `robot/controller/KP`.
    pub name: String,
    /// Unit in the world file; `1` for a pure number.
    pub unit: &'static str,
    /// Meaning, and the effect of a larger value.
    pub doc: &'static str,
    /// Smallest and largest value in this unit.
    pub range: [f64; 2],
    /// Names of a choice.
    pub choices: Vec<&'static str>,
    /// Value when the world file gives none, if there is one.
    pub default: Option<String>,
}

/// Describes the parameters of the models of a world.
pub fn describe(world: &World) -> Vec<ParameterInfo> {
    let of_model = |(owner, _, model): (String, Kind, &ModelUse)| {
        let params = model.model.model.params().iter().zip(model.values.to_vec());
        let params = params.filter(|(desc, value)| text_of(desc, value).is_some());
        let described = params.map(move |(desc, _)| ParameterInfo {
            name: format!("{owner}/{}", desc.key()),
            unit: desc.unit(),
            doc: desc.doc(),
            range: [desc.min, desc.max],
            choices: desc.choices().collect(),
            default: desc.default().written(),
        });
        described.collect::<Vec<_>>()
    };
    models(world).flat_map(of_model).collect()
}

/// Returns a value as in a world file; `None` for a group and for a value that is not given.
fn text_of(desc: &'static View<ParamDesc>, value: &ParamValue) -> Option<String> {
    let item = |value: &ParamValue| match value {
        ParamValue::Number(number) => Some((number / desc.scale).to_string()),
        ParamValue::Text(text) => Some(text.clone()),
        ParamValue::None => Some("-".to_owned()),
        _ => None,
    };
    match value {
        ParamValue::Number(_) => item(value),
        ParamValue::Bool(flag) => Some(flag.to_string()),
        ParamValue::Text(text) => Some(text.clone()),
        ParamValue::Items(items) if desc.children().is_empty() => {
            let items: Option<Vec<String>> = items.iter().map(item).collect();
            items.map(|items| items.join(" "))
        }
        ParamValue::Items(_) | ParamValue::Bytes(_) | ParamValue::None => None,
    }
}
