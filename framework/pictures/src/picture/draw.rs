//! Drawing of pictures.

use super::view::{View, is_drawable};
use super::{Picture, ShapeKind, Track};
use crate::chart::{Axis, Chart, Place, Sizes};
use crate::colours::{INK, of_series};
use crate::drawing::{Anchor, Colour, Drawing, text_width};

/// Width and height of the image, pixels.
const IMAGE: [u32; 2] = [1600, 1160];
/// Width and height of the area between the axes, pixels.
const AREA: [u32; 2] = [1200, 1040];
/// Space above the plot and left of the labels, pixels.
const MARGIN: u32 = 20;
/// Sizes of the texts and the space for them.
const SIZES: Sizes = Sizes { text: 24.0, below: IMAGE[1] - AREA[1] - 2 * MARGIN, left: 110 };
/// Left edge of the legend, pixels.
const LEGEND_X: f32 = (MARGIN + SIZES.left + AREA[0] + 24) as f32;
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
    let place = Place { left: MARGIN, top: MARGIN, width, height };
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
        ShapeKind::Region => (0xd8e8f4, 0.6, 0xb0c8da),
        ShapeKind::Grid => (0xd0d0d0, 0.7, 0xd0d0d0),
        ShapeKind::Map => (0x444444, 1.0, 0x444444),
        ShapeKind::Wall | ShapeKind::Obstacle => (0xb8b4ac, 1.0, 0x706c66),
        ShapeKind::Movable => (0xe8dcc4, 0.8, 0xa09070),
        ShapeKind::Moved => (0xd0b888, 1.0, 0x806c40),
    };
    let corners: Vec<[f32; 2]> = outline.iter().map(|corner| chart.at(*corner)).collect();
    drawing.polygon(corners.clone(), Colour::hex(fill).with_alpha(alpha));
    let is_cell = matches!(kind, ShapeKind::Map | ShapeKind::Grid | ShapeKind::Terrain(_));
    let width = if is_cell { 1.0 } else { SIZES.text / 12.0 };
    drawing.outline(corners, Colour::hex(border), width);
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
    let mut y = MARGIN as f32 + 10.0;
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
