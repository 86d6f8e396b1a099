//! Light that surfaces and the sky send to cameras.
//!
//! Surfaces are diffuse (Lambert, "Photometria", 1760): with the colour ρ of the surface and the angle θ
//! between its normal and the direction to the sun, the radiance is
//! ρ c (a + (1 − a) v max(0, cos θ)), where c is the colour of the light, a the ambient part, and v is 0 in
//! the shadow and 1 elsewhere. The radiance of a white surface that faces a white sun is 1.
//!
//! Simplification: the ambient light comes from all sides alike, and surfaces do not light each other.
//! The sky has a fixed gradient, or the images of a skybox, which give light to cameras alone. Maps without a height
//! throw no shadow, which would never end.

use std::sync::Arc;

use simhost_scene::{ColorImage, Rotation};
use simhost_sdk::math;
use simhost_sensing::{Label, Return, Shade, Space};
use simhost_world::Lights;

/// Distance from a surface at which a ray to the sun begins, m.
const LIFT: f64 = 1e-4;
/// Colour of the sky at the horizon and at the zenith under a white sun, linear.
const HORIZON: [f64; 3] = [0.72, 0.82, 0.95];
const ZENITH: [f64; 3] = [0.20, 0.38, 0.75];

/// Sun and sky.
#[derive(Clone, Debug)]
pub(crate) struct Daylight {
    /// Unit direction to the sun, world frame.
    sun: [f64; 3],
    /// Colour of the light, linear.
    color: [f64; 3],
    /// Part of the light that comes from all sides.
    ambient: f64,
    /// Largest distance of what casts a shadow, m; `None` without shadows.
    shadow_reach: Option<f64>,
    /// Linear value of each number of a colour.
    linear: Box<[f64; 256]>,
    /// Images of the sky: front, back, down, up, left and right.
    sky: Arc<[Option<ColorImage>]>,
}

/// Sides of a skybox in the order of its images: outward direction, and the directions of the width and of the
/// height of the image as it is seen from inside, world frame.
const SIDES: [[[f64; 3]; 3]; 6] = [
    [[1.0, 0.0, 0.0], [0.0, -1.0, 0.0], [0.0, 0.0, 1.0]],
    [[-1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
    [[0.0, 0.0, -1.0], [0.0, -1.0, 0.0], [1.0, 0.0, 0.0]],
    [[0.0, 0.0, 1.0], [0.0, -1.0, 0.0], [-1.0, 0.0, 0.0]],
    [[0.0, 1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]],
    [[0.0, -1.0, 0.0], [-1.0, 0.0, 0.0], [0.0, 0.0, 1.0]],
];

impl Default for Daylight {
    fn default() -> Self {
        Self::new(&Lights::default())
    }
}

/// Returns the linear value of a number of an sRGB colour (IEC 61966-2-1), from 0 to 1.
fn linear_of(number: u8) -> f64 {
    let value = f64::from(number) / 255.0;
    if value <= 0.040_45 { value / 12.92 } else { math::pow((value + 0.055) / 1.055, 2.4) }
}

impl Daylight {
    /// Computes the light of a world.
    pub fn new(lights: &Lights) -> Self {
        let linear = Box::new(std::array::from_fn(|number| linear_of(number as u8)));
        let ((sin, cos), (up, level)) =
            (math::sin_cos(lights.azimuth), math::sin_cos(lights.elevation));
        let [red, green, blue, _] = lights.color;
        Self {
            sun: [level * cos, level * sin, up],
            color: [red, green, blue].map(linear_of),
            ambient: lights.ambient,
            shadow_reach: lights.shadows.then_some(lights.clip[1]),
            linear,
            sky: Arc::default(),
        }
    }

    /// Returns the same light with images of the sky: front, back, down, up, left and right. A side without an image
    /// has the gradient.
    pub fn with_sky(self, images: Vec<Option<ColorImage>>) -> Self {
        Self { sky: images.into(), ..self }
    }

    /// Looks from the sun at the objects of a space, for at most this number of rays.
    pub fn look(&self, space: &Space, rays: usize, shade: &mut Shade) {
        if let Some(reach) = self.shadow_reach {
            shade.look(space, self.sun, reach, rays);
        }
    }

    /// Returns the red, green and blue radiance along a ray with this origin, m, and unit direction, world
    /// frame, which meets `found`. `shade` is that of [`Self::look`] for this space.
    #[inline]
    pub fn seen(
        &self,
        space: &Space,
        shade: &Shade,
        origin: [f64; 3],
        direction: [f64; 3],
        found: &Return,
    ) -> [f64; 3] {
        if !found.range.is_finite() {
            return self.sky(direction);
        }
        let [x, y, z] = found.normal;
        let (normal, mut point) = ([f64::from(x), f64::from(y), f64::from(z)], origin);
        for axis in 0..3 {
            point[axis] += found.range * direction[axis];
            point[axis] += LIFT * normal[axis];
        }
        let light =
            self.ambient + (1.0 - self.ambient) * self.sunlight(space, shade, point, normal);
        let label = Label { number: found.number, surface: found.surface };
        let (color, mut radiance) = (space.color_at(label, point), self.color);
        for (radiance, part) in radiance.iter_mut().zip(color) {
            *radiance = self.linear[usize::from(part)] * *radiance * light;
        }
        radiance
    }

    /// Returns the part of the sun's light that a surface at a point with this normal gets.
    fn sunlight(&self, space: &Space, shade: &Shade, point: [f64; 3], normal: [f64; 3]) -> f64 {
        let cosine = dot(self.sun, normal);
        if cosine <= 0.0 {
            return 0.0;
        }
        let casts_shadow = |number: u32| !space.is_endless(number);
        let is_dark = self.shadow_reach.is_some() && space.is_shaded(shade, point, &casts_shadow);
        if is_dark { 0.0 } else { cosine }
    }

    /// Returns the radiance of the sky in a unit direction.
    fn sky(&self, direction: [f64; 3]) -> [f64; 3] {
        if let Some([red, green, blue, _]) = self.sky_image(direction) {
            return [red, green, blue].map(|part| self.linear[usize::from(part)]);
        }
        let (height, mut radiance) = (direction[2].clamp(0.0, 1.0), self.color);
        for (part, radiance) in radiance.iter_mut().enumerate() {
            *radiance *= HORIZON[part] + height * (ZENITH[part] - HORIZON[part]);
        }
        radiance
    }
}

impl Daylight {
    /// Returns the colour of the image of the sky in a direction, if there is one.
    fn sky_image(&self, direction: [f64; 3]) -> Option<[u8; 4]> {
        if self.sky.is_empty() {
            return None;
        }
        let dot = |axis: [f64; 3]| dot(axis, direction);
        let sides = SIDES.iter().zip(&*self.sky);
        let (side, image) = sides.max_by(|a, b| dot(a.0[0]).total_cmp(&dot(b.0[0])))?;
        let image = image.as_ref()?;
        let ahead = dot(side[0]);
        let place = [0, 1].map(|axis| {
            // the outermost half of a pixel does not reach over to the opposite edge
            let edge = 0.5 / image.size()[axis] as f64;
            (0.5 + 0.5 * dot(side[1 + axis]) / ahead).clamp(edge, 1.0 - edge)
        });
        Some(image.at(place))
    }
}

/// Returns a direction in the frame with this rotation in the outer frame.
#[inline(always)]
pub(crate) fn turned(rotation: &Rotation, direction: [f64; 3]) -> [f64; 3] {
    // `array::map` is not always inlined, and this is called for each pixel of an image
    [dot(rotation[0], direction), dot(rotation[1], direction), dot(rotation[2], direction)]
}

#[inline(always)]
fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

#[cfg(test)]
mod tests {
    use simhost_scene::Pose2;
    use simhost_sensing::{Label, Shape, Surface, Top};

    use super::*;

    /// Level ground of linear reflectance 0.2 to 0.25, and a box of 2 m at (0, 0).
    fn space() -> Space {
        let mut space = Space::default();
        let surface = space.add_surface(Surface::of_color(0, [255, 128, 0, 255]));
        space.add_level_ground(Label { number: 0, surface });
        let square = Shape::new(&[[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]]);
        space.set_fixed(|solids| {
            solids.add(1u32, &square, Pose2::default(), 0.0, Top::Flat(2.0));
        });
        space
    }

    /// Returns the light that comes up from the ground at a point.
    fn from_ground(daylight: &Daylight, x: f64) -> [f64; 3] {
        let found = Return { range: 3.0, normal: [0.0, 0.0, 1.0], number: 0, surface: 1 };
        let (space, mut shade) = (space(), Shade::default());
        daylight.look(&space, 1000, &mut shade);
        daylight.seen(&space, &shade, [x, 0.0, 3.0], [0.0, 0.0, -1.0], &found)
    }

    #[test]
    fn a_surface_has_ambient_light_and_that_of_the_sun() {
        // the sun is at 30° above the direction +x, and its light is blue-green
        let lights = Lights {
            azimuth: 0.0,
            elevation: 30.0 * math::DEG,
            ambient: 0.2,
            color: [0, 255, 255, 255],
            ..Lights::default()
        };
        let daylight = Daylight::new(&lights);
        // sRGB 128 is 0.21586 (IEC 61966-2-1)
        let bright = from_ground(&daylight, 5.0);
        let expected = 0.215_860_5 * (0.2 + 0.8 * 0.5);
        assert!(bright[0] == 0.0 && bright[2] == 0.0, "{bright:?}");
        assert!((bright[1] - expected).abs() < 1e-7, "{bright:?}");
        // behind the box, whose shadow ends at −1 − 2/tan 30°
        let [_, dark, _] = from_ground(&daylight, -4.4);
        assert!((dark - 0.215_860_5 * 0.2).abs() < 1e-7, "{dark}");
        assert_eq!(from_ground(&daylight, -4.5), bright);
        let unshaded = Daylight::new(&Lights { shadows: false, ..lights });
        assert_eq!(from_ground(&unshaded, -4.4), bright);
    }

    #[test]
    fn the_sky_has_a_gradient() {
        let daylight = Daylight::default();
        let look = |up: f64| {
            let direction = [(1.0 - up * up).sqrt(), 0.0, up];
            let (space, shade) = (space(), Shade::default());
            daylight.seen(&space, &shade, [0.0, 0.0, 5.0], direction, &Return::NOTHING)
        };
        for (up, expected) in [(0.0, HORIZON), (1.0, ZENITH), (-0.1, HORIZON)] {
            let is_close = look(up).iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-12);
            assert!(is_close, "{up}: {:?}", look(up));
        }
    }
}
