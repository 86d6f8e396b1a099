//! Horizontal planes and vertical walls with openings.

use crate::vocabulary::{CULLED, Entry, Value, child, positive};

mod horizontal;
mod opening;
mod vertical;

pub use horizontal::HorizontalPlane;
pub(crate) use horizontal::{HORIZONTAL_PLANE, read_horizontal};
pub use opening::{Opening, OpeningKind};
pub use vertical::VerticalPlane;
pub(crate) use vertical::{VERTICAL_PLANE, read_vertical};

/// Entries of the look of a plane.
const SURFACE: &[Entry] = &[
    child("color", Value::Color, "Colour.").or("#a0a0a0"),
    child("cull_face", CULLED, "Side that is not drawn.").or("NONE"),
    child("texture", Value::Uri, "Image on the surface."),
    child("texture_size_x", positive("m"), "Width of one copy of the image.").or("1"),
    child("texture_size_y", positive("m"), "Height of one copy of the image.").or("1"),
    child("enable_shadows", Value::Bool, "Draws shadows on the surface.").or("true"),
];
