//! The sun.

use super::{Section, Value, child, integer, number, section};

pub(crate) static LIGHTS: Section = section(
    "lights",
    "The sun and its shadows. Matters to a picture only.",
    &[
        child("enable_shadows", Value::Bool, "Casts shadows.").or("true"),
        child(
            "shadow_map_size",
            integer("px").at_least(1.0).at_most(65536.0),
            "Side of the shadow map; more of it and shadows have sharper edges.",
        )
        .or("2048"),
        // the name of the peer's manual, whose meaning is clear
        child("light_azimuth_deg", number("deg"), "Direction of the sun.")
            .or("45")
            .also(&["light_azimuth"]),
        child("light_elevation_deg", number("deg"), "Height of the sun over the horizon.")
            .or("70")
            .also(&["light_elevation"]),
        child("light_clip_plane_min", number("m").above(0.0), "Nearest that casts a shadow.")
            .or("0.1"),
        child("light_clip_plane_max", number("m").above(0.0), "Farthest that casts a shadow.")
            .or("900"),
        child("light_color", Value::Color, "Colour of the light.").or("#ffffffff"),
        child(
            "light_ambient",
            number("1").at_least(0.0).at_most(1.0),
            "Part of the light that comes from everywhere.",
        )
        .or("0.5"),
        child("shadow_bias", number("1").at_least(0.0), "Depth bias of shadows.").or("1e-5"),
        child(
            "shadow_bias_cam2frag",
            number("1").at_least(0.0),
            "Depth bias along the line of sight.",
        )
        .or("1e-5"),
        child(
            "shadow_bias_normal",
            number("1").at_least(0.0),
            "Depth bias along the normal of a surface.",
        )
        .or("1e-4"),
        child(
            "eye_distance_to_shadow_map_extension",
            number("1").above(0.0),
            "Extent of the shadow map in distances of the camera.",
        )
        .or("2.0"),
        child(
            "minimum_shadow_map_extension_ratio",
            number("1").at_least(0.0).at_most(1.0),
            "Least extent of the shadow map, as part of the farthest distance.",
        )
        .or("0.005"),
    ],
);
