//! Settings of the window and its camera.

use crate::reader::{Fields, declare};
use crate::vocabulary::field::child;
use crate::vocabulary::{POINT, Value, element, integer, non_negative, number, positive};

/// Size of a window.
const PIXELS: Value = integer("px").at_least(1.0).at_most(100_000.0);

declare! {
    /// The window and its camera. Affects visualisation only.
    section = element("gui");

    /// Settings of the window and its camera.
    #[derive(Clone, Debug, PartialEq)]
    pub struct Gui {
        /// Width and height in pixels.
        pub size: [u32; 2] =
            child(PIXELS).named("win_w").doc("Width.").or("800"),
            child(PIXELS).named("win_h").doc("Height.").or("600");
        /// Maximises the window.
        pub maximized: bool = child(Value::Bool).named("start_maximized").or("true");
        /// Frame rate.
        pub refresh_rate: f64 = child(positive("Hz")).named("refresh_fps").or("20");
        /// Uses an orthographic projection.
        pub orthographic: bool = child(Value::Bool).named("ortho").or("false");
        /// Draws the forces of wheels in films by `force_scale`; otherwise the load of a wheel is
        /// drawn as long as the vehicle.
        pub show_forces: bool = child(Value::Bool).or("false");
        /// Draws sensor readings.
        pub show_sensor_points: bool = child(Value::Bool).or("true");
        /// Length of a drawn force.
        pub force_scale: f64 = child(non_negative("m/N")).or("0.01");
        /// Distance from the camera to its target.
        pub camera_distance: f64 = child(positive("m")).named("cam_distance").or("80");
        /// Azimuth of the camera.
        pub camera_azimuth: f64 = child(number("deg")).named("cam_azimuth").or("45");
        /// Elevation of the camera above the horizon.
        pub camera_elevation: f64 = child(number("deg")).named("cam_elevation").or("40");
        /// Point that the camera looks at.
        pub camera_target: [f64; 3] = child(Value::Row(POINT)).named("cam_point_to").or("0 0 0");
        /// Field of view.
        pub field_of_view: f64 = child(positive("deg").at_most(179.0)).named("fov_deg").or("60");
        /// Distances of the near and far clipping planes in m.
        pub clip: [f64; 2] =
            child(positive("m")).named("clip_plane_min").doc("Distance of the near clipping plane.").or("0.05"),
            child(positive("m")).named("clip_plane_max").doc("Distance of the far clipping plane.").or("1e4").rises();
        /// Name of the vehicle that the camera follows.
        pub follow_vehicle: Option<String> = child(Value::Vehicle);
        /// Opens no window.
        pub headless: bool = child(Value::Bool).or("false");
    }
}

impl Default for Gui {
    fn default() -> Self {
        Self::absent().expect("all parameters have defaults")
    }
}
