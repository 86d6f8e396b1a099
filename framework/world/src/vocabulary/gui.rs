//! The window.

use super::{POINT, Section, Value, child, integer, number, section};

const PIXELS: Value = integer("px").at_least(1.0).at_most(100_000.0);

pub(crate) static GUI: Section = section(
    "gui",
    "The window and its camera. Matters to a picture only.",
    &[
        child("win_w", PIXELS, "Width.").or("800"),
        child("win_h", PIXELS, "Height.").or("600"),
        child("start_maximized", Value::Bool, "Fills the screen.").or("true"),
        child("refresh_fps", number("Hz").above(0.0), "Pictures a second.").or("20"),
        child("ortho", Value::Bool, "Draws without perspective.").or("false"),
        child("show_forces", Value::Bool, "Draws forces.").or("false"),
        child("show_sensor_points", Value::Bool, "Draws what sensors see.").or("true"),
        child("show_trajectories", Value::Bool, "Draws the way that vehicles took.").or("false"),
        child("force_scale", number("m/N").at_least(0.0), "Length of a drawn force.").or("0.01"),
        child("cam_distance", number("m").above(0.0), "From the camera to what it looks at.")
            .or("80"),
        child("cam_azimuth", number("deg"), "Direction of the camera.").or("45"),
        child("cam_elevation", number("deg"), "Height of the camera over the horizon.").or("40"),
        child("cam_point_to", Value::Row(POINT), "What the camera looks at.").or("0 0 0"),
        child("fov_deg", number("deg").above(0.0).at_most(179.0), "Field of view.").or("60"),
        child("clip_plane_min", number("m").above(0.0), "Nearest that is drawn.").or("0.05"),
        child("clip_plane_max", number("m").above(0.0), "Farthest that is drawn.").or("1e4"),
        child("follow_vehicle", Value::Text, "Vehicle that the camera follows."),
        child("headless", Value::Bool, "Opens no window.").or("false"),
    ],
);
