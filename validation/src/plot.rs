//! Plots as SVG.

use std::ops::Range;

use plotters::chart::SeriesLabelPosition;
use plotters::prelude::*;

/// A line of a plot.
pub struct Line {
    /// Name in the legend.
    pub name: String,
    /// Points, x and y.
    pub points: Vec<(f64, f64)>,
    /// Whether the line is drawn thin, for reference values.
    pub thin: bool,
}

impl Line {
    /// Creates a line through pairs of `x` and `y`.
    pub fn new(name: &str, x: &[f64], y: &[f64]) -> Self {
        // more points are not visible
        let every = (x.len() / 400).max(1);
        let points = x.iter().copied().zip(y.iter().copied()).step_by(every);
        Self { name: name.to_owned(), points: points.collect(), thin: false }
    }

    /// Creates a thin line for reference values.
    pub fn reference(name: &str, x: &[f64], y: &[f64]) -> Self {
        Self { thin: true, ..Self::new(name, x, y) }
    }
}

/// Colours that are distinguishable with most kinds of colour blindness (Okabe and Ito).
const COLOURS: [RGBColor; 6] = [
    RGBColor(0x00, 0x72, 0xb2),
    RGBColor(0xd5, 0x5e, 0x00),
    RGBColor(0x00, 0x9e, 0x73),
    RGBColor(0xcc, 0x79, 0xa7),
    RGBColor(0xe6, 0x9f, 0x00),
    RGBColor(0x56, 0xb4, 0xe9),
];

/// Size of a picture, px.
const SIZE: (u32, u32) = (760, 420);
/// Units of the drawing per pixel: places are whole numbers of units.
const UNITS: u32 = 10;

/// Draws lines and returns the picture as SVG.
pub fn svg(title: &str, axes: [&str; 2], lines: &[Line]) -> String {
    let mut picture = String::new();
    draw(&mut picture, title, axes, lines).expect("a picture in memory can be drawn");
    let size = |units: u32| format!("width=\"{}\" height=\"{}\"", SIZE.0 * units, SIZE.1 * units);
    picture.replacen(&size(UNITS), &size(1), 1)
}

fn draw(
    picture: &mut String,
    title: &str,
    [x, y]: [&str; 2],
    lines: &[Line],
) -> Result<(), Box<dyn std::error::Error>> {
    let points = || lines.iter().flat_map(|line| &line.points);
    let range = |values: Vec<f64>| {
        let low = values.iter().copied().fold(f64::INFINITY, f64::min);
        let high = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let margin = 0.05 * (high - low).max(1e-6);
        low - margin..high + margin
    };
    let root =
        SVGBackend::with_string(picture, (UNITS * SIZE.0, UNITS * SIZE.1)).into_drawing_area();
    root.fill(&WHITE)?;
    let [x_range, y_range] = [0, 1].map(|axis| {
        range(points().map(|point| if axis == 0 { point.0 } else { point.1 }).collect())
    });
    let corner = emptiest(points(), &x_range, &y_range);
    let mut chart = ChartBuilder::on(&root)
        .caption(title, ("sans-serif", 18 * UNITS))
        .margin(12 * UNITS)
        .x_label_area_size(40 * UNITS)
        .y_label_area_size(64 * UNITS)
        .build_cartesian_2d(x_range, y_range)?;
    let thin = |colour: RGBAColor| colour.stroke_width(UNITS);
    chart
        .configure_mesh()
        .x_desc(x)
        .y_desc(y)
        .label_style(("sans-serif", 12 * UNITS))
        .axis_desc_style(("sans-serif", 12 * UNITS))
        .set_all_tick_mark_size(5 * UNITS)
        .axis_style(thin(BLACK.into()))
        .bold_line_style(thin(BLACK.mix(0.2)))
        .light_line_style(WHITE)
        .draw()?;
    for (number, line) in lines.iter().enumerate() {
        let colour = COLOURS[number % COLOURS.len()];
        let style = colour.stroke_width(if line.thin { UNITS } else { 3 * UNITS });
        chart
            .draw_series(LineSeries::new(line.points.iter().copied(), style))?
            .label(&line.name)
            .legend(move |(x, y)| {
                PathElement::new(vec![(x, y), (x + 18 * UNITS as i32, y)], style)
            });
    }
    chart
        .configure_series_labels()
        .position(corner)
        .label_font(("sans-serif", 12 * UNITS))
        .legend_area_size(30 * UNITS)
        .margin(5 * UNITS)
        .background_style(WHITE.mix(0.8))
        .border_style(thin(BLACK.into()))
        .draw()?;
    root.present()?;
    Ok(())
}

/// Returns the corner with the fewest points, for the legend.
fn emptiest<'a>(
    points: impl Iterator<Item = &'a (f64, f64)>,
    x: &Range<f64>,
    y: &Range<f64>,
) -> SeriesLabelPosition {
    let middle = |range: &Range<f64>| 0.5 * (range.start + range.end);
    let mut counts = [0; 4];
    for (at_x, at_y) in points {
        counts[usize::from(*at_x > middle(x)) + 2 * usize::from(*at_y < middle(y))] += 1;
    }
    match (0..4).min_by_key(|corner| counts[*corner]) {
        Some(0) => SeriesLabelPosition::UpperLeft,
        Some(1) => SeriesLabelPosition::UpperRight,
        Some(2) => SeriesLabelPosition::LowerLeft,
        _ => SeriesLabelPosition::LowerRight,
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    /// With places in whole pixels, a line that rises slowly was a staircase.
    #[test]
    fn a_slow_rise_is_smooth() {
        let x: Vec<f64> = (0..200).map(f64::from).collect();
        let slow: Vec<f64> = x.iter().map(|x| 1e-3 * x).collect();
        let steep: Vec<f64> = x.iter().map(|x| 0.1 * x).collect();
        let lines = [Line::new("slow", &x, &slow), Line::new("steep", &x, &steep)];
        let picture = svg("", ["", ""], &lines);
        assert!(picture.starts_with("<svg width=\"760\" height=\"420\" viewBox=\"0 0 7600 4200\""));
        let line =
            picture.lines().find(|line| line.starts_with("<polyline") && line.contains("#0072B2"));
        let places = line.and_then(|line| line.split("points=\"").nth(1));
        let places = places.expect("a line of this colour").split_whitespace();
        let heights: BTreeSet<&str> = places.filter_map(|at| at.split(',').nth(1)).collect();
        // it rises by about 3 px
        assert!(heights.len() > 20, "{heights:?}");
    }
}
