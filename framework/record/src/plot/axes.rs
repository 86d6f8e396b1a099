//! Axes with equal scales, their ticks and labels.

use super::put;

/// Left edge of the plot, pixels.
pub(super) const LEFT: f64 = 70.0;
/// Upper edge of the plot, pixels.
pub(super) const TOP: f64 = 20.0;
/// Width of the plot, pixels.
pub(super) const WIDTH: f64 = 640.0;
/// Height of the plot, pixels.
pub(super) const HEIGHT: f64 = 520.0;
/// Points beyond are not drawn, m.
const FARTHEST: f64 = 1e9;
/// Smallest width and height, m.
const SMALLEST: f64 = 0.1;
/// Ticks are at least this far apart, pixels.
const SPACING: f64 = 65.0;

/// The rectangle of the world that the plot shows.
pub(super) struct Axes {
    /// Lower left corner, m.
    corner: [f64; 2],
    /// Pixels per metre.
    scale: f64,
}

impl Axes {
    /// Axes that show all points, with a margin.
    pub(super) fn around<'a>(points: impl Iterator<Item = &'a [f64; 2]>) -> Self {
        let (mut low, mut high) = ([f64::INFINITY; 2], [f64::NEG_INFINITY; 2]);
        for point in points.filter(|point| is_drawable(**point)) {
            for axis in 0..2 {
                low[axis] = low[axis].min(point[axis]);
                high[axis] = high[axis].max(point[axis]);
            }
        }
        if low[0] > high[0] {
            (low, high) = ([0.0; 2], [1.0; 2]);
        }
        let extent = |axis: usize| (1.1 * (high[axis] - low[axis])).max(SMALLEST);
        let scale = (WIDTH / extent(0)).min(HEIGHT / extent(1));
        let corner = |axis: usize, size: f64| 0.5 * (low[axis] + high[axis] - size / scale);
        Self { corner: [corner(0, WIDTH), corner(1, HEIGHT)], scale }
    }

    /// Where a point of the world is in the image, pixels.
    pub(super) fn pixel(&self, point: [f64; 2]) -> Option<[f64; 2]> {
        let x = LEFT + (point[0] - self.corner[0]) * self.scale;
        let y = TOP + HEIGHT - (point[1] - self.corner[1]) * self.scale;
        is_drawable(point).then_some([x, y])
    }

    /// Draws grid, ticks, frame and labels.
    pub(super) fn draw(&self, svg: &mut String) {
        let (right, bottom) = (LEFT + WIDTH, TOP + HEIGHT);
        svg.push_str("<g fill=\"#444\">\n");
        for (x, text) in self.ticks(0, WIDTH) {
            let (x, y_text) = (LEFT + x, bottom + 18.0);
            put(
                svg,
                format_args!(
                    "<path d=\"M{x:.1} {TOP}V{bottom}\" stroke=\"#e6e6e6\"/>\
                     <text x=\"{x:.1}\" y=\"{y_text}\" text-anchor=\"middle\">{text}</text>\n"
                ),
            );
        }
        for (y, text) in self.ticks(1, HEIGHT) {
            let (y, y_text, x_text) = (bottom - y, bottom - y + 4.0, LEFT - 8.0);
            put(
                svg,
                format_args!(
                    "<path d=\"M{LEFT} {y:.1}H{right}\" stroke=\"#e6e6e6\"/>\
                     <text x=\"{x_text}\" y=\"{y_text:.1}\" text-anchor=\"end\">{text}</text>\n"
                ),
            );
        }
        let (x_label, y_label, below) =
            (LEFT + 0.5 * WIDTH, TOP + 0.5 * HEIGHT, TOP + HEIGHT + 42.0);
        put(
            svg,
            format_args!(
                "<rect x=\"{LEFT}\" y=\"{TOP}\" width=\"{WIDTH}\" height=\"{HEIGHT}\" \
                 fill=\"none\" stroke=\"#888\"/>\n\
                 <text x=\"{x_label}\" y=\"{below}\" text-anchor=\"middle\">x (m)</text>\n\
                 <text transform=\"translate(16 {y_label}) rotate(-90)\" \
                 text-anchor=\"middle\">y (m)</text>\n</g>\n"
            ),
        );
    }

    /// Distance from the corner, pixels, and text of the ticks of an axis of this length, pixels.
    fn ticks(&self, axis: usize, length: f64) -> Vec<(f64, String)> {
        let corner = self.corner[axis];
        let (step, decimals) = step(SPACING / self.scale);
        let first = (corner / step).ceil();
        let count = ((corner + length / self.scale) / step).floor() - first;
        (0..=count as usize)
            .map(|k| {
                let tick = (first + k as f64) * step;
                // adding zero turns -0 into 0
                ((tick - corner) * self.scale, format!("{:.decimals$}", tick + 0.0))
            })
            .collect()
    }
}

fn is_drawable(point: [f64; 2]) -> bool {
    point.iter().all(|x| x.abs() <= FARTHEST)
}

/// The smallest of 1, 2 and 5 times a power of ten that is at least `least`, and its decimals.
fn step(least: f64) -> (f64, usize) {
    let exponent = least.log10().floor() as i32;
    let power = 10_f64.powi(exponent);
    let (factor, exponent) = match least / power {
        x if x <= 1.0 => (1.0, exponent),
        x if x <= 2.0 => (2.0, exponent),
        x if x <= 5.0 => (5.0, exponent),
        _ => (1.0, exponent + 1),
    };
    (factor * 10_f64.powi(exponent), exponent.min(0).unsigned_abs() as usize)
}

#[cfg(test)]
mod tests {
    use super::{Axes, step};

    #[test]
    fn steps_are_round() {
        assert_eq!(
            [0.03, 0.7, 1.0, 3.0, 12.0, 60.0].map(step),
            [(0.05, 2), (1.0, 0), (1.0, 0), (5.0, 0), (20.0, 0), (100.0, 0)]
        );
    }

    #[test]
    fn both_axes_have_one_scale() {
        let axes = Axes::around([[0.0, 0.0], [100.0, 1.0]].iter());
        let origin = axes.pixel([0.0, 0.0]).unwrap_or_default();
        let ahead = axes.pixel([1.0, 0.0]).unwrap_or_default();
        let left = axes.pixel([0.0, 1.0]).unwrap_or_default();
        assert!((ahead[0] - origin[0] - (origin[1] - left[1])).abs() < 1e-9);
        assert!(ahead[0] > origin[0] && ahead[1] == origin[1]);
    }

    #[test]
    fn ticks_lie_within_the_axis() {
        for size in [1e-12, 0.3, 7.0, 5e4, 1e9] {
            let axes = Axes::around([[-size, 0.0], [size, size]].iter());
            let ticks = axes.ticks(0, super::WIDTH);
            assert!((3..12).contains(&ticks.len()), "{ticks:?}");
            assert!(ticks.iter().all(|(x, _)| (0.0..=super::WIDTH).contains(x)), "{ticks:?}");
            assert!(ticks.iter().any(|(_, text)| text.trim_matches(['0', '.']).is_empty()));
        }
    }
}
