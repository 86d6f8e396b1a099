use super::*;
use crate::grid::few_walls;

/// Returns a grid of walls, single cells, and some unknown cells.
fn grid(corner: [f64; 2]) -> OccupancyGrid {
    let cell = |at: usize| match (at % 60, at / 60) {
        (20, row) if row != 13 => -9,
        (column, 30) if column > 25 => -9,
        (column, row) if row + 40 < column => 0,
        (column, row) if (column * 7 + row * 13) % 199 == 0 => -9,
        _ => 9,
    };
    OccupancyGrid::new(corner, 0.1, [60, 50], (0..3000).map(cell).collect()).expect("a grid")
}

/// Returns the numbers of rays and of those that a view answers.
fn compare(grid: &OccupancyGrid, origin: [f64; 2], max_range: f64) -> [usize; 2] {
    let walls = few_walls(grid).expect("few walls");
    let mut view = View::default();
    let [x, y] = origin;
    view.look(grid, || Some(&walls), [x, y, 0.0], max_range, 100_000);
    let mut counts = [0, 0];
    for ray in 0..4000 {
        let angle = f64::from(ray) * 0.001_570_796_326_794_896_6;
        let direction = [libm::cos(angle), libm::sin(angle)];
        let followed = grid.cast(origin, direction, max_range);
        let seen = view.cast(direction, max_range);
        assert_eq!(seen.unwrap_or(followed), followed, "{origin:?}, {angle} rad");
        counts = [counts[0] + 1, counts[1] + usize::from(seen.is_some())];
    }
    counts
}

#[test]
fn a_view_has_the_results_of_rays_that_are_followed() {
    for corner in [[-1.0, -2.0], [433_210.3, 5_411_987.1]] {
        let grid = grid(corner);
        let mut counts = [0, 0];
        for place in 0..300 {
            let part = f64::from(place);
            let mut at = [6.0 * (part * 0.618).fract(), 5.0 * (part * 0.377).fract()];
            if place % 3 == 0 {
                // on lines and corners of cells
                at = at.map(|at| (at * 10.0).round() / 10.0);
            }
            let origin = [corner[0] + at[0], corner[1] + at[1]];
            let found = compare(&grid, origin, [10.0, 1.5][place as usize % 2]);
            counts = [counts[0] + found[0], counts[1] + found[1]];
        }
        // the others start in solid or unknown cells, on a wall, or see its end
        let least = if corner[0] < 0.0 { counts[0] / 2 } else { 0 };
        assert!(counts[1] > least, "{counts:?} at {corner:?}");
    }
}

#[test]
fn places_grow_with_the_angle() {
    let mut before = -1.0;
    for step in 0..64 {
        let angle = f64::from(step) * std::f64::consts::TAU / 64.0;
        let direction = [libm::cos(angle), libm::sin(angle)];
        let at = place(direction);
        assert!(at > before && at < 4.0, "{step}: {at}");
        let scale = direction[0].abs() + direction[1].abs();
        for (axis, part) in direction.iter().enumerate() {
            assert!((part_at(at, axis) * scale - part).abs() < 1e-12, "{step}");
        }
        before = at;
    }
}
