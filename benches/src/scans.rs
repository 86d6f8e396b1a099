//! Scenes for scans: a floor plan, random cells, segments around a sensor, and a crowd.

use std::sync::Arc;

use simhost_scene::{OccupancyGrid, Pose2};
use simhost_sdk::Random;
use simhost_sensing::{Fan, Outlines, PlanarScene, Shape, Visibility};

/// Side of a cell, m.
const RESOLUTION: f64 = 0.05;
/// Number of columns and of rows.
const CELLS: usize = 1000;
/// Values of solid and of free cells.
const SOLID: i8 = -100;
const FREE: i8 = 100;

/// Returns a whole number from `low` to `high`.
fn between(draws: &mut Random, low: usize, high: usize) -> usize {
    low + (draws.uniform() * (high - low + 1) as f64) as usize
}

/// Cells of a floor plan that is drawn by rectangles.
struct Plan(Vec<i8>);

impl Plan {
    fn fill(&mut self, [x0, y0]: [usize; 2], [x1, y1]: [usize; 2], value: i8) {
        for row in y0..y1.min(CELLS) {
            self.0[row * CELLS + x0..row * CELLS + x1.min(CELLS)].fill(value);
        }
    }
}

/// Returns the cells of a floor plan of 1,000 × 1,000 cells of 5 cm: corridors 2.5 m wide, rooms 4 to 7
/// m wide with a door each, and furniture. Row by row, starting with the smallest y.
pub fn floor_plan_cells() -> Vec<i8> {
    let mut draws = Random::new(1);
    let mut plan = Plan(vec![FREE; CELLS * CELLS]);
    let mut bottom = 0;
    while bottom < CELLS {
        // two rows of rooms with a corridor between them
        let depth = between(&mut draws, 80, 120);
        for (low, door) in
            [(bottom, bottom + depth - 3), (bottom + depth + 50, bottom + depth + 50)]
        {
            if low + depth > CELLS {
                continue;
            }
            let mut left = 0;
            while left < CELLS {
                let width = between(&mut draws, 80, 140).min(CELLS - left);
                plan.fill([left, low], [left + width, low + depth], SOLID);
                plan.fill([left + 3, low + 3], [left + width - 3, low + depth - 3], FREE);
                let at = left + 3 + between(&mut draws, 2, width.saturating_sub(30).max(3));
                plan.fill([at, door], [at + 20, door + 3], FREE);
                for _ in 0..between(&mut draws, 2, 6) {
                    let size = [between(&mut draws, 2, 16), between(&mut draws, 2, 16)];
                    let x = left + 25 + between(&mut draws, 0, width.saturating_sub(60).max(1));
                    let y = low + 25 + between(&mut draws, 0, depth - 60);
                    plan.fill([x, y], [x + size[0], y + size[1]], SOLID);
                }
                left += width;
            }
        }
        bottom += 2 * depth + 50;
    }
    for (from, to) in [
        ([0, 0], [CELLS, 3]),
        ([0, CELLS - 3], [CELLS, CELLS]),
        ([0, 0], [3, CELLS]),
        ([CELLS - 3, 0], [CELLS, CELLS]),
    ] {
        plan.fill(from, to, SOLID);
    }
    plan.0
}

fn scene_of(cells: Vec<i8>) -> PlanarScene {
    let grid = OccupancyGrid::new([-25.0; 2], RESOLUTION, [CELLS; 2], cells)
        .expect("the number of cells is right");
    PlanarScene::new(vec![Arc::new(grid)], Outlines::default())
}

/// Returns the scene of [`floor_plan_cells`] about the origin, and points in free cells, m.
pub fn floor_plan() -> (PlanarScene, Vec<[f64; 2]>) {
    let cells = floor_plan_cells();
    let points = free_points(&cells, 12);
    (scene_of(cells), points)
}

/// Returns a scene in which a share of 1,000 × 1,000 cells is solid, and points in free cells, m.
pub fn random_cells(share: f64) -> (PlanarScene, Vec<[f64; 2]>) {
    let mut draws = Random::new(2);
    let cells: Vec<i8> =
        (0..CELLS * CELLS).map(|_| if draws.uniform() < share { SOLID } else { FREE }).collect();
    let points = free_points(&cells, 0);
    (scene_of(cells), points)
}

/// Returns points in m around which all cells are free up to a number of cells in each direction.
fn free_points(cells: &[i8], around: usize) -> Vec<[f64; 2]> {
    let mut draws = Random::new(3);
    let mut points = Vec::new();
    while points.len() < 200 {
        let at = [draws.uniform() * CELLS as f64, draws.uniform() * CELLS as f64];
        let [column, row] = at.map(|value| value as usize);
        let inside = |cell: usize| cell >= around && cell + around < CELLS;
        let is_free = |row: usize| {
            let row = &cells[row * CELLS + column - around..=row * CELLS + column + around];
            row.iter().all(|cell| *cell == FREE)
        };
        if inside(column) && inside(row) && (row - around..=row + around).all(is_free) {
            points.push(at.map(|value| value * RESOLUTION - 25.0));
        }
    }
    points
}

/// Returns the poses of `count` squares of 1 m around the origin, 5 m to 20 m away.
pub fn squares(count: usize) -> impl Iterator<Item = Pose2> {
    let mut draws = Random::new(4);
    std::iter::repeat_with(move || {
        let (distance, angle) =
            (5.0 + 15.0 * draws.uniform(), std::f64::consts::TAU * draws.uniform());
        let (x, y) = (distance * angle.cos(), distance * angle.sin());
        Pose2 { x, y, yaw: angle + draws.uniform() }
    })
    .take(count)
}

/// Returns a scene of `count` segments, as [`squares`].
pub fn segments(count: usize) -> PlanarScene {
    let square = Shape::new(&[[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]]);
    let mut fixed = Outlines::default();
    squares(count / 4).for_each(|pose| fixed.add(0, &square, pose, [0.0, 2.0]));
    PlanarScene::new(Vec::new(), fixed)
}

/// Returns a scene of `count` moving squares of 1 m, 3 m apart, and the points next to them, m. The
/// owner of a square is its number.
pub fn crowd(count: usize) -> (PlanarScene, Vec<[f64; 2]>) {
    let square = Shape::new(&[[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]]);
    let side = (count as f64).sqrt().ceil() as usize;
    let at = |item: usize| [3.0 * (item % side) as f64, 3.0 * (item / side) as f64];
    let mut scene = PlanarScene::default();
    scene.update(|moving| {
        for item in 0..count {
            let [x, y] = at(item);
            moving.add(item as u32, &square, Pose2 { x, y, yaw: 0.1 * item as f64 }, [0.0, 2.0]);
        }
    });
    (scene, (0..count).map(|item| at(item).map(|value| value + 1.5)).collect())
}

/// Returns a fan over a full turn that sees everything within 80 m.
pub fn fan<'a>(origin: Pose2, angles: &'a [f64]) -> Fan<'a> {
    Fan { origin, z: 0.5, angles, max_range: 80.0, ignore: None, see: Visibility::All }
}

/// Returns the angles of `rays` rays over a full turn, rad, as a laser has them.
pub fn full_turn(rays: usize) -> Vec<f64> {
    let spacing = std::f64::consts::TAU / rays as f64;
    (0..rays).map(|ray| spacing * ray as f64 - std::f64::consts::PI).collect()
}
