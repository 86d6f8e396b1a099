//! Place and motion of a sensor on its vehicle.

use simhost_sdk::kinematics::rotation;
use simhost_sdk::ports::Attitude;
use simhost_sdk::prelude::*;
use simhost_sdk::vectors::{Rotation, Vec3};

use crate::mounting::Mounting;

/// Distance from a sensor at which its rays begin, m.
const CLEARANCE: f64 = 0.01;

/// Pose and motion of the vehicle; zeros for a sensor that is fixed in the world.
#[derive(Clone, Default, Ports)]
pub struct Carrier {
    /// Position, world frame.
    #[port(unit = "m")]
    pub x: f64,
    /// Position, world frame.
    #[port(unit = "m")]
    pub y: f64,
    /// Height, world frame.
    #[port(unit = "m")]
    pub z: f64,
    /// Attitude of the vehicle.
    #[port(flatten)]
    pub attitude: Attitude,
    /// Velocity of the reference point along x of the body.
    #[port(unit = "m/s")]
    pub body_velocity_x: f64,
    /// Velocity of the reference point along y of the body.
    #[port(unit = "m/s")]
    pub body_velocity_y: f64,
    /// Velocity of the reference point along z of the body.
    #[port(unit = "m/s")]
    pub body_velocity_z: f64,
    /// Angular velocity of the body.
    #[port(flatten)]
    pub rates: BodyRates,
}

/// Angular velocity of the body of the vehicle.
#[derive(Clone, Copy, Debug, Default, Ports)]
pub struct BodyRates {
    /// Angular velocity about x of the body.
    #[port(unit = "rad/s")]
    pub body_rate_x: f64,
    /// Angular velocity about y of the body.
    #[port(unit = "rad/s")]
    pub body_rate_y: f64,
    /// Angular velocity about z of the body.
    #[port(unit = "rad/s")]
    pub body_rate_z: f64,
}

impl BodyRates {
    /// Returns the angular velocity, rad/s, in the frame of the body.
    pub(crate) fn vector(&self) -> Vec3 {
        Vec3::new(self.body_rate_x, self.body_rate_y, self.body_rate_z)
    }
}

/// Attitude of the vehicle relative to the directions of the compass.
#[derive(Clone, Copy, Debug, Default, Ports)]
pub struct WorldAttitude {
    /// Attitude of the vehicle.
    #[port(flatten)]
    pub attitude: Attitude,
    /// Rotation from the axes of the world to east-north-up.
    #[port(unit = "rad")]
    pub world_to_enu: f64,
    /// Time between two samples.
    #[port(unit = "s")]
    pub sample_period: f64,
}

impl WorldAttitude {
    /// Returns the rotation from the body to east-north-up.
    pub(crate) fn rotation(&self) -> Rotation {
        let Attitude { yaw, pitch, roll } = self.attitude;
        rotation([yaw + self.world_to_enu, pitch, roll])
    }
}

/// Place and velocity of a sensor in the world.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Station {
    /// Position, m.
    pub position: Vec3,
    /// Attitude.
    pub rotation: Rotation,
    /// Velocity, m/s.
    pub velocity: Vec3,
}

impl Carrier {
    /// Returns place and velocity of a sensor with this mounting.
    pub(crate) fn station(&self, mounting: &Mounting) -> Station {
        let body = rotation(self.attitude.angles());
        let rate = self.rates.vector();
        let velocity = Vec3::new(self.body_velocity_x, self.body_velocity_y, self.body_velocity_z);
        Station {
            position: Vec3::new(self.x, self.y, self.z) + body.apply(mounting.position),
            rotation: body.compose(&mounting.rotation),
            velocity: body.apply(velocity + rate.cross(mounting.position)),
        }
    }
}

impl Station {
    /// Returns the position of a point of the world in the frame of the sensor, m.
    pub fn see(&self, point: Vec3) -> Vec3 {
        self.rotation.invert(point - self.position)
    }

    /// Returns the ray from the sensor to a point of the world that ends `short`, m, before it. It begins
    /// 1 cm from the sensor, so that the ground on which a sensor stands does not stop it.
    pub fn ray_to(&self, point: Vec3, short: f64) -> Ray {
        let way = point - self.position;
        let distance = way.length();
        let start = way.map(|part| if distance > 0.0 { part * CLEARANCE / distance } else { 0.0 });
        Ray::new((self.position + start).into(), way.into())
            .up_to((distance - short - CLEARANCE).max(0.0))
    }

    /// Returns the velocity of a point of the world relative to the sensor, along the axes of the sensor,
    /// m/s.
    pub fn see_velocity(&self, velocity: Vec3) -> Vec3 {
        self.rotation.invert(velocity - self.velocity)
    }
}

/// Returns the stream of random numbers of one of several objects of a sample, so that the errors of an
/// object do not depend on which others are seen.
pub(crate) fn stream_of(key: u64, object: u64) -> Random {
    Random::new(key ^ (object + 1).wrapping_mul(0xD6E8_FEB8_6659_FD93))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sensor_turns_and_moves_with_its_vehicle() {
        let at = Carrier {
            x: 10.0,
            z: 1.0,
            attitude: Attitude { yaw: std::f64::consts::FRAC_PI_2, pitch: 0.0, roll: 0.0 },
            body_velocity_x: 2.0,
            rates: BodyRates { body_rate_z: 0.5, ..BodyRates::default() },
            ..Carrier::default()
        };
        let mounting = Mounting::new(None, Some([1.0, 0.0, 0.5, 90.0, 0.0, 0.0]));
        let station = at.station(&mounting);
        // the sensor looks towards -x of the world
        let seen = station.see(Vec3::new(8.0, 1.0, 1.5)).to_array();
        let moving = station.see_velocity(Vec3::new(0.5, 2.0, 0.0)).to_array();
        for (found, expected) in seen.into_iter().chain(moving).zip([2.0, 0.0, 0.0, -1.0, 0.0, 0.0])
        {
            assert!((found - expected).abs() < 1e-12, "{seen:?} {moving:?}");
        }
    }
}
