//! Height, pitch and roll of a vehicle on uneven ground.

use nalgebra::{Matrix3, Vector3};
use simhost_scene::Pose3;
use simhost_sdk::math;
use smallvec::SmallVec;

use super::Patch;

/// Contact points of a vehicle with the ground, vehicle frame.
#[derive(Clone, Debug, Default)]
pub(crate) struct Footing {
    /// Positions of the wheels, then of the ends of the body where the wheels alone cannot support it,
    /// m.
    pub points: Vec<[f64; 2]>,
    /// Number of points that are wheels.
    wheels: usize,
    /// Greatest height of the ground above a point at which it still supports the point, m.
    pub climb: f64,
}

impl Footing {
    /// Creates the points of a vehicle. If `supported` is true and all wheels are in one line, the front
    /// and rear ends of the outline support the vehicle too.
    pub fn new(wheels: &[[f64; 2]], outline: &[[f64; 2]], climb: f64, supported: bool) -> Self {
        let mut points = wheels.to_vec();
        if supported && spread(wheels) < 1e-6 {
            let front = outline.iter().map(|p| p[0]).fold(f64::NEG_INFINITY, f64::max);
            let back = outline.iter().map(|p| p[0]).fold(f64::INFINITY, f64::min);
            points.extend([[front, 0.0], [back, 0.0]]);
        }
        Self { points, wheels: wheels.len(), climb }
    }
}

/// Returns twice the greatest area of a triangle of the first wheel and two others, m².
fn spread(wheels: &[[f64; 2]]) -> f64 {
    let Some((first, rest)) = wheels.split_first() else { return 0.0 };
    let mut greatest = 0f64;
    for (i, a) in rest.iter().enumerate() {
        for b in &rest[i + 1..] {
            let cross =
                (a[0] - first[0]) * (b[1] - first[1]) - (a[1] - first[1]) * (b[0] - first[0]);
            greatest = greatest.max(cross.abs());
        }
    }
    greatest
}

/// Slope above which ground counts as a step, over which a vehicle does not tilt.
const MAX_SLOPE: f64 = 1.5;

/// Points on the ground, m. Few vehicles have more.
type Heights = SmallVec<[[f64; 3]; 16]>;

/// Returns a pose with the height, pitch and roll of the ground below it: those of the least-squares
/// plane through the ground at the points of the footing. Two passes are made, because the points move
/// when the vehicle tilts.
pub(crate) fn attitude(patch: &Patch<'_>, footing: &Footing, mut pose: Pose3) -> Pose3 {
    if footing.points.is_empty() {
        return pose;
    }
    for _ in 0..2 {
        let ground: Heights = footing
            .points
            .iter()
            .map(|[x, y]| {
                let [x, y, z] = pose.transform([*x, *y, 0.0]);
                [x, y, patch.height(x, y, z + footing.climb)]
            })
            .collect();
        let ground = within_reach(ground, footing);
        let lowest = ground.iter().map(|p| p[2]).fold(f64::INFINITY, f64::min);
        let highest = ground.iter().map(|p| p[2]).fold(f64::NEG_INFINITY, f64::max);
        if highest - lowest < 1e-4 {
            pose = Pose3 { z: highest, pitch: 0.0, roll: 0.0, ..pose };
            continue;
        }
        match plane(&ground, &pose) {
            Some([height, along, across])
                if along * along + across * across < MAX_SLOPE * MAX_SLOPE =>
            {
                // the normal (−along, −across, 1) is the z axis of R_z R_y R_x
                let length = (1.0 + along * along + across * across).sqrt();
                let sin_roll = across / length;
                let roll = math::atan2(sin_roll, (1.0 - sin_roll * sin_roll).sqrt());
                pose = Pose3 { z: height, pitch: -math::atan(along), roll, ..pose };
            }
            // at a step the vehicle stays on its upper wheels
            Some(_) => return Pose3 { z: highest, ..pose },
            None => {
                let mean = ground.iter().map(|p| p[2]).sum::<f64>() / ground.len() as f64;
                pose = Pose3 { z: mean, ..pose };
            }
        }
    }
    pose
}

/// Raises or lowers the ground below the ends of the body to that below the wheels where a step lies
/// between them, so that an end that protrudes over an edge does not tilt the vehicle.
fn within_reach(mut ground: Heights, footing: &Footing) -> Heights {
    let (wheels, ends) = ground.split_at_mut(footing.wheels);
    let height = wheels.iter().map(|p| p[2]).sum::<f64>() / wheels.len().max(1) as f64;
    for (end, [x, _]) in ends.iter_mut().zip(&footing.points[footing.wheels..]) {
        if (end[2] - height).abs() > MAX_SLOPE * x.abs() {
            end[2] = height;
        }
    }
    ground
}

/// Returns height at the pose and slopes along and across it of the least-squares plane through
/// points, or `None` if they lie in a line.
fn plane(ground: &[[f64; 3]], pose: &Pose3) -> Option<[f64; 3]> {
    let (sin, cos) = math::sin_cos(pose.yaw);
    let mut normal = Matrix3::zeros();
    let mut right = Vector3::zeros();
    for [x, y, height] in ground {
        let (dx, dy) = (x - pose.x, y - pose.y);
        let row = Vector3::new(1.0, cos * dx + sin * dy, cos * dy - sin * dx);
        normal += row * row.transpose();
        right += row * *height;
    }
    let solved = normal.cholesky()?.solve(&right);
    solved.iter().all(|value| value.is_finite()).then(|| [solved[0], solved[1], solved[2]])
}
