//! Ranges to walls, boxes and vehicles are bit-identical to brute force.

use std::f64::consts::{PI, TAU};

use simhost_scene::Pose2;
use simhost_sensing::{Fan, Outlines, PlanarScene, Shape, Visibility, reference};

use crate::scenes::Draws;

/// Convex quadrilaterals with their corners in the world frame, m.
#[derive(Default)]
struct Quadrilaterals {
    outlines: Outlines,
    corners: Vec<[[f64; 2]; 4]>,
}

impl Quadrilaterals {
    /// Adds one by its corners in its own frame, in either direction.
    fn add(&mut self, mut corners: [[f64; 2]; 4], pose: Pose2, draws: &mut Draws) {
        if draws.bits().is_multiple_of(2) {
            corners.reverse();
        }
        let (sin, cos) = libm::sincos(pose.yaw);
        self.corners
            .push(corners.map(|[x, y]| [pose.x + cos * x - sin * y, pose.y + sin * x + cos * y]));
        let owner = (self.corners.len() % 3) as u32;
        let heights = if draws.bits().is_multiple_of(8) { [0.7, 1.0] } else { [0.0, 1.0] };
        self.outlines.add(owner, &Shape::new(&corners), pose, heights);
    }
}

fn pick<T: Copy>(draws: &mut Draws, all: &[T]) -> T {
    all[(draws.bits() % all.len() as u64) as usize]
}

/// Corners of a wall, a box, or a quadrilateral without right angles, m.
fn corners(draws: &mut Draws) -> [[f64; 2]; 4] {
    let (a, b) = (draws.between(0.2, 2.0), pick(draws, &[0.02, 0.1, 0.5, 1.0]));
    let skew = pick(draws, &[0.0, 0.0, 0.3]) * a.min(b);
    [[-a, -b + skew], [a - skew, -b], [a, b], [-a + skew, b - skew]]
}

/// Quadrilaterals about a place. Some are copies of the one before, or share a side with it.
fn scene(draws: &mut Draws, place: [f64; 2]) -> Quadrilaterals {
    let mut all = Quadrilaterals::default();
    for _ in 0..pick(draws, &[1, 3, 8, 9, 30]) {
        let [x, y] = place.map(|at| at + draws.between(-6.0, 6.0));
        let yaw = pick(draws, &[0.0, 0.5 * PI, 0.7, -2.0]);
        let (shape, pose) = (corners(draws), Pose2 { x, y, yaw });
        all.add(shape, pose, draws);
        if draws.bits().is_multiple_of(3) {
            let along = pick(draws, &[0.0, 0.5, 1.0]) * (shape[2][0] - shape[0][0]);
            let (sin, cos) = libm::sincos(yaw);
            all.add(shape, Pose2 { x: x + cos * along, y: y + sin * along, yaw }, draws);
        }
    }
    all
}

/// An origin anywhere, far away, in a corner, on the line of an edge, or inside an outline.
fn origin(draws: &mut Draws, place: [f64; 2], corners: &[[[f64; 2]; 4]]) -> [f64; 2] {
    let [a, b, c, _] = pick(draws, corners);
    let (part, reach) = (draws.between(-0.5, 1.5), pick(draws, &[4.0, 8.0, 300.0]));
    let towards =
        |to: [f64; 2], part: f64| [0, 1].map(|axis| a[axis] + part * (to[axis] - a[axis]));
    match draws.bits() % 8 {
        0 => a,
        1 => towards(b, part),
        2 => towards(c, part),
        3 => towards(b, 0.5).map(|at| at + draws.between(-1e-7, 1e-7)),
        _ => place.map(|at| at + draws.between(-reach, reach)),
    }
}

/// Angles of a fan of at most a turn or a little more, rad.
fn angles(draws: &mut Draws) -> Vec<f64> {
    let count = pick(draws, &[1, 2, 5, 8, 9, 64, 90, 181, 400]);
    let view =
        pick(draws, &[0.4, 4.7, TAU, 0.99 * TAU, 1.2 * TAU, 2.5 * TAU]) * pick(draws, &[1.0, -1.0]);
    let spacing = view / (count.max(2) - 1) as f64;
    let noise = pick(draws, &[0.0, 0.0, 1e-7, 0.01, 0.2, 2.0]) * spacing;
    (0..count)
        .map(|ray| spacing * ray as f64 - 0.5 * view + noise * draws.between(-1.0, 1.0))
        .collect()
}

/// Turns a fan so that one of its rays passes a corner, or passes it closely.
fn aim(draws: &mut Draws, origin: &mut Pose2, angles: &[f64], [x, y]: [f64; 2]) {
    let beside = pick(draws, &[0.0, 0.0, 1e-16, 1e-13, 1e-9, 1e-6, 1e-5, 2e-5]);
    let to = libm::atan2(y - origin.y, x - origin.x);
    origin.yaw = to - pick(draws, angles) + beside * draws.between(-1.0, 1.0);
}

fn check(scene: &PlanarScene, fan: &Fan) -> usize {
    let mut found = vec![f64::NAN; fan.angles.len()];
    let mut expected = found.clone();
    scene.cast(fan, &mut found);
    reference::cast(scene, fan, &mut expected);
    assert_eq!(found, expected, "{fan:?}");
    expected.iter().filter(|range| range.is_finite()).count()
}

#[test]
fn quadrilaterals_are_met_as_by_brute_force() {
    let (mut draws, mut hits) = (Draws(12), 0);
    for round in 0..1500 {
        let place = [[0.0; 2], [3e4, -7e5], [0.0, 2e8]]
            [usize::from(round % 10 > 7) + usize::from(round % 20 > 18)];
        let all = scene(&mut draws, place);
        let scene = PlanarScene::new(Vec::new(), all.outlines);
        for _ in 0..12 {
            let [x, y] = origin(&mut draws, place, &all.corners);
            let mut origin = Pose2 { x, y, yaw: draws.between(-PI, PI) };
            let angles = angles(&mut draws);
            let corner = pick(&mut draws, &all.corners)[0];
            if draws.bits().is_multiple_of(2) {
                aim(&mut draws, &mut origin, &angles, corner);
            }
            hits += check(
                &scene,
                &Fan {
                    origin,
                    z: 0.5,
                    angles: &angles,
                    max_range: pick(&mut draws, &[1.0, 5.0, 400.0, f64::INFINITY]),
                    ignore: pick(&mut draws, &[None, None, Some(1)]),
                    see: Visibility::All,
                },
            );
        }
    }
    assert!(hits > 300_000, "{hits} hits");
}

/// The far side of a corner can be met first by a rounding error.
#[test]
fn rays_through_corners_are_met_as_by_brute_force() {
    let mut draws = Draws(13);
    for _ in 0..2000 {
        let mut all = Quadrilaterals::default();
        let place = [draws.between(-9.0, 9.0), draws.between(-9.0, 9.0)];
        let pose = Pose2 { x: place[0], y: place[1], yaw: draws.between(-PI, PI) };
        let shape = corners(&mut draws);
        all.add(shape, pose, &mut draws);
        let scene = PlanarScene::new(Vec::new(), all.outlines);
        let angles: Vec<f64> = (0..90).map(|ray| f64::from(ray) * 0.05 - 2.0).collect();
        for corner in all.corners[0] {
            let mut origin = Pose2::default();
            aim(&mut draws, &mut origin, &angles, corner);
            let (max_range, ignore, see) = (40.0, None, Visibility::All);
            check(&scene, &Fan { origin, z: 0.8, angles: &angles, max_range, ignore, see });
        }
    }
}
