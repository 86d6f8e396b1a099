//! Floor plans, point clouds, and what is drawn around them.

use super::{POSE_3D, Section, Value, attribute, child, number, section};

pub(crate) static OCCUPANCY_GRID: Section = section(
    "element class=\"occupancy_grid\"",
    "A floor plan of cells: an image, a ROS map file (.yaml) or an MRPT map (.gridmap, .gridmap.gz).",
    &[
        attribute("class", Value::Text, "occupancy_grid").required(),
        child("file", Value::Uri, "The map.").required(),
        child("resolution", number("m").above(0.0), "Side of a pixel, of an image only.").or("0.1"),
        child(
            "centerpixel_x",
            number("px"),
            "Pixel of the world's origin, from the left, of an image only.",
        )
        .or("-1"),
        child(
            "centerpixel_y",
            number("px"),
            "Pixel of the world's origin, from below, of an image only.",
        )
        .or("-1"),
        child("show_collisions", Value::Bool, "Draws contacts.")
            .or("true")
            .unmissed("matters to a picture only"),
        child(
            "restitution",
            number("1").at_least(0.0).at_most(1.0),
            "Part of the closing speed that is kept in a contact.",
        )
        .or("0.01"),
        child("lateral_friction", number("1").at_least(0.0), "Friction of its sides.").or("0.5"),
    ],
);

/// What an image alone reads.
pub(crate) const OF_IMAGES: &[&str] = &["resolution", "centerpixel_x", "centerpixel_y"];

pub(crate) static GROUND_GRID: Section = section(
    "element class=\"ground_grid\"",
    "A grid of lines on the ground. Matters to a picture only.",
    &[
        attribute("class", Value::Text, "ground_grid").required(),
        child("floating", Value::Bool, "Moves along with the camera or a vehicle.").or("true"),
        // the name of the peer's manual, whose meaning is clear
        child("floating_focus", Value::Text, "Vehicle that it moves along with.")
            .also(&["float_center_at_vehicle_name"]),
        child("color", Value::Color, "Colour of the lines.").or("#e0e0e0"),
        child("line_width", number("px").above(0.0), "Width of a line.").or("1"),
        child("x_min", number("m"), "Extent.").or("-25"),
        child("x_max", number("m"), "Extent.").or("25"),
        child("y_min", number("m"), "Extent.").or("-25"),
        child("y_max", number("m"), "Extent.").or("25"),
        child("interval", number("m").above(0.0), "Between lines.").or("5"),
    ],
);

pub(crate) static POINT_CLOUD: Section = section(
    "element class=\"pointcloud\"",
    "Points that sensors in space see; bodies do not touch them.",
    &[
        attribute("class", Value::Text, "pointcloud, or point_cloud").required(),
        // the second names are those of the peer's manual, whose meaning is clear
        child("file_txt_3d", Value::Uri, "Rows of x y z, m.").also(&["file"]),
        child("file_txt_2d", Value::Uri, "Rows of x y, m."),
        child("points_size", number("px").above(0.0), "Size of a drawn point.")
            .or("3")
            .also(&["render_points_size"]),
        child("pose_3d", Value::Row(POSE_3D), "Of the cloud, m and degrees.").or("0 0 0 0 0 0"),
    ],
);

pub(crate) static SKYBOX: Section = section(
    "element class=\"skybox\"",
    "Six images around the world. Matters to a picture only.",
    &[
        attribute("class", Value::Text, "skybox").required(),
        child("textures", Value::Uri, "With %s for each of Front Back Down Up Left Right.")
            .required(),
    ],
);
