//! Motion of what rays meet, as their sensor sees it.
//!
//! With the velocity v of a point relative to the sensor, in its frame, and the ray of length r with the direction d
//! at the angle a and the elevation e, the point moves across the ray at v · t/r, where t is
//! (−sin a, cos a, 0) to the left and (−sin e cos a, −sin e sin a, cos e) up.
//!
//! Simplification: vehicles, blocks and actors move with the velocity of their reference point, along the plane on
//! which they stand, and turn about the vertical. Wheels do not spin, and everything else stands still.

use simhost_abi::Neighbour;
use simhost_abi::host_port::SPACE_RAY_RESULTS;
use simhost_scene::{Pose3, Rotation};
use simhost_sensing::Return;

use super::results::Met;
use super::viewer::turned_back;

/// Places of `rate_left` and `rate_up` in [`SPACE_RAY_RESULTS`], the last ones.
const RATES: [usize; 2] = [SPACE_RAY_RESULTS.len() - 2, SPACE_RAY_RESULTS.len() - 1];

/// Returns whether a result is a rate.
pub(super) fn is_rate(place: usize) -> bool {
    RATES.contains(&place)
}

/// The motion of a sensor and of what it sees.
pub(super) struct Seen<'s> {
    /// Velocity, m/s, and angular velocity, rad/s, of the sensor, sensor frame.
    pub motion: [[f64; 3]; 2],
    /// Number of the vehicle that carries the sensor.
    pub own: u32,
    /// Everything that can move, sorted by number.
    pub entities: &'s [Neighbour],
}

impl Seen<'_> {
    /// Writes the rates at a place of [`SPACE_RAY_RESULTS`].
    pub fn write(&self, met: &Met<'_>, place: usize, values: &mut [f64]) {
        let group = met.rays_per_pose.max(1);
        let rays = met.directions.chunks(group).zip(met.returns.chunks(group));
        for (number, ((directions, returns), values)) in
            rays.zip(values.chunks_mut(group)).enumerate()
        {
            let pose = met.poses.get(number).unwrap_or(&met.pose);
            let (origin, rotation) = (pose.position(), pose.rotation());
            for ((direction, found), value) in directions.iter().zip(returns).zip(values) {
                let across = across(*direction)[usize::from(place == RATES[1])];
                *value = dot(across, self.relative(origin, &rotation, *direction, found));
            }
        }
    }

    /// Returns the velocity of what a ray meets relative to the sensor, sensor frame, divided by its distance, 1/s.
    fn relative(
        &self,
        origin: [f64; 3],
        rotation: &Rotation,
        direction: [f64; 3],
        found: &Return,
    ) -> [f64; 3] {
        let [velocity, turning] = self.motion;
        let is_met = found.range.is_finite();
        if is_met && found.number == self.own {
            return [0.0; 3];
        }
        let apparent = cross(turning, direction).map(|part| -part);
        if !is_met {
            return apparent;
        }
        let ahead = [0, 1, 2].map(|axis| dot(rotation[axis], direction));
        let point = [0, 1, 2].map(|axis| origin[axis] + found.range * ahead[axis]);
        let own = turned_back(rotation, self.velocity(found.number, point));
        [0, 1, 2].map(|axis| apparent[axis] + (own[axis] - velocity[axis]) / found.range)
    }

    /// Returns the velocity of a point of an entity, m/s, world frame.
    fn velocity(&self, number: u32, [x, y, _]: [f64; 3]) -> [f64; 3] {
        let place = self.entities.binary_search_by_key(&number, |one| one.entity);
        let Some(entity) = place.ok().map(|place| &self.entities[place]) else { return [0.0; 3] };
        let ([vx, vy], turning) = (entity.velocity, entity.yaw_rate);
        let Neighbour { yaw, pitch, roll, .. } = *entity;
        let up = Pose3 { yaw, pitch, roll, ..Pose3::default() }.rotation().map(|row| row[2]);
        let climb = if up[2] > 0.0 { -(up[0] * vx + up[1] * vy) / up[2] } else { 0.0 };
        let [dx, dy] = [x - entity.position[0], y - entity.position[1]];
        [vx - turning * dy, vy + turning * dx, climb]
    }
}

/// Returns the directions to the left and up at a direction.
fn across([x, y, z]: [f64; 3]) -> [[f64; 3]; 2] {
    let level = (x * x + y * y).sqrt();
    let [cos, sin] = if level > 0.0 { [x / level, y / level] } else { [1.0, 0.0] };
    [[-sin, cos, 0.0], [-z * cos, -z * sin, level]]
}

fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

fn cross(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}
