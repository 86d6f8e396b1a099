//! Place and motion of a sensor on its vehicle.

use simhost_sdk::prelude::*;

use crate::mounting::{Mounting, Rotation, cross};

/// Distance from a sensor at which its rays begin, m.
const CLEARANCE: f64 = 0.01;

/// Pose and motion of the vehicle; zeros for a sensor that stands in the world.
#[derive(Clone, Ports)]
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
    /// Heading in the world.
    #[port(unit = "rad")]
    pub yaw: f64,
    /// Pitch, positive nose down.
    #[port(unit = "rad")]
    pub pitch: f64,
    /// Roll, positive right side down.
    #[port(unit = "rad")]
    pub roll: f64,
    /// Velocity of the reference point along x of the body.
    #[port(unit = "m/s")]
    pub body_velocity_x: f64,
    /// Velocity of the reference point along y of the body.
    #[port(unit = "m/s")]
    pub body_velocity_y: f64,
    /// Velocity of the reference point along z of the body.
    #[port(unit = "m/s")]
    pub body_velocity_z: f64,
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

/// Place and velocity of a sensor in the world.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Station {
    /// Position, m.
    pub position: [f64; 3],
    /// Attitude.
    pub rotation: Rotation,
    /// Velocity, m/s.
    pub velocity: [f64; 3],
}

impl Carrier {
    /// Returns place and velocity of a sensor with this mounting.
    pub(crate) fn station(&self, mounting: &Mounting) -> Station {
        let body = Rotation::new([self.yaw, self.pitch, self.roll]);
        let rate = [self.body_rate_x, self.body_rate_y, self.body_rate_z];
        let velocity = [self.body_velocity_x, self.body_velocity_y, self.body_velocity_z];
        let (offset, turning) = (body.apply(mounting.position), cross(rate, mounting.position));
        Station {
            position: sum([self.x, self.y, self.z], offset),
            rotation: body.compose(&mounting.rotation),
            velocity: body.apply(sum(velocity, turning)),
        }
    }
}

impl Station {
    /// Returns the position of a point of the world in the frame of the sensor, m.
    pub fn see(&self, point: [f64; 3]) -> [f64; 3] {
        self.rotation.invert(difference(point, self.position))
    }

    /// Returns the ray from the sensor to a point of the world that ends `short`, m, before it. It begins
    /// 1 cm from the sensor, so that the ground on which a sensor stands does not stop it.
    pub fn ray_to(&self, point: [f64; 3], short: f64) -> Ray {
        let way = difference(point, self.position);
        let distance = length(way);
        let start = way.map(|part| if distance > 0.0 { part * CLEARANCE / distance } else { 0.0 });
        Ray::new(sum(self.position, start), way).up_to((distance - short - CLEARANCE).max(0.0))
    }

    /// Returns the velocity of a point of the world relative to the sensor, along the axes of the sensor,
    /// m/s.
    pub fn see_velocity(&self, velocity: [f64; 3]) -> [f64; 3] {
        self.rotation.invert(difference(velocity, self.velocity))
    }
}

/// Returns the sum of two vectors.
pub(crate) fn sum(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [0, 1, 2].map(|axis| a[axis] + b[axis])
}

/// Returns the difference of two vectors.
pub(crate) fn difference(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [0, 1, 2].map(|axis| a[axis] - b[axis])
}

/// Returns the length of a vector.
pub(crate) fn length(a: [f64; 3]) -> f64 {
    a.iter().map(|part| part * part).sum::<f64>().sqrt()
}

/// Returns the stream of random numbers of one of several objects of a sample, so that the errors of an
/// object do not depend on which others are seen.
pub(crate) fn stream_of(key: u64, object: u64) -> Random {
    Random::new(key ^ (object + 1).wrapping_mul(0xD6E8_FEB8_6659_FD93))
}

#[cfg(test)]
impl Carrier {
    /// A vehicle at rest at the origin.
    pub(crate) const AT_REST: Self = Self {
        x: 0.0,
        y: 0.0,
        z: 0.0,
        yaw: 0.0,
        pitch: 0.0,
        roll: 0.0,
        body_velocity_x: 0.0,
        body_velocity_y: 0.0,
        body_velocity_z: 0.0,
        body_rate_x: 0.0,
        body_rate_y: 0.0,
        body_rate_z: 0.0,
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sensor_turns_and_moves_with_its_vehicle() {
        let at = Carrier {
            x: 10.0,
            z: 1.0,
            yaw: std::f64::consts::FRAC_PI_2,
            body_velocity_x: 2.0,
            body_rate_z: 0.5,
            ..Carrier::AT_REST
        };
        let mounting = Mounting::new(None, Some([1.0, 0.0, 0.5, 90.0, 0.0, 0.0]));
        let station = at.station(&mounting);
        // the sensor looks towards -x of the world
        let seen = station.see([8.0, 1.0, 1.5]);
        let moving = station.see_velocity([0.5, 2.0, 0.0]);
        for (found, expected) in seen.into_iter().chain(moving).zip([2.0, 0.0, 0.0, -1.0, 0.0, 0.0])
        {
            assert!((found - expected).abs() < 1e-12, "{seen:?} {moving:?}");
        }
    }
}
