//! The model instances of a group, and the columns of their states in a table.

use std::ops::Range;

use simhost_abi::host::LaneShape;
use simhost_abi::model_flag;
use simhost_world::{ModelUse, Settings, Span, Vehicle};

use super::actuation::{ActuatorLanes, SharedActuator};
use super::group::Group;
use crate::columns::Layout;
use crate::model::{LaneInstances, Lengths, ModelError, ModelLanes, create_instance};
use crate::table::suspension::GuidedAxleLanes;

/// The model instances of a group, or of the vehicles of one of its tables.
pub(super) struct TableInstances {
    dynamics: SharedInstance,
    friction: SharedInstance,
    /// Friction models of single wheels, by the index of the wheel.
    wheel_friction: Vec<(usize, SharedInstance)>,
    controller: SharedInstance,
    fallback: Option<SharedInstance>,
    /// The actuators, in the order of their chains.
    actuators: Vec<SharedActuator>,
    /// The suspensions of the axles.
    suspensions: Vec<SharedInstance>,
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
        let opened = |lanes: LaneInstances| if group.is_open { lanes.opened() } else { lanes };
        let of_lanes = |of: fn(&Vehicle) -> &ModelUse| {
            let lanes = group.vehicles.iter().map(|(_, vehicle)| of(vehicle));
            Ok((opened(LaneInstances::new(lanes)?), of(first).span))
        };
        let of_wheel = |number: usize| {
            let first = &first.wheel_friction[number];
            let lanes = group.vehicles.iter().map(|(_, one)| &*one.wheel_friction[number].model);
            Ok((first.wheel, (opened(LaneInstances::new(lanes)?), first.model.span)))
        };
        let of_axle = |number: usize| {
            let span = first.suspensions[number].model.span;
            let lanes = group.vehicles.iter().map(|(_, one)| &one.suspensions[number].model);
            Ok((opened(LaneInstances::new(lanes)?), span))
        };
        let create_equal =
            |wanted: &ModelUse| Ok((LaneInstances::equal(create_instance(wanted)?), wanted.span));
        Ok(Self {
            dynamics: of_lanes(|vehicle| &vehicle.dynamics)?,
            friction: of_lanes(|vehicle| &vehicle.friction)?,
            wheel_friction: (0..first.wheel_friction.len())
                .map(of_wheel)
                .collect::<Result<_, _>>()?,
            controller: of_lanes(|vehicle| &vehicle.controller)?,
            fallback: settings.fallback_friction.as_deref().map(create_equal).transpose()?,
            actuators: SharedActuator::all(group)?,
            suspensions: (0..first.suspensions.len()).map(of_axle).collect::<Result<_, _>>()?,
        })
    }

    /// Returns the instances of some of the vehicles.
    pub fn part(&self, lanes: Range<usize>) -> Self {
        let part = |(instances, span): &SharedInstance| (instances.part(lanes.clone()), *span);
        Self {
            dynamics: part(&self.dynamics),
            friction: part(&self.friction),
            wheel_friction: self.wheel_friction.iter().map(|(at, one)| (*at, part(one))).collect(),
            controller: part(&self.controller),
            fallback: self.fallback.clone(),
            actuators: self.actuators.iter().map(|one| one.part(lanes.clone())).collect(),
            suspensions: self.suspensions.iter().map(part).collect(),
        }
    }

    /// Returns whether the lanes of a model depend on each other, so that all vehicles of the group
    /// must share a table.
    pub fn need_one_table(&self) -> bool {
        let all = [&self.dynamics, &self.friction, &self.controller];
        let of_wheels = self.wheel_friction.iter().map(|(_, one)| one);
        let all = all.into_iter().chain(of_wheels).chain(&self.fallback).map(|(one, _)| one);
        let mut all = all.chain(self.actuators.iter().map(|actuator| &actuator.instances));
        all.any(|instances| instances.shared().has_flag(model_flag::WHOLE_BATCH))
    }
}

/// The model instances of a table, with the columns of their states.
pub(super) struct Instances {
    pub dynamics: ModelLanes,
    pub friction: ModelLanes,
    /// Friction models of single wheels, by the index of the wheel. They have columns for all wheels.
    pub wheel_friction: Vec<(usize, ModelLanes)>,
    pub controller: ModelLanes,
    pub fallback: Option<ModelLanes>,
    /// The actuators, in the order of their chains.
    pub actuators: Vec<ActuatorLanes>,
    /// The suspensions of the axles.
    pub suspensions: Vec<GuidedAxleLanes>,
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
        let wheel_friction = models.wheel_friction.iter();
        let wheel_friction = wheel_friction.map(|(at, one)| Ok((*at, of_wheel(one, layout)?)));
        let wheel_friction = wheel_friction.collect::<Result<_, ModelError>>()?;
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
        let suspensions = models.suspensions.iter().zip(&*first.suspensions);
        let suspensions = suspensions.map(|(shared, used)| {
            let (lanes, axle) = (of_vehicle(shared, layout)?, used.axle.clone());
            Ok(GuidedAxleLanes { lanes, axle, wheels: used.wheels })
        });
        let suspensions = suspensions.collect::<Result<_, ModelError>>()?;
        Ok(Self {
            dynamics,
            friction,
            wheel_friction,
            controller,
            fallback,
            actuators,
            suspensions,
            by_vehicle,
            by_wheel,
        })
    }
}
