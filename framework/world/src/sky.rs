//! Lights and the sky.

use std::path::PathBuf;

use simhost_assets::{AssetError, Limits, image};
use simhost_scene::ColorImage;

use crate::diagnostics::Diagnostic;
use crate::files;
use crate::reader::{ElementReader, Fields, declare};
use crate::sources::Span;
use crate::tree::Text;
use crate::vocabulary::field::{child, class};
use crate::vocabulary::{Value, element, fraction, integer, non_negative, number, positive};

/// Reason for which settings of a shadow map have no effect.
const WITHOUT_MAP: &str = "shadows are rays, which need no map";

// the aliases are those of MVSim's manual
declare! {
    /// The sun of cameras, and its shadows.
    section = element("lights");

    /// The sun and its shadows.
    #[derive(Clone, Debug, PartialEq)]
    pub struct Lights {
        /// Whether objects cast shadows.
        pub shadows: bool = child(Value::Bool).named("enable_shadows").or("true");
        /// Side of the shadow map. Larger maps give sharper shadows.
        pub shadow_map_size: u32 = child(integer("px").at_least(1.0).at_most(65536.0)).or("2048").unused(WITHOUT_MAP);
        /// Azimuth of the sun.
        pub azimuth: f64 = child(number("deg")).named("light_azimuth_deg").or("45").also(&["light_azimuth"]);
        /// Elevation of the sun above the horizon.
        pub elevation: f64 = child(number("deg")).named("light_elevation_deg").or("70").also(&["light_elevation"]);
        /// Smallest and largest distance at which objects cast shadows in m.
        pub clip: [f64; 2] =
            child(positive("m")).named("light_clip_plane_min").doc("Smallest distance at which objects cast shadows.")
                .or("0.1").unused("the nearest objects also cast shadows"),
            child(positive("m")).named("light_clip_plane_max").doc("Largest distance at which objects cast shadows.")
                .or("900").rises();
        /// Colour of the light.
        pub color: [u8; 4] = child(Value::Color).named("light_color").or("#ffffffff");
        /// Fraction of ambient light, which comes from everywhere.
        pub ambient: f64 = child(fraction()).named("light_ambient").or("0.5");
        /// Depth bias of shadows: constant, along the line of sight, along the normal.
        pub shadow_bias: [f64; 3] =
            child(non_negative("1")).named("shadow_bias").doc("Constant depth bias of shadows.").or("1e-5")
                .unused(WITHOUT_MAP),
            child(non_negative("1")).named("shadow_bias_cam2frag").doc("Depth bias along the line of sight.")
                .or("1e-5").unused(WITHOUT_MAP),
            child(non_negative("1")).named("shadow_bias_normal").doc("Depth bias along the normal of a surface.")
                .or("1e-4").unused(WITHOUT_MAP);
        /// Ratio of the extent of the shadow map to the distance of the camera.
        pub eye_distance_to_shadow_map_extension: f64 = child(positive("1")).or("2.0").unused(WITHOUT_MAP);
        /// Minimum extent of the shadow map, as a fraction of the largest distance.
        pub minimum_shadow_map_extension_ratio: f64 = child(fraction()).or("0.005").unused(WITHOUT_MAP);
    }
}

impl Default for Lights {
    fn default() -> Self {
        Self::absent().expect("all parameters have defaults")
    }
}

declare! {
    /// Six images of the surroundings, which cameras see behind all objects.
    section = element("element class=\"skybox\"").with(&[class("skybox")]) => find_images;

    /// Six images of the surroundings.
    #[derive(Clone, Debug, PartialEq)]
    pub struct Skybox {
        /// Address of the images, with %s for Front, Back, Down, Up, Left and Right.
        pub textures: String = child(Value::Uri).required();
        /// Paths of the images: front (towards +x), back, down, up, left (towards +y), right. An image that is not
        /// available is `None`.
        pub images: Vec<Option<PathBuf>> => |_| Vec::new();
        /// Position of the element.
        pub span: Span => |reader| reader.element.name_span;
    }
}

impl Skybox {
    /// Reads the image of each side that is available, in the order of `images`.
    ///
    /// # Errors
    /// An image cannot be read.
    pub fn read_images(&self) -> Result<Vec<Option<ColorImage>>, AssetError> {
        let read = |path: &PathBuf| image::read_color(path, &Limits::default());
        self.images.iter().map(|path| path.as_ref().map(read).transpose()).collect()
    }
}

/// Names of the six sides.
const SIDES: [&str; 6] = ["Front", "Back", "Down", "Up", "Left", "Right"];

/// Looks up the images.
fn find_images(skybox: Skybox, reader: &mut ElementReader<'_, '_, '_>) -> Option<Skybox> {
    let text = reader.text_of("textures")?;
    let context = &mut *reader.context;
    if skybox.textures.matches("%s").count() != 1 {
        let message = format!("`textures` has to name six images: `{}`", skybox.textures);
        let error = Diagnostic::error(message)
            .at(text.span)
            .label("expected one %s, for Front, Back, Down, Up, Left and Right")
            .help("write <textures>sky_%s.png</textures> for sky_Front.png, sky_Back.png, …");
        context.report.push(error);
        return None;
    }
    let images = SIDES.map(|side| {
        let uri = skybox.textures.replace("%s", side);
        files::image(context, &Text { content: uri.into(), ..text.clone() })
    });
    Some(Skybox { images: images.to_vec(), ..skybox })
}
