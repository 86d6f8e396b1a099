//! Rays of a sensor in the plane.

use simhost_scene::Pose2;
use simhost_sensing::{Fan, PlanarScene, Visibility};

use crate::columns::{Column, Layout};
use crate::model::{Lengths, PortMap};

/// Place and reach of the fan of one sensor.
#[derive(Clone)]
pub(super) struct Stand {
    pub origin: Pose2,
    /// Height above the ground, m.
    pub z: f64,
    /// Maximum range, m.
    pub max_range: f64,
    pub see: Visibility,
    pub ignore: Option<u32>,
}

impl Stand {
    /// Returns whether the rays can meet what moves: `only` this vehicle, or anything without it.
    pub fn sees_moving(&self, only: Option<u32>) -> bool {
        self.see == Visibility::All && (only.is_none() || self.ignore != only)
    }

    /// Casts some of the rays.
    pub fn cast(&self, angles: &[f64], ranges: &mut [f64], scene: &PlanarScene) {
        let Self { origin, z, max_range, see, ignore } = *self;
        scene.cast(&Fan { origin, z, angles, max_range, ignore, see }, ranges);
    }
}

/// Columns of the rays.
#[derive(Clone)]
pub(super) struct FanColumns {
    /// x, y, m; yaw, rad; z, m; frame of the vehicle or the world.
    pub origin: [Column; 4],
    pub max_range: Column,
    pub see_bodies: Column,
    /// Whether the own vehicle is seen; `None` for never.
    pub see_own: Option<Column>,
    pub angle: Column,
    pub range: Column,
}

impl FanColumns {
    /// Selects the outputs of `aim`; those that the model does not have get a default.
    pub fn new(aimed: &PortMap, range: Column, lengths: Lengths, layout: &mut Layout) -> Self {
        let mut optional = |name: &str, value: f64, len: usize| {
            aimed.get(name).unwrap_or_else(|| layout.fill(len, value))
        };
        let lanes = lengths.lanes;
        Self {
            origin: ["origin_x", "origin_y", "origin_yaw", "origin_z"]
                .map(|name| optional(name, 0.0, lanes)),
            max_range: optional("max_range", f64::INFINITY, lanes),
            see_bodies: optional("see_bodies", 1.0, lanes),
            see_own: aimed.get("see_own"),
            angle: optional("angle", 0.0, lanes * lengths.rays),
            range,
        }
    }
}
