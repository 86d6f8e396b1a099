//! The part of the world that a picture shows.

use super::{Picture, ShapeKind};
use crate::clip::clip_half_plane;

/// Coordinates beyond are not drawn, m.
const FARTHEST: f64 = 1e9;
/// Smallest width and height, m.
const SMALLEST: f64 = 0.1;
/// Obstacles widen the view to this multiple of the extent of the tracks ...
const WIDEST: f64 = 4.0;
/// ... and always to this size, m.
const ALWAYS: f64 = 30.0;
/// Free margin on each side, as a fraction of the extent.
const MARGIN: f64 = 0.06;

/// A rectangle of the world.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct View {
    /// Corner with the least x and y, m.
    pub low: [f64; 2],
    /// Corner with the greatest x and y, m.
    pub high: [f64; 2],
}

/// Returns whether a point is finite and close enough to be drawn.
pub(crate) fn is_drawable(point: [f64; 2]) -> bool {
    point.iter().all(|coordinate| coordinate.abs() <= FARTHEST)
}

impl View {
    /// Returns the view of a picture that is `aspect` times as wide as high.
    pub(crate) fn of(picture: &Picture, aspect: f64) -> Self {
        let outlines = picture.tracks.iter().map(|track| track.start.iter().chain(&track.end));
        let points = picture.tracks.iter().flat_map(|track| &track.points);
        let tracks = Self::around(points.chain(outlines.flatten()));
        let is_solid =
            |kind| !matches!(kind, ShapeKind::Region | ShapeKind::Grid | ShapeKind::Terrain(_));
        let solid = picture.shapes.iter().filter(|shape| is_solid(shape.kind));
        let solid = Self::around(solid.flat_map(|shape| &shape.outline));
        let view = match (tracks, solid) {
            (Some(tracks), Some(solid)) => tracks.joined(&solid.clipped(&tracks.widest())),
            (Some(one), None) | (None, Some(one)) => one,
            (None, None) => Self { low: [0.0; 2], high: [1.0; 2] },
        };
        view.with_margin(aspect)
    }

    fn around<'p>(points: impl Iterator<Item = &'p [f64; 2]>) -> Option<Self> {
        points.copied().filter(|point| is_drawable(*point)).fold(None, |view, point| {
            let View { low, high } = view.unwrap_or(View { low: point, high: point });
            Some(View {
                low: std::array::from_fn(|axis| low[axis].min(point[axis])),
                high: std::array::from_fn(|axis| high[axis].max(point[axis])),
            })
        })
    }

    fn joined(&self, other: &Self) -> Self {
        Self {
            low: std::array::from_fn(|axis| self.low[axis].min(other.low[axis])),
            high: std::array::from_fn(|axis| self.high[axis].max(other.high[axis])),
        }
    }

    fn clipped(&self, bounds: &Self) -> Self {
        let clip = |point: [f64; 2]| {
            std::array::from_fn(|axis| point[axis].clamp(bounds.low[axis], bounds.high[axis]))
        };
        Self { low: clip(self.low), high: clip(self.high) }
    }

    /// Returns the widest view of these tracks.
    fn widest(&self) -> Self {
        let extent = (0..2).map(|axis| self.high[axis] - self.low[axis]).fold(0.0, f64::max);
        let half = 0.5 * (WIDEST * extent).max(ALWAYS);
        let middle = |axis: usize| 0.5 * (self.low[axis] + self.high[axis]);
        Self {
            low: std::array::from_fn(|axis| middle(axis) - half),
            high: std::array::from_fn(|axis| middle(axis) + half),
        }
    }

    /// Returns the width of a picture in relation to its height, without empty space.
    pub(crate) fn aspect(picture: &Picture) -> f64 {
        // the height that a view of any width would have
        let (wide, high) = (Self::of(picture, 1e9), Self::of(picture, 1e-9));
        (high.high[0] - high.low[0]) / (wide.high[1] - wide.low[1])
    }

    /// Adds the margin, and widens one axis so that both have the same scale.
    fn with_margin(&self, aspect: f64) -> Self {
        let extent =
            |axis: usize| ((1.0 + 2.0 * MARGIN) * (self.high[axis] - self.low[axis])).max(SMALLEST);
        let height = extent(1).max(extent(0) / aspect);
        let size = [height * aspect, height];
        let corner = |axis: usize, sign: f64| {
            0.5 * (self.low[axis] + self.high[axis]) + sign * 0.5 * size[axis]
        };
        Self {
            low: std::array::from_fn(|axis| corner(axis, -1.0)),
            high: std::array::from_fn(|axis| corner(axis, 1.0)),
        }
    }

    /// Returns the part of a polygon that is in view (Sutherland and Hodgman, 1974).
    pub(crate) fn clip(&self, outline: &[[f64; 2]]) -> Vec<[f64; 2]> {
        if !outline.iter().all(|point| is_drawable(*point)) {
            return Vec::new();
        }
        let mut polygon = outline.to_vec();
        for axis in 0..2 {
            polygon = clip_half_plane(&polygon, axis, self.low[axis], 1.0);
            polygon = clip_half_plane(&polygon, axis, self.high[axis], -1.0);
        }
        polygon
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::picture::{Shape, Track};

    fn track(points: Vec<[f64; 2]>) -> Track {
        Track { points, ..Track::default() }
    }

    fn obstacle(at: [f64; 2], size: f64) -> Shape {
        let [x, y] = at;
        let outline = vec![[x, y], [x + size, y], [x + size, y + size], [x, y + size]];
        Shape { kind: ShapeKind::Obstacle, outline }
    }

    #[test]
    fn both_axes_have_one_scale() {
        let tracks = vec![track(vec![[0.0, 0.0], [100.0, 1.0]])];
        let view = View::of(&Picture { shapes: Vec::new(), tracks }, 1.25);
        let size: [f64; 2] = std::array::from_fn(|axis| view.high[axis] - view.low[axis]);
        assert!((size[0] / size[1] - 1.25).abs() < 1e-12);
        assert!(size[0] > 100.0 && size[0] < 120.0);
    }

    #[test]
    fn near_obstacles_widen_the_view_and_far_ones_do_not() {
        let tracks = vec![track(vec![[0.0, 0.0], [10.0, 0.0]])];
        let near = Picture { shapes: vec![obstacle([14.0, 0.0], 1.0)], tracks: tracks.clone() };
        assert!(View::of(&near, 1.0).high[0] > 15.0);
        let far = Picture { shapes: vec![obstacle([1e6, 0.0], 1.0)], tracks };
        assert!(View::of(&far, 1.0).high[0] < 30.0);
    }

    #[test]
    fn polygons_are_cut_at_the_border() {
        let view = View { low: [0.0; 2], high: [2.0; 2] };
        let clipped = view.clip(&[[1.0, 1.0], [5.0, 1.0], [5.0, 5.0], [1.0, 5.0]]);
        assert_eq!(clipped.len(), 4);
        assert!(clipped.iter().flatten().all(|coordinate| (1.0..=2.0).contains(coordinate)));
        assert!(view.clip(&[[3.0, 3.0], [4.0, 3.0], [4.0, 4.0]]).is_empty());
        assert!(view.clip(&[[f64::NAN, 0.0], [1.0, 0.0], [1.0, 1.0]]).is_empty());
    }
}
