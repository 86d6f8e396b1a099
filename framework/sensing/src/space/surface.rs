//! How surfaces look to sensors.

/// Properties of a surface.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Surface {
    /// Number of the semantic class.
    pub class: u16,
    /// Part of the light that is reflected towards its source at normal incidence, 0 to 1.
    pub reflectivity: f32,
    /// Red, green, blue and opacity, 0 to 255.
    pub color: [u8; 4],
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
        Self { class, reflectivity, color }
    }
}
