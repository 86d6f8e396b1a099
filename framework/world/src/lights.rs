//! The sun and its shadows.

use crate::context::Context;
use crate::reader::ElementReader;
use crate::tree::Element;
use crate::vocabulary::{
    Section, Value, child, fraction, integer, non_negative, number, positive, section,
};

/// The sun and its shadows.
#[derive(Clone, Debug, PartialEq)]
pub struct Lights {
    /// Whether shadows are drawn.
    pub shadows: bool,
    /// Side of the shadow map in pixels.
    pub shadow_map_size: u32,
    /// Azimuth of the sun in rad.
    pub azimuth: f64,
    /// Elevation of the sun in rad.
    pub elevation: f64,
    /// Smallest and largest distance at which objects cast shadows in m.
    pub clip: [f64; 2],
    /// Red, green, blue and opacity.
    pub color: [u8; 4],
    /// Fraction of ambient light, from 0 to 1.
    pub ambient: f64,
    /// Depth bias of shadows: constant, along the line of sight, along the normal.
    pub shadow_bias: [f64; 3],
    /// Ratio of the extent of the shadow map to the distance of the camera.
    pub eye_distance_to_shadow_map_extension: f64,
    /// Minimum extent of the shadow map as a fraction of the largest distance.
    pub minimum_shadow_map_extension_ratio: f64,
}

const CLIP: [&str; 2] = ["light_clip_plane_min", "light_clip_plane_max"];
const BIASES: [&str; 3] = ["shadow_bias", "shadow_bias_cam2frag", "shadow_bias_normal"];

impl Default for Lights {
    fn default() -> Self {
        let number = |name| LIGHTS.default_number(name);
        Self {
            shadows: LIGHTS.default_flag("enable_shadows"),
            shadow_map_size: number("shadow_map_size") as u32,
            azimuth: number("light_azimuth_deg"),
            elevation: number("light_elevation_deg"),
            clip: CLIP.map(number),
            color: LIGHTS.default_color("light_color"),
            ambient: number("light_ambient"),
            shadow_bias: BIASES.map(number),
            eye_distance_to_shadow_map_extension: number("eye_distance_to_shadow_map_extension"),
            minimum_shadow_map_extension_ratio: number("minimum_shadow_map_extension_ratio"),
        }
    }
}

/// Reason for which settings of a shadow map have no effect.
const WITHOUT_MAP: &str = "shadows are rays, which need no map";

pub(crate) static LIGHTS: Section = section(
    "lights",
    "The sun of cameras, and its shadows.",
    &[
        child("enable_shadows", Value::Bool, "Whether objects throw shadows.").or("true"),
        child(
            "shadow_map_size",
            integer("px").at_least(1.0).at_most(65536.0),
            "Side of the shadow map. Larger maps give sharper shadows.",
        )
        .or("2048")
        .unused(WITHOUT_MAP),
        // the aliases are those of MVSim's manual
        child("light_azimuth_deg", number("deg"), "Azimuth of the sun.")
            .or("45")
            .also(&["light_azimuth"]),
        child("light_elevation_deg", number("deg"), "Elevation of the sun above the horizon.")
            .or("70")
            .also(&["light_elevation"]),
        child(
            "light_clip_plane_min",
            positive("m"),
            "Smallest distance at which objects cast shadows.",
        )
        .or("0.1")
        .unused("the nearest objects cast shadows, too"),
        child(
            "light_clip_plane_max",
            positive("m"),
            "Largest distance at which objects cast shadows.",
        )
        .or("900"),
        child("light_color", Value::Color, "Colour of the light.").or("#ffffffff"),
        child(
            "light_ambient",
            fraction(),
            "Fraction of ambient light, which comes from everywhere.",
        )
        .or("0.5"),
        child("shadow_bias", non_negative("1"), "Constant depth bias of shadows.")
            .or("1e-5")
            .unused(WITHOUT_MAP),
        child("shadow_bias_cam2frag", non_negative("1"), "Depth bias along the line of sight.")
            .or("1e-5")
            .unused(WITHOUT_MAP),
        child("shadow_bias_normal", non_negative("1"), "Depth bias along the normal of a surface.")
            .or("1e-4")
            .unused(WITHOUT_MAP),
        child(
            "eye_distance_to_shadow_map_extension",
            positive("1"),
            "Ratio of the extent of the shadow map to the distance of the camera.",
        )
        .or("2.0")
        .unused(WITHOUT_MAP),
        child(
            "minimum_shadow_map_extension_ratio",
            fraction(),
            "Minimum extent of the shadow map, as a fraction of the largest distance.",
        )
        .or("0.005")
        .unused(WITHOUT_MAP),
    ],
);

/// Reads `<lights>`.
pub(crate) fn read_lights(context: &mut Context<'_>, element: &Element) -> Lights {
    let mut reader = ElementReader::new(context, element, &LIGHTS);
    let lights = Lights {
        shadows: reader.flag("enable_shadows"),
        shadow_map_size: reader.count("shadow_map_size"),
        azimuth: reader.number("light_azimuth_deg"),
        elevation: reader.number("light_elevation_deg"),
        clip: reader.range(CLIP[0], CLIP[1]),
        color: reader.color("light_color"),
        ambient: reader.number("light_ambient"),
        shadow_bias: BIASES.map(|name| reader.number(name)),
        eye_distance_to_shadow_map_extension: reader.number("eye_distance_to_shadow_map_extension"),
        minimum_shadow_map_extension_ratio: reader.number("minimum_shadow_map_extension_ratio"),
    };
    reader.finish();
    lights
}
