//! Results of rays in space in addition to their ranges.

use simhost_abi::host_port::SPACE_RAY_RESULTS;
use simhost_abi::{Phase, Scope};
use simhost_model::View;
use simhost_scene::{Pose3, Rotation};
use simhost_sensing::Return;

use crate::columns::{Column, Layout};
use crate::daylight::turned;
use crate::model::{Lengths, PortMap};
use crate::surroundings::Surroundings;

/// Place of `cos_incidence` in [`SPACE_RAY_RESULTS`].
const COS_INCIDENCE: usize = 0;
/// Place of `entity`.
const ENTITY: usize = 5;
/// Place of `light_red`, which green and blue follow.
const LIGHT: usize = 7;

/// A result that the model reads, by its place in [`SPACE_RAY_RESULTS`].
pub(in crate::sensors) type Wanted = (usize, Column);

/// Returns the columns of the results of rays that a phase reads in addition to the range.
pub(in crate::sensors) fn result_columns(
    read: &'static View<Phase>,
    lengths: Lengths,
    layout: &mut Layout,
) -> Vec<Wanted> {
    let names = SPACE_RAY_RESULTS.iter().enumerate();
    let is_read =
        |name: &str| read.inputs().iter().any(|port| port.name() == name && is_per_ray(port.scope));
    names
        .filter(|(_, port)| is_read(port.name))
        .map(|(place, port)| (place, layout.fill(lengths.lanes * lengths.rays, port.default)))
        .collect()
}

fn is_per_ray(scope: u32) -> bool {
    Scope::from_u32(scope) == Scope::Ray
}

/// Returns the columns of results by their names.
pub(in crate::sensors) fn result_ports(results: &[Wanted]) -> PortMap {
    let mut ports = PortMap::default();
    for (place, column) in results {
        ports.extend(PortMap::one(SPACE_RAY_RESULTS[*place].name, *column));
    }
    ports
}

/// Returns whether a result is a part of the light.
pub(super) fn is_light(place: usize) -> bool {
    (LIGHT..LIGHT + 3).contains(&place)
}

/// What rays with the same origin of times have met.
pub(super) struct Met<'c> {
    /// Pose from which all are cast, or, if there are any, those of the groups.
    pub pose: Pose3,
    pub poses: &'c [Pose3],
    pub rays_per_pose: usize,
    /// Directions, sensor frame.
    pub directions: &'c [[f64; 3]],
    pub returns: &'c [Return],
    /// Light along each ray; empty if no model reads it.
    pub lights: &'c [[f64; 3]],
}

impl Met<'_> {
    /// Writes the result at a place of [`SPACE_RAY_RESULTS`].
    pub fn write(&self, place: usize, values: &mut [f64], surroundings: &Surroundings) {
        if place == COS_INCIDENCE {
            return self.write_incidence(values);
        }
        if is_light(place) {
            for (value, light) in values.iter_mut().zip(self.lights) {
                *value = light[place - LIGHT];
            }
            return;
        }
        let surfaces = surroundings.scenery.surfaces();
        let surface = |found: &Return| &surfaces[found.surface as usize];
        let part = |found: &Return, part: usize| f64::from(surface(found).color[part]) / 255.0;
        if place == ENTITY {
            return self.write_met(place, values, |found| f64::from(found.number));
        }
        match SPACE_RAY_RESULTS[place].name {
            "reflectivity" => {
                self.write_met(place, values, |found| f64::from(surface(found).reflectivity));
            }
            "red" => self.write_met(place, values, |found| part(found, 0)),
            "green" => self.write_met(place, values, |found| part(found, 1)),
            "blue" => self.write_met(place, values, |found| part(found, 2)),
            _ => self.write_met(place, values, |found| f64::from(surface(found).class)),
        }
    }

    /// Writes a result that depends on what a ray meets alone.
    fn write_met(&self, place: usize, values: &mut [f64], result: impl Fn(&Return) -> f64) {
        let default = SPACE_RAY_RESULTS[place].default;
        for (value, found) in values.iter_mut().zip(self.returns) {
            *value = if found.range.is_finite() { result(found) } else { default };
        }
    }

    fn write_incidence(&self, values: &mut [f64]) {
        let group = self.rays_per_pose.max(1);
        let rays = self.directions.chunks(group).zip(self.returns.chunks(group));
        for (number, ((directions, returns), values)) in
            rays.zip(values.chunks_mut(group)).enumerate()
        {
            let rotation = self.poses.get(number).unwrap_or(&self.pose).rotation();
            for ((direction, found), value) in directions.iter().zip(returns).zip(values) {
                *value = cos_incidence(&rotation, *direction, found.normal);
            }
        }
    }
}

/// Returns the cosine of the angle between a ray, whose direction is in the frame of its sensor, and a
/// normal.
fn cos_incidence(rotation: &Rotation, direction: [f64; 3], normal: [f32; 3]) -> f64 {
    let ([x, y, z], [u, v, w]) = (turned(rotation, direction), normal);
    let dot = x * f64::from(u) + y * f64::from(v) + z * f64::from(w);
    // normals have the precision of f32
    (-dot).clamp(0.0, 1.0)
}
