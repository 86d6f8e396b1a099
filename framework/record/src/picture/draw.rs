//! Drawing with `plotters`.

use plotters::coord::types::RangedCoordf64;
use plotters::prelude::*;

use super::view::{View, is_drawable};
use super::{Picture, ShapeKind, Track};

/// Width and height of the image, pixels.
const IMAGE: (u32, u32) = (1600, 1160);
/// Width and height of the area between the axes, pixels.
const AREA: [u32; 2] = [1200, 1040];
/// Space above the plot and left of the labels, pixels.
const MARGIN: u32 = 20;
/// Space for the labels of the axes, pixels.
const LABELS: [u32; 2] = [(IMAGE.1 - AREA[1]) - 2 * MARGIN, 110];
/// Left edge of the legend, pixels.
const LEGEND_X: i32 = (MARGIN + LABELS[1] + AREA[0] + 24) as i32;
/// Vehicles that the legend names.
const LEGEND: usize = 24;
/// Characters of a name that the legend has room for.
const NAME: usize = 18;
/// Colours of the first vehicles, distinct for most kinds of colour blindness (Okabe and Ito, 2008).
const COLOURS: [RGBColor; 8] = [
    RGBColor(0x00, 0x72, 0xb2),
    RGBColor(0xd5, 0x5e, 0x00),
    RGBColor(0x00, 0x9e, 0x73),
    RGBColor(0xcc, 0x79, 0xa7),
    RGBColor(0xe6, 0x9f, 0x00),
    RGBColor(0x56, 0xb4, 0xe9),
    RGBColor(0x7a, 0x51, 0x95),
    RGBColor(0x5c, 0x5c, 0x5c),
];

type Area<'b> = DrawingArea<SVGBackend<'b>, plotters::coord::Shift>;
type Chart<'a, 'b> = ChartContext<'a, SVGBackend<'b>, Cartesian2d<RangedCoordf64, RangedCoordf64>>;
type Drawn = Result<(), Box<dyn std::error::Error>>;

pub(super) fn svg(picture: &Picture) -> String {
    let mut svg = String::new();
    draw(picture, &mut svg).expect("drawing into memory does not fail");
    svg
}

fn draw(picture: &Picture, svg: &mut String) -> Drawn {
    let root = SVGBackend::with_string(svg, IMAGE).into_drawing_area();
    root.fill(&WHITE)?;
    let view = View::of(picture, f64::from(AREA[0]) / f64::from(AREA[1]));
    let right = IMAGE.0 - MARGIN - LABELS[1] - AREA[0];
    let mut chart = ChartBuilder::on(&root)
        .margin(MARGIN)
        .margin_right(right)
        .x_label_area_size(LABELS[0])
        .y_label_area_size(LABELS[1])
        .build_cartesian_2d(view.low[0]..view.high[0], view.low[1]..view.high[1])?;
    chart
        .configure_mesh()
        .x_desc("x (m)")
        .y_desc("y (m)")
        .axis_desc_style(("sans-serif", 26))
        .label_style(("sans-serif", 24))
        .bold_line_style(RGBColor(0xe6, 0xe6, 0xe6))
        .light_line_style(WHITE)
        .draw()?;
    for shape in &picture.shapes {
        draw_shape(&mut chart, &view.clip(&shape.outline), shape.kind)?;
    }
    for (number, track) in picture.tracks.iter().enumerate() {
        draw_track(&mut chart, &view, track, colour(number))?;
    }
    draw_legend(&root, &picture.tracks)?;
    root.present()?;
    Ok(())
}

fn draw_shape(chart: &mut Chart, outline: &[[f64; 2]], kind: ShapeKind) -> Drawn {
    let (fill, border) = match kind {
        ShapeKind::Region => {
            (RGBColor(0xd8, 0xe8, 0xf4).mix(0.6), Some(RGBColor(0xb0, 0xc8, 0xda)))
        }
        ShapeKind::Map => (RGBColor(0x44, 0x44, 0x44).mix(1.0), Some(RGBColor(0x44, 0x44, 0x44))),
        ShapeKind::Wall | ShapeKind::Obstacle => {
            (RGBColor(0xb8, 0xb4, 0xac).mix(1.0), Some(RGBColor(0x70, 0x6c, 0x66)))
        }
        ShapeKind::Movable => {
            (RGBColor(0xe8, 0xdc, 0xc4).mix(0.8), Some(RGBColor(0xa0, 0x90, 0x70)))
        }
        ShapeKind::Moved => (RGBColor(0xd0, 0xb8, 0x88).mix(1.0), Some(RGBColor(0x80, 0x6c, 0x40))),
    };
    draw_polygon(chart, outline, Some(fill), border.map(|colour| colour.stroke_width(2)))
}

/// Draws the path, the outline at the start as a line, and the outline at the end filled.
fn draw_track(chart: &mut Chart, view: &View, track: &Track, colour: RGBColor) -> Drawn {
    let start = view.clip(&track.start);
    draw_polygon(chart, &start, Some(WHITE.mix(0.7)), Some(colour.stroke_width(2)))?;
    let least = (view.high[0] - view.low[0]) / f64::from(AREA[0]);
    for run in track.points.split(|point| !is_drawable(*point)) {
        let points = thinned(run, least);
        chart.draw_series(LineSeries::new(points, colour.stroke_width(4)))?;
    }
    let end = view.clip(&track.end);
    draw_polygon(chart, &end, Some(colour.mix(0.45)), Some(colour.stroke_width(3)))
}

fn draw_polygon(
    chart: &mut Chart,
    outline: &[[f64; 2]],
    fill: Option<RGBAColor>,
    border: Option<ShapeStyle>,
) -> Drawn {
    let mut corners: Vec<(f64, f64)> = outline.iter().map(|&[x, y]| (x, y)).collect();
    let Some(&first) = corners.first() else { return Ok(()) };
    if let Some(fill) = fill {
        chart.draw_series([Polygon::new(corners.clone(), fill.filled())])?;
    }
    if let Some(border) = border {
        corners.push(first);
        chart.draw_series([PathElement::new(corners, border)])?;
    }
    Ok(())
}

/// Drops points that are closer than `least` to the one before, and keeps the last one.
fn thinned(points: &[[f64; 2]], least: f64) -> Vec<(f64, f64)> {
    let mut kept: Vec<(f64, f64)> = Vec::new();
    for (k, &[x, y]) in points.iter().enumerate() {
        let is_far = |&(from_x, from_y): &(f64, f64)| (x - from_x).hypot(y - from_y) >= least;
        if kept.last().is_none_or(is_far) || k + 1 == points.len() {
            kept.push((x, y));
        }
    }
    kept
}

fn draw_legend(root: &Area, tracks: &[Track]) -> Drawn {
    let style = ("sans-serif", 24).into_font().color(&RGBColor(0x22, 0x22, 0x22));
    let mut y = MARGIN as i32 + 10;
    for (number, track) in tracks.iter().take(LEGEND).enumerate() {
        let line = vec![(LEGEND_X, y + 12), (LEGEND_X + 36, y + 12)];
        root.draw(&PathElement::new(line, colour(number).stroke_width(6)))?;
        root.draw(&Text::new(label(&track.name), (LEGEND_X + 48, y), style.clone()))?;
        y += 40;
    }
    if let Some(more) = tracks.len().checked_sub(LEGEND).filter(|more| *more > 0) {
        root.draw(&Text::new(format!("and {more} more"), (LEGEND_X, y), style))?;
    }
    Ok(())
}

/// Shortens a name, and replaces characters that XML does not allow.
fn label(name: &str) -> String {
    let is_forbidden = |c: char| c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}');
    let shown = name.chars().map(|c| if is_forbidden(c) { '\u{fffd}' } else { c });
    let mut label: String = shown.take(NAME).collect();
    if name.chars().nth(NAME).is_some() {
        label.push('…');
    }
    label
}

/// Beyond the named colours, hues a golden angle apart.
fn colour(number: usize) -> RGBColor {
    if let Some(named) = COLOURS.get(number) {
        return *named;
    }
    let hue = (number as f64 * 137.507_764 + 15.0) % 360.0 / 60.0;
    let channel = |shift: f64| {
        let distance = ((hue + shift) % 6.0 - 3.0).abs() - 1.0;
        (50.0 + 150.0 * distance.clamp(0.0, 1.0)) as u8
    };
    RGBColor(channel(0.0), channel(4.0), channel(2.0))
}
