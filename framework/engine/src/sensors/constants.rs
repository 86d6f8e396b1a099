//! Inputs of sensors that do not change during a run.

use simhost_abi::host_port::SENSOR_CONSTANTS;
use simhost_world::World;

use super::member::Member;
use crate::columns::{Columns, Layout};
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
