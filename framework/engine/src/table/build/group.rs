//! Groups of vehicles that share their models.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

use simhost_model::lanes;
use simhost_scene::RoadMap;
use simhost_world::{ActuatorUse, AxleSuspension, ModelUse, Vehicle, WheelFriction, World};

use simhost_model::Entities;

/// Vehicles that share their models and the parameters of these, except those that can differ between
/// lanes, or those of them that share a table.
#[derive(Clone)]
pub(crate) struct Group<'a> {
    /// Vehicles with their indices in the world file.
    pub vehicles: Vec<(usize, &'a Vehicle)>,
    /// Whether parameters that can differ between vehicles can change while the table exists.
    pub is_open: bool,
    /// Road network of the world.
    pub roads: Option<&'a Arc<dyn RoadMap>>,
}

impl<'a> Group<'a> {
    /// Groups the vehicles of a world. Groups are in the order of their first vehicles.
    pub fn all(world: &'a World) -> Vec<Self> {
        let mut groups: Vec<Self> = Vec::new();
        let roads = world.roads.as_ref().map(|network| &network.map);
        // groups with the same hash; only looked up, never iterated
        let mut known: HashMap<u64, Vec<usize>> = HashMap::new();
        // group of the vehicle before, which most vehicles share
        let mut last = 0;
        for (number, vehicle) in world.vehicles.iter().enumerate() {
            if groups.get(last).is_some_and(|group| group.is_repeated_by(vehicle)) {
                groups[last].vehicles.push((number, vehicle));
                continue;
            }
            let alike = known.entry(hash(vehicle)).or_default();
            match alike.iter().find(|group| groups[**group].accepts(vehicle)) {
                Some(&group) => {
                    groups[group].vehicles.push((number, vehicle));
                    last = group;
                }
                None => {
                    last = groups.len();
                    alike.push(groups.len());
                    let vehicles = vec![(number, vehicle)];
                    groups.push(Self { vehicles, is_open: false, roads });
                }
            }
        }
        groups
    }

    /// Divides the group into parts of at most `lanes` vehicles.
    pub fn parts(&self, lanes: usize) -> impl Iterator<Item = Self> {
        let part = |part: &[(usize, &'a Vehicle)]| Self { vehicles: part.to_vec(), ..*self };
        self.vehicles.chunks(lanes).map(part)
    }

    /// Returns a group that has all vehicles `count` times, one set after the other.
    pub fn repeated(&self, count: usize) -> Self {
        Self { vehicles: self.vehicles.repeat(count), ..*self }
    }

    /// Returns whether a vehicle can join: it has the same number of wheels and the same models with the
    /// same parameters, except those that can differ between lanes.
    fn accepts(&self, vehicle: &Vehicle) -> bool {
        self.has_models_of(vehicle, |a, b| lanes::can_share(a.model.model, &a.values, &b.values))
    }

    /// Returns whether a vehicle has the same list of parameters as the first one, which is found
    /// without comparing them.
    fn is_repeated_by(&self, vehicle: &Vehicle) -> bool {
        self.has_models_of(vehicle, |a, b| Arc::ptr_eq(&a.values, &b.values))
    }

    /// Returns whether a vehicle has the models and the number of wheels of the first one, and `equal`
    /// returns true for the parameters of each pair of models.
    fn has_models_of(
        &self,
        vehicle: &Vehicle,
        equal: impl Fn(&ModelUse, &ModelUse) -> bool,
    ) -> bool {
        let same =
            |a: &ModelUse, b: &ModelUse| std::ptr::eq(a.model.model, b.model.model) && equal(a, b);
        let first = self.first();
        same(&first.dynamics, &vehicle.dynamics)
            && same(&first.friction, &vehicle.friction)
            && same(&first.controller, &vehicle.controller)
            && first.wheels.len() == vehicle.wheels.len()
            && have_like_wheel_friction(first, vehicle, same)
            && have_like_actuators(first, vehicle, same)
            && have_like_suspensions(first, vehicle, same)
            && have_like_readings(first, vehicle)
    }

    /// Returns the first vehicle, whose models stand for those of all.
    pub(super) fn first(&self) -> &'a Vehicle {
        self.vehicles[0].1
    }

    /// Returns the names of the wheels: tags without `_wheel`.
    pub(super) fn wheel_names(&self) -> Vec<String> {
        self.first().wheels.iter().map(|wheel| wheel.name().to_owned()).collect()
    }

    /// Returns the names of the vehicles as messages show them.
    pub(super) fn entities(&self) -> Entities {
        let names = self.vehicles.iter().map(|(_, vehicle)| entity_name(vehicle));
        let numbers = self.vehicles.iter().map(|(number, _)| *number as u32);
        Entities::owners(names.collect()).numbered(numbers.collect())
    }
}

/// Returns whether the same wheels of two vehicles have friction models of their own, and `same` returns true
/// for each pair of models.
fn have_like_wheel_friction(
    one: &Vehicle,
    other: &Vehicle,
    same: impl Fn(&ModelUse, &ModelUse) -> bool,
) -> bool {
    let (one, other) = (&one.wheel_friction, &other.wheel_friction);
    let alike = |(one, other): (&WheelFriction, &WheelFriction)| {
        one.wheel == other.wheel && same(&one.model, &other.model)
    };
    one.len() == other.len() && one.iter().zip(&**other).all(alike)
}

/// Returns whether the chains of actuators of two vehicles have the same names and ports, and `same`
/// returns true for each pair of models.
fn have_like_actuators(
    one: &Vehicle,
    other: &Vehicle,
    same: impl Fn(&ModelUse, &ModelUse) -> bool,
) -> bool {
    let alike = |(one, other): (&ActuatorUse, &ActuatorUse)| {
        one.port == other.port && one.name == other.name && same(&one.model, &other.model)
    };
    one.actuators.len() == other.actuators.len()
        && one.actuators.iter().zip(&*other.actuators).all(alike)
}

/// Returns whether the same axles of two vehicles have suspensions, and `same` returns true for each pair
/// of models.
fn have_like_suspensions(
    one: &Vehicle,
    other: &Vehicle,
    same: impl Fn(&ModelUse, &ModelUse) -> bool,
) -> bool {
    let alike = |(one, other): (&AxleSuspension, &AxleSuspension)| {
        one.axle == other.axle && same(&one.model, &other.model)
    };
    one.suspensions.len() == other.suspensions.len()
        && one.suspensions.iter().zip(&*other.suspensions).all(alike)
}

/// Returns whether the same inputs of two vehicles read sensors, with the same capacities.
fn have_like_readings(one: &Vehicle, other: &Vehicle) -> bool {
    one.readings.len() == other.readings.len()
        && one.readings.iter().zip(&*other.readings).all(|(one, other)| one.is_like(other))
}

/// Returns the name of a vehicle as messages show it.
pub(super) fn entity_name(vehicle: &Vehicle) -> String {
    ["vehicle '", &vehicle.name, "'"].concat()
}

/// Returns a hash that is equal for vehicles that can share a group.
fn hash(vehicle: &Vehicle) -> u64 {
    let mut hasher = DefaultHasher::new();
    for model in [&vehicle.dynamics, &vehicle.friction, &vehicle.controller] {
        hash_model(model, &mut hasher);
    }
    for ActuatorUse { name, port, model, .. } in &*vehicle.actuators {
        (name, port).hash(&mut hasher);
        hash_model(model, &mut hasher);
    }
    for AxleSuspension { axle, model, .. } in &*vehicle.suspensions {
        axle.hash(&mut hasher);
        hash_model(model, &mut hasher);
    }
    vehicle.wheels.len().hash(&mut hasher);
    hasher.finish()
}

fn hash_model(model: &ModelUse, hasher: &mut DefaultHasher) {
    std::ptr::from_ref(model.model.model).hash(hasher);
    let values = model.values.iter().zip(model.model.model.params());
    for (value, _) in values.filter(|(_, param)| !lanes::is_per_lane(param)) {
        value.hash_into(hasher);
    }
}
