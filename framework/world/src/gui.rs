//! Settings of the window and its camera.

use crate::context::Context;
use crate::reader::ElementReader;
use crate::tree::Element;
use crate::vocabulary::{
    POINT, Section, Value, child, integer, non_negative, number, positive, section,
};

/// Settings of the window and its camera.
#[derive(Clone, Debug, PartialEq)]
pub struct Gui {
    /// Width and height in pixels.
    pub size: [u32; 2],
    /// Whether the window is maximised.
    pub maximized: bool,
    /// Frame rate in Hz.
    pub refresh_rate: f64,
    /// Whether the projection is orthographic.
    pub orthographic: bool,
    /// Whether forces are drawn.
    pub show_forces: bool,
    /// Whether sensor readings are drawn.
    pub show_sensor_points: bool,
    /// Length of a drawn force in m/N.
    pub force_scale: f64,
    /// Distance from the camera to its target in m.
    pub camera_distance: f64,
    /// Azimuth of the camera in rad.
    pub camera_azimuth: f64,
    /// Elevation of the camera in rad.
    pub camera_elevation: f64,
    /// Point that the camera looks at in m.
    pub camera_target: [f64; 3],
    /// Field of view in rad.
    pub field_of_view: f64,
    /// Distances of the near and far clipping planes in m.
    pub clip: [f64; 2],
    /// Name of the vehicle that the camera follows.
    pub follow_vehicle: Option<String>,
    /// Whether there is no window.
    pub headless: bool,
}

impl Default for Gui {
    fn default() -> Self {
        let (number, flag) = (|name| GUI.default_number(name), |name| GUI.default_flag(name));
        Self {
            size: ["win_w", "win_h"].map(|name| number(name) as u32),
            maximized: flag("start_maximized"),
            refresh_rate: number("refresh_fps"),
            orthographic: flag("ortho"),
            show_forces: flag("show_forces"),
            show_sensor_points: flag("show_sensor_points"),
            force_scale: number("force_scale"),
            camera_distance: number("cam_distance"),
            camera_azimuth: number("cam_azimuth"),
            camera_elevation: number("cam_elevation"),
            camera_target: GUI.default_row("cam_point_to"),
            field_of_view: number("fov_deg"),
            clip: ["clip_plane_min", "clip_plane_max"].map(number),
            follow_vehicle: None,
            headless: flag("headless"),
        }
    }
}

const PIXELS: Value = integer("px").at_least(1.0).at_most(100_000.0);

pub(crate) static GUI: Section = section(
    "gui",
    "The window and its camera. Affects visualisation only.",
    &[
        child("win_w", PIXELS, "Width.").or("800"),
        child("win_h", PIXELS, "Height.").or("600"),
        child("start_maximized", Value::Bool, "Maximises the window.").or("true"),
        child("refresh_fps", positive("Hz"), "Frame rate.").or("20"),
        child("ortho", Value::Bool, "Uses an orthographic projection.").or("false"),
        child("show_forces", Value::Bool, "Draws the forces of wheels in films by `force_scale`; otherwise the load of a wheel is as long as the vehicle.").or("false"),
        child("show_sensor_points", Value::Bool, "Draws sensor readings.").or("true"),
        child("force_scale", non_negative("m/N"), "Length of a drawn force.").or("0.01"),
        child("cam_distance", positive("m"), "Distance from the camera to its target.").or("80"),
        child("cam_azimuth", number("deg"), "Azimuth of the camera.").or("45"),
        child("cam_elevation", number("deg"), "Elevation of the camera above the horizon.")
            .or("40"),
        child("cam_point_to", Value::Row(POINT), "Point that the camera looks at.").or("0 0 0"),
        child("fov_deg", positive("deg").at_most(179.0), "Field of view.").or("60"),
        child("clip_plane_min", positive("m"), "Distance of the near clipping plane.").or("0.05"),
        child("clip_plane_max", positive("m"), "Distance of the far clipping plane.").or("1e4"),
        child("follow_vehicle", Value::Text, "Name of the vehicle that the camera follows."),
        child("headless", Value::Bool, "Opens no window.").or("false"),
    ],
);

/// Reads a `<gui>`.
pub(crate) fn read_gui(context: &mut Context<'_>, element: &Element) -> Gui {
    let mut reader = ElementReader::new(context, element, &GUI);
    let followed = reader.text_of("follow_vehicle");
    let gui = Gui {
        size: ["win_w", "win_h"].map(|name| reader.count(name)),
        maximized: reader.flag("start_maximized"),
        refresh_rate: reader.number("refresh_fps"),
        orthographic: reader.flag("ortho"),
        show_forces: reader.flag("show_forces"),
        show_sensor_points: reader.flag("show_sensor_points"),
        force_scale: reader.number("force_scale"),
        camera_distance: reader.number("cam_distance"),
        camera_azimuth: reader.number("cam_azimuth"),
        camera_elevation: reader.number("cam_elevation"),
        camera_target: reader.row("cam_point_to"),
        field_of_view: reader.number("fov_deg"),
        clip: reader.range("clip_plane_min", "clip_plane_max"),
        follow_vehicle: reader.given_text("follow_vehicle"),
        headless: reader.flag("headless"),
    };
    reader.finish();
    let reference = gui.follow_vehicle.clone().zip(followed.map(|text| text.span));
    context.references.vehicles.extend(reference);
    gui
}
