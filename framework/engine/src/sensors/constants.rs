//! Inputs of sensors that do not change during a run.

use simhost_abi::host_port::SENSOR_CONSTANTS;
use simhost_world::World;

use super::published::Published;
use crate::columns::{Column, Columns, Layout};
use crate::model::PortMap;

/// The quantities that are equal for all sensors of a world.
#[derive(Clone, Copy, Debug)]
pub(super) struct Constants {
    /// Height of the origin above the ellipsoid, m.
    height: f64,
    /// Rotation from the axes of the world to east-north-up, rad.
    rotation: f64,
    /// Gravity, m/s².
    gravity: f64,
}

impl Constants {
    /// Returns the constants of a world.
    pub fn of(world: &World) -> Self {
        let gravity = world.settings.gravity;
        let (height, rotation) = world
            .scenery
            .georeference
            .map_or((0.0, 0.0), |place| (place.height, place.rotation_to_enu()));
        Self { height, rotation, gravity }
    }

    /// Adds the columns of sensors with this sampling period, s.
    pub fn ports(&self, period: f64, lanes: usize, layout: &mut Layout) -> PortMap {
        let value = |name: &str| match name {
            "sample_period" => period,
            "origin_height" => self.height,
            "world_to_enu" => self.rotation,
            _ => f64::NAN,
        };
        let columns = SENSOR_CONSTANTS.iter();
        let columns: Vec<_> =
            columns.map(|port| layout.add_constant(vec![value(port.name); lanes])).collect();
        PortMap::of_host(SENSOR_CONSTANTS, &columns)
    }

    /// Sets the measurements of sensors that are fixed in the world.
    pub fn fill_standing(&self, inputs: &PortMap, members: &[Member], columns: &mut Columns) {
        for name in ["gravity", "body_specific_force_z"] {
            let Some(column) = inputs.get(name) else { continue };
            let values = columns.get_mut(column).iter_mut().zip(members);
            for (value, _) in values.filter(|(_, member)| member.stands()) {
                *value = self.gravity;
            }
        }
    }
}

/// Owner number of objects and sensors that belong to no vehicle.
pub(super) const NOBODY: u32 = u32::MAX;

/// A sensor of a group.
#[derive(Clone)]
pub(super) struct Member {
    /// Index of the sensor in the world.
    pub sensor: usize,
    /// Index of the vehicle, or [`NOBODY`].
    pub vehicle: u32,
    /// Table and lane of the vehicle; `None` for a sensor that is fixed in the world.
    pub host: Option<(usize, usize)>,
    /// Number of wheels of the vehicle, or 0 if the model does not read any.
    pub wheels: usize,
    /// Columns of the table from which the inputs of the group are copied.
    pub sources: Vec<Option<Column>>,
    /// Inputs that read actuators of the vehicle.
    pub published: Vec<Published>,
    /// Whether the model has faulted for this sensor, so that it is not called any more.
    pub disabled: bool,
}

impl Member {
    /// Creates a sensor on the vehicle in the lane `host`.
    pub fn new(sensor: usize, vehicle: u32, host: Option<(usize, usize)>, wheels: usize) -> Self {
        let (sources, published) = (Vec::new(), Vec::new());
        Self { sensor, vehicle, host, wheels, sources, published, disabled: false }
    }

    /// Returns whether the sensor is fixed in the world.
    pub fn stands(&self) -> bool {
        self.host.is_none()
    }

    /// Returns whether the model has faulted for this sensor.
    pub fn is_disabled(&self) -> bool {
        self.disabled
    }
}
