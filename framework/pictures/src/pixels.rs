//! Pictures of images of cameras whose pixels are not colours: depths, and numbers of classes or entities.

use std::collections::BTreeMap;

use crate::chart::INK;
use crate::drawing::{Anchor, Colour, Drawing, Image, Item, text_width};
use crate::reading;

/// Smallest width of the image, pixels.
const SMALLEST: usize = 480;
/// Height of a scale of colours, pixels.
const SCALE: u32 = 12;
/// Height of a line of the legend and of its text, pixels.
const LINE: u32 = 24;
const TEXT: f32 = 16.0;
/// Lines of the legend at most.
const LINES: usize = 12;
/// Space between the entries of the legend, and between a square and its text, pixels.
const GAP: f32 = 18.0;
const SQUARE: f32 = 14.0;

/// Returns the colour of a number: hues a golden angle apart, so that neighbouring numbers are easy to tell
/// apart, in three lightnesses.
fn colour_of(number: u32) -> [u8; 3] {
    let hue = (f64::from(number) * 0.618_033_988_75).fract() * 6.0;
    let value = [0.95, 0.7, 0.5][(number / 5 % 3) as usize];
    let saturation = 0.75;
    let part = |offset: f64| {
        let k = (offset + hue) % 6.0;
        let depth = k.min(4.0 - k).clamp(0.0, 1.0);
        (255.0 * value * (1.0 - saturation * depth)).round() as u8
    };
    [part(5.0), part(3.0), part(1.0)]
}

/// Returns an image of numbers, row after row from the top, with a colour per number and a legend of their
/// names, the most frequent first. `name` gives the name of a number; a number without a name is black and not
/// in the legend.
pub fn numbers_as_image(
    numbers: &[u32],
    columns: usize,
    name: impl Fn(u32) -> Option<String>,
) -> Image {
    let columns = columns.max(1);
    let rows = numbers.len() / columns;
    let mut counts: BTreeMap<u32, usize> = BTreeMap::new();
    numbers.iter().for_each(|number| *counts.entry(*number).or_default() += 1);
    let mut named: Vec<(u32, usize, String)> = counts
        .into_iter()
        .filter_map(|(number, count)| Some((number, count, name(number)?)))
        .collect();
    named.sort_by_key(|(number, count, _)| (std::cmp::Reverse(*count), *number));
    let pixel = pixel_of(columns);
    let legend = legend(&named, (columns * pixel) as f32);
    let colours: BTreeMap<u32, [u8; 3]> =
        named.iter().map(|(number, ..)| (*number, colour_of(*number))).collect();
    let colour = |number: &u32| colours.get(number).copied().unwrap_or_default();
    enlarged(&numbers.iter().map(colour).collect::<Vec<_>>(), [columns, rows], legend)
}

/// Returns an image of depths, m, row after row from the top, dark for near and bright for far, with a scale
/// below it. A depth that is not above 0 is black.
pub fn depths_as_image(depths: &[f64], columns: usize) -> Image {
    let columns = columns.max(1);
    let rows = depths.len() / columns;
    let reach = reach(depths);
    let colour = |depth: &f64| match *depth > 0.0 {
        true => reading::colour_of(*depth, reach),
        false => [0; 3],
    };
    let legend = scale(reach, (columns * pixel_of(columns)) as f32);
    enlarged(&depths.iter().map(colour).collect::<Vec<_>>(), [columns, rows], legend)
}

/// Returns the depths between which colours change: the least one, and one that a twentieth of the pixels
/// exceeds, because the ground reaches to the horizon. The first is greater if nothing is seen.
fn reach(depths: &[f64]) -> [f64; 2] {
    let mut seen: Vec<f64> = depths.iter().copied().filter(|depth| *depth > 0.0).collect();
    seen.sort_unstable_by(f64::total_cmp);
    match seen[..] {
        [] => [f64::INFINITY, f64::NEG_INFINITY],
        [low, ..] => [low, seen[(seen.len() - 1) * 19 / 20]],
    }
}

/// Returns the side of the square that shows a pixel of an image with so many columns, pixels.
fn pixel_of(columns: usize) -> usize {
    SMALLEST.div_ceil(columns).clamp(1, 64)
}

/// Returns an image with squares of these colours, and a legend below it.
fn enlarged(colours: &[[u8; 3]], [columns, rows]: [usize; 2], legend: Drawing) -> Image {
    let pixel = pixel_of(columns);
    let (width, height) = (columns * pixel, rows * pixel);
    let mut image = Image::white(width as u32, height as u32 + legend.size[1]);
    image.draw(&moved(legend, height as f32), 1.0);
    for (row, line) in image.pixels.chunks_exact_mut(3 * width).take(height).enumerate() {
        for (column, bytes) in line.chunks_exact_mut(3).enumerate() {
            bytes.copy_from_slice(&colours[row / pixel * columns + column / pixel]);
        }
    }
    image
}

/// Returns a scale of the colours of depths with its ends in m; nothing if nothing is seen.
fn scale([low, high]: [f64; 2], width: f32) -> Drawing {
    let mut drawing = Drawing::new(width as u32, 0);
    if low > high {
        return drawing;
    }
    drawing.size[1] = SCALE + LINE + 8;
    let (top, bottom, left) = (6.0, 6.0 + SCALE as f32, GAP / 2.0);
    let span = width - GAP;
    let steps = 64_u8;
    for step in 0..steps {
        let share = f64::from(step) / f64::from(steps - 1);
        let colour = Colour { rgb: reading::colour_of(share, [0.0, 1.0]), alpha: 1.0 };
        // up to the end, under the steps that follow: edges next to each other would let the background through
        let (x, end) = (left + span * f32::from(step) / f32::from(steps), left + span);
        drawing.polygon(vec![[x, top], [end, top], [end, bottom], [x, bottom]], colour);
    }
    let base = bottom + TEXT + 2.0;
    drawing.text(&format!("{low:.2} m"), [left, base], TEXT, INK, Anchor::Start);
    drawing.text(&format!("{high:.2} m and more"), [width - left, base], TEXT, INK, Anchor::End);
    drawing
}

/// Returns the legend: squares with names, in lines of this width.
fn legend(named: &[(u32, usize, String)], width: f32) -> Drawing {
    let mut drawing = Drawing::new(width as u32, 0);
    let (mut x, mut line) = (GAP / 2.0, 0);
    for (number, _, name) in named {
        let length = SQUARE + 6.0 + text_width(name, TEXT) + GAP;
        if x + length > width && x > GAP {
            (x, line) = (GAP / 2.0, line + 1);
        }
        if line == LINES {
            break;
        }
        let top = (line as u32 * LINE) as f32 + 5.0;
        let [right, bottom] = [x + SQUARE, top + SQUARE];
        let colour = Colour { rgb: colour_of(*number), alpha: 1.0 };
        drawing.polygon(vec![[x, top], [right, top], [right, bottom], [x, bottom]], colour);
        drawing.text(name, [right + 6.0, bottom], TEXT, INK, Anchor::Start);
        x += length;
    }
    let lines = if named.is_empty() { 0 } else { (line + 1).min(LINES) as u32 };
    drawing.size[1] = lines * LINE + 4 * lines.min(1);
    drawing
}

/// Returns a drawing further down.
fn moved(mut drawing: Drawing, by: f32) -> Drawing {
    for item in &mut drawing.items {
        match item {
            Item::Line { points, .. } | Item::Polygon { points, .. } => {
                points.iter_mut().for_each(|point| point[1] += by);
            }
            Item::Text { at, .. } => at[1] += by,
        }
    }
    drawing
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_colours_and_a_legend() {
        let name = |number: u32| (number != 9).then(|| format!("n{number}"));
        let image = numbers_as_image(&[0, 1, 9, 1], 2, name);
        assert_eq!((image.width, image.height), (128, 128 + LINE + 4));
        let pixel = |x: usize, y: usize| {
            let at = 3 * (y * image.width as usize + x);
            [image.pixels[at], image.pixels[at + 1], image.pixels[at + 2]]
        };
        assert_eq!([pixel(0, 0), pixel(127, 0)], [colour_of(0), colour_of(1)]);
        assert_eq!([pixel(0, 127), pixel(127, 127)], [[0; 3], colour_of(1)]);
        // the square of the most frequent number is the first
        assert_eq!(pixel(15, 128 + 12), colour_of(1));
    }

    #[test]
    fn depths_have_a_scale() {
        let image = depths_as_image(&[0.0, 1.0, 3.0, 3.0], 2);
        assert_eq!((image.width, image.height), (128, 128 + SCALE + LINE + 8));
        let pixel = |x: usize, y: usize| {
            let at = 3 * (y * image.width as usize + x);
            [image.pixels[at], image.pixels[at + 1], image.pixels[at + 2]]
        };
        assert_eq!(pixel(0, 0), [0; 3]);
        let ends = [0.0, 1.0].map(|end| reading::colour_of(end, [0.0, 1.0]));
        assert_eq!([pixel(127, 0), pixel(127, 127)], ends);
        // the colours of the scale change from pixel to pixel
        for (found, end) in [pixel(9, 128 + 10), pixel(117, 128 + 10)].iter().zip(ends) {
            assert!(
                found.iter().zip(end).all(|(a, b)| a.abs_diff(b) < 60),
                "{found:?}, not {end:?}"
            );
        }
        assert_eq!(depths_as_image(&[0.0], 1).height, 64);
    }

    #[test]
    fn colours_of_the_first_numbers_differ() {
        let all: Vec<_> = (0..64).map(colour_of).collect();
        for (number, colour) in all.iter().enumerate() {
            assert!(!all[..number].contains(colour), "{number}");
        }
        assert_eq!(numbers_as_image(&[], 0, |_| None).height, 0);
    }
}
