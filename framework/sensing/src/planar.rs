//! Exact ranges in the plane along a fan of rays against outlines.
//!
//! Outlines out of range are culled by their bounding circles, and a segment is tested only against the
//! rays within the angle that it covers. The result equals that of testing every ray against every
//! segment.

use std::sync::Arc;

use simhost_scene::{Hit, OccupancyGrid, Pose2, polygon};

/// Outlines that a fan detects.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Visibility {
    /// All outlines.
    All,
    /// Only outlines that never move.
    StaticOnly,
}

/// Rays that start at one point.
#[derive(Clone, Copy, Debug)]
pub struct Fan<'a> {
    /// Origin and heading in the world frame.
    pub origin: Pose2,
    /// Height above the ground, m.
    pub z: f64,
    /// Direction of each ray relative to the heading, rad. Ascending angles are fastest.
    pub angles: &'a [f64],
    /// Maximum range, m.
    pub max_range: f64,
    /// Owner whose outlines are ignored.
    pub ignore: Option<u32>,
    /// Outlines that the fan detects.
    pub see: Visibility,
}

/// Outlines at one instant, world frame. The scene is cleared and filled again for the next instant.
#[derive(Clone, Debug, Default)]
pub struct PlanarScene {
    grids: Vec<Arc<OccupancyGrid>>,
    corners: Vec<[f64; 2]>,
    outlines: Vec<Outline>,
}

#[derive(Clone, Copy, Debug)]
struct Outline {
    owner: u32,
    fixed: bool,
    z_min: f64,
    z_max: f64,
    centre: [f64; 2],
    radius: f64,
    first: usize,
    count: usize,
}

impl PlanarScene {
    /// Creates a scene with occupancy grids, which [`Self::clear`] keeps. Their solid cells are detected
    /// at every height.
    pub fn new(grids: Vec<Arc<OccupancyGrid>>) -> Self {
        Self { grids, ..Self::default() }
    }

    /// Removes all outlines and keeps the allocated memory.
    pub fn clear(&mut self) {
        self.corners.clear();
        self.outlines.clear();
    }

    /// Adds a closed outline, given in the frame of `pose`, that reaches from height `heights[0]` to
    /// `heights[1]`, m. `fixed` states that it never moves.
    pub fn add_polygon(
        &mut self,
        owner: u32,
        fixed: bool,
        corners: &[[f64; 2]],
        pose: Pose2,
        heights: [f64; 2],
    ) {
        let first = self.corners.len();
        let (sin, cos) = libm::sincos(pose.yaw);
        self.corners.extend(
            corners.iter().map(|[x, y]| [pose.x + cos * x - sin * y, pose.y + sin * x + cos * y]),
        );
        self.outlines.push(Outline {
            owner,
            fixed,
            z_min: heights[0],
            z_max: heights[1],
            centre: [pose.x, pose.y],
            radius: polygon::bounding_radius(corners, [0.0, 0.0]),
            first,
            count: corners.len(),
        });
    }

    /// Writes the distance to the first outline or solid cell along each ray, m, or infinity if there is
    /// none within the maximum range. A ray that starts inside an outline hits it from inside.
    pub fn cast(&self, fan: &Fan, ranges: &mut [f64]) {
        ranges.fill(f64::INFINITY);
        let sorted = fan.angles.is_sorted();
        let directions: Vec<[f64; 2]> = fan
            .angles
            .iter()
            .map(|angle| {
                let (sin, cos) = libm::sincos(fan.origin.yaw + angle);
                [cos, sin]
            })
            .collect();
        for outline in self.outlines.iter().filter(|outline| outline.is_visible_to(fan)) {
            let corners = &self.corners[outline.first..outline.first + outline.count];
            for (a, b) in polygon::edges(corners) {
                let a = [a[0] - fan.origin.x, a[1] - fan.origin.y];
                let b = [b[0] - fan.origin.x, b[1] - fan.origin.y];
                if sorted {
                    cast_within(a, b, fan, &directions, ranges);
                } else {
                    cast_all(a, b, &directions, ranges);
                }
            }
        }
        for grid in &self.grids {
            for (direction, range) in directions.iter().zip(&mut *ranges) {
                let reach = range.min(fan.max_range);
                let origin = [fan.origin.x, fan.origin.y];
                if let Hit::Solid(distance) = grid.cast(origin, *direction, reach) {
                    *range = range.min(distance);
                }
            }
        }
        for range in ranges {
            if *range > fan.max_range {
                *range = f64::INFINITY;
            }
        }
    }
}

impl Outline {
    /// Returns whether a fan can detect the outline.
    fn is_visible_to(&self, fan: &Fan) -> bool {
        let [dx, dy] = [self.centre[0] - fan.origin.x, self.centre[1] - fan.origin.y];
        let reach = fan.max_range + self.radius;
        fan.ignore != Some(self.owner)
            && (self.fixed || fan.see == Visibility::All)
            && (self.z_min..=self.z_max).contains(&fan.z)
            && dx * dx + dy * dy <= reach * reach
    }
}

/// Tests the segment a–b, relative to the origin, against every ray.
fn cast_all(a: [f64; 2], b: [f64; 2], directions: &[[f64; 2]], ranges: &mut [f64]) {
    for (direction, range) in directions.iter().zip(ranges) {
        *range = range.min(intersect(*direction, a, b));
    }
}

/// Tests the segment a–b against the rays within the angle that it covers.
fn cast_within(a: [f64; 2], b: [f64; 2], fan: &Fan, directions: &[[f64; 2]], ranges: &mut [f64]) {
    use std::f64::consts::{PI, TAU};
    /// Margin for rounding errors of the angles, rad.
    const GUARD: f64 = 1e-9;
    let angle_a = libm::atan2(a[1], a[0]) - fan.origin.yaw;
    let covered = libm::atan2(a[0] * b[1] - a[1] * b[0], a[0] * b[0] + a[1] * b[1]);
    let (low, high) = (angle_a.min(angle_a + covered), angle_a.max(angle_a + covered));
    // seen from a point on it, a segment can cover either half plane
    if high - low > PI - 1e-6 {
        return cast_all(a, b, directions, ranges);
    }
    // the angles of rays can be offset by full turns
    let (Some(first), Some(last)) = (fan.angles.first(), fan.angles.last()) else { return };
    let turns = ((first - high - GUARD) / TAU).ceil();
    let mut shift = turns * TAU;
    while low + shift - GUARD <= *last {
        let from = fan.angles.partition_point(|angle| *angle < low + shift - GUARD);
        let to = fan.angles.partition_point(|angle| *angle <= high + shift + GUARD);
        cast_all(a, b, &directions[from..to], &mut ranges[from..to]);
        shift += TAU;
    }
}

/// Returns the distance along a ray from the origin to the segment a–b, or infinity if they do not
/// intersect.
fn intersect(direction: [f64; 2], a: [f64; 2], b: [f64; 2]) -> f64 {
    let cross = |u: [f64; 2], v: [f64; 2]| u[0] * v[1] - u[1] * v[0];
    let dot = |u: [f64; 2], v: [f64; 2]| u[0] * v[0] + u[1] * v[1];
    let (side_a, side_b) = (cross(direction, a), cross(direction, b));
    // segments that share a corner compute the same side for it, so that no ray passes between them
    if side_a * side_b > 0.0 {
        return f64::INFINITY;
    }
    if side_a == side_b {
        // the segment lies along the ray: take the nearer end in front
        return [dot(direction, a), dot(direction, b)]
            .into_iter()
            .filter(|distance| *distance >= 0.0)
            .fold(f64::INFINITY, f64::min);
    }
    let along = side_a / (side_a - side_b);
    let hit = [a[0] + along * (b[0] - a[0]), a[1] + along * (b[1] - a[1])];
    let distance = dot(direction, hit);
    if distance >= 0.0 { distance } else { f64::INFINITY }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SQUARE: [[f64; 2]; 4] = [[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]];

    fn scene() -> PlanarScene {
        let mut scene = PlanarScene::default();
        scene.add_polygon(1, true, &SQUARE, Pose2 { x: 5.0, y: 0.0, yaw: 0.0 }, [0.0, 1.0]);
        scene.add_polygon(2, false, &SQUARE, Pose2 { x: -4.0, y: 0.5, yaw: 0.3 }, [0.0, 2.0]);
        scene
    }

    fn fan<'a>(angles: &'a [f64]) -> Fan<'a> {
        let origin = Pose2::default();
        Fan { origin, z: 0.5, angles, max_range: 20.0, ignore: None, see: Visibility::All }
    }

    #[test]
    fn ranges_to_a_square_are_exact() {
        let angles = [-0.1, 0.0, 0.1, 1.5];
        let mut ranges = [0.0; 4];
        scene().cast(&fan(&angles), &mut ranges);
        assert_eq!(ranges[1], 4.0);
        assert!((ranges[2] - 4.0 / 0.1f64.cos()).abs() < 1e-14);
        assert_eq!(ranges[3], f64::INFINITY);
    }

    #[test]
    fn height_owner_reach_and_visibility_are_respected() {
        let mut range = [0.0];
        let cast = |fan: Fan, range: &mut [f64]| scene().cast(&fan, range);
        cast(Fan { z: 1.5, ..fan(&[0.0]) }, &mut range);
        assert_eq!(range[0], f64::INFINITY);
        cast(Fan { ignore: Some(1), ..fan(&[0.0]) }, &mut range);
        assert_eq!(range[0], f64::INFINITY);
        cast(Fan { max_range: 3.9, ..fan(&[0.0]) }, &mut range);
        assert_eq!(range[0], f64::INFINITY);
        cast(Fan { see: Visibility::StaticOnly, ..fan(&[3.1]) }, &mut range);
        assert_eq!(range[0], f64::INFINITY);
        cast(fan(&[3.1]), &mut range);
        assert!(range[0] < 4.0);
    }

    /// Compares the fast path with the test of every ray against every segment, from many poses.
    #[test]
    fn culling_does_not_change_ranges() {
        let scene = scene();
        let angles: Vec<f64> = (0..361).map(|i| (f64::from(i) - 180.0).to_radians()).collect();
        let mut shuffled = angles.clone();
        shuffled.reverse();
        for i in 0..400 {
            let t = f64::from(i);
            let origin =
                Pose2 { x: 7.0 * (0.37 * t).sin(), y: 3.0 * (0.23 * t).cos(), yaw: 0.7 * t };
            let (mut fast, mut slow) = ([0.0; 361], [0.0; 361]);
            scene.cast(&Fan { origin, ..fan(&angles) }, &mut fast);
            scene.cast(&Fan { origin, ..fan(&shuffled) }, &mut slow);
            slow.reverse();
            assert_eq!(fast, slow, "from {origin:?}");
        }
    }

    #[test]
    fn no_ray_passes_through_a_corner() {
        let scene = scene();
        for i in 0..100_000 {
            let to = [4.0 + 0.0 * f64::from(i), -1.0 + 2.0 * f64::from(i) / 1e5];
            let angle = [libm::atan2(to[1], to[0])];
            let mut range = [0.0];
            scene.cast(&fan(&angle), &mut range);
            assert!(range[0] < 4.3, "{angle:?}");
        }
    }
}
