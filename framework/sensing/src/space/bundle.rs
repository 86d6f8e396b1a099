//! Bundles of rays: the rays of one sample of a sensor.

use std::cell::RefCell;
use std::ops::Range;

use simhost_scene::Pose3;

use super::Space;
use super::beam::{Beam, Return, dot};
use super::projection::Projection;

/// Smallest number of rays from one pose that are projected together.
const MANY: usize = 256;
/// Number of triangles per ray from which rays are cast one by one.
const DENSE: usize = 64;

/// Rays of one sample of a sensor in space.
#[derive(Clone, Copy, Debug)]
pub struct Bundle<'b> {
    /// Pose of the sensor in the world, if `poses` is empty.
    pub pose: Pose3,
    /// Poses of the sensor for the groups of rays: ray k is cast from pose k / `rays_per_pose`.
    pub poses: &'b [Pose3],
    /// Number of rays that share a pose of `poses`, at least 1.
    pub rays_per_pose: usize,
    /// Directions in the sensor frame (x ahead, y left, z up), of unit length.
    pub directions: &'b [[f64; 3]],
    /// Largest range, m.
    pub max_range: f64,
}

impl<'b> Bundle<'b> {
    /// Returns the pose from which a ray is cast.
    pub fn pose_of(&self, ray: usize) -> Pose3 {
        self.poses.get(ray / self.rays_per_pose.max(1)).copied().unwrap_or(self.pose)
    }

    /// Returns the bundle of some of the rays, for scans on several threads. With `poses`, the range has
    /// to start at the first ray of a pose.
    ///
    /// # Panics
    /// Panics if the range is not within the rays.
    pub fn part(&self, rays: Range<usize>) -> Bundle<'b> {
        let first = rays.start / self.rays_per_pose.max(1);
        let poses = self.poses.get(first..).unwrap_or_default();
        Bundle { poses, directions: &self.directions[rays], ..*self }
    }
}

/// Returns the ray along a direction in the sensor frame, or `None` for a direction that is zero or not
/// finite.
pub(super) fn beam(
    origin: [f64; 3],
    rotation: &simhost_scene::Rotation,
    direction: [f64; 3],
    max_range: f64,
) -> Option<Beam> {
    let turned = rotation.map(|row| dot(row, direction));
    let square = dot(turned, turned);
    (square > 0.0 && square < f64::INFINITY).then(|| Beam::along(origin, turned, max_range))
}

thread_local! {
    static PROJECTION: RefCell<Projection> = RefCell::default();
}

impl Space {
    /// Casts the rays of a bundle, and writes what each of them meets first of the objects whose numbers
    /// `accepts` accepts.
    ///
    /// Many rays from one pose are not cast one after the other: the triangles are projected among
    /// the rays. The numbers of rays and of triangles alone decide. Both methods are bit-identical
    /// to [`Self::scan_by_force`]. Nothing is allocated once the buffers of the calling thread have
    /// grown.
    ///
    /// # Panics
    /// Panics if there are fewer returns than directions.
    pub fn scan(&self, bundle: &Bundle<'_>, accepts: &dyn Fn(u32) -> bool, returns: &mut [Return]) {
        self.each_group(bundle, returns, |pose, directions, returns| {
            let rays = directions.len();
            if rays < MANY || self.triangles() > rays.saturating_mul(DENSE) {
                return self.scan_one_by_one(pose, directions, bundle.max_range, returns, |beam| {
                    self.cast(beam, accepts)
                });
            }
            PROJECTION.with_borrow_mut(|projection| {
                projection.scan(self, pose, directions, bundle.max_range, accepts, returns);
            });
        });
    }

    /// As [`Self::scan`], but looks at all objects and triangles along every ray.
    pub fn scan_by_force(
        &self,
        bundle: &Bundle<'_>,
        accepts: &dyn Fn(u32) -> bool,
        returns: &mut [Return],
    ) {
        self.each_group(bundle, returns, |pose, directions, returns| {
            self.scan_one_by_one(pose, directions, bundle.max_range, returns, |beam| {
                self.cast_by_force(beam, accepts)
            });
        });
    }

    fn each_group(
        &self,
        bundle: &Bundle<'_>,
        returns: &mut [Return],
        mut scan: impl FnMut(&Pose3, &[[f64; 3]], &mut [Return]),
    ) {
        assert!(returns.len() >= bundle.directions.len(), "one return for each direction");
        let group = match bundle.poses {
            [] => bundle.directions.len().max(1),
            _ => bundle.rays_per_pose.max(1),
        };
        let groups = bundle.directions.chunks(group).zip(returns.chunks_mut(group));
        for (number, (directions, returns)) in groups.enumerate() {
            scan(&bundle.pose_of(number * group), directions, returns);
        }
    }

    fn scan_one_by_one(
        &self,
        pose: &Pose3,
        directions: &[[f64; 3]],
        max_range: f64,
        returns: &mut [Return],
        cast: impl Fn(&Beam) -> Option<super::Strike>,
    ) {
        let (origin, rotation) = (pose.position(), pose.rotation());
        for (direction, found) in directions.iter().zip(returns) {
            let strike =
                beam(origin, &rotation, *direction, max_range).and_then(|beam| cast(&beam));
            *found = strike.map_or(Return::NOTHING, Return::from);
        }
    }
}
