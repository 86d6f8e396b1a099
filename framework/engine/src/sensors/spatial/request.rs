//! The rays of one sensor for an engine that casts them elsewhere.

use simhost_scene::Pose3;
use simhost_sensing::{Bundle, Placed, Tessellation, TriangleHit};

use super::viewer::{RaySensor, accepts};
use super::{Spatial, update_directions};
use crate::columns::{Column, Columns};
use crate::surroundings::Surroundings;
use crate::table::Table;
use crate::workers::Crew;

/// Smallest number of hits that a thread is given.
const HITS_PER_TASK: usize = 4096;

/// The rays of one sample of a sensor.
pub(in crate::sensors) struct Request {
    /// Place of the sensor in its group.
    lane: usize,
    /// Pose of the sensor in the world.
    pub pose: Pose3,
    /// Poses of the groups of rays; empty if all rays have the pose of the sensor.
    pub poses: Vec<Pose3>,
    /// Number of rays that share a pose.
    pub group: usize,
    /// Largest range, m.
    pub max_range: f64,
    /// Number of the own vehicle.
    pub own: u32,
    pub see_own: bool,
    pub see_bodies: bool,
    /// Whether the directions differ from those of the sample before.
    pub is_new: bool,
}

impl Request {
    /// Returns all poses.
    pub fn all_poses(&self) -> &[Pose3] {
        if self.poses.is_empty() { std::slice::from_ref(&self.pose) } else { &self.poses }
    }

    /// Returns whether the rays meet an entity.
    fn accepts(&self, number: u32, surroundings: &Surroundings) -> bool {
        let Self { own, see_own, see_bodies, .. } = *self;
        accepts(own, see_own, see_bodies, number, surroundings)
    }
}

impl Spatial {
    /// Determines the rays of a sensor and their directions.
    pub fn request(
        &mut self,
        sensor: RaySensor<'_>,
        columns: &Columns,
        tables: &[Table],
    ) -> Request {
        let RaySensor { fan, lane, rays, .. } = sensor;
        let viewer = self.viewer(sensor, columns, tables);
        let all = sensor.all();
        let of_rays = |column: Column| &columns.get(column)[all.clone()];
        let (angles, elevations) = (of_rays(fan.angle), self.elevation.map_or(&[][..], of_rays));
        let elevation = |ray: usize| elevations.get(ray).copied().unwrap_or(0.0);
        let known = &self.known[all.clone()];
        let mut changed = angles.iter().zip(known).enumerate();
        let is_new = changed.any(|(ray, (angle, known))| [*angle, elevation(ray)] != *known);
        if is_new {
            let known = &mut self.known[all.clone()];
            update_directions(angles, elevations, known, &mut self.directions[all.clone()]);
        }
        let group = match (self.time, &viewer.vehicle) {
            (Some(time), Some(_)) => self.find_poses(&viewer, of_rays(time)),
            _ => {
                self.poses.clear();
                rays
            }
        };
        let (own, see_own, see_bodies) = (viewer.own, viewer.see_own, viewer.see_bodies);
        Request {
            lane,
            pose: viewer.pose(0.0),
            poses: self.poses.clone(),
            group,
            max_range: viewer.max_range,
            own,
            see_own,
            see_bodies,
            is_new,
        }
    }

    /// Returns whether the rays of a sensor can have different origins.
    pub fn has_offsets(&self) -> bool {
        self.offset.is_some()
    }

    /// Returns the directions of a sensor.
    pub fn directions(&self, lane: usize, rays: usize) -> &[[f64; 3]] {
        &self.directions[lane * rays..(lane + 1) * rays]
    }

    /// Takes what the rays of a request have met, so that the next cast does not search again.
    pub fn take(
        &mut self,
        request: &Request,
        hits: &[TriangleHit],
        tessellation: &Tessellation,
        moving: &[Placed],
        surroundings: &Surroundings,
        crew: Crew<'_>,
    ) {
        let Request { lane, pose, poses, group, max_range, .. } = request;
        let (lane, rays) = (*lane, hits.len());
        let all = lane * rays..(lane + 1) * rays;
        let directions = &self.directions[all.clone()];
        let bundle =
            Bundle { pose: *pose, poses, rays_per_pose: *group, directions, max_range: *max_range };
        let part = HITS_PER_TASK.next_multiple_of((*group).clamp(1, rays.max(1)));
        let returns = self.returns[all].chunks_mut(part);
        let accepts = |number: u32| request.accepts(number, surroundings);
        let parts = returns.zip(hits.chunks(part)).enumerate();
        crew.for_each(parts, |(number, (returns, hits))| {
            let start = number * part;
            let bundle = bundle.part(start..start + returns.len());
            let space = surroundings.space();
            space.resolve(tessellation, moving, &bundle, hits, &accepts, returns);
        });
        if self.is_resolved.len() <= lane {
            self.is_resolved.resize(lane + 1, false);
        }
        self.is_resolved[lane] = true;
    }

    /// Returns whether the returns of a sensor have been taken since the last call.
    pub(super) fn take_resolved(&mut self, lane: usize) -> bool {
        self.is_resolved.get_mut(lane).is_some_and(std::mem::take)
    }
}
