//! Looks.

use super::{CULLED, Section, Value, attribute, child, number, section};

pub(crate) static VISUAL: Section = section(
    "visual",
    "A model of how something looks. `<shape_from_visual>` makes an outline of it.",
    &[
        attribute("enabled", Value::Bool, "Drawn at all.").or("true"),
        child("model_uri", Value::Uri, "File of the model: .dae .stl .obj .gltf .glb .fbx."),
        child("model_scale", number("1").above(0.0), "Factor on all lengths.").or("1"),
        child("model_offset_x", number("m"), "Moves the model.").or("0"),
        child("model_offset_y", number("m"), "Moves the model.").or("0"),
        child("model_offset_z", number("m"), "Moves the model.").or("0"),
        child("model_yaw", number("deg"), "Turns the model about z.").or("0"),
        child("model_pitch", number("deg"), "Turns the model about y, before yaw.").or("0"),
        child("model_roll", number("deg"), "Turns the model about x, before pitch.").or("0"),
        child("model_cull_faces", CULLED, "Sides that are not drawn.").or("NONE"),
        child("model_color", Value::Color, "In place of the model's own colours.")
            .or_else("the model's own"),
        child(
            "model_split_size",
            number("m").at_least(0.0),
            "Side of the cubes that a transparent model is cut into; 0 for none.",
        )
        .or("0"),
        child("show_bounding_box", Value::Bool, "Draws the bounding box too.").or("false"),
        child("name", Value::Text, "What `linked_yaw` refers to.").or("group"),
    ],
);
