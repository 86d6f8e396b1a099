//! Mounting poses of sensors.

use simhost_sdk::kinematics::{angles, rotation};
use simhost_sdk::prelude::*;
use simhost_sdk::vectors::{Rotation, Vec3};

/// Parameters of the pose of a sensor.
#[derive(Clone, Debug, Default, Params)]
#[param(scaling = Scaling::INVARIANT)]
pub struct Mount {
    /// Position and heading on the vehicle.
    #[param(unit = "m m deg", scaling = &Scaling::POSE)]
    pose: Option<[f64; 3]>,
    /// Position and attitude on the vehicle: x, y, z, yaw, pitch, roll.
    #[param(unit = "m m m deg deg deg", key = "pose_3d", scaling = &Scaling::POSE_3D)]
    pose_3d: Option<[f64; 6]>,
}

impl Mount {
    /// Returns the pose.
    pub(crate) fn mounting(&self) -> Mounting {
        Mounting::new(self.pose, self.pose_3d)
    }
}

/// Position and attitude of a sensor in the frame of its vehicle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Mounting {
    /// Position, m.
    pub position: Vec3,
    /// Yaw, rad.
    pub yaw: f64,
    /// Attitude.
    pub rotation: Rotation,
}

impl Mounting {
    /// Returns the mounting of `<pose>` (x, y, m; yaw, deg) or `<pose_3d>` (x, y, z, m; yaw, pitch, roll,
    /// deg). `<pose>` replaces x, y and yaw.
    pub fn new(pose: Option<[f64; 3]>, pose_3d: Option<[f64; 6]>) -> Self {
        let [mut x, mut y, z, mut yaw, pitch, roll] = pose_3d.unwrap_or_default();
        if let Some(planar) = pose {
            [x, y, yaw] = planar;
        }
        let [yaw, pitch, roll] = [yaw, pitch, roll].map(|angle| angle * math::DEG);
        Self { position: Vec3::new(x, y, z), yaw, rotation: rotation([yaw, pitch, roll]) }
    }

    /// Sets origin and yaw of a sensor whose rays lie in a level plane, or that has none.
    pub fn aim_level(&self, aim: &mut Aim) {
        [aim.x, aim.y, aim.z] = self.position.to_array();
        aim.yaw = self.yaw;
    }

    /// Sets origin and attitude of a sensor that casts no rays.
    pub fn aim_without_rays(&self, aim: &mut Aim) {
        [aim.x, aim.y, aim.z] = self.position.to_array();
        [aim.yaw, aim.pitch, aim.roll] = angles(&self.rotation);
        aim.max_range = 0.0;
        aim.angles.fill(0.0);
    }

    /// Returns the pose in the vehicle frame of what has this mounting in the frame of the sensor: x, y, z,
    /// m; yaw, pitch, roll, rad.
    pub fn place(&self, inner: &Self) -> [f64; 6] {
        let Vec3 { x, y, z } = self.position + self.rotation.apply(inner.position);
        let [yaw, pitch, roll] = angles(&self.rotation.compose(&inner.rotation));
        [x, y, z, yaw, pitch, roll]
    }
}
