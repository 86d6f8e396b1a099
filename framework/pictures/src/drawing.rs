//! Drawings: lines, polygons and texts, which become an SVG document or an image.

mod backend;
mod font;
mod image;

pub use backend::Canvas;
pub use font::text_width;
pub use image::Image;

use std::fmt::Write;

use quick_xml::escape::partial_escape;

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
        document(self)
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

/// Returns a drawing as an SVG document.
fn document(drawing: &Drawing) -> String {
    let [width, height] = drawing.size;
    let mut svg = format!(
        "<svg width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\" \
         xmlns=\"http://www.w3.org/2000/svg\">\n\
         <rect x=\"0\" y=\"0\" width=\"{width}\" height=\"{height}\" fill=\"#FFFFFF\"/>\n"
    );
    for item in &drawing.items {
        // writing to memory does not fail
        let _ = add(&mut svg, item);
    }
    svg += "</svg>\n";
    svg
}

fn add(svg: &mut String, item: &Item) -> std::fmt::Result {
    match item {
        Item::Line { points, colour, width, dash } => {
            svg.push_str("<polyline fill=\"none\" stroke-linejoin=\"round\"");
            paint(svg, "stroke", *colour)?;
            write!(svg, " stroke-width=\"{}\"", Number(*width))?;
            if !dash.is_empty() {
                let lengths: Vec<String> =
                    dash.iter().map(|part| Number(part * width).to_string()).collect();
                write!(svg, " stroke-dasharray=\"{}\"", lengths.join(" "))?;
            }
            add_points(svg, points)
        }
        Item::Polygon { points, colour } => {
            svg.push_str("<polygon");
            paint(svg, "fill", *colour)?;
            add_points(svg, points)
        }
        Item::Text { text, at: [x, y], size, colour, anchor, is_upright } => {
            let anchor = match anchor {
                Anchor::Start => "start",
                Anchor::Middle => "middle",
                Anchor::End => "end",
            };
            let (x, y) = (Number(*x), Number(*y));
            write!(svg, "<text x=\"{x}\" y=\"{y}\" text-anchor=\"{anchor}\"")?;
            write!(svg, " font-family=\"DejaVu Sans, Verdana, sans-serif\"")?;
            write!(svg, " font-size=\"{}\"", Number(*size))?;
            paint(svg, "fill", *colour)?;
            if *is_upright {
                write!(svg, " transform=\"rotate(270, {x}, {y})\"")?;
            }
            writeln!(svg, ">\n{}\n</text>", partial_escape(text))
        }
    }
}

fn paint(svg: &mut String, attribute: &str, colour: Colour) -> std::fmt::Result {
    let [red, green, blue] = colour.rgb;
    write!(svg, " {attribute}=\"#{red:02X}{green:02X}{blue:02X}\"")?;
    match colour.alpha < 1.0 {
        true => write!(svg, " {attribute}-opacity=\"{}\"", Number(colour.alpha)),
        false => Ok(()),
    }
}

fn add_points(svg: &mut String, points: &[[f32; 2]]) -> std::fmt::Result {
    svg.push_str(" points=\"");
    for (k, [x, y]) in points.iter().enumerate() {
        let space = if k == 0 { "" } else { " " };
        write!(svg, "{space}{},{}", Number(*x), Number(*y))?;
    }
    svg.push_str("\"/>\n");
    Ok(())
}

/// A number with at most one decimal.
struct Number(f32);

impl std::fmt::Display for Number {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let rounded = (f64::from(self.0) * 10.0).round() / 10.0;
        // no negative zero
        write!(f, "{}", rounded + 0.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BLACK: Colour = Colour::hex(0);

    fn shade(image: &Image, x: u32, y: u32) -> u8 {
        image.pixels[3 * (y * image.width + x) as usize]
    }

    #[test]
    fn polygons_cover_their_pixels() {
        let mut drawing = Drawing::new(20, 10);
        drawing.polygon(vec![[2.0, 2.0], [6.5, 2.0], [6.5, 5.0], [2.0, 5.0]], BLACK);
        let image = drawing.image(1.0);
        assert_eq!((shade(&image, 3, 3), shade(&image, 1, 3), shade(&image, 7, 3)), (0, 255, 255));
        let half = shade(&image, 6, 3);
        assert!((120..136).contains(&half), "{half}");
    }

    #[test]
    fn a_line_is_equally_dark_where_it_crosses_itself() {
        let mut drawing = Drawing::new(30, 30);
        let points = vec![[5.0, 15.0], [25.0, 15.0], [25.0, 5.0], [15.0, 5.0], [15.0, 25.0]];
        drawing.line(points, BLACK.with_alpha(0.5), 4.0);
        let image = drawing.image(1.0);
        let (crossing, beside) = (shade(&image, 15, 15), shade(&image, 8, 15));
        assert!(crossing.abs_diff(beside) <= 1, "{crossing} {beside}");
        assert!((126..130).contains(&beside), "{beside}");
    }

    #[test]
    fn items_outside_of_the_image_are_cut() {
        let mut drawing = Drawing::new(10, 10);
        drawing.line(vec![[-1e7, 5.0], [1e7, 5.0]], BLACK, 2.0);
        drawing.polygon(vec![[-5.0, -5.0], [-1.0, -5.0], [-1.0, -1.0]], BLACK);
        drawing.line(vec![[f32::NAN, 5.0], [3.0, 3.0]], BLACK, 2.0);
        drawing.text("outside", [-400.0, 300.0], 12.0, BLACK, Anchor::Start);
        let image = drawing.image(1.0);
        assert_eq!((shade(&image, 5, 5), shade(&image, 5, 2)), (0, 255));
    }

    #[test]
    fn dashes_leave_gaps() {
        let mut drawing = Drawing::new(40, 10);
        drawing.dashed(vec![[0.0, 5.0], [40.0, 5.0]], BLACK, 2.0, &[3.0, 2.0]);
        let image = drawing.image(1.0);
        let row: Vec<u8> = (0..40).map(|x| shade(&image, x, 5)).collect();
        assert_eq!((row[2], row[8], row[12]), (0, 255, 0), "{row:?}");
        assert!(drawing.svg().contains("stroke-dasharray=\"6 4\""));
    }

    #[test]
    fn texts_have_the_width_that_is_measured() {
        for is_upright in [false, true] {
            let mut drawing = Drawing::new(200, 200);
            let (text, at, anchor) =
                ("velocity (m/s²) µ".to_owned(), [100.0, 100.0], Anchor::Middle);
            let item = Item::Text { text, at, size: 14.0, colour: BLACK, anchor, is_upright };
            drawing.items.push(item);
            let image = drawing.image(1.0);
            let dark = |x: u32, y: u32| shade(&image, x, y) < 128;
            let covered: Vec<u32> = (0..200)
                .filter(|k| (0..200).any(|l| if is_upright { dark(l, *k) } else { dark(*k, l) }))
                .collect();
            let width = (covered[covered.len() - 1] - covered[0] + 1) as f32;
            let expected = text_width("velocity (m/s²) µ", 14.0);
            assert!((width - expected).abs() < 4.0, "{width} {expected}");
            let middle = 0.5 * (covered[0] + covered[covered.len() - 1]) as f32;
            assert!((middle - 100.0).abs() < 3.0, "{middle}");
        }
    }

    #[test]
    fn a_png_holds_the_pixels() {
        let mut drawing = Drawing::new(8, 4);
        drawing
            .polygon(vec![[0.0, 0.0], [4.0, 0.0], [4.0, 4.0], [0.0, 4.0]], Colour::hex(0x0072b2));
        let bytes = drawing.image(2.0).png().unwrap();
        let mut reader = png::Decoder::new(std::io::Cursor::new(&bytes)).read_info().unwrap();
        let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
        let info = reader.next_frame(&mut pixels).unwrap();
        assert_eq!((info.width, info.height), (16, 8));
        assert_eq!((&pixels[..3], &pixels[45..48]), (&[0x00, 0x72, 0xb2][..], &[255; 3][..]));
    }
}
