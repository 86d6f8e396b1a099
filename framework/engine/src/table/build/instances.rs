//! The model instances of a group, and the columns of their states in a table.

use std::sync::Arc;

use simhost_abi::model_flag;
use simhost_world::{ModelUse, Settings, Span};

use super::actuation::{ActuatorLanes, SharedActuator};
use super::group::Group;
use crate::columns::Layout;
use crate::model::{Instance, Lengths, ModelError, ModelLanes, Shape};

/// The model instances of a group, which all of its tables share.
pub(super) struct Models {
    dynamics: SharedInstance,
    friction: SharedInstance,
    controller: SharedInstance,
    fallback: Option<SharedInstance>,
    /// In the order of their chains.
    actuators: Vec<SharedActuator>,
}

/// An instance with the position of the element that selects its class.
type SharedInstance = (Arc<Instance>, Span);

impl Models {
    /// Creates the instances.
    ///
    /// # Errors
    /// [`ModelError`] if a model rejects its parameters.
    pub fn new(group: &Group<'_>, settings: &Settings) -> Result<Self, ModelError> {
        let first = group.first();
        let create = |wanted: &ModelUse| Ok((Instance::new(wanted)?, wanted.span));
        Ok(Self {
            dynamics: create(&first.dynamics)?,
            friction: create(&first.friction)?,
            controller: create(&first.controller)?,
            fallback: settings.fallback_friction.as_deref().map(create).transpose()?,
            actuators: SharedActuator::all(group)?,
        })
    }

    /// Returns whether the lanes of a model depend on each other, so that all vehicles of the group
    /// must stand in one table.
    pub fn need_one_table(&self) -> bool {
        let all = [&self.dynamics, &self.friction, &self.controller];
        let all = all.into_iter().chain(&self.fallback).map(|(instance, _)| instance);
        let mut all = all.chain(self.actuators.iter().map(|actuator| &actuator.instance));
        all.any(|instance| instance.has_flag(model_flag::WHOLE_BATCH))
    }
}

/// The model instances of a table, with the columns of their states.
pub(super) struct Instances {
    pub dynamics: ModelLanes,
    pub friction: ModelLanes,
    pub controller: ModelLanes,
    pub fallback: Option<ModelLanes>,
    /// In the order of their chains.
    pub actuators: Vec<ActuatorLanes>,
    /// Lengths of columns whose lanes are vehicles.
    pub by_vehicle: Lengths,
    /// Lengths of columns whose lanes are wheels.
    pub by_wheel: Lengths,
}

impl Instances {
    /// Adds the states of all lanes of a table.
    ///
    /// # Errors
    /// [`ModelError`] if a model fails to create a memory.
    pub fn new(
        models: &Models,
        group: &Group<'_>,
        layout: &mut Layout,
    ) -> Result<Self, ModelError> {
        let (first, lanes) = (group.first(), group.vehicles.len());
        let wheels = first.wheels.len();
        let by_vehicle = Lengths { lanes, wheels, rays: 0 };
        let by_wheel = Lengths { lanes: lanes * wheels, wheels: 0, rays: 0 };
        let shape = Shape { wheels, wheel_stride: lanes, rays: 0 };
        let vehicles = group.entities();
        let wheels = vehicles.wheels(group.wheel_names());
        let of_vehicle = |(instance, span): &SharedInstance, layout: &mut Layout| {
            let (instance, entities) = (instance.clone(), vehicles.clone());
            ModelLanes::new(instance, *span, by_vehicle, shape, entities, layout)
        };
        let of_wheel = |(instance, span): &SharedInstance, layout: &mut Layout| {
            let (instance, entities) = (instance.clone(), wheels.clone());
            ModelLanes::new(instance, *span, by_wheel, Shape::default(), entities, layout)
        };
        let dynamics = of_vehicle(&models.dynamics, layout)?;
        let friction = of_wheel(&models.friction, layout)?;
        let controller = of_vehicle(&models.controller, layout)?;
        let fallback = models.fallback.as_ref();
        let fallback = fallback.map(|fallback| of_wheel(fallback, layout)).transpose()?;
        let actuators = models.actuators.iter().map(|actuator| {
            let shared = (actuator.instance.clone(), actuator.span);
            let lanes = match actuator.port.by_wheel {
                true => of_wheel(&shared, layout)?,
                false => of_vehicle(&shared, layout)?,
            };
            Ok(ActuatorLanes { lanes, name: actuator.name.clone(), port: actuator.port })
        });
        let actuators = actuators.collect::<Result<_, ModelError>>()?;
        Ok(Self { dynamics, friction, controller, fallback, actuators, by_vehicle, by_wheel })
    }
}
