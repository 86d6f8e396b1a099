//! Layout of a plot: panels one above the other, each with its legend.

use super::panel::{Line, Panel};
use crate::chart::{Axis, Chart, Place, Sizes, range_of};
use crate::colours::{INK, MARK};
use crate::drawing::{Anchor, Drawing, text_width};
use crate::picture::draw::{axes, draw_shape, shortened};
use crate::picture::view::View;
use crate::picture::{Picture, Track};
use crate::signals::NamedRun;

/// Width of a plot, pixels. At 16 cm, texts have a height of 8 points.
const WIDTH: u32 = 1600;
/// Space at the edges, pixels.
const MARGIN: u32 = 20;
/// Height of a panel over time, pixels.
const PANEL: u32 = 460;
/// Height of a panel with paths, pixels.
const MAP: u32 = 900;
/// Sizes of texts.
const SIZES: Sizes = Sizes { text: 28.0, below: 76, left: 130 };
/// Height of a line of a legend, pixels.
const LEADING: f32 = 38.0;
/// Longest line of a legend, characters.
const NAME: usize = 26;
/// Width of a line, pixels.
const STROKE: f32 = 3.5;

/// Draws panels.
pub fn draw(runs: &[NamedRun], panels: &[Panel]) -> Drawing {
    let heights: Vec<u32> =
        panels.iter().map(|panel| if panel.is_map { MAP } else { PANEL }).collect();
    let height = heights.iter().sum::<u32>() + MARGIN * (panels.len() as u32 + 1);
    let mut drawing = Drawing::new(WIDTH, height);
    let legend = panels.iter().map(legend_width).max().unwrap_or(0);
    let mut top = MARGIN;
    for (panel, height) in panels.iter().zip(heights) {
        let width = WIDTH - 2 * MARGIN - legend;
        let place = Place { left: MARGIN, top, width, height };
        let chart = match panel.is_map {
            true => draw_map(&mut drawing, place, runs, panel),
            false => draw_axes(&mut drawing, place, panel),
        };
        draw_panel(&mut drawing, &chart, panel);
        draw_legend(&mut drawing, &chart, panel, (height - SIZES.below) as f32);
        top += height + MARGIN;
    }
    drawing
}

fn legend_width(panel: &Panel) -> u32 {
    let names = panel.lines.iter().map(|line| shortened(&line.name, NAME));
    let widths = names.map(|name| text_width(&name, SIZES.text).ceil() as u32);
    90 + widths.max().unwrap_or(0).max(100)
}

fn draw_axes(drawing: &mut Drawing, place: Place, panel: &Panel) -> Chart {
    let points = || panel.lines.iter().flat_map(|line| &line.points);
    let whole = || points().filter(|point| point.iter().all(|coordinate| coordinate.is_finite()));
    let tight = |axis: usize| {
        let [low, high] = range_of(whole().map(|point| point[axis]))?;
        // without the margin
        let margin = (high - low) / 22.0;
        Some([low + margin, high - margin])
    };
    let is_time = panel.x.starts_with("time");
    let x = if is_time { tight(0) } else { range_of(whole().map(|point| point[0])) };
    let axis = |range: Option<[f64; 2]>, label: &str| Axis {
        range: range.filter(|[low, high]| low < high).unwrap_or([0.0, 1.0]),
        label: label.to_owned(),
    };
    let y = range_of(whole().map(|point| point[1]));
    Chart::draw(drawing, place, SIZES, &axis(x, &panel.x), &axis(y, &panel.y))
}

/// Draws the axes and the surroundings of paths.
fn draw_map(drawing: &mut Drawing, place: Place, runs: &[NamedRun], panel: &Panel) -> Chart {
    let shapes = runs.iter().find_map(|named| named.scene.as_ref());
    let shapes = shapes.map(crate::Scene::all_shapes).unwrap_or_default();
    let track = |line: &Line| Track { points: line.points.clone(), ..Track::default() };
    let mut tracks: Vec<Track> = panel.lines.iter().map(track).collect();
    let outlines = panel.outlines.iter();
    tracks.extend(outlines.map(|one| Track { end: one.corners.clone(), ..Track::default() }));
    let aspect = f64::from(place.width - SIZES.left) / f64::from(place.height - SIZES.below);
    let picture = Picture { shapes, tracks };
    let view = View::of(&picture, aspect);
    let chart = axes(drawing, place, SIZES, &view);
    for shape in &picture.shapes {
        draw_shape(drawing, &chart, &view.clip(&shape.outline), shape.kind);
    }
    for outline in &panel.outlines {
        let corners = view.clip(&outline.corners);
        let corners: Vec<[f32; 2]> = corners.iter().map(|corner| chart.at(*corner)).collect();
        drawing.polygon(corners.clone(), outline.colour.with_alpha(0.35));
        drawing.outline(corners, outline.colour, 2.5);
    }
    chart
}

fn draw_panel(drawing: &mut Drawing, chart: &Chart, panel: &Panel) {
    if let Some(time) = panel.moment {
        let [x, _] = chart.at([time, 0.0]);
        let [_, top, _, bottom] = chart.area;
        drawing.dashed(vec![[x, top], [x, bottom]], MARK, 2.0, &[4.0, 3.0]);
    }
    for line in &panel.lines {
        for piece in chart.path(line.points.iter().copied()) {
            match piece.as_slice() {
                [only] => drawing.disc(*only, 1.5 * STROKE, line.colour),
                _ => drawing.dashed(piece, line.colour, STROKE, line.dash),
            }
        }
    }
}

fn draw_legend(drawing: &mut Drawing, chart: &Chart, panel: &Panel, height: f32) {
    let [_, top, right, bottom] = chart.area;
    let left = right + 18.0;
    let room = ((height / LEADING) as usize).saturating_sub(1).max(1);
    let named: Vec<&Line> = panel.lines.iter().filter(|line| !line.name.is_empty()).collect();
    let shown = if named.len() > room { room - 1 } else { named.len() };
    let mut y = top + 0.5 * LEADING;
    for line in named.iter().take(shown) {
        let points = vec![[left, y], [left + 46.0, y]];
        drawing.dashed(points, line.colour, 1.3 * STROKE, line.dash);
        let name = shortened(&line.name, NAME);
        let at = [left + 58.0, y + 0.35 * SIZES.text];
        drawing.text(&name, at, SIZES.text, INK, Anchor::Start);
        y += LEADING;
    }
    if named.len() > shown {
        let text = format!("and {} more", named.len() - shown);
        drawing.text(&text, [left, y + 0.35 * SIZES.text], SIZES.text, INK, Anchor::Start);
    }
    if let Some(note) = &panel.note {
        let size = 0.8 * SIZES.text;
        let at = [right - 8.0, bottom - 10.0];
        let width = text_width(note, size);
        let (x, y) = (at[0] - width - 6.0, at[1] - size);
        let corners = vec![[x, y], [right, y], [right, bottom], [x, bottom]];
        drawing.polygon(corners, crate::drawing::Colour::hex(0xffffff).with_alpha(0.8));
        drawing.text(note, at, size, MARK, Anchor::End);
    }
}
