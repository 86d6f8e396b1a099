//! Ranges are bit-identical to brute force in random scenes.

use std::f64::consts::{PI, TAU};
use std::sync::Arc;

use simhost_scene::{OccupancyGrid, Pose2};
use simhost_sensing::{Fan, Outlines, PlanarScene, Shape, Visibility, reference};

use crate::scenes::Draws;

impl Draws {
    fn below(&mut self, count: usize) -> usize {
        (self.bits() % count as u64) as usize
    }

    fn pick<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.below(all.len())]
    }

    /// A number that is often round.
    fn coordinate(&mut self, size: f64) -> f64 {
        let value = self.between(-size, size);
        match self.below(4) {
            0 => value.round(),
            1 => (value * 20.0).round() / 20.0,
            _ => value,
        }
    }
}

/// Angles of a fan, rad.
fn angles(draws: &mut Draws) -> Vec<f64> {
    let count = draws.pick(&[1, 2, 3, 7, 8, 9, 31, 90, 181, 361]);
    let view = draws.pick(&[0.0, 0.3, PI, TAU, 2.7 * TAU, -PI, -TAU]);
    let noise = draws.pick(&[0.0, 0.0, 1e-4, 0.01, 0.5, 9.0]);
    let spacing = view / (count.max(2) - 1) as f64;
    (0..count)
        .map(|ray| spacing * ray as f64 - 0.5 * view + noise * draws.between(-1.0, 1.0))
        .collect()
}

fn yaw(draws: &mut Draws) -> f64 {
    let quarter = draws.below(9) as f64 * 0.25 * PI - PI;
    let any = draws.between(-PI, PI);
    draws.pick(&[0.0, quarter, any, any, 20.0 * any, 1e5 * any])
}

/// A polygon about the origin, a rectangle, or a line.
fn shape(draws: &mut Draws) -> Shape {
    let [a, b] = [draws.between(0.01, 3.0), draws.coordinate(2.0)];
    Shape::new(&match draws.below(6) {
        0 => vec![],
        1 => vec![[a, b]],
        2 => vec![[-a, b], [a, -b]],
        3 => (0..draws.below(30) + 3)
            .map(|_| [draws.coordinate(3.0), draws.coordinate(3.0)])
            .collect(),
        _ => vec![[-a, -b], [a, -b], [a, b], [-a, b]],
    })
}

fn outlines(draws: &mut Draws, size: f64, all: &mut Outlines, corners: &mut Vec<[f64; 2]>) {
    for owner in 0..draws.pick(&[0, 1, 5, 40]) {
        let pose = Pose2 {
            x: draws.coordinate(size),
            y: draws.coordinate(size),
            yaw: draws.pick(&[0.0, 0.0, 0.7, -2.0]),
        };
        let heights = draws.pick(&[[0.0, 1.0], [0.0, 2.0], [0.6, 1.0]]);
        all.add(owner, &shape(draws), pose, heights);
        corners.push([pose.x, pose.y]);
        // a square whose corners are known
        let square = [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]];
        all.add(owner, &Shape::new(&square), Pose2 { yaw: 0.0, ..pose }, heights);
    }
}

/// A grid of rooms, noise, or both.
fn grid(draws: &mut Draws, size: f64) -> Arc<OccupancyGrid> {
    let resolution = draws.pick(&[0.05, 0.1, 0.25, 1.0, 0.3]);
    let cells = |draws: &mut Draws| (draws.between(0.2, 2.0) * size / resolution) as usize + 1;
    let (columns, rows) = (cells(draws).min(150), cells(draws).min(150));
    let corner = [-0.5 * columns as f64 * resolution, -0.5 * rows as f64 * resolution];
    let far = draws.pick(&[0.0, 0.0, 0.0, 1e3, 1e6, 1e9]);
    let corner = corner.map(|value| if draws.below(2) == 0 { value } else { value.round() } + far);
    let (solid, unknown) =
        (draws.pick(&[0.0, 0.001, 0.05, 0.5]), draws.pick(&[0.0, 0.0, 0.001, 0.02]));
    let room = draws.below(40) + 5;
    let mut values = Vec::with_capacity(columns * rows);
    for row in 0..rows {
        for column in 0..columns {
            let is_wall = column % room == 0 && row % 7 != 3 || row % room == 0 && column % 9 != 2;
            let drawn = draws.between(0.0, 1.0);
            values.push(match drawn {
                _ if is_wall => -100,
                drawn if drawn < solid => -2,
                drawn if drawn < solid + unknown => draws.pick(&[-1, 0, 1]),
                _ => 2,
            });
        }
    }
    Arc::new(OccupancyGrid::new(corner, resolution, [columns, rows], values).expect("a valid grid"))
}

/// A point in the scene that is often on a corner, an edge or a line of the grid.
fn origin(
    draws: &mut Draws,
    size: f64,
    corners: &[[f64; 2]],
    grids: &[Arc<OccupancyGrid>],
) -> [f64; 2] {
    let any = [draws.coordinate(size), draws.coordinate(size)];
    match draws.below(5) {
        0 if !corners.is_empty() => draws.pick(corners),
        1 if !corners.is_empty() => draws.pick(corners).map(|value| value + 0.5),
        2 | 3 if !grids.is_empty() => {
            let grid = &grids[draws.below(grids.len())];
            let [x, y] = [0, 1].map(|axis| {
                let cell = draws.below(grid.size()[axis]) as f64;
                let part = draws.pick(&[0.0, 0.0, 0.5, 0.123, 1e-13, 1.0 - 1e-13]);
                grid.corner()[axis] + (cell + part) * grid.resolution()
            });
            [x, y]
        }
        _ => any,
    }
}

fn check(scene: &PlanarScene, fan: &Fan) {
    let mut fast = vec![f64::NAN; fan.angles.len()];
    let mut slow = fast.clone();
    scene.cast(fan, &mut fast);
    reference::cast(scene, fan, &mut slow);
    for (ray, (fast, slow)) in fast.iter().zip(&slow).enumerate() {
        assert!(fast == slow, "ray {ray} at {}: {fast}, not {slow}, of {fan:?}", fan.angles[ray]);
    }
}

fn check_scenes(seed: u64, scenes: usize, grids: &[usize], with_outlines: bool) {
    let mut draws = Draws(seed);
    for _ in 0..scenes {
        let size = draws.pick(&[3.0, 10.0, 40.0]);
        let mut corners = Vec::new();
        let mut fixed = Outlines::default();
        if with_outlines {
            outlines(&mut draws, size, &mut fixed, &mut corners);
        }
        let grids: Vec<_> = (0..draws.pick(grids)).map(|_| grid(&mut draws, size)).collect();
        let mut scene = PlanarScene::new(grids.clone(), fixed);
        if with_outlines {
            scene.update(|moving| outlines(&mut draws, size, moving, &mut corners));
        }
        for _ in 0..20 {
            let [x, y] = origin(&mut draws, size, &corners, &grids);
            let angles = angles(&mut draws);
            let fan = Fan {
                origin: Pose2 { x, y, yaw: yaw(&mut draws) },
                z: draws.pick(&[0.0, 0.5, 0.6, 1.5]),
                angles: &angles,
                max_range: draws.pick(&[0.0, 1.0, 4.05, 30.0, 1e9, f64::INFINITY, -1.0]),
                ignore: draws.pick(&[None, Some(0), Some(2)]),
                see: draws.pick(&[Visibility::All, Visibility::StaticOnly]),
            };
            check(&scene, &fan);
        }
    }
}

#[test]
fn outlines_alone() {
    check_scenes(1, 1000, &[0], true);
}

#[test]
fn grids_alone() {
    check_scenes(2, 500, &[1], false);
}

#[test]
fn grids_and_outlines() {
    check_scenes(3, 500, &[0, 1, 2], true);
}

#[test]
fn angles_that_are_not_finite_give_what_brute_force_gives() {
    let grid = grid(&mut Draws(5), 10.0);
    let scene = PlanarScene::new(vec![grid], Outlines::default());
    let mut angles: Vec<f64> = (0..20).map(f64::from).collect();
    (angles[3], angles[7]) = (f64::NAN, f64::INFINITY);
    for (x, y) in (0..400).map(|i| (f64::from(i % 20) - 10.0, f64::from(i / 20) - 10.0)) {
        let origin = Pose2 { x, y, yaw: 0.0 };
        let see = Visibility::All;
        check(&scene, &Fan { origin, z: 0.0, angles: &angles, max_range: 9.0, ignore: None, see });
    }
}
