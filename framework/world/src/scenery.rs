//! What only a picture shows, and where on Earth it is.

use simhost_scene::Utm;

use crate::description::{Georeference, GroundGrid, Gui, Lights, Marker, Skybox};
use crate::numbers::parse_number;
use crate::reader::Reader;
use crate::tag::Tag;
use crate::vocabulary::georeference::GEOREFERENCE;
use crate::vocabulary::gui::GUI;
use crate::vocabulary::lights::LIGHTS;
use crate::vocabulary::map::{GROUND_GRID, SKYBOX};
use crate::vocabulary::marker::MARKER;
use crate::xml::{Element, Text};

/// Most numbers of a marker.
const MAX_NUMBERS: usize = 3_000_000;

impl Reader<'_> {
    pub(crate) fn gui(&mut self, element: &Element) {
        let mut tag = Tag::new(self, element, &GUI);
        let follow = tag.text_of("follow_vehicle");
        let gui = Gui {
            size: [tag.count("win_w"), tag.count("win_h")],
            maximized: tag.flag("start_maximized"),
            refresh_rate: tag.number("refresh_fps"),
            orthographic: tag.flag("ortho"),
            show_forces: tag.flag("show_forces"),
            show_sensor_points: tag.flag("show_sensor_points"),
            force_scale: tag.number("force_scale"),
            camera_distance: tag.number("cam_distance"),
            camera_azimuth: tag.number("cam_azimuth"),
            camera_elevation: tag.number("cam_elevation"),
            camera_target: tag.row("cam_point_to"),
            field_of_view: tag.number("fov_deg"),
            clip: tag.range("clip_plane_min", "clip_plane_max"),
            follow_vehicle: tag.given_text("follow_vehicle"),
            show_trajectories: tag.flag("show_trajectories"),
            headless: tag.flag("headless"),
        };
        tag.finish();
        self.follows(gui.follow_vehicle.as_deref(), follow);
        self.world.scenery.gui = gui;
    }

    /// A vehicle that has to exist once all are known.
    fn follows(&mut self, name: Option<&str>, text: Option<&Text>) {
        if let (Some(name), Some(text)) = (name, text) {
            self.followed.push((name.to_owned(), text.span));
        }
    }

    pub(crate) fn lights(&mut self, element: &Element) {
        let mut tag = Tag::new(self, element, &LIGHTS);
        let biases = ["shadow_bias", "shadow_bias_cam2frag", "shadow_bias_normal"];
        let lights = Lights {
            shadows: tag.flag("enable_shadows"),
            shadow_map_size: tag.count("shadow_map_size"),
            azimuth: tag.number("light_azimuth_deg"),
            elevation: tag.number("light_elevation_deg"),
            clip: tag.range("light_clip_plane_min", "light_clip_plane_max"),
            color: tag.color("light_color"),
            ambient: tag.number("light_ambient"),
            shadow_bias: biases.map(|name| tag.number(name)),
            eye_distance_to_shadow_map_extension: tag
                .number("eye_distance_to_shadow_map_extension"),
            minimum_shadow_map_extension_ratio: tag.number("minimum_shadow_map_extension_ratio"),
        };
        tag.finish();
        self.world.scenery.lights = lights;
    }

    pub(crate) fn georeference(&mut self, element: &Element) {
        let mut tag = Tag::new(self, element, &GEOREFERENCE);
        let (latitude, longitude) = (tag.number("latitude"), tag.number("longitude"));
        let place = Georeference {
            latitude,
            longitude,
            utm: Utm::of(latitude, longitude),
            height: tag.number("height"),
            world_to_enu_rotation: tag.number("world_to_enu_rotation_deg"),
            world_is_utm: tag.flag("world_is_utm"),
        };
        tag.finish();
        if place.world_is_utm {
            let nowhere = place.latitude == 0.0 || place.longitude == 0.0;
            let problem = match (nowhere, place.world_to_enu_rotation != 0.0, place.utm) {
                (true, ..) => Some("expected a <latitude> and a <longitude> other than 0"),
                (_, true, _) => Some("expected <world_to_enu_rotation_deg> 0"),
                (.., None) => Some("expected a <latitude> from -80 to 84: the poles have no zone"),
                _ => None,
            };
            if let Some(label) = problem {
                let message = "this cannot be a world in UTM coordinates";
                self.error(element.name_span, message, label, Vec::new());
            }
        }
        self.world.scenery.georeference = Some(place);
    }

    pub(crate) fn marker(&mut self, element: &Element) {
        let mut tag = Tag::new(self, element, &MARKER);
        tag.word("type");
        let (color, moved) = (tag.color("color"), tag.row::<3>("translation"));
        let points = tag.text_of("points");
        let points = tag.needed("points", points);
        tag.finish();
        let Some(text) = points else { return };
        let Some(numbers) = self.rows_of_three(text) else { return };
        let point = |row: &[f64]| [row[0] + moved[0], row[1] + moved[1], row[2] + moved[2]];
        let points = numbers.chunks_exact(3).map(point).collect();
        self.world.scenery.markers.push(Marker { points, color });
    }

    fn rows_of_three(&mut self, text: &Text) -> Option<Vec<f64>> {
        let value = self.value(text)?;
        let words = value.split_whitespace().take(MAX_NUMBERS + 1);
        let numbers: Option<Vec<f64>> = words.map(parse_number).collect();
        let numbers =
            numbers.filter(|numbers| numbers.len() % 3 == 0 && numbers.len() <= MAX_NUMBERS);
        if numbers.is_none() {
            let label = "expected X Y Z, again and again";
            self.error(text.span, "`points` is not understood", label, Vec::new());
        }
        numbers
    }

    pub(crate) fn ground_grid(&mut self, element: &Element) {
        let mut tag = Tag::element(self, element, &GROUND_GRID);
        let text = tag.text_of("floating_focus");
        let grid = GroundGrid {
            x: tag.range("x_min", "x_max"),
            y: tag.range("y_min", "y_max"),
            interval: tag.number("interval"),
            color: tag.color("color"),
            line_width: tag.number("line_width"),
            floating: tag.flag("floating"),
            focus: tag.given_text("floating_focus"),
        };
        tag.finish();
        self.follows(grid.focus.as_deref(), text);
        self.world.scenery.ground_grids.push(grid);
    }

    pub(crate) fn skybox(&mut self, element: &Element) {
        let mut tag = Tag::element(self, element, &SKYBOX);
        let text = tag.text_of("textures");
        let text = tag.needed("textures", text);
        tag.finish();
        let Some(text) = text else { return };
        let Some(textures) = self.value(text).map(|value| value.to_string()) else { return };
        if textures.matches("%s").count() != 1 {
            let message = format!("`textures` has to name six images: `{textures}`");
            let label = "expected one %s, for Front Back Down Up Left Right";
            let help = "help: write <textures>sky_%s.png</textures> for sky_Front.png, …";
            self.error(text.span, message, label, vec![help.to_owned()]);
            return;
        }
        let sides = ["Front", "Back", "Down", "Up", "Left", "Right"];
        let images = sides.map(|side| {
            let raw = textures.replace("%s", side);
            self.picture(&Text { content: raw.into(), ..text.clone() })
        });
        self.world.scenery.skybox = Some(Skybox { images: images.to_vec(), textures });
    }
}
