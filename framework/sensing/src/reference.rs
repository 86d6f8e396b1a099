//! Ranges by brute force: every edge and every cell along every ray. The measure of all faster engines,
//! in tests and benches.

use simhost_scene::{Hit, polygon};
use simhost_vectors::Vec2;

use crate::scan::Fan;
use crate::scene::PlanarScene;

/// Writes the ranges of a fan, as [`PlanarScene::cast`] does.
pub fn cast(scene: &PlanarScene, fan: &Fan, ranges: &mut [f64]) {
    let (yaw_sin, yaw_cos) = libm::sincos(fan.origin.yaw);
    for (angle, range) in fan.angles.iter().zip(ranges) {
        let (sin, cos) = libm::sincos(*angle);
        let direction = [cos * yaw_cos - sin * yaw_sin, sin * yaw_cos + cos * yaw_sin];
        *range = cast_ray(scene, fan, direction);
    }
}

/// Returns the range along a unit vector.
fn cast_ray(scene: &PlanarScene, fan: &Fan, direction: [f64; 2]) -> f64 {
    let mut range = f64::INFINITY;
    for corners in scene.outlines(fan) {
        for (a, b) in polygon::edges(corners) {
            let a = [a[0] - fan.origin.x, a[1] - fan.origin.y];
            let b = [b[0] - fan.origin.x, b[1] - fan.origin.y];
            range = range.min(intersect(direction, a, b));
        }
    }
    for grid in scene.grids() {
        let reach = range.min(fan.max_range);
        if let Hit::Solid(distance) = grid.cast([fan.origin.x, fan.origin.y], direction, reach) {
            range = range.min(distance);
        }
    }
    if range > fan.max_range { f64::INFINITY } else { range }
}

/// Returns the distance along a ray from the origin to the segment a–b, or infinity if they do not
/// intersect.
fn intersect(direction: [f64; 2], a: [f64; 2], b: [f64; 2]) -> f64 {
    let [direction, a, b] = [direction, a, b].map(Vec2::from);
    let (side_a, side_b) = (direction.cross(a), direction.cross(b));
    if side_a * side_b > 0.0 {
        return f64::INFINITY;
    }
    if side_a == side_b {
        // the segment lies along the ray: take the nearer end in front
        return [direction.dot(a), direction.dot(b)]
            .into_iter()
            .filter(|distance| *distance >= 0.0)
            .fold(f64::INFINITY, f64::min);
    }
    let along = side_a / (side_a - side_b);
    let distance = direction.dot(a + along * (b - a));
    if distance >= 0.0 { distance } else { f64::INFINITY }
}
