//! The model instances of a table.

use simhost_world::{ModelUse, Settings};

use super::group::Group;
use crate::columns::Layout;
use crate::model::{Lengths, ModelError, ModelLanes, Shape};

/// The model instances of a table, with the columns of their states.
pub(super) struct Instances {
    pub dynamics: ModelLanes,
    pub friction: ModelLanes,
    pub controller: ModelLanes,
    pub fallback: Option<ModelLanes>,
    /// Lengths of columns whose lanes are vehicles.
    pub by_vehicle: Lengths,
    /// Lengths of columns whose lanes are wheels.
    pub by_wheel: Lengths,
}

impl Instances {
    /// Creates the instances.
    ///
    /// # Errors
    /// [`ModelError`] if a model rejects its parameters.
    pub fn new(
        group: &Group<'_>,
        settings: &Settings,
        layout: &mut Layout,
    ) -> Result<Self, ModelError> {
        let (first, lanes) = (group.first(), group.vehicles.len());
        let wheels = first.wheels.len();
        let by_vehicle = Lengths { lanes, wheels, rays: 0 };
        let by_wheel = Lengths { lanes: lanes * wheels, wheels: 0, rays: 0 };
        let shape = Shape { wheels, wheel_stride: lanes, rays: 0 };
        let (vehicles, wheels) = group.entities();
        let of_vehicle = |wanted: &ModelUse, layout: &mut Layout| {
            ModelLanes::new(wanted, by_vehicle, shape, vehicles.clone(), layout)
        };
        let of_wheel = |wanted: &ModelUse, layout: &mut Layout| {
            ModelLanes::new(wanted, by_wheel, Shape::default(), wheels.clone(), layout)
        };
        let dynamics = of_vehicle(&first.dynamics, layout)?;
        let friction = of_wheel(&first.friction, layout)?;
        let controller = of_vehicle(&first.controller, layout)?;
        let fallback = settings.fallback_friction.as_ref();
        let fallback = fallback.map(|fallback| of_wheel(fallback, layout)).transpose()?;
        Ok(Self { dynamics, friction, controller, fallback, by_vehicle, by_wheel })
    }
}
