//! Points in the plane, searched by distance.

use crate::tree::{Bounds, MARGIN, Tree, Walker};

/// Points that are numbered from 0.
#[derive(Clone, Debug, Default)]
pub struct Places {
    points: Vec<[f64; 2]>,
    tree: Tree,
}

impl Places {
    /// Replaces all points, m. A set of constant size does not allocate.
    pub fn update(&mut self, points: impl Iterator<Item = [f64; 2]>) {
        let Self { points: all, tree } = self;
        all.clear();
        all.extend(points);
        tree.build(all.len(), |item| Bounds { min: all[item], max: all[item] });
    }

    /// Calls `visit` with the number and the distance, m, of every point within `radius`, m, of a
    /// centre, in any order. The border belongs to the circle.
    pub fn within(&self, centre: [f64; 2], radius: f64, visit: impl FnMut(usize, f64)) {
        // also false for numbers that are not numbers
        let is_circle = radius >= 0.0 && centre.iter().all(|value| value.is_finite());
        if is_circle {
            self.tree.walk(&mut Circle { points: &self.points, centre, radius, visit });
        }
    }
}

/// A circle that looks for points.
struct Circle<'p, V> {
    points: &'p [[f64; 2]],
    centre: [f64; 2],
    radius: f64,
    visit: V,
}

fn length([x, y]: [f64; 2]) -> f64 {
    (x * x + y * y).sqrt()
}

/// Returns at least the distance of a coordinate from an interval, m.
#[inline(always)]
fn beyond(low: f64, high: f64, at: f64) -> f64 {
    let margin = MARGIN * (low.abs() + high.abs() + at.abs());
    (low - at - margin).max(at - high - margin).max(0.0)
}

impl<V: FnMut(usize, f64)> Walker for Circle<'_, V> {
    fn reach(&self, bounds: &Bounds) -> Option<f64> {
        let Bounds { min, max } = bounds;
        let [x, y] = self.centre;
        // the closures of `map` would not be inlined
        Some(length([beyond(min[0], max[0], x), beyond(min[1], max[1], y)]))
    }

    fn is_open(&self, distance: f64) -> bool {
        distance <= self.radius
    }

    fn visit(&mut self, item: usize) {
        let at = self.points[item];
        let distance = length([at[0] - self.centre[0], at[1] - self.centre[1]]);
        if distance <= self.radius {
            (self.visit)(item, distance);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_points_in_a_circle_are_those_of_a_loop_over_all() {
        let mut places = Places::default();
        let point = |i: usize| {
            let t = i as f64;
            [(t * 0.73).sin() * t, (t * 1.31).cos() * t]
        };
        for count in [0, 1, 7, 8, 9, 300] {
            places.update((0..count).map(point));
            for (centre, radius) in [([0.0, 0.0], 20.0), (point(5), 0.0), ([40.0, -9.0], 55.5)] {
                let mut found = Vec::new();
                places.within(centre, radius, |item, distance| found.push((item, distance)));
                found.sort_by_key(|(item, _)| *item);
                let away = |i| length([point(i)[0] - centre[0], point(i)[1] - centre[1]]);
                let all = (0..count).map(|i| (i, away(i)));
                let expected: Vec<_> = all.filter(|(_, distance)| *distance <= radius).collect();
                assert_eq!(found, expected, "{count} points, radius {radius}");
            }
        }
    }

    #[test]
    fn a_circle_that_is_not_one_holds_nothing() {
        let mut places = Places::default();
        places.update([[0.0, 0.0]].into_iter());
        for (centre, radius) in [([0.0; 2], -1.0), ([0.0; 2], f64::NAN), ([f64::NAN, 0.0], 1.0)] {
            places.within(centre, radius, |_, _| panic!("found a point"));
        }
        let mut count = 0;
        places.within([3.0, 4.0], f64::INFINITY, |_, _| count += 1);
        places.within([3.0, 4.0], 5.0, |_, _| count += 1);
        assert_eq!(count, 2, "the border belongs to the circle");
    }
}
