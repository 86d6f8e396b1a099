//! Images of drawings, with smooth edges.

use ab_glyph_rasterizer::{Rasterizer, point};

use super::{Anchor, Colour, Dash, Drawing, Item, circle, font, text_width};
use crate::clip::clip_half_plane;

/// An image: red, green and blue of each pixel, row after row from the top.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Image {
    /// Pixels per row.
    pub width: u32,
    /// Number of rows.
    pub height: u32,
    /// Three bytes per pixel.
    pub pixels: Vec<u8>,
}

impl Image {
    /// Creates a white image.
    pub fn white(width: u32, height: u32) -> Self {
        Self { width, height, pixels: vec![255; 3 * width as usize * height as usize] }
    }

    /// Draws the items of a drawing, `scale` times as large.
    pub fn draw(&mut self, drawing: &Drawing, scale: f32) {
        let mut brush = Brush { image: self, rasterizer: Rasterizer::new(0, 0) };
        for item in &drawing.items {
            brush.draw(item, scale);
        }
    }

    /// Returns the image as a PNG file.
    ///
    /// # Errors
    /// Fails if the image has no pixels.
    pub fn png(&self) -> Result<Vec<u8>, png::EncodingError> {
        let mut bytes = Vec::new();
        let mut encoder = png::Encoder::new(&mut bytes, self.width, self.height);
        encoder.set_color(png::ColorType::Rgb);
        encoder.set_depth(png::BitDepth::Eight);
        let mut writer = encoder.write_header()?;
        writer.write_image_data(&self.pixels)?;
        writer.finish()?;
        Ok(bytes)
    }

    /// Mixes a colour into a pixel.
    fn mix(&mut self, x: i64, y: i64, colour: Colour, share: f32) {
        let is_inside =
            (0..i64::from(self.width)).contains(&x) && (0..i64::from(self.height)).contains(&y);
        if !is_inside {
            return;
        }
        let share = (share * colour.alpha).clamp(0.0, 1.0);
        let at = 3 * (y as usize * self.width as usize + x as usize);
        for (byte, of) in self.pixels[at..at + 3].iter_mut().zip(colour.rgb) {
            let old = f32::from(*byte);
            *byte = (old + share * (f32::from(of) - old)).round() as u8;
        }
    }
}

struct Brush<'a> {
    image: &'a mut Image,
    rasterizer: Rasterizer,
}

impl Brush<'_> {
    fn draw(&mut self, item: &Item, scale: f32) {
        let scaled = |points: &[[f32; 2]]| -> Vec<[f32; 2]> {
            points.iter().map(|point| point.map(|coordinate| coordinate * scale)).collect()
        };
        match item {
            Item::Line { points, colour, width, dash } => {
                let (points, width) = (scaled(points), width * scale);
                self.fill(&strokes(&points, width, dash), *colour);
            }
            Item::Polygon { points, colour } => self.fill(&[scaled(points)], *colour),
            Item::Text { text, at, size, colour, anchor, is_upright } => {
                let size = size * scale;
                let before = match anchor {
                    Anchor::Start => 0.0,
                    Anchor::Middle => 0.5 * text_width(text, size),
                    Anchor::End => text_width(text, size),
                };
                let [x, y] = at.map(|coordinate| coordinate * scale);
                let at = if *is_upright { [x, y + before] } else { [x - before, y] };
                font::each_pixel(text, at, size, *is_upright, |x, y, share| {
                    self.image.mix(x, y, *colour, share);
                });
            }
        }
    }

    /// Fills polygons, which count once where they overlap.
    fn fill(&mut self, polygons: &[Vec<[f32; 2]>], colour: Colour) {
        let high = [self.image.width as f32, self.image.height as f32];
        let clipped: Vec<Vec<[f32; 2]>> =
            polygons.iter().map(|polygon| clipped(polygon, high)).collect();
        let corners = || clipped.iter().flatten();
        let bound = |axis: usize, pick: fn(f32, f32) -> f32| {
            corners().map(|corner| corner[axis]).reduce(pick)
        };
        let (Some(left), Some(right)) = (bound(0, f32::min), bound(0, f32::max)) else { return };
        let (Some(top), Some(bottom)) = (bound(1, f32::min), bound(1, f32::max)) else { return };
        let (left, top) = (left.floor(), top.floor());
        let size = [(right - left).ceil() as usize + 1, (bottom - top).ceil() as usize + 1];
        self.rasterizer.reset(size[0], size[1]);
        for polygon in &clipped {
            for (k, to) in polygon.iter().enumerate() {
                let from = polygon[(k + polygon.len() - 1) % polygon.len()];
                let at = |[x, y]: [f32; 2]| point(x - left, y - top);
                self.rasterizer.draw_line(at(from), at(*to));
            }
        }
        let image = &mut *self.image;
        self.rasterizer.for_each_pixel_2d(|x, y, share| {
            let share = share.min(1.0);
            if share > 0.0 {
                image.mix(left as i64 + i64::from(x), top as i64 + i64::from(y), colour, share);
            }
        });
    }
}

/// Returns the polygons that a line consists of, all with the same winding.
fn strokes(points: &[[f32; 2]], width: f32, dash: Dash) -> Vec<Vec<[f32; 2]>> {
    let half = 0.5 * width;
    let mut polygons = Vec::new();
    for pair in points.windows(2) {
        let [from, to] = [pair[0], pair[1]];
        let along = [to[0] - from[0], to[1] - from[1]];
        let length = along[0].hypot(along[1]);
        if length > 0.0 && length.is_finite() && dash.is_empty() {
            polygons.push(thick(from, to, half));
        }
    }
    if !dash.is_empty() {
        dashes(points, width, dash, |from, to| polygons.push(thick(from, to, half)));
    } else if width > 1.5 && points.len() > 2 {
        // where the line goes straight on, its parts fit without overlapping
        let joints = points.windows(3).filter(|three| turns([three[0], three[1], three[2]]));
        polygons.extend(joints.map(|three| circle(three[1], half)));
    }
    for polygon in &mut polygons {
        if area(polygon) < 0.0 {
            polygon.reverse();
        }
    }
    polygons
}

/// Returns whether a line turns by so much at the second of three points that its outer side has a gap.
fn turns([before, at, after]: [[f32; 2]; 3]) -> bool {
    /// Cosine of the largest turn without a visible gap, 14°.
    const STRAIGHT: f32 = 0.97;
    let (one, other) =
        ([at[0] - before[0], at[1] - before[1]], [after[0] - at[0], after[1] - at[1]]);
    let lengths = one[0].hypot(one[1]) * other[0].hypot(other[1]);
    one[0] * other[0] + one[1] * other[1] < STRAIGHT * lengths
}

/// Calls `draw` with the ends of each dash of a line.
fn dashes(points: &[[f32; 2]], width: f32, dash: Dash, mut draw: impl FnMut([f32; 2], [f32; 2])) {
    let (mut part, mut left) = (0, dash[0] * width);
    for pair in points.windows(2) {
        let [from, to] = [pair[0], pair[1]];
        let length = (to[0] - from[0]).hypot(to[1] - from[1]);
        let at = |distance: f32| -> [f32; 2] {
            let share = distance / length;
            [from[0] + share * (to[0] - from[0]), from[1] + share * (to[1] - from[1])]
        };
        let mut done = 0.0;
        while done < length {
            let end = (done + left).min(length);
            if part % 2 == 0 {
                draw(at(done), at(end));
            }
            left -= end - done;
            done = end;
            if left <= 1e-3 {
                part = (part + 1) % dash.len();
                left = (dash[part] * width).max(0.5);
            }
        }
    }
}

/// Returns a segment as a rectangle.
fn thick(from: [f32; 2], to: [f32; 2], half: f32) -> Vec<[f32; 2]> {
    let along = [to[0] - from[0], to[1] - from[1]];
    let scale = half / along[0].hypot(along[1]).max(f32::MIN_POSITIVE);
    let [x, y] = [-along[1] * scale, along[0] * scale];
    vec![
        [from[0] + x, from[1] + y],
        [to[0] + x, to[1] + y],
        [to[0] - x, to[1] - y],
        [from[0] - x, from[1] - y],
    ]
}

/// Returns twice the signed area of a polygon.
fn area(polygon: &[[f32; 2]]) -> f32 {
    let corners = polygon.iter().enumerate().map(|(k, [x, y])| {
        let [next_x, next_y] = polygon[(k + 1) % polygon.len()];
        x * next_y - next_x * y
    });
    corners.sum()
}

/// Returns the part of a polygon between the origin and `high` (Sutherland and Hodgman, 1974).
fn clipped(polygon: &[[f32; 2]], high: [f32; 2]) -> Vec<[f32; 2]> {
    if !polygon.iter().flatten().all(|coordinate| coordinate.is_finite()) {
        return Vec::new();
    }
    let is_inside = |&[x, y]: &[f32; 2]| x >= 0.0 && y >= 0.0 && x <= high[0] && y <= high[1];
    let mut kept = polygon.to_vec();
    if kept.iter().all(is_inside) {
        return kept;
    }
    for (axis, bound, sign) in
        [(0, 0.0, 1.0), (0, high[0], -1.0), (1, 0.0, 1.0), (1, high[1], -1.0)]
    {
        kept = clip_half_plane(&kept, axis, bound, sign);
    }
    kept
}
