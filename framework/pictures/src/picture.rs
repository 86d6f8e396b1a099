//! The picture of a run: tracks of vehicles among the obstacles, seen from above, as SVG.

use crate::chart::{Axis, Chart, INK, Place, Sizes, of_series};
use crate::clip::clip_half_plane;
use crate::drawing::{Anchor, Colour, Drawing, Image, text_width};

/// A run seen from above. Coordinates are x and y in the world frame, in m.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Picture {
    /// The surroundings, in the order in which they are drawn.
    pub shapes: Vec<Shape>,
    /// The vehicles, drawn above the surroundings.
    pub tracks: Vec<Track>,
}

/// A closed polygon of the surroundings.
#[derive(Clone, Debug, PartialEq)]
pub struct Shape {
    /// Meaning, which decides the colours.
    pub kind: ShapeKind,
    /// Corners in order, either winding.
    pub outline: Vec<[f64; 2]>,
}

/// Meaning of a shape in the picture.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
#[non_exhaustive]
pub enum ShapeKind {
    /// Ground above a level, from 0 for the lowest one.
    Terrain(u8),
    /// A part of a road or of a mark in a colour: red, green, blue.
    Road([u8; 3]),
    /// A line on the ground.
    Grid,
    /// An area with special properties, such as a friction coefficient.
    Region,
    /// Solid cells of a map.
    Map,
    /// A wall.
    Wall,
    /// An obstacle that never moves.
    Obstacle,
    /// A body that can be pushed or follows a path, at the start of the run.
    Movable,
    /// The same body at the end of the run, where it has moved.
    Moved,
}

/// Path of one vehicle.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Track {
    /// Name in the legend.
    pub name: String,
    /// Positions of the reference point in order of time. A position that is not finite, or beyond
    /// 10⁹ m, breaks the path.
    pub points: Vec<[f64; 2]>,
    /// Outline of the vehicle at the start of the run; empty for none.
    pub start: Vec<[f64; 2]>,
    /// Outline of the vehicle at the end of the run; empty for none.
    pub end: Vec<[f64; 2]>,
}

impl Picture {
    /// Returns the picture as an SVG document with equal scales on both axes.
    ///
    /// It shows all tracks, and the obstacles around them unless these are very far away. Each
    /// vehicle has a colour; its outline is drawn thin at the start and filled at the end.
    pub fn svg(&self) -> String {
        drawing(self).svg()
    }

    /// Returns the picture as an image, `scale` times as large as [`Self::svg`].
    pub fn image(&self, scale: f32) -> Image {
        drawing(self).image(scale)
    }
}

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

/// Width and height of the image, pixels.
const IMAGE: [u32; 2] = [1600, 1160];
/// Width and height of the area between the axes, pixels.
const AREA: [u32; 2] = [1200, 1040];
/// Space above the plot and left of the labels, pixels.
const DRAWING_MARGIN: u32 = 20;
/// Sizes of the texts and the space for them.
const SIZES: Sizes =
    Sizes { text: 24.0, below: IMAGE[1] - AREA[1] - 2 * DRAWING_MARGIN, left: 110 };
/// Left edge of the legend, pixels.
const LEGEND_X: f32 = (DRAWING_MARGIN + SIZES.left + AREA[0] + 24) as f32;
/// Vehicles that the legend names.
const LEGEND: usize = 24;
/// Left edge of the names in the legend, pixels, and the width that they have.
const NAME_X: f32 = LEGEND_X + 48.0;
const NAME_WIDTH: f32 = IMAGE[0] as f32 - NAME_X - 8.0;

const WHITE: Colour = Colour::hex(0xffffff);

/// Draws a picture.
pub(super) fn drawing(picture: &Picture) -> Drawing {
    let mut drawing = Drawing::new(IMAGE[0], IMAGE[1]);
    let view = View::of(picture, f64::from(AREA[0]) / f64::from(AREA[1]));
    let (width, height) = (SIZES.left + AREA[0], AREA[1] + SIZES.below);
    let place = Place { left: DRAWING_MARGIN, top: DRAWING_MARGIN, width, height };
    let chart = axes(&mut drawing, place, SIZES, &view);
    for shape in &picture.shapes {
        draw_shape(&mut drawing, &chart, &view.clip(&shape.outline), shape.kind);
    }
    for (number, track) in picture.tracks.iter().enumerate() {
        draw_track(&mut drawing, &chart, &view, track, of_series(number));
    }
    draw_legend(&mut drawing, &picture.tracks);
    drawing
}

/// Draws the axes of a view from above.
pub(crate) fn axes(drawing: &mut Drawing, place: Place, sizes: Sizes, view: &View) -> Chart {
    let axis = |name: &str, axis: usize| Axis {
        range: [view.low[axis], view.high[axis]],
        label: format!("{name} (m)"),
    };
    Chart::draw(drawing, place, sizes, &axis("x", 0), &axis("y", 1))
}

/// Draws a shape of the surroundings that has been clipped to the view.
pub(crate) fn draw_shape(
    drawing: &mut Drawing,
    chart: &Chart,
    outline: &[[f64; 2]],
    kind: ShapeKind,
) {
    let (fill, alpha, border) = match kind {
        ShapeKind::Terrain(level) => (terrain(level), 1.0, terrain(level)),
        ShapeKind::Road(colour) => (rgb(colour), 1.0, rgb(colour)),
        ShapeKind::Region => (0xd8e8f4, 0.6, 0xb0c8da),
        ShapeKind::Grid => (0xd0d0d0, 0.7, 0xd0d0d0),
        ShapeKind::Map => (0x444444, 1.0, 0x444444),
        ShapeKind::Wall | ShapeKind::Obstacle => (0xb8b4ac, 1.0, 0x706c66),
        ShapeKind::Movable => (0xe8dcc4, 0.8, 0xa09070),
        ShapeKind::Moved => (0xd0b888, 1.0, 0x806c40),
    };
    let corners: Vec<[f32; 2]> = outline.iter().map(|corner| chart.at(*corner)).collect();
    drawing.polygon(corners.clone(), Colour::hex(fill).with_alpha(alpha));
    let is_cell = matches!(
        kind,
        ShapeKind::Map | ShapeKind::Grid | ShapeKind::Terrain(_) | ShapeKind::Road(_)
    );
    let width = if is_cell { 1.0 } else { SIZES.text / 12.0 };
    drawing.outline(corners, Colour::hex(border), width);
}

/// Returns a colour as a number.
pub(crate) fn rgb([red, green, blue]: [u8; 3]) -> u32 {
    u32::from(red) << 16 | u32::from(green) << 8 | u32::from(blue)
}

/// Returns the colour of ground above a level, which is the darker the higher it is.
pub(crate) fn terrain(level: u8) -> u32 {
    let shade = |lightest: u32, step: u32| lightest.saturating_sub(u32::from(level) * step);
    shade(0xf7, 8) << 16 | shade(0xf5, 9) << 8 | shade(0xee, 12)
}

/// Draws the path, the outline at the start as a line, and the outline at the end filled.
fn draw_track(drawing: &mut Drawing, chart: &Chart, view: &View, track: &Track, colour: Colour) {
    let pixels = |outline: &[[f64; 2]]| -> Vec<[f32; 2]> {
        view.clip(outline).iter().map(|corner| chart.at(*corner)).collect()
    };
    let (start, end) = (pixels(&track.start), pixels(&track.end));
    drawing.polygon(start.clone(), WHITE.with_alpha(0.7));
    drawing.outline(start, colour, 2.0);
    let points = track.points.iter();
    let points = points.map(|point| if is_drawable(*point) { *point } else { [f64::NAN; 2] });
    for piece in chart.path(points) {
        drawing.line(piece, colour, 4.0);
    }
    drawing.polygon(end.clone(), colour.with_alpha(0.45));
    drawing.outline(end, colour, 3.0);
}

fn draw_legend(drawing: &mut Drawing, tracks: &[Track]) {
    let mut y = DRAWING_MARGIN as f32 + 10.0;
    for (number, track) in tracks.iter().take(LEGEND).enumerate() {
        let line = vec![[LEGEND_X, y + 12.0], [LEGEND_X + 36.0, y + 12.0]];
        drawing.line(line, of_series(number), 6.0);
        let at = [NAME_X, y + 20.0];
        drawing.text(&within(&track.name, NAME_WIDTH), at, SIZES.text, INK, Anchor::Start);
        y += 40.0;
    }
    if let Some(more) = tracks.len().checked_sub(LEGEND).filter(|more| *more > 0) {
        let at = [LEGEND_X, y + 20.0];
        drawing.text(&format!("and {more} more"), at, SIZES.text, INK, Anchor::Start);
    }
}

/// Shortens a name to a width, pixels, of the text of the legend.
fn within(name: &str, width: f32) -> String {
    let longest = name.chars().count();
    let mut fitting = (1..=longest).rev().map(|characters| shortened(name, characters));
    fitting.find(|name| text_width(name, SIZES.text) <= width).unwrap_or_default()
}

/// Shortens a name to a number of characters.
pub(crate) fn shortened(name: &str, longest: usize) -> String {
    let mut label: String = name.chars().take(longest).collect();
    if name.chars().nth(longest).is_some() {
        label.push('…');
    }
    label
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

    #[test]
    fn names_in_the_legend_stay_in_the_picture() {
        assert_eq!(within("robot", NAME_WIDTH), "robot");
        for name in
            ["WWWWWWWWWWWWWWWWWWWW", "a_robot_with_a_long_name", "iiiiiiiiiiiiiiiiiiiiiiiiiiiiiii"]
        {
            let short = within(name, NAME_WIDTH);
            assert!(NAME_X + text_width(&short, SIZES.text) <= IMAGE[0] as f32, "{short}");
            assert!(short.chars().count() > 6 && short.ends_with('…'), "{short}");
        }
    }
}
