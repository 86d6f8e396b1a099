//! What has no effect without a picture: read, checked and kept for the parts that draw.

use std::path::PathBuf;

use simhost_scene::Utm;

use super::Pose;
use crate::sources::Span;

/// What only a picture shows.
#[derive(Clone, Debug, Default)]
pub struct Scenery {
    /// The window.
    pub gui: Gui,
    /// The sun.
    pub lights: Lights,
    /// Where on Earth the world lies.
    pub georeference: Option<Georeference>,
    /// Lines.
    pub markers: Vec<Marker>,
    /// Grids of lines on the ground.
    pub ground_grids: Vec<GroundGrid>,
    /// The sky.
    pub skybox: Option<Skybox>,
}

/// Where on Earth the origin of the world lies.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Georeference {
    /// WGS84, rad.
    pub latitude: f64,
    /// WGS84, rad.
    pub longitude: f64,
    /// Above the ellipsoid, m.
    pub height: f64,
    /// Turns world axes to east-north-up, rad.
    pub world_to_enu_rotation: f64,
    /// World coordinates are those of the UTM zone.
    pub world_is_utm: bool,
    /// The origin in its zone; none near the poles, which have no zone.
    pub utm: Option<Utm>,
}

/// A model of how something looks.
#[derive(Clone, Debug, PartialEq)]
pub struct Visual {
    /// What `linked_yaw` and the like refer to.
    pub name: String,
    /// Where the model lies, and none where it could not be had.
    pub model: Option<PathBuf>,
    /// As written.
    pub model_uri: String,
    /// Where that is written.
    pub span: Span,
    /// Drawn at all.
    pub enabled: bool,
    /// Factor on all lengths.
    pub scale: f64,
    /// Of the model in the frame of what it belongs to.
    pub pose: Pose,
    /// Red, green, blue, opacity; none leaves the colours of the model.
    pub color: Option<[u8; 4]>,
    /// Which sides are left out: `NONE`, `BACK` or `FRONT`.
    pub cull_faces: String,
    /// Draws the bounding box too.
    pub show_bounding_box: bool,
    /// Side of the cubes that transparent models are cut into, m; 0 for none.
    pub split_size: f64,
}

/// An image on a surface.
#[derive(Clone, Debug, PartialEq)]
pub struct Texture {
    /// The image, and none where it could not be had.
    pub image: Option<PathBuf>,
    /// As written.
    pub uri: String,
    /// Of one copy, m; 0 for as large as the surface.
    pub size: [f64; 2],
    /// Turned about the vertical, rad.
    pub rotation: f64,
}

/// What other processes are told about an object.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Publish {
    /// Switched on.
    pub enabled: bool,
    /// Topic of the pose.
    pub pose_topic: Option<String>,
    /// Topic of poses relative to other objects.
    pub relative_pose_topic: Option<String>,
    /// Those objects.
    pub relative_pose_objects: Vec<String>,
    /// Topic of a sensor's readings.
    pub topic: Option<String>,
    /// Between poses, s.
    pub period: f64,
}

/// A line through points.
#[derive(Clone, Debug, PartialEq)]
pub struct Marker {
    /// World frame, m.
    pub points: Vec<[f64; 3]>,
    /// Red, green, blue, opacity.
    pub color: [u8; 4],
}

/// A grid of lines on the ground.
#[derive(Clone, Debug, PartialEq)]
pub struct GroundGrid {
    /// m.
    pub x: [f64; 2],
    /// m.
    pub y: [f64; 2],
    /// Between lines, m.
    pub interval: f64,
    /// Red, green, blue, opacity.
    pub color: [u8; 4],
    /// Pixels.
    pub line_width: f64,
    /// Moves with the camera or a vehicle.
    pub floating: bool,
    /// The vehicle it moves with.
    pub focus: Option<String>,
}

/// Six images around the world.
#[derive(Clone, Debug, PartialEq)]
pub struct Skybox {
    /// Front, back, down, up, left, right; none where one could not be had.
    pub images: Vec<Option<PathBuf>>,
    /// As written, with `%s` for the side.
    pub textures: String,
}

/// The window.
#[derive(Clone, Debug, PartialEq)]
pub struct Gui {
    /// Width and height, pixels.
    pub size: [u32; 2],
    /// Fills the screen.
    pub maximized: bool,
    /// Pictures a second, Hz.
    pub refresh_rate: f64,
    /// Without perspective.
    pub orthographic: bool,
    /// Draws forces.
    pub show_forces: bool,
    /// Draws what sensors see.
    pub show_sensor_points: bool,
    /// Length of a drawn force, m/N.
    pub force_scale: f64,
    /// From camera to the point it looks at, m.
    pub camera_distance: f64,
    /// rad.
    pub camera_azimuth: f64,
    /// rad.
    pub camera_elevation: f64,
    /// Point the camera looks at, m.
    pub camera_target: [f64; 3],
    /// rad.
    pub field_of_view: f64,
    /// Nearest and farthest that is drawn, m.
    pub clip: [f64; 2],
    /// The vehicle that the camera follows.
    pub follow_vehicle: Option<String>,
    /// Draws the way that vehicles took.
    pub show_trajectories: bool,
    /// Without a window.
    pub headless: bool,
}

impl Default for Gui {
    fn default() -> Self {
        Self {
            size: [800, 600],
            maximized: true,
            refresh_rate: 20.0,
            orthographic: false,
            show_forces: false,
            show_sensor_points: true,
            force_scale: 0.01,
            camera_distance: 80.0,
            camera_azimuth: 45f64.to_radians(),
            camera_elevation: 40f64.to_radians(),
            camera_target: [0.0; 3],
            field_of_view: 60f64.to_radians(),
            clip: [0.05, 1e4],
            follow_vehicle: None,
            show_trajectories: false,
            headless: false,
        }
    }
}

/// The sun.
#[derive(Clone, Debug, PartialEq)]
pub struct Lights {
    /// Casts shadows.
    pub shadows: bool,
    /// Side of the shadow map, pixels.
    pub shadow_map_size: u32,
    /// rad.
    pub azimuth: f64,
    /// rad.
    pub elevation: f64,
    /// Nearest and farthest that casts a shadow, m.
    pub clip: [f64; 2],
    /// Red, green, blue, opacity.
    pub color: [u8; 4],
    /// Part of the light that comes from everywhere, 0 to 1.
    pub ambient: f64,
    /// Depth bias of shadows: general, camera to fragment, along the normal.
    pub shadow_bias: [f64; 3],
    /// Factor from the camera's distance to the extent of the shadow map.
    pub eye_distance_to_shadow_map_extension: f64,
    /// Least extent of the shadow map, as part of the farthest distance.
    pub minimum_shadow_map_extension_ratio: f64,
}

impl Default for Lights {
    fn default() -> Self {
        Self {
            shadows: true,
            shadow_map_size: 2048,
            azimuth: 45f64.to_radians(),
            elevation: 70f64.to_radians(),
            clip: [0.1, 900.0],
            color: [255; 4],
            ambient: 0.5,
            shadow_bias: [1e-5, 1e-5, 1e-4],
            eye_distance_to_shadow_map_extension: 2.0,
            minimum_shadow_map_extension_ratio: 0.005,
        }
    }
}
