//! Appearance of a plane.

use crate::reader::declare;
use crate::texture::Texture;
use crate::vocabulary::field::child;
use crate::vocabulary::{CULLED, Value, positive};

declare! {
    /// Appearance of a plane.
    #[derive(Clone, Debug)]
    pub struct PlaneSurface {
        /// Colour.
        pub color: [u8; 4] = child(Value::Color).or("#a0a0a0");
        /// Side that is not drawn.
        pub cull_face: String = child(CULLED).or("NONE");
        /// Image on the surface.
        pub texture: Option<Texture> =
            child(Value::Uri),
            child(positive("m")).named("texture_size_x").doc("Width of one copy of the image.").or("1"),
            child(positive("m")).named("texture_size_y").doc("Height of one copy of the image.").or("1");
        /// Draws shadows on the surface.
        pub shadows: bool = child(Value::Bool).named("enable_shadows").or("true");
    }
}
