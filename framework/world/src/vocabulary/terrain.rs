//! Terrain.

use super::{Section, Value, attribute, child, number, section};

pub(crate) static ELEVATION_MAP: Section = section(
    "element class=\"elevation_map\"",
    "Terrain, from an image, a matrix or rows of points. Rows of an image or matrix run along +x, columns along +y.",
    &[
        attribute("class", Value::Text, "elevation_map").required(),
        child("elevation_image", Value::Uri, "Grey levels, stretched between their own extremes."),
        child("elevation_image_min_z", number("m"), "Height of the darkest pixel.").or("0"),
        child("elevation_image_max_z", number("m"), "Height of the brightest pixel.").or("5"),
        child("elevation_data_matrix", Value::Table("[a b; c d]"), "Heights."),
        child("elevation_data_matrix_scale", number("m"), "Height of the value 1.").or("1"),
        child("dem_xyzrgb_file", Value::Uri, "Rows of x y z r g b."),
        child("dem_offset_x", number("m"), "Added to x.").or("0"),
        child("dem_offset_y", number("m"), "Added to y.").or("0"),
        child("dem_offset_z", number("m"), "Added to z.").or("0"),
        child("resolution", number("m").above(0.0), "Between samples.").or("1"),
        child("corner_min_x", number("m"), "Least x.").or_else("centred on the origin"),
        child("corner_min_y", number("m"), "Least y.").or_else("centred on the origin"),
        child(
            "apply_kernel",
            Value::Table("[a b; c d], square, with sum 1"),
            "Smooths the heights.",
        ),
        child("texture_image", Value::Uri, "An image on it."),
        child("texture_image_rotate", number("deg"), "Turns that image: 0, ±90, ±180.").or("0"),
        child(
            "texture_extension_x",
            number("m").at_least(0.0),
            "Size of that image; 0 as large as the terrain.",
        )
        .or("0"),
        child(
            "texture_extension_y",
            number("m").at_least(0.0),
            "Size of that image; 0 as large as the terrain.",
        )
        .or("0"),
        child("mesh_color", Value::Color, "Colour.").or("#a0e0a0"),
        child("model_split_size", number("m").at_least(0.0), "Side of the parts it is drawn in.")
            .or("0")
            .unmissed("matters to a picture only"),
        child("texture_size_x", number("m"), "A name of planes.").lost(TEXTURE),
        child("texture_size_y", number("m"), "A name of planes.").lost(TEXTURE),
    ],
);

const TEXTURE: &str = "MVSim reads it of planes only; write <texture_extension_x>";
