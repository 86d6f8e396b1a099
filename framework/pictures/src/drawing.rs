//! Drawings: lines, polygons and texts, which become an SVG document or an image.

mod backend;
mod font;
mod image;
mod svg;

pub use backend::Canvas;
pub use font::text_width;
pub use image::Image;

/// A colour: red, green, blue, and opacity from 0 to 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Colour {
    /// Red, green and blue.
    pub rgb: [u8; 3],
    /// Opacity from 0 to 1.
    pub alpha: f32,
}

impl Colour {
    /// Creates an opaque colour from its hexadecimal digits, such as `0x0072b2`.
    pub const fn hex(digits: u32) -> Self {
        Self { rgb: [(digits >> 16) as u8, (digits >> 8) as u8, digits as u8], alpha: 1.0 }
    }

    /// Returns the colour with another opacity.
    pub const fn with_alpha(self, alpha: f32) -> Self {
        Self { alpha, ..self }
    }
}

/// Dash pattern of a line, as multiples of its width: on, off, on, off; empty for a solid line.
pub type Dash = &'static [f32];

/// Horizontal anchor of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Anchor {
    /// The text starts at its position.
    Start,
    /// The text is centred on its position.
    Middle,
    /// The text ends at its position.
    End,
}

/// Item of a drawing. Coordinates are in pixels, x to the right, y down.
#[derive(Clone, Debug, PartialEq)]
pub enum Item {
    /// Line through points.
    Line {
        /// The points.
        points: Vec<[f32; 2]>,
        /// Colour.
        colour: Colour,
        /// Width, pixels.
        width: f32,
        /// Dash pattern.
        dash: Dash,
    },
    /// Filled polygon.
    Polygon {
        /// Corners in order, either winding.
        points: Vec<[f32; 2]>,
        /// Colour.
        colour: Colour,
    },
    /// Text in one line.
    Text {
        /// The text.
        text: String,
        /// Position: horizontally by the anchor, vertically the baseline.
        at: [f32; 2],
        /// Height of the font, pixels.
        size: f32,
        /// Colour.
        colour: Colour,
        /// Horizontal anchor.
        anchor: Anchor,
        /// Whether the text runs upwards, rotated by a quarter turn.
        is_upright: bool,
    },
}

/// A drawing.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Drawing {
    /// Width and height, pixels.
    pub size: [u32; 2],
    /// The items, the first one at the bottom.
    pub items: Vec<Item>,
}

impl Drawing {
    /// Creates an empty drawing.
    pub const fn new(width: u32, height: u32) -> Self {
        Self { size: [width, height], items: Vec::new() }
    }

    /// Adds a solid line.
    pub fn line(&mut self, points: Vec<[f32; 2]>, colour: Colour, width: f32) {
        self.dashed(points, colour, width, &[]);
    }

    /// Adds a line with a dash pattern.
    pub fn dashed(&mut self, points: Vec<[f32; 2]>, colour: Colour, width: f32, dash: Dash) {
        if points.len() > 1 {
            self.items.push(Item::Line { points, colour, width, dash });
        }
    }

    /// Adds a filled polygon.
    pub fn polygon(&mut self, points: Vec<[f32; 2]>, colour: Colour) {
        if points.len() > 2 {
            self.items.push(Item::Polygon { points, colour });
        }
    }

    /// Adds the outline of a polygon.
    pub fn outline(&mut self, mut points: Vec<[f32; 2]>, colour: Colour, width: f32) {
        points.extend(points.first().copied());
        self.line(points, colour, width);
    }

    /// Adds a filled circle.
    pub fn disc(&mut self, [x, y]: [f32; 2], radius: f32, colour: Colour) {
        self.polygon(circle([x, y], radius), colour);
    }

    /// Adds a text. `at` is the start, middle or end of its baseline.
    pub fn text(&mut self, text: &str, at: [f32; 2], size: f32, colour: Colour, anchor: Anchor) {
        let text = printable(text);
        self.items.push(Item::Text { text, at, size, colour, anchor, is_upright: false });
    }

    /// Returns the drawing as an SVG document.
    pub fn svg(&self) -> String {
        svg::document(self)
    }

    /// Returns the drawing as an image on a white background, `scale` times as large.
    pub fn image(&self, scale: f32) -> Image {
        let [width, height] = self.size.map(|side| (side as f32 * scale).round() as u32);
        let mut image = Image::white(width, height);
        image.draw(self, scale);
        image
    }
}

/// Returns the corners of a polygon that stands for a circle.
pub fn circle([x, y]: [f32; 2], radius: f32) -> Vec<[f32; 2]> {
    let corners = ((radius.abs() * 4.0) as usize).clamp(12, 96);
    let corner = |k: usize| {
        let (sin, cos) = (std::f32::consts::TAU * k as f32 / corners as f32).sin_cos();
        [x + radius * cos, y + radius * sin]
    };
    (0..corners).map(corner).collect()
}

/// Replaces characters that XML does not allow.
fn printable(text: &str) -> String {
    let is_forbidden = |c: char| c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}');
    text.chars().map(|c| if is_forbidden(c) { '\u{fffd}' } else { c }).collect()
}

#[cfg(test)]
mod tests;
