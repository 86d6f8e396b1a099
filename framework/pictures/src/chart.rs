//! Axes.

use plotters::prelude::*;

use crate::drawing::{Canvas, Colour, Dash, Drawing};

/// Part of a drawing in pixels: left, top, width and height.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Place {
    /// Left edge.
    pub left: u32,
    /// Upper edge.
    pub top: u32,
    /// Width.
    pub width: u32,
    /// Height.
    pub height: u32,
}

/// An axis of a chart.
#[derive(Clone, Debug, PartialEq)]
pub struct Axis {
    /// Ends of the axis.
    pub range: [f64; 2],
    /// Quantity and unit, such as `speed (m/s)`; empty if there is no space for labels.
    pub label: String,
}

/// Sizes of the texts of a chart, pixels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sizes {
    /// Height of texts.
    pub text: f32,
    /// Height of the space for the labels of the x axis.
    pub below: u32,
    /// Width of the space for the labels of the y axis.
    pub left: u32,
}

/// A chart: the area between two axes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Chart {
    /// Left, upper, right and lower edge, pixels.
    pub area: [f32; 4],
    x: [f64; 2],
    y: [f64; 2],
}

impl Chart {
    /// Draws the axes and the grid of a chart that fills `place`.
    pub fn draw(drawing: &mut Drawing, place: Place, sizes: Sizes, x: &Axis, y: &Axis) -> Self {
        axes(drawing, place, sizes, x, y).expect("drawing into memory does not fail")
    }

    /// Returns the pixel of a point.
    pub fn at(&self, [x, y]: [f64; 2]) -> [f32; 2] {
        let [left, top, right, bottom] = self.area.map(f64::from);
        let across = (x - self.x[0]) / (self.x[1] - self.x[0]);
        let up = (y - self.y[0]) / (self.y[1] - self.y[0]);
        [(left + across * (right - left)) as f32, (bottom - up * (bottom - top)) as f32]
    }

    /// Returns the pixels of points in pieces that are finite, without points that are less than a
    /// pixel from the one before.
    pub fn path(&self, points: impl IntoIterator<Item = [f64; 2]>) -> Vec<Vec<[f32; 2]>> {
        let mut pieces: Vec<Vec<[f32; 2]>> = vec![Vec::new()];
        let mut left_out = None;
        for point in points {
            let pixel = self.at(point);
            let is_drawable = pixel.iter().all(|coordinate| coordinate.abs() < 1e6);
            let Some(piece) = pieces.last_mut() else { break };
            if !is_drawable {
                piece.extend(left_out.take());
                pieces.push(Vec::new());
                continue;
            }
            let is_far = |from: &[f32; 2]| (pixel[0] - from[0]).hypot(pixel[1] - from[1]) >= 1.0;
            if piece.last().is_none_or(is_far) {
                piece.push(pixel);
                left_out = None;
            } else {
                left_out = Some(pixel);
            }
        }
        if let Some(piece) = pieces.last_mut() {
            piece.extend(left_out);
        }
        pieces.retain(|piece| !piece.is_empty());
        pieces
    }
}

fn axes(
    drawing: &mut Drawing,
    place: Place,
    sizes: Sizes,
    x: &Axis,
    y: &Axis,
) -> Result<Chart, Box<dyn std::error::Error>> {
    let root = Canvas(drawing).into_drawing_area();
    let area = root.shrink((place.left, place.top), (place.width, place.height));
    let mut chart = ChartBuilder::on(&area)
        .x_label_area_size(sizes.below)
        .y_label_area_size(sizes.left)
        .build_cartesian_2d(x.range[0]..x.range[1], y.range[0]..y.range[1])?;
    let text = ("sans-serif", sizes.text).into_font().color(&colour(INK));
    let per_label = 6.5 * f64::from(sizes.text);
    let labels = |pixels: u32| ((f64::from(pixels) / per_label) as usize).clamp(2, 10);
    chart
        .configure_mesh()
        .x_desc(x.label.as_str())
        .y_desc(y.label.as_str())
        .axis_desc_style(text.clone())
        .label_style(text)
        .x_labels(labels(place.width - sizes.left))
        .y_labels(labels(2 * (place.height - sizes.below)))
        .x_label_formatter(&|at: &f64| tick(*at, x.range))
        .y_label_formatter(&|at: &f64| tick(*at, y.range))
        .axis_style(colour(INK))
        .bold_line_style(colour(GRID))
        .light_line_style(TRANSPARENT)
        .draw()?;
    let (across, down) = chart.plotting_area().get_pixel_range();
    let area = [across.start, down.start, across.end, down.end].map(|pixel| pixel as f32);
    Ok(Chart { area, x: x.range, y: y.range })
}

/// Returns the label of a place on an axis, short enough for the space next to the axis.
fn tick(at: f64, [low, high]: [f64; 2]) -> String {
    let span = (high - low).abs();
    // a place comes from a sum with errors
    if at.abs() < 1e-6 * span {
        return "0".to_owned();
    }
    if !(1e-3..1e5).contains(&at.abs()) {
        let rounded: f64 = format!("{at:.3e}").parse().unwrap_or(at);
        return format!("{rounded:e}");
    }
    let decimals = (2.0 - span.log10().floor()).clamp(0.0, 9.0) as usize;
    let text = format!("{at:.decimals$}");
    match text.contains('.') {
        true => text.trim_end_matches('0').trim_end_matches('.').to_owned(),
        false => text,
    }
}

fn colour(of: Colour) -> RGBColor {
    let [red, green, blue] = of.rgb;
    RGBColor(red, green, blue)
}

/// Returns the range of an axis that shows values with a margin; `None` if no value is finite.
pub fn range_of(values: impl IntoIterator<Item = f64>) -> Option<[f64; 2]> {
    let finite = values.into_iter().filter(|value| value.abs() <= 1e15);
    let [low, high] = finite.fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], value| {
        [low.min(value), high.max(value)]
    });
    if low > high {
        return None;
    }
    let least = 1e-9 + 1e-6 * low.abs().max(high.abs());
    let margin = match high - low > least {
        true => 0.05 * (high - low),
        // a constant
        false => (0.1 * high.abs()).max(least).max(if high == 0.0 { 1.0 } else { 0.0 }),
    };
    Some([low - margin, high + margin])
}

/// Colours of the first series, distinct for most kinds of colour blindness (Okabe and Ito, 2008).
const SERIES: [Colour; 8] = [
    Colour::hex(0x0072b2),
    Colour::hex(0xd55e00),
    Colour::hex(0x009e73),
    Colour::hex(0xcc79a7),
    Colour::hex(0xe69f00),
    Colour::hex(0x56b4e9),
    Colour::hex(0x7a5195),
    Colour::hex(0x5c5c5c),
];

/// Dash patterns of series that share a colour.
const DASHES: [Dash; 6] =
    [&[], &[4.0, 2.0], &[1.0, 1.5], &[6.0, 2.0, 1.0, 2.0], &[8.0, 3.0], &[2.0, 2.0]];

/// Colour of texts and axes.
pub(super) const INK: Colour = Colour::hex(0x222222);
/// Colour of grid lines.
const GRID: Colour = Colour::hex(0xe6e6e6);
/// Colour of marks and secondary texts.
pub(super) const MARK: Colour = Colour::hex(0x666666);

/// Shades of the colours of further series: the grey level to mix with, and its share.
const SHADES: [(f32, f32); 4] = [(0.0, 0.0), (0.0, 0.45), (255.0, 0.45), (0.0, 0.7)];

/// Returns the colour of a series. Beyond the named colours follow darker and lighter shades of them,
/// because lightness is seen with every kind of colour blindness.
pub(super) fn of_series(number: usize) -> Colour {
    let named = SERIES[number % SERIES.len()];
    let (grey, share) = SHADES[number / SERIES.len() % SHADES.len()];
    let mix = |channel: u8| (f32::from(channel) + share * (grey - f32::from(channel))) as u8;
    Colour { rgb: named.rgb.map(mix), ..named }
}

/// Returns the dash pattern of the `number`-th series of a colour.
pub(super) fn dash_of(number: usize) -> Dash {
    DASHES[number % DASHES.len()]
}

#[cfg(test)]
mod tests {
    use super::{SERIES, of_series, *};

    #[test]
    fn ranges_contain_all_finite_values() {
        assert_eq!(range_of([f64::NAN]), None);
        assert_eq!(range_of([0.0, 0.0]), Some([-1.0, 1.0]));
        assert_eq!(range_of([0.0, 10.0, f64::INFINITY]), Some([-0.5, 10.5]));
        let [low, high] = range_of([250.0]).unwrap();
        assert!(low < 250.0 && high > 250.0);
    }

    #[test]
    fn labels_are_short() {
        let ten = [-10.0, 10.0];
        assert_eq!(["0", "0.3"], [-1e-17, 0.300_000_000_000_000_04].map(|at| tick(at, ten)));
        assert_eq!(["2000", "-500"], [2000.0, -500.0].map(|at| tick(at, [-500.0, 2500.0])));
        assert_eq!(tick(-250_000.0, [-3e5, 3e5]), "-2.5e5");
        assert_eq!(["2e-4", "0"], [0.0002, 0.0].map(|at| tick(at, [0.0, 0.001])));
        assert_eq!(tick(0.025, [0.0, 0.1]), "0.025");
    }

    #[test]
    fn a_path_is_broken_where_it_is_not_finite() {
        let mut drawing = Drawing::new(400, 300);
        let place = Place { left: 0, top: 0, width: 400, height: 300 };
        let axis = |label: &str| Axis { range: [0.0, 10.0], label: label.to_owned() };
        let sizes = Sizes { text: 12.0, below: 40, left: 50 };
        let chart = Chart::draw(&mut drawing, place, sizes, &axis("x (m)"), &axis("y (m)"));
        let points =
            [[0.0, 0.0], [1.0, 1.0], [f64::NAN, 1.0], [2.0, 2.0], [2.0001, 2.0], [2.0002, 2.0]];
        let path = chart.path(points);
        let lens: Vec<usize> = path.iter().map(Vec::len).collect();
        assert_eq!(lens, [2, 2]);
        assert_eq!(chart.at([0.0, 0.0]), [chart.area[0], chart.area[3]]);
        let svg = drawing.svg();
        assert!(svg.contains("x (m)") && svg.contains("y (m)") && svg.contains("\n10\n"), "{svg}");
    }

    #[test]
    fn further_series_have_shades_of_their_own() {
        let all: Vec<[u8; 3]> = (0..32).map(|number| of_series(number).rgb).collect();
        assert_eq!(all[..8], SERIES.map(|colour| colour.rgb));
        for (number, colour) in all.iter().enumerate() {
            assert!(!all[..number].contains(colour), "{number}");
        }
        assert_eq!(all[8], [0, 62, 97]);
    }
}
