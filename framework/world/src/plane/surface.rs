//! Appearance of a plane.

use crate::reader::ElementReader;
use crate::texture::{Texture, read_texture};
use crate::vocabulary::{CULLED, Entry, Value, child, positive};

/// Appearance of a plane.
#[derive(Clone, Debug)]
pub struct PlaneSurface {
    /// Red, green, blue and opacity.
    pub color: [u8; 4],
    /// Image on the surface.
    pub texture: Option<Texture>,
    /// Side that is not drawn: `NONE`, `BACK` or `FRONT`.
    pub cull_face: String,
    /// Whether shadows are drawn on it.
    pub shadows: bool,
}

/// Entries of the surface of a plane.
pub(super) const SURFACE: &[Entry] = &[
    child("color", Value::Color, "Colour.").or("#a0a0a0"),
    child("cull_face", CULLED, "Side that is not drawn.").or("NONE"),
    child("texture", Value::Uri, "Image on the surface."),
    child("texture_size_x", positive("m"), "Width of one copy of the image.").or("1"),
    child("texture_size_y", positive("m"), "Height of one copy of the image.").or("1"),
    child("enable_shadows", Value::Bool, "Draws shadows on the surface.").or("true"),
];

impl PlaneSurface {
    /// Reads the entries of a plane.
    pub(super) fn read(reader: &mut ElementReader<'_, '_, '_>) -> Self {
        let size = ["texture_size_x", "texture_size_y"].map(|name| reader.number(name));
        Self {
            color: reader.color("color"),
            texture: read_texture(reader, "texture", size, 0.0),
            cull_face: reader.word("cull_face").to_owned(),
            shadows: reader.flag("enable_shadows"),
        }
    }
}
