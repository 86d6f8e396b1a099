//! The font of images, which also measures the texts of SVG documents.

use std::sync::OnceLock;

use ab_glyph::{Font, FontRef, Glyph, GlyphId, PxScale, ScaleFont, point};

/// Latin and Greek letters, digits and signs of DejaVu Sans; `fonts/LICENSE` applies.
static BYTES: &[u8] = include_bytes!("../../fonts/DejaVuSans-subset.ttf");

/// Height of the font in relation to the size of a text, which is the size of its em square.
const HEIGHT_PER_EM: f32 = 1.164;

fn font() -> &'static FontRef<'static> {
    static FONT: OnceLock<FontRef<'static>> = OnceLock::new();
    FONT.get_or_init(|| FontRef::try_from_slice(BYTES).expect("the font is part of the program"))
}

fn scale(size: f32) -> PxScale {
    PxScale::from(size * HEIGHT_PER_EM)
}

/// Returns the width of a text, pixels.
pub fn text_width(text: &str, size: f32) -> f32 {
    let font = font().as_scaled(scale(size));
    text.chars().map(|c| font.h_advance(glyph_of(c))).sum()
}

/// Returns the glyph of a character, or the glyph for unknown characters.
fn glyph_of(c: char) -> GlyphId {
    match font().glyph_id(c) {
        GlyphId(0) => font().glyph_id('\u{fffd}'),
        glyph => glyph,
    }
}

/// Calls `draw` for each pixel that a text covers, with its share of the pixel. The baseline of the text
/// starts at `[x, y]`; an upright text runs upwards from there.
pub fn each_pixel(
    text: &str,
    [x, y]: [f32; 2],
    size: f32,
    is_upright: bool,
    mut draw: impl FnMut(i64, i64, f32),
) {
    let font = font().as_scaled(scale(size));
    // an upright text is drawn flat at the origin and turned
    let (mut along, base) = if is_upright { (0.0, 0.0) } else { (x, y) };
    for c in text.chars() {
        let id = glyph_of(c);
        let glyph = Glyph { id, scale: scale(size), position: point(along, base) };
        along += font.h_advance(id);
        let Some(outlined) = font.outline_glyph(glyph) else { continue };
        let low = outlined.px_bounds().min;
        let (left, top) = (low.x as i64, low.y as i64);
        outlined.draw(|column, row, share| {
            let (flat_x, flat_y) = (left + i64::from(column), top + i64::from(row));
            match is_upright {
                true => draw(x as i64 + flat_y, y as i64 - flat_x, share),
                false => draw(flat_x, flat_y, share),
            }
        });
    }
}
