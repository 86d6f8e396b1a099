//! Curvature of the ground along the path of a vehicle.
//!
//! A vehicle that follows the ground accelerates along its normal with v² κ, which its wheels carry in
//! addition to its weight. κ is a second difference of the planes on which the vehicle stands a little
//! behind, here and a little ahead. The distance is the radius of its largest wheel, which is about the length
//! over which a tyre envelops a kink, or the distance of the samples of terrain if that is more: triangles then
//! have the curvature of the surface that their corners sample, rather than none between kinks.

use simhost_scene::Pose3;

use super::attitude::attitude_beyond;
use super::fall::HOP_SPEED;
use super::{Footing, Ground, GroundSurface, Patch};

/// Slope to the planes behind and ahead beyond which there is an edge and no curvature.
const EDGE_SLOPE: f64 = 1.5;
/// Speed below which nothing follows a curvature, m/s.
const LEAST_SPEED: f64 = 1e-3;

/// Motion of a vehicle as seen from above.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PathMotion {
    /// Velocity of the reference point, world frame, m/s.
    pub velocity: [f64; 2],
    /// Yaw rate, rad/s.
    pub omega: f64,
    /// Distance of the furthest contact point from the reference point, m.
    pub radius: f64,
    /// Gravity, m/s².
    pub gravity: f64,
}

/// Poses of a vehicle on the ground a little behind, here, and a little ahead.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PathPoses {
    /// The poses.
    pub poses: [Pose3; 3],
    /// Time between each of them and the next, s.
    pub time: f64,
}

/// Returns the poses around that of a vehicle on the ground, or `None` between two edges, on surfaces that can
/// move, and for a vehicle that does not. Beyond an edge, the ground of the other side is continued straight.
pub(crate) fn around(
    ground: &Ground,
    footing: &Footing,
    pose: &Pose3,
    motion: PathMotion,
) -> Option<PathPoses> {
    let PathMotion { velocity: [vx, vy], omega, radius, gravity } = motion;
    let speed = (vx * vx + vy * vy).sqrt() + omega.abs() * radius;
    if speed < LEAST_SPEED || footing.points.is_empty() {
        return None;
    }
    let patch_of = |span: f64| ground.near([pose.x, pose.y], radius + span);
    let narrow = footing.climb;
    let mut span = patch_of(narrow).sample_distance().max(narrow);
    let mut patch = patch_of(span);
    if span > narrow && !patch.is_terrain() {
        (span, patch) = (narrow, patch_of(narrow));
    }
    if patch.can_move() {
        return None;
    }
    let time = span / speed;
    let poses = [-time, 0.0, time].map(|by| {
        let moved =
            Pose3 { x: pose.x + by * vx, y: pose.y + by * vy, yaw: pose.yaw + by * omega, ..*pose };
        // small slopes count, so that curvature does not jump where they become level
        attitude_beyond(&patch, footing, moved, 0.0)
    });
    let is_edge = |at: &Pose3| {
        (at.z - pose.z).abs() > EDGE_SLOPE * span || (span > narrow && !patch.has_terrain(at))
    };
    // where the ground falls away from a wheel faster than the wheel can fall
    let drop = gravity * time * time + 2.0 * HOP_SPEED * time;
    let is_dropped = |[x, y]: &[f64; 2]| {
        let [behind, here, ahead] = poses.each_ref().map(|at| at.transform([*x, *y, 0.0])[2]);
        behind - 2.0 * here + ahead < -drop
    };
    let has_edge = poses.iter().any(is_edge) || footing.points.iter().any(is_dropped);
    if !has_edge {
        return Some(PathPoses { poses, time });
    }
    let poses = beside_edge(poses, footing, EDGE_SLOPE * span, is_edge)?;
    Some(PathPoses { poses, time })
}

/// Continues the ground of the flatter side straight beyond an edge. Returns `None` if both sides end at one.
fn beside_edge(
    [behind, here, ahead]: [Pose3; 3],
    footing: &Footing,
    most: f64,
    is_edge: impl Fn(&Pose3) -> bool,
) -> Option<[Pose3; 3]> {
    let rise = |at: &Pose3| {
        let height = |pose: &Pose3, [x, y]: [f64; 2]| pose.transform([x, y, 0.0])[2];
        let rises = footing.points.iter().map(|point| height(at, *point) - height(&here, *point));
        rises.fold(0.0, |most: f64, rise| most.max(rise.abs()))
    };
    let known = |at: &Pose3| Some(rise(at)).filter(|rise| *rise <= most && !is_edge(at));
    let straight = |from: Pose3, to: Pose3| Pose3 {
        z: 2.0 * here.z - from.z,
        pitch: 2.0 * here.pitch - from.pitch,
        roll: 2.0 * here.roll - from.roll,
        ..to
    };
    match [known(&behind), known(&ahead)] {
        [None, None] => None,
        [Some(rise), other] if other.is_none_or(|other| rise < other) => {
            Some([behind, here, straight(behind, ahead)])
        }
        _ => Some([straight(ahead, behind), here, ahead]),
    }
}

impl Patch<'_> {
    /// Returns the greatest distance of the samples of terrain, m; 0 without terrain.
    fn sample_distance(&self) -> f64 {
        self.fields().map(|field| field.map_or(0.0, |field| field.resolution())).fold(0.0, f64::max)
    }

    /// Returns whether there is nothing but terrain.
    fn is_terrain(&self) -> bool {
        self.fields().all(|field| field.is_some())
    }

    /// Returns whether there is terrain below a pose.
    fn has_terrain(&self, at: &Pose3) -> bool {
        self.fields().flatten().any(|field| field.height_at(at.x, at.y).is_some())
    }

    /// Returns whether a surface can move.
    fn can_move(&self) -> bool {
        self.numbers.iter().any(|number| self.ground.moves[*number as usize])
    }

    fn fields(&self) -> impl Iterator<Item = Option<&simhost_scene::HeightField>> {
        self.numbers.iter().map(|number| match &self.ground.surfaces[*number as usize] {
            GroundSurface::Field(field) => Some(&**field),
            _ => None,
        })
    }
}
