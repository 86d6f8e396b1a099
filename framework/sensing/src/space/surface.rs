//! How surfaces look to sensors.

use std::sync::Arc;

use simhost_scene::ColorImage;

/// An image that covers a surface, repeated in both directions and projected along one direction.
#[derive(Clone, Debug)]
pub struct Decal {
    /// The image.
    pub image: Arc<ColorImage>,
    /// Lower left corner of one copy, world frame, m.
    pub origin: [f64; 3],
    /// Directions of its width and of its height, world frame, in copies per m.
    pub axes: [[f64; 3]; 2],
}

impl Decal {
    /// Returns the colour at a point in the world frame, m.
    fn color_at(&self, point: [f64; 3]) -> [u8; 4] {
        let along = |axis: [f64; 3]| {
            let parts = [0, 1, 2].map(|k| axis[k] * (point[k] - self.origin[k]));
            parts[0] + parts[1] + parts[2]
        };
        self.image.at(self.axes.map(along))
    }
}

/// Properties of a surface.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Surface {
    /// Number of the semantic class.
    pub class: u16,
    /// Part of the light that is reflected towards its source at normal incidence, 0 to 1.
    pub reflectivity: f32,
    /// Red, green, blue and opacity, 0 to 255; the mean of a surface with an image.
    pub color: [u8; 4],
    /// Number of the image on it, see [`Space::add_decal`](super::Space::add_decal).
    pub decal: Option<u32>,
    /// Whether the triangles of its meshes have an image.
    pub has_skin: bool,
}

/// Surfaces of a scene, and the images on them.
#[derive(Clone, Debug)]
pub(super) struct Surfaces {
    pub all: Vec<Surface>,
    pub decals: Vec<Decal>,
}

impl Default for Surfaces {
    fn default() -> Self {
        Self { all: vec![Surface::default()], decals: Vec::new() }
    }
}

impl Surfaces {
    /// Returns the colour of a surface at a point in the world frame, m.
    pub fn color_at(&self, surface: u32, point: [f64; 3]) -> [u8; 4] {
        let surface = &self.all[surface as usize];
        let decal = surface.decal.and_then(|decal| self.decals.get(decal as usize));
        decal.map_or(surface.color, |decal| decal.color_at(point))
    }
}

impl Default for Surface {
    /// Returns a grey surface of class 0.
    fn default() -> Self {
        Self::of_color(0, [0xa0, 0xa0, 0xa0, 0xff])
    }
}

impl Surface {
    /// Returns the surface of a class and a colour whose reflectivity is the luma of the colour
    /// (ITU-R BT.601).
    pub fn of_color(class: u16, color: [u8; 4]) -> Self {
        let [red, green, blue, _] = color.map(f32::from);
        let reflectivity = (0.299 * red + 0.587 * green + 0.114 * blue) / 255.0;
        Self { class, reflectivity, color, decal: None, has_skin: false }
    }
}
