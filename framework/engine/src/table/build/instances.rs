//! The model instances of a group, and the columns of their states in a table.

use std::ops::Range;

use simhost_abi::host::LaneShape;
use simhost_abi::model_flag;
use simhost_world::{ModelUse, Settings, Span, Vehicle};

use super::actuation::{ActuatorLanes, SharedActuator};
use super::group::Group;
use crate::columns::Layout;
use crate::model::{LaneInstances, Lengths, ModelError, ModelLanes, create};

/// The model instances of a group, or of the vehicles of one of its tables.
pub(super) struct TableInstances {
    dynamics: SharedInstance,
    friction: SharedInstance,
    controller: SharedInstance,
    fallback: Option<SharedInstance>,
    /// The actuators, in the order of their chains.
    actuators: Vec<SharedActuator>,
}

/// Instances with the position of the element that selects their class.
type SharedInstance = (LaneInstances, Span);

impl TableInstances {
    /// Creates the instances.
    ///
    /// # Errors
    /// [`ModelError`] if a model rejects its parameters.
    pub fn new(group: &Group<'_>, settings: &Settings) -> Result<Self, ModelError> {
        let first = group.first();
        let of_lanes = |of: fn(&Vehicle) -> &ModelUse| {
            let lanes = group.vehicles.iter().map(|(_, vehicle)| of(vehicle));
            Ok((LaneInstances::new(lanes)?, of(first).span))
        };
        let create_equal =
            |wanted: &ModelUse| Ok((LaneInstances::equal(create(wanted)?), wanted.span));
        Ok(Self {
            dynamics: of_lanes(|vehicle| &vehicle.dynamics)?,
            friction: of_lanes(|vehicle| &vehicle.friction)?,
            controller: of_lanes(|vehicle| &vehicle.controller)?,
            fallback: settings.fallback_friction.as_deref().map(create_equal).transpose()?,
            actuators: SharedActuator::all(group)?,
        })
    }

    /// Returns the instances of some of the vehicles.
    pub fn part(&self, lanes: Range<usize>) -> Self {
        let part = |(instances, span): &SharedInstance| (instances.part(lanes.clone()), *span);
        Self {
            dynamics: part(&self.dynamics),
            friction: part(&self.friction),
            controller: part(&self.controller),
            fallback: self.fallback.clone(),
            actuators: self.actuators.iter().map(|one| one.part(lanes.clone())).collect(),
        }
    }

    /// Returns whether the lanes of a model depend on each other, so that all vehicles of the group
    /// must share a table.
    pub fn need_one_table(&self) -> bool {
        let all = [&self.dynamics, &self.friction, &self.controller];
        let all = all.into_iter().chain(&self.fallback).map(|(instances, _)| instances);
        let mut all = all.chain(self.actuators.iter().map(|actuator| &actuator.instances));
        all.any(|instances| instances.shared().has_flag(model_flag::WHOLE_BATCH))
    }
}

/// The model instances of a table, with the columns of their states.
pub(super) struct Instances {
    pub dynamics: ModelLanes,
    pub friction: ModelLanes,
    pub controller: ModelLanes,
    pub fallback: Option<ModelLanes>,
    /// The actuators, in the order of their chains.
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
        models: &TableInstances,
        group: &Group<'_>,
        layout: &mut Layout,
    ) -> Result<Self, ModelError> {
        let (first, lanes) = (group.first(), group.vehicles.len());
        let wheels = first.wheels.len();
        let by_vehicle = Lengths { lanes, wheels, rays: 0 };
        let by_wheel = Lengths { lanes: lanes * wheels, wheels: 0, rays: 0 };
        let shape = LaneShape { wheels, wheel_stride: lanes, rays: 0 };
        let vehicles = group.entities();
        let wheels = vehicles.wheels(group.wheel_names());
        let of_vehicle = |(instances, span): &SharedInstance, layout: &mut Layout| {
            let (instances, entities) = (instances.clone(), vehicles.clone());
            ModelLanes::new(instances, *span, by_vehicle, shape, entities, layout)
        };
        let of_wheel = |(instances, span): &SharedInstance, layout: &mut Layout| {
            let (instances, entities) = (instances.clone(), wheels.clone());
            ModelLanes::new(instances, *span, by_wheel, LaneShape::default(), entities, layout)
        };
        let dynamics = of_vehicle(&models.dynamics, layout)?;
        let friction = of_wheel(&models.friction, layout)?;
        let controller = of_vehicle(&models.controller, layout)?;
        let fallback = models.fallback.as_ref();
        let fallback = fallback.map(|fallback| of_wheel(fallback, layout)).transpose()?;
        let actuators = models.actuators.iter().map(|actuator| {
            let shared = (actuator.instances.clone(), actuator.span);
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
