//! Layout of a plot: panels one above the other, each with its legend.

use super::panel::{Line, Panel};
use crate::chart::{Axis, Chart, INK, MARK, Place, Sizes, range_of};
use crate::drawing::{Anchor, Colour, Drawing, text_width};
use crate::picture::{Picture, Track, View, axes, draw_shape, shortened};
use crate::signals::NamedRun;

/// Width of a plot, pixels. At 16 cm, texts have a height of 8 points.
const WIDTH: u32 = 1600;
/// Space at the edges, pixels.
const MARGIN: u32 = 20;
/// Height of a panel over time, pixels.
const PANEL: u32 = 460;
/// Heights between which the extent of paths determines the height of their panel, pixels.
const MAP: [u32; 2] = [460, 1300];
/// Least height of a panel, pixels.
const LEAST: u32 = 180;
/// Sizes of texts.
const SIZES: Sizes = Sizes { text: 28.0, below: 76, left: 130 };
/// Height of a line of a legend, pixels.
const LEADING: f32 = 38.0;
/// Longest line of a legend, characters.
const NAME: usize = 26;
/// Width of a line, pixels.
const STROKE: f32 = 3.5;

/// Draws panels, in a plot of a given size if there is one.
pub fn draw(runs: &[NamedRun], panels: &[Panel], size: Option<[u32; 2]>) -> Drawing {
    let width = size.map_or(WIDTH, |[width, _]| width);
    let legend = panels.iter().map(legend_width).max().unwrap_or(0).min(width / 2);
    let room = width - 2 * MARGIN - legend;
    let pictures: Vec<Picture> = panels.iter().map(|panel| picture_of(runs, panel)).collect();
    let height_of = |(panel, picture): (&Panel, &Picture)| match panel.is_map {
        true => map_height(picture, room),
        // names of a few vehicles with their wheels fit beside a higher panel
        false => {
            let names = named(panel).len() + usize::from(panel.heading.is_some());
            let height = (LEADING * (1.5 + names as f32)) as u32 + SIZES.below;
            height.clamp(PANEL, MAP[1])
        }
    };
    let mut heights: Vec<u32> = panels.iter().zip(&pictures).map(height_of).collect();
    let margins = MARGIN * (panels.len() as u32 + 1);
    if let Some([_, height]) = size {
        let (all, space) = (heights.iter().sum::<u32>(), height.saturating_sub(margins));
        heights.iter_mut().for_each(|own| *own = (*own * space / all.max(1)).max(LEAST));
    }
    let height = heights.iter().sum::<u32>() + margins;
    let mut drawing = Drawing::new(width, height);
    let mut top = MARGIN;
    for ((panel, picture), height) in panels.iter().zip(&pictures).zip(heights) {
        let place = Place { left: MARGIN, top, width: room, height };
        let chart = match panel.is_map {
            true => draw_map(&mut drawing, place, picture, panel),
            false => draw_axes(&mut drawing, place, panel),
        };
        draw_panel(&mut drawing, &chart, panel);
        draw_legend(&mut drawing, &chart, panel, (height - SIZES.below) as f32);
        top += height + MARGIN;
    }
    drawing
}

/// Returns the lines that a legend names. Runs with the same value of a parameter share a name.
fn named(panel: &Panel) -> Vec<&Line> {
    let mut named: Vec<&Line> = Vec::new();
    for line in panel.lines.iter().filter(|line| !line.name.is_empty()) {
        let is_known = |other: &&Line| other.name == line.name && other.colour == line.colour;
        if panel.heading.is_none() || !named.iter().any(is_known) {
            named.push(line);
        }
    }
    named
}

fn legend_width(panel: &Panel) -> u32 {
    let names = panel.lines.iter().map(|line| shortened(&line.name, NAME));
    let widths = names.map(|name| text_width(&name, SIZES.text).ceil() as u32);
    let heading = panel.heading.as_ref().map(|heading| shortened(heading, NAME));
    let heading = heading.map_or(0, |text| text_width(&text, SIZES.text).ceil() as u32 + 18);
    (90 + widths.max().unwrap_or(0).max(100)).max(heading)
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

/// Returns what a panel shows from above.
fn picture_of(runs: &[NamedRun], panel: &Panel) -> Picture {
    if !panel.is_map {
        return Picture::default();
    }
    let shapes = runs.iter().find_map(|named| named.scene.as_ref());
    let mut shapes = shapes.map(crate::Scene::all_shapes).unwrap_or_default();
    shapes.extend(panel.moved.iter().cloned());
    let track = |line: &Line| Track { points: line.points.clone(), ..Track::default() };
    let mut tracks: Vec<Track> = panel.lines.iter().map(track).collect();
    let outlines = panel.outlines.iter();
    tracks.extend(outlines.map(|one| Track { end: one.corners.clone(), ..Track::default() }));
    Picture { shapes, tracks }
}

/// Returns the height of a panel of this width that shows a picture without empty margins.
fn map_height(picture: &Picture, width: u32) -> u32 {
    let inner = f64::from(width.saturating_sub(SIZES.left));
    let height = (inner / View::aspect(picture)).round() as u32;
    height.saturating_add(SIZES.below).clamp(MAP[0], MAP[1])
}

/// Draws the axes and the surroundings of paths.
fn draw_map(drawing: &mut Drawing, place: Place, picture: &Picture, panel: &Panel) -> Chart {
    let aspect = f64::from(place.width - SIZES.left) / f64::from(place.height - SIZES.below);
    let view = View::of(picture, aspect);
    let chart = axes(drawing, place, SIZES, &view);
    for shape in &picture.shapes {
        draw_shape(drawing, &chart, &view.clip(&shape.outline), shape.kind);
    }
    for outline in &panel.outlines {
        let corners = view.clip(&outline.corners);
        let corners: Vec<[f32; 2]> = corners.iter().map(|corner| chart.at(*corner)).collect();
        let (fill, width) = match outline.is_filled {
            true => (outline.colour.with_alpha(0.35), 2.5),
            false => (Colour::hex(0xffffff).with_alpha(0.7), 1.8),
        };
        drawing.polygon(corners.clone(), fill);
        drawing.outline(corners, outline.colour, width);
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
    let mut room = ((height / LEADING) as usize).saturating_sub(1).max(1);
    let mut y = top + 0.5 * LEADING;
    if let Some(heading) = &panel.heading {
        let at = [left, y + 0.35 * SIZES.text];
        drawing.text(&shortened(heading, NAME), at, SIZES.text, MARK, Anchor::Start);
        y += LEADING;
        room = room.saturating_sub(1).max(1);
    }
    let named = named(panel);
    let shown = if named.len() > room { room - 1 } else { named.len() };
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
        drawing.polygon(corners, Colour::hex(0xffffff).with_alpha(0.8));
        drawing.text(note, at, size, MARK, Anchor::End);
    }
}
