//! The place from which a sensor sees, and what it sees.

use std::ops::Range;

use simhost_abi::entity_kind;
use simhost_scene::{Pose3, Rotation};
use simhost_sdk::math::sin_cos;

use crate::sensors::scene::FanColumns;
use crate::surroundings::Surroundings;

/// A sensor that casts rays.
#[derive(Clone, Copy)]
pub struct RaySensor<'a> {
    pub fan: &'a FanColumns,
    /// Its place in its group.
    pub lane: usize,
    /// Number of its rays.
    pub rays: usize,
    /// Number of its vehicle, and table and lane of that.
    pub vehicle: u32,
    pub host: Option<(usize, usize)>,
}

impl RaySensor<'_> {
    /// Returns the places of its rays in the columns of the group.
    pub fn all(&self) -> Range<usize> {
        self.lane * self.rays..(self.lane + 1) * self.rays
    }
}

/// A sensor during a cast.
pub(super) struct Viewer {
    /// Pose of the sensor on the vehicle, or in the world.
    pub mounted: Pose3,
    /// Pose and twist (m/s, m/s, rad/s) of its vehicle.
    pub vehicle: Option<(Pose3, [f64; 3])>,
    pub max_range: f64,
    /// Distance from the origin at which rays begin, m.
    pub min_range: f64,
    /// Number of the own vehicle.
    pub own: u32,
    pub see_own: bool,
    pub see_bodies: bool,
}

impl Viewer {
    /// Returns the viewer at an offset, m, sensor frame.
    pub fn at(self, offset: [f64; 3]) -> Self {
        if offset == [0.0; 3] {
            return self;
        }
        let [x, y, z] = offset;
        Self { mounted: self.mounted.compose(Pose3 { x, y, z, ..Pose3::default() }), ..self }
    }

    /// Returns the pose of the sensor in the world, `time` seconds after the sample. The vehicle moves
    /// with constant twist along its own plane.
    pub fn pose(&self, time: f64) -> Pose3 {
        let Some((vehicle, [vx, vy, omega])) = &self.vehicle else { return self.mounted };
        if time == 0.0 {
            return vehicle.compose(self.mounted);
        }
        let turn = omega * time;
        let half = 0.5 * turn;
        // chord of the arc: the distance times sin(θ/2)/(θ/2), in the direction of θ/2
        let (sin, cos) = sin_cos(half);
        let shrink = if half.abs() < 1e-6 { 1.0 - half * half / 6.0 } else { sin / half };
        let along = shrink * time;
        let moved = Pose3 {
            x: along * (vx * cos - vy * sin),
            y: along * (vx * sin + vy * cos),
            yaw: turn,
            ..Pose3::default()
        };
        vehicle.compose(moved).compose(self.mounted)
    }

    /// Returns the velocity of the sensor, m/s, and its angular velocity, rad/s, sensor frame. They do not depend on
    /// the time of a ray.
    pub fn motion(&self) -> [[f64; 3]; 2] {
        let Some((_, [vx, vy, omega])) = &self.vehicle else { return [[0.0; 3]; 2] };
        let rotation = self.mounted.rotation();
        let velocity = [vx - omega * self.mounted.y, vy + omega * self.mounted.x, 0.0];
        [velocity, [0.0, 0.0, *omega]].map(|vector| turned_back(&rotation, vector))
    }

    /// Returns whether the rays meet an entity.
    pub fn accepts(&self, number: u32, surroundings: &Surroundings) -> bool {
        accepts(self.own, self.see_own, self.see_bodies, number, surroundings)
    }
}

/// Returns a direction of the outer frame in the frame with this rotation.
pub(super) fn turned_back(rotation: &Rotation, direction: [f64; 3]) -> [f64; 3] {
    [0, 1, 2].map(|axis| {
        let column = rotation.map(|row| row[axis]);
        column[0] * direction[0] + column[1] * direction[1] + column[2] * direction[2]
    })
}

/// Returns whether the rays of a sensor on the vehicle `own` meet an entity.
pub(super) fn accepts(
    own: u32,
    see_own: bool,
    see_bodies: bool,
    number: u32,
    surroundings: &Surroundings,
) -> bool {
    if number == own {
        return see_own;
    }
    see_bodies || is_fixed(number, surroundings)
}

/// Returns whether an entity is neither a vehicle nor a movable block nor an actor.
pub(in crate::sensors) fn is_fixed(number: u32, surroundings: &Surroundings) -> bool {
    match surroundings.numbers.kind(number) {
        entity_kind::VEHICLE | entity_kind::ACTOR => false,
        entity_kind::BLOCK => !surroundings.movable.contains(&number),
        _ => true,
    }
}
