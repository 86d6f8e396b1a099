//! A sensor of objects: vehicles, blocks and actors nearby, for planners without perception.
//!
//! The list is exact, apart from the errors that the parameters give. An object is in the list if the
//! centre of the box about its outline is in the range and in the field of view. With `line_of_sight`, at
//! least one of five rays has to meet it first: to the centre of its box, and to four points
//! a tenth of its size inside of the corners of the level section through it.
//!
//! The errors of an object do not depend on the other objects of the list.
//!
//! **Limit:** only the 256 objects with the nearest reference points are considered. Errors of
//! successive samples are independent, and there are no false objects. The line of sight can be
//! missed if only a small part of an object is visible. Objects whose reference point is more than
//! 20 m from the centre of their box can be missed at the edge of the range.

use simhost_sdk::kinematics::rotation;
use simhost_sdk::prelude::*;
use simhost_sdk::vectors::Vec3;

use crate::carrier::{Carrier, Station, stream_of};
use crate::mounting::Mount;

/// Largest number of objects that are looked at.
const MOST: usize = 256;
/// Largest distance of the centre of a box from its reference point that is looked at, m.
const MARGIN: f64 = 20.0;
/// Share of the size of a box at whose distance from the centre an object is looked for.
const INSIDE: f64 = 0.4;

/// A sensor of objects: pose, velocity, size and class of nearby objects, sorted by distance.
#[derive(Params)]
#[param(scaling = Scaling::INVARIANT)]
pub struct Objects {
    /// Pose on the vehicle.
    #[param(flatten)]
    mount: Mount,
    /// Horizontal field of view, half of it on either side of the heading.
    #[param(default = 360.0, above = 0.0, range = ..=360.0, unit = "deg", scale = math::DEG,
            key = "fov_degrees")]
    fov: f64,
    /// Largest distance of the centre of an object, with its errors.
    #[param(default = 50.0, above = 0.0, unit = "m")]
    max_range: f64,
    /// Length of the list. If there are more objects, it contains the nearest.
    #[param(default = 16, range = 1..=128)]
    max_objects: usize,
    /// Whether other vehicles are in the list.
    #[param(default = true)]
    vehicles: bool,
    /// Whether blocks are in the list.
    #[param(default = true)]
    blocks: bool,
    /// Whether actors are in the list.
    #[param(default = true)]
    actors: bool,
    /// Whether the list contains only visible objects.
    #[param(default = false)]
    line_of_sight: bool,
    /// Standard deviation of the noise on each coordinate of the position.
    #[param(default = 0.0, range = 0.0.., unit = "m")]
    position_std_noise: f64,
    /// Standard deviation of the noise on the heading.
    #[param(default = 0.0, range = 0.0.., unit = "deg", scale = math::DEG,
            key = "yaw_std_noise_deg")]
    yaw_std_noise: f64,
    /// Standard deviation of the noise on each component of the velocity.
    #[param(default = 0.0, range = 0.0.., unit = "m/s")]
    velocity_std_noise: f64,
    /// Standard deviation of the noise on length, width and height, relative to them.
    #[param(default = 0.0, range = 0.0..=1.0)]
    size_std_noise: f64,
    /// Probability that an object is missing in a sample.
    #[param(default = 0.0, range = 0.0..=1.0)]
    drop_out: f64,
}

/// The list as a whole.
#[derive(Debug, PartialEq, Ports)]
pub struct Summary {
    /// Number of objects in the list.
    #[port(unit = "1")]
    count: f64,
    /// Number of objects that would be in a list of any length.
    #[port(unit = "1")]
    total: f64,
}

/// An object that the sensor has found.
#[derive(Clone, Copy)]
struct Found {
    entity: Neighbour,
    /// Distance from the sensor, m.
    distance: f64,
}

/// Readings of an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, RayPorts)]
pub enum Listed {
    /// Number of the entity, -1 for none.
    #[port(unit = "1")]
    Entity,
    /// 1 for a vehicle, 2 for a block, 4 for an actor, 0 for none.
    #[port(unit = "1")]
    Kind,
    /// Number of the semantic class.
    #[port(unit = "1")]
    Class,
    /// Distance of the centre of the box from the sensor.
    #[port(unit = "m")]
    Distance,
    /// Centre of the box, sensor frame.
    #[port(unit = "m")]
    PositionX,
    /// Centre of the box, sensor frame.
    #[port(unit = "m")]
    PositionY,
    /// Centre of the box, sensor frame.
    #[port(unit = "m")]
    PositionZ,
    /// Heading relative to the sensor.
    #[port(unit = "rad")]
    Heading,
    /// Velocity relative to the sensor, sensor frame.
    #[port(unit = "m/s")]
    VelocityX,
    /// Velocity relative to the sensor, sensor frame.
    #[port(unit = "m/s")]
    VelocityY,
    /// Velocity relative to the sensor, sensor frame.
    #[port(unit = "m/s")]
    VelocityZ,
    /// Yaw rate of the object in the world.
    #[port(unit = "rad/s")]
    YawRate,
    /// Length of the box about the outline.
    #[port(unit = "m")]
    Length,
    /// Width of the box.
    #[port(unit = "m")]
    Width,
    /// Height of the box.
    #[port(unit = "m")]
    Height,
}

#[model]
impl Sensor for Objects {
    const PERCEIVES: bool = true;
    const SPATIAL: bool = true;

    fn prepare(&mut self) -> Result<(), String> {
        match self.mask() {
            0 => {
                Err("vehicles, blocks and actors are all false, expected at least one of them"
                    .into())
            }
            _ => Ok(()),
        }
    }

    /// Returns the length of the list, each of whose places has a value of every reading.
    fn rays(&self) -> usize {
        self.max_objects
    }

    fn aim(&self, aim: &mut Aim, _: &mut Random) {
        self.mount.mounting().aim_without_rays(aim);
    }

    fn read(
        &self,
        at: &Carrier,
        rays: &mut RayReadings<Listed>,
        random: &mut Random,
        step: &Step,
        _: &mut (),
    ) -> Summary {
        let station = at.station(&self.mount.mounting());
        let key = random.bits();
        let Vec3 { x, y, .. } = station.position;
        let query = NeighbourQuery::new([x, y], self.max_range + MARGIN).of(self.mask());
        let mut buffer = [Neighbour::NONE; MOST];
        let nearest = step.neighbours(&query, &mut buffer).nearest;
        let mut found = [Found { entity: Neighbour::NONE, distance: 0.0 }; MOST];
        let mut total = 0;
        for entity in nearest {
            let distance = station.see(centre(entity)).length();
            if self.is_seen(&station, entity, distance, key, step) {
                found[total] = Found { entity: *entity, distance };
                total += 1;
            }
        }
        let found = &mut found[..total];
        found.sort_unstable_by(|a, b| {
            a.distance.total_cmp(&b.distance).then(a.entity.entity.cmp(&b.entity.entity))
        });
        for reading in Listed::ALL {
            rays.column(*reading).fill(if *reading == Listed::Entity { -1.0 } else { 0.0 });
        }
        let count = total.min(self.max_objects);
        for (place, one) in found[..count].iter().enumerate() {
            let class = f64::from(step.class_of(one.entity.entity));
            let mut random = stream_of(key, u64::from(one.entity.entity));
            rays.set_all(place, self.describe(&station, &one.entity, class, &mut random));
        }
        Summary { count: count as f64, total: total as f64 }
    }
}

impl Objects {
    /// Returns the kinds of entities in the list.
    fn mask(&self) -> u32 {
        let kinds = [
            (self.vehicles, entity::VEHICLE),
            (self.blocks, entity::BLOCK),
            (self.actors, entity::ACTOR),
        ];
        kinds.into_iter().filter(|(is_set, _)| *is_set).map(|(_, kind)| kind).sum()
    }

    /// Returns whether an entity belongs into the list.
    fn is_seen(
        &self,
        station: &Station,
        entity: &Neighbour,
        distance: f64,
        key: u64,
        step: &Step,
    ) -> bool {
        let Vec3 { x, y, .. } = station.see(centre(entity));
        let is_ahead = math::atan2(y, x).abs() <= 0.5 * self.fov * (1.0 + 1e-12);
        // the errors of the object follow in its stream
        let is_lost = stream_of(!key, u64::from(entity.entity)).uniform() < self.drop_out;
        distance <= self.max_range
            && is_ahead
            && !is_lost
            && (!self.line_of_sight || is_visible(station, entity, step))
    }

    /// Returns the readings of an object, with its errors.
    fn describe(
        &self,
        station: &Station,
        entity: &Neighbour,
        class: f64,
        random: &mut Random,
    ) -> [(Listed, f64); 15] {
        let mut noise = [0.0; 10];
        random.fill_normal(&mut noise);
        let moved = |vector: Vec3, sigma: f64, first: usize| {
            vector + sigma * Vec3::new(noise[first], noise[first + 1], noise[first + 2])
        };
        let position = moved(station.see(centre(entity)), self.position_std_noise, 0);
        // errors move an object within the range
        let excess = position.length() / self.max_range;
        let position = if excess > 1.0 { position * (1.0 / excess) } else { position };
        let [x, y] = velocity(entity);
        let velocity =
            moved(station.see_velocity(Vec3::new(x, y, 0.0)), self.velocity_std_noise, 3);
        let size = [0, 1, 2].map(|axis| {
            let exact = entity.box_max[axis] - entity.box_min[axis];
            (exact * (1.0 + self.size_std_noise * noise[6 + axis])).max(0.0)
        });
        let attitude = rotation([entity.yaw, entity.pitch, entity.roll]);
        let forwards = station.rotation.invert(attitude.apply(Vec3::new(1.0, 0.0, 0.0)));
        let heading = wrap(math::atan2(forwards.y, forwards.x) + self.yaw_std_noise * noise[9]);
        [
            (Listed::Entity, f64::from(entity.entity)),
            (Listed::Kind, f64::from(entity.kind)),
            (Listed::Class, class),
            (Listed::Distance, position.length()),
            (Listed::PositionX, position.x),
            (Listed::PositionY, position.y),
            (Listed::PositionZ, position.z),
            (Listed::Heading, heading),
            (Listed::VelocityX, velocity.x),
            (Listed::VelocityY, velocity.y),
            (Listed::VelocityZ, velocity.z),
            (Listed::YawRate, entity.yaw_rate),
            (Listed::Length, size[0]),
            (Listed::Width, size[1]),
            (Listed::Height, size[2]),
        ]
    }
}

/// Returns a point of the box of an entity in the world, m; its place is relative to the centre in half sizes.
fn point_of(entity: &Neighbour, place: [f64; 2]) -> Vec3 {
    let middle = |axis: usize| 0.5 * (entity.box_min[axis] + entity.box_max[axis]);
    let half = |axis: usize| 0.5 * (entity.box_max[axis] - entity.box_min[axis]);
    let attitude = rotation([entity.yaw, entity.pitch, entity.roll]);
    let [along, across] = place;
    let local = Vec3::new(middle(0) + along * half(0), middle(1) + across * half(1), middle(2));
    Vec3::from(entity.position) + attitude.apply(local)
}

/// Returns the centre of the box of an entity in the world, m.
pub(crate) fn centre(entity: &Neighbour) -> Vec3 {
    point_of(entity, [0.0; 2])
}

/// Returns the level velocity of the centre of the box of an entity in the world, m/s.
fn velocity(entity: &Neighbour) -> [f64; 2] {
    velocity_at(entity, centre(entity).into())
}

/// Returns the level velocity of a point of an entity, m, in the world, m/s.
pub(crate) fn velocity_at(entity: &Neighbour, point: [f64; 3]) -> [f64; 2] {
    let [x, y] = [0, 1].map(|axis| point[axis] - entity.position[axis]);
    let [vx, vy] = entity.velocity;
    [vx - entity.yaw_rate * y, vy + entity.yaw_rate * x]
}

/// Returns whether a ray meets an entity before anything else.
fn is_visible(station: &Station, entity: &Neighbour, step: &Step) -> bool {
    let corners = [1.0, -1.0].map(|x| [1.0, -1.0].map(|y| [2.0 * INSIDE * x, 2.0 * INSIDE * y]));
    std::iter::once([0.0; 2]).chain(corners.into_iter().flatten()).any(|place| {
        let hit = step.ray(&station.ray_to(point_of(entity, place), 0.0));
        !hit.is_hit() || hit.entity == entity.entity
    })
}

/// Returns an angle from −π to π, rad.
fn wrap(angle: f64) -> f64 {
    let (sin, cos) = math::sin_cos(angle);
    math::atan2(sin, cos)
}

#[cfg(test)]
mod tests {
    use simhost_sdk::ports::Attitude;

    use super::*;
    use crate::mounting::Mounting;

    fn sensor() -> Objects {
        Objects {
            mount: Mount::default(),
            fov: 360.0 * math::DEG,
            max_range: 50.0,
            max_objects: 4,
            vehicles: true,
            blocks: false,
            actors: true,
            line_of_sight: false,
            position_std_noise: 0.0,
            yaw_std_noise: 0.0,
            velocity_std_noise: 0.0,
            size_std_noise: 0.0,
            drop_out: 0.0,
        }
    }

    const CAR: Neighbour = Neighbour {
        position: [10.0, 0.0, 0.0],
        yaw: std::f64::consts::FRAC_PI_2,
        velocity: [0.0, 3.0],
        yaw_rate: 0.5,
        box_min: [-1.0, -0.9, 0.2],
        box_max: [3.0, 0.9, 1.4],
        entity: 7,
        kind: entity::VEHICLE,
        ..Neighbour::NONE
    };

    #[test]
    fn an_object_is_described_in_the_frame_of_the_sensor() {
        let at = Carrier {
            attitude: Attitude { yaw: std::f64::consts::FRAC_PI_2, pitch: 0.0, roll: 0.0 },
            body_velocity_x: 2.0,
            ..Carrier::default()
        };
        let station = at.station(&Mounting::new(None, None));
        let found = sensor().describe(&station, &CAR, 3.0, &mut Random::new(1));
        // the centre of the box is 1 m ahead of the reference point, and moves to the left of the car
        let expected = [
            7.0,
            1.0,
            3.0,
            101.0f64.sqrt().hypot(0.8),
            1.0,
            -10.0,
            0.8,
            0.0,
            1.0,
            0.5,
            0.0,
            0.5,
            4.0,
            1.8,
            1.2,
        ];
        for ((_, found), expected) in found.iter().zip(expected) {
            assert!((found - expected).abs() < 1e-12, "{found} {expected}");
        }
        assert_eq!(sensor().mask(), entity::VEHICLE | entity::ACTOR);
    }

    #[test]
    fn errors_have_their_deviations() {
        let sensor = Objects { position_std_noise: 0.3, velocity_std_noise: 0.2, ..sensor() };
        let station = Carrier::default().station(&Mounting::new(None, None));
        let of = |reading: Listed| {
            let values: Vec<f64> = (0..20_000)
                .map(|n| sensor.describe(&station, &CAR, 0.0, &mut stream_of(n, 7)))
                .map(|readings| readings[reading.place()].1)
                .collect();
            let mean = values.iter().sum::<f64>() / 2e4;
            (mean, (values.iter().map(|one| (one - mean).powi(2)).sum::<f64>() / 2e4).sqrt())
        };
        for (reading, mean, sigma) in [
            (Listed::PositionX, 10.0, 0.3),
            (Listed::PositionY, 1.0, 0.3),
            (Listed::VelocityX, -0.5, 0.2),
            (Listed::VelocityY, 3.0, 0.2),
        ] {
            let found = of(reading);
            assert!((found.0 - mean).abs() < 0.01, "{found:?}");
            assert!((found.1 / sigma - 1.0).abs() < 0.02, "{found:?}");
        }
    }
}
