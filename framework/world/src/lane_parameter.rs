//! Parameters that can differ between vehicles which share a table.

use std::sync::Arc;

use simhost_abi::{ParamKind, param_flag};
use simhost_model::ParamValue;

use crate::models::ModelUse;
use crate::vehicle::Vehicle;
use crate::world::World;

/// A model of a vehicle whose parameters can differ between vehicles that share a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LaneOwner {
    /// The controller.
    Controller,
    /// The friction model of all wheels without a separate model.
    Friction,
    /// The friction model of the wheel with this index.
    WheelFriction(usize),
    /// The actuator with this number in the chain.
    Actuator(usize),
}

/// A number among the parameters of a model of a vehicle that can differ between vehicles which share a table, and
/// does not change anything else.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LaneParameter {
    /// Index of the vehicle in the world file.
    pub vehicle: usize,
    /// The model.
    pub owner: LaneOwner,
    /// Index among the parameters of the model.
    place: usize,
    /// Factor from the unit of the world file to the unit of the model.
    scale: f64,
    /// Smallest and largest value, in the unit of the world file.
    range: [f64; 2],
}

impl LaneParameter {
    /// Looks up a name of [`World::parameters`]. Returns `None` for any other parameter.
    pub fn find(world: &World, name: &str) -> Option<Self> {
        let (entity, rest) = name.split_once('/')?;
        let vehicle = world.vehicles.iter().position(|vehicle| vehicle.name == entity)?;
        let (owner, key) = rest.rsplit_once('/')?;
        let owner = owner_of(&world.vehicles[vehicle], owner)?;
        let params = model(&world.vehicles[vehicle], owner)?.model.model.params();
        let place = params.iter().position(|desc| desc.is_named(key))?;
        let desc = &params[place];
        let is_number = ParamKind::from_u32(desc.kind) == Some(ParamKind::Number);
        let (scale, range) = (desc.scale, [desc.min, desc.max]);
        let is_per_lane = desc.flags & param_flag::PER_LANE != 0;
        (is_number && is_per_lane).then_some(Self { vehicle, owner, place, scale, range })
    }

    /// Returns whether a value, in the unit of the world file, is within the range of the parameter.
    pub fn accepts(&self, value: f64) -> bool {
        value.is_finite() && (self.range[0]..=self.range[1]).contains(&value)
    }

    /// Returns the smallest and the largest value, in the unit of the world file.
    pub fn range(&self) -> [f64; 2] {
        self.range
    }

    /// Sets the parameter among all of its model, to a value in the unit of the world file.
    pub fn set(&self, values: &mut [ParamValue], value: f64) {
        values[self.place] = ParamValue::Number(value * self.scale);
    }

    /// Returns the values of all parameters of the model in a world.
    pub fn values<'w>(&self, world: &'w World) -> Option<&'w Arc<[ParamValue]>> {
        model(world.vehicles.get(self.vehicle)?, self.owner).map(|model| &model.values)
    }
}

fn owner_of(vehicle: &Vehicle, owner: &str) -> Option<LaneOwner> {
    match owner.split_once('/') {
        None if owner == "controller" => Some(LaneOwner::Controller),
        None if owner == "friction" => Some(LaneOwner::Friction),
        Some(("friction", wheel)) => {
            let is_own =
                |one: &&crate::vehicle::WheelFriction| vehicle.wheels[one.wheel].name() == wheel;
            let found = vehicle.wheel_friction.iter().find(is_own)?;
            Some(LaneOwner::WheelFriction(found.wheel))
        }
        Some(("actuator", name)) => {
            vehicle.actuators.iter().position(|one| one.name == name).map(LaneOwner::Actuator)
        }
        _ => None,
    }
}

fn model(vehicle: &Vehicle, owner: LaneOwner) -> Option<&ModelUse> {
    match owner {
        LaneOwner::Controller => Some(&vehicle.controller),
        LaneOwner::Friction => Some(&vehicle.friction),
        LaneOwner::WheelFriction(wheel) => {
            let own = vehicle.wheel_friction.iter().find(|one| one.wheel == wheel);
            own.map(|one| &*one.model)
        }
        LaneOwner::Actuator(number) => vehicle.actuators.get(number).map(|one| &one.model),
    }
}
