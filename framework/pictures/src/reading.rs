//! Pictures of single readings of range sensors: from above, and as an image of ranges.

use crate::chart::{INK, Place, Sizes};
use crate::drawing::{Anchor, Colour, Drawing, Image};
use crate::picture::{View, axes};
use crate::{Picture, Track};

/// Width and height of the picture from above, pixels.
const SIZE: [u32; 2] = [1240, 1160];
/// Width and height of the area between its axes, pixels.
const AREA: [u32; 2] = [1080, 1040];
/// Space above the plot, pixels.
const MARGIN: u32 = 40;
/// Sizes of the texts and the space for them.
const SIZES: Sizes = Sizes { text: 24.0, below: 80, left: 110 };
/// Smallest width and height of an image of ranges, pixels.
const SMALLEST: [usize; 2] = [720, 128];

/// Colours from near or low to far or high: Viridis (S. van der Walt and N. Smith, 2015) in nine steps.
const SCALE: [[u8; 3]; 9] = [
    [0x44, 0x01, 0x54],
    [0x47, 0x2d, 0x7b],
    [0x3b, 0x52, 0x8b],
    [0x2c, 0x72, 0x8e],
    [0x21, 0x91, 0x8c],
    [0x28, 0xae, 0x80],
    [0x5e, 0xc9, 0x62],
    [0xad, 0xdc, 0x30],
    [0xfd, 0xe7, 0x25],
];

/// Returns the colour of a value between `low` and `high`.
pub(crate) fn colour_of(value: f64, [low, high]: [f64; 2]) -> [u8; 3] {
    let last = (SCALE.len() - 1) as f64;
    let place =
        if high > low { last * ((value - low) / (high - low)).clamp(0.0, 1.0) } else { 0.0 };
    let (before, share) = (place.floor() as usize, place.fract());
    let [from, to] = [SCALE[before], SCALE[(before + 1).min(SCALE.len() - 1)]];
    std::array::from_fn(|part| {
        (f64::from(from[part]) * (1.0 - share) + f64::from(to[part]) * share).round() as u8
    })
}

/// Returns the least and the greatest of finite values.
fn extent(values: impl Iterator<Item = f64>) -> [f64; 2] {
    let finite = values.filter(|value| value.is_finite());
    finite.fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], value| {
        [low.min(value), high.max(value)]
    })
}

/// Largest number of points that are drawn as discs.
const SPARSE: usize = 2000;
/// Colours of points of one height, and of the rays to them.
const POINT: [u8; 3] = [0xc0, 0x4a, 0x1f];
const RAY: Colour = Colour::hex(0xf3d9c8);

/// Returns points in the frame of their sensor, m, as a picture from above. Colours are heights,
/// unless all points have the same height, as for a planar laser. The triangle is the sensor, which
/// looks to the right.
pub fn points_from_above(title: &str, points: &[[f64; 3]]) -> Image {
    let track = Track {
        points: points.iter().map(|[x, y, _]| [*x, *y]).chain([[0.0; 2]]).collect(),
        ..Track::default()
    };
    let picture = Picture { tracks: vec![track], ..Picture::default() };
    let view = View::of(&picture, f64::from(AREA[0]) / f64::from(AREA[1]));
    let mut drawing = Drawing::new(SIZE[0], SIZE[1]);
    let (width, height) = (SIZES.left + AREA[0], AREA[1] + SIZES.below);
    let chart = axes(&mut drawing, Place { left: 30, top: MARGIN, width, height }, SIZES, &view);
    let centre = chart.at([0.0; 2]);
    let heights = extent(points.iter().map(|[.., z]| *z));
    let [low, high] = heights;
    let is_level = high - low < 1e-6;
    let legend = match (points.is_empty(), is_level) {
        (true, _) => format!("{title}: no returns"),
        (_, true) => format!("{title}: {} returns", points.len()),
        _ => format!("{title}: {} returns, z from {low:.2} m to {high:.2} m", points.len()),
    };
    drawing.text(&legend, [SIZES.left as f32, 28.0], SIZES.text, INK, Anchor::Start);
    // few points are seen better as discs, at the ends of their rays
    let is_sparse = points.len() <= SPARSE;
    if is_sparse && is_level {
        for [x, y, _] in points {
            drawing.line(vec![centre, chart.at([*x, *y])], RAY, 1.0);
        }
    }
    let colour = |z: f64| if is_level { POINT } else { colour_of(z, heights) };
    if is_sparse {
        for [x, y, z] in points {
            let [red, green, blue] = colour(*z).map(u32::from);
            drawing.disc(chart.at([*x, *y]), 3.0, Colour::hex(red << 16 | green << 8 | blue));
        }
    }
    // the sensor points to the right, along its x axis
    let corners = [[14.0, 0.0], [-9.0, 8.0], [-9.0, -8.0]];
    let corners = corners.map(|[x, y]| [centre[0] + x, centre[1] + y]);
    drawing.polygon(corners.to_vec(), INK);
    let mut image = drawing.image(1.0);
    for [px, py, pz] in points.iter().filter(|_| !is_sparse) {
        let [x, y] = chart.at([*px, *py]);
        for [dx, dy] in [[0, 0], [1, 0], [0, 1], [1, 1]] {
            set(&mut image, [x as i64 + dx, y as i64 + dy], colour(*pz));
        }
    }
    image
}

/// Returns an image of ranges, m, row after row from the top: one pixel or more per ray, dark for near,
/// bright for far, and black for a range that is not finite.
pub fn ranges_as_image(ranges: &[f64], columns: usize) -> Image {
    let columns = columns.max(1);
    let rows = ranges.len() / columns;
    let scale = |count: usize, smallest: usize| smallest.div_ceil(count.max(1)).clamp(1, 64);
    let [wide, high] = [scale(columns, SMALLEST[0]), scale(rows, SMALLEST[1])];
    let mut image = Image::white((columns * wide) as u32, (rows * high).max(1) as u32);
    let reach = extent(ranges.iter().copied());
    for (row, ranges) in ranges.chunks_exact(columns).enumerate() {
        for (column, range) in ranges.iter().enumerate() {
            let colour = if range.is_finite() { colour_of(*range, reach) } else { [0; 3] };
            for y in row * high..(row + 1) * high {
                for x in column * wide..(column + 1) * wide {
                    set(&mut image, [x as i64, y as i64], colour);
                }
            }
        }
    }
    image
}

fn set(image: &mut Image, [x, y]: [i64; 2], colour: [u8; 3]) {
    let is_inside =
        (0..i64::from(image.width)).contains(&x) && (0..i64::from(image.height)).contains(&y);
    if is_inside {
        let at = 3 * (y as usize * image.width as usize + x as usize);
        image.pixels[at..at + 3].copy_from_slice(&colour);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_become_pixels_from_the_top() {
        let image = ranges_as_image(&[1.0, f64::INFINITY, 3.0, 2.0], 2);
        let pixel = |x: u32, y: u32| {
            let at = 3 * (y * image.width + x) as usize;
            [image.pixels[at], image.pixels[at + 1], image.pixels[at + 2]]
        };
        let (right, bottom) = (image.width - 1, image.height - 1);
        assert_eq!([pixel(0, 0), pixel(right, 0)], [SCALE[0], [0; 3]]);
        assert_eq!([pixel(0, bottom), pixel(right, bottom)], [SCALE[8], SCALE[4]]);
    }

    #[test]
    fn a_reading_without_returns_has_a_picture() {
        let image = points_from_above("empty", &[]);
        assert_eq!([image.width, image.height], SIZE);
        assert!(ranges_as_image(&[], 0).height > 0);
        assert_eq!(points_from_above("one", &[[1.0, 2.0, 3.0]]).width, SIZE[0]);
    }
}
