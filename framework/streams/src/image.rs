//! Images of cameras: the calibration of an image, and its pixels from the values of rays.
//!
//! The optical frame of an image has x to the right, y downwards and z ahead. Pixel coordinates are in px from
//! the centre of the top left pixel, x to the right and y downwards.

/// Content of an image.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ImageKind {
    /// Red, green and blue, 0 to 255.
    Rgb,
    /// Distance along the optical axis, m; 0 where nothing is seen.
    Depth,
    /// Number of the semantic class; 0 where nothing is seen.
    Class,
    /// Number of the entity; -1 where nothing is seen.
    Instance,
    /// Displacement of what a pixel shows until the next image, px, to the right and downwards; not a number
    /// where it is unknown.
    Flow,
}

impl ImageKind {
    /// Returns the readings that an image of this kind consists of, one value per ray each.
    pub const fn channels(self) -> &'static [&'static str] {
        match self {
            Self::Rgb => &["red", "green", "blue"],
            Self::Depth => &["depth"],
            Self::Class => &["class"],
            Self::Instance => &["entity"],
            Self::Flow => &["flow_x", "flow_y"],
        }
    }

    /// Returns the encoding of its messages, see
    /// [`image_encodings.hpp`](https://github.com/ros2/common_interfaces/blob/jazzy/sensor_msgs/include/sensor_msgs/image_encodings.hpp).
    pub const fn encoding(self) -> &'static str {
        match self {
            Self::Rgb => "rgb8",
            Self::Depth => "32FC1",
            Self::Class | Self::Instance => "mono16",
            Self::Flow => "32FC2",
        }
    }

    /// Returns the size of a pixel in its messages, B.
    pub const fn pixel_size(self) -> usize {
        match self {
            Self::Rgb => 3,
            Self::Depth => 4,
            Self::Class | Self::Instance => 2,
            Self::Flow => 8,
        }
    }
}

/// Distortion of a lens.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Distortion {
    /// A pinhole camera.
    #[default]
    None,
    /// Model of Brown and Conrady with `k1`, `k2`, `p1`, `p2`, `k3`.
    BrownConrady([f64; 5]),
    /// Equidistant fisheye of Kannala and Brandt with `k1` to `k4`.
    Fisheye([f64; 4]),
}

impl Distortion {
    /// Returns the name of the model in ROS.
    pub const fn model(&self) -> &'static str {
        match self {
            Self::None | Self::BrownConrady(_) => "plumb_bob",
            Self::Fisheye(_) => "equidistant",
        }
    }

    /// Returns the coefficients of the model in their order.
    pub const fn coefficients(&self) -> &[f64] {
        match self {
            Self::None => &[0.0; 5],
            Self::BrownConrady(all) => all,
            Self::Fisheye(all) => all,
        }
    }
}

/// Form of the images of a sensor: size, calibration, and where its pixels are among the rays.
#[derive(Clone, Debug, PartialEq)]
pub struct ImageForm {
    /// Name, unique for its sensor, such as `rgb`.
    pub name: String,
    /// Content.
    pub kind: ImageKind,
    /// Pixels per row.
    pub width: usize,
    /// Number of rows.
    pub height: usize,
    /// Ray of the top left pixel. The rays of the other pixels follow, row by row.
    pub first_ray: usize,
    /// Focal lengths `fx` and `fy`, px.
    pub focal: [f64; 2],
    /// Principal point `cx` and `cy`, px.
    pub centre: [f64; 2],
    /// Distortion of the lens.
    pub distortion: Distortion,
    /// Pose of the optical frame in the frame of the vehicle, or in the world for a sensor without
    /// a vehicle: x, y, z, m; yaw, pitch, roll, rad.
    pub pose: [f64; 6],
}

impl ImageForm {
    /// Returns the number of pixels.
    pub const fn pixels(&self) -> usize {
        self.width * self.height
    }

    /// Returns the intrinsic matrix, row by row, px.
    pub const fn intrinsics(&self) -> [f64; 9] {
        let ([fx, fy], [cx, cy]) = (self.focal, self.centre);
        [fx, 0.0, cx, 0.0, fy, cy, 0.0, 0.0, 1.0]
    }

    /// Returns the rectification: none, row by row.
    pub const fn rectification(&self) -> [f64; 9] {
        [1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0]
    }

    /// Returns the projection of points in the optical frame without distortion, row by row, px.
    pub const fn projection(&self) -> [f64; 12] {
        let ([fx, fy], [cx, cy]) = (self.focal, self.centre);
        [fx, 0.0, cx, 0.0, 0.0, fy, cy, 0.0, 0.0, 0.0, 1.0, 0.0]
    }

    /// Appends the pixels as in messages: little endian, with depths that are not seen as not a number. There
    /// is a slice per channel with the values of all pixels.
    pub fn write_message(&self, channels: &[&[f64]], to: &mut Vec<u8>) {
        to.reserve(self.pixels() * self.kind.pixel_size());
        match (self.kind, channels) {
            (ImageKind::Rgb, [red, green, blue]) => {
                let pixels = red.iter().zip(*green).zip(*blue);
                pixels.for_each(|((r, g), b)| to.extend([*r, *g, *b].map(byte)));
            }
            (ImageKind::Depth, [depths]) => {
                let seen = |depth: f64| if depth > 0.0 { depth as f32 } else { f32::NAN };
                depths.iter().for_each(|depth| to.extend(seen(*depth).to_le_bytes()));
            }
            (ImageKind::Class | ImageKind::Instance, [numbers]) => {
                numbers.iter().for_each(|one| to.extend(self.number(*one).to_le_bytes()));
            }
            (ImageKind::Flow, [x, y]) => {
                let pixels = x.iter().zip(*y).flat_map(|(x, y)| [*x as f32, *y as f32]);
                pixels.for_each(|part| to.extend(part.to_le_bytes()));
            }
            _ => {}
        }
    }

    /// Returns the number of a pixel in an image of classes or entities: 0 for no class, and 65 535 for no
    /// entity and for those whose number does not fit.
    pub fn number(&self, value: f64) -> u16 {
        match self.kind {
            ImageKind::Instance if !(0.0..65_535.0).contains(&value) => u16::MAX,
            // a value that is not a number becomes 0
            _ => value as u16,
        }
    }
}

/// Returns a part of a colour. A value that is not a number is 0.
pub fn byte(value: f64) -> u8 {
    value.round() as u8
}

#[cfg(test)]
mod tests {
    use super::*;

    fn form(kind: ImageKind) -> ImageForm {
        ImageForm {
            name: "one".to_owned(),
            kind,
            width: 2,
            height: 1,
            first_ray: 0,
            focal: [10.0, 11.0],
            centre: [0.5, 0.25],
            distortion: Distortion::None,
            pose: [0.0; 6],
        }
    }

    #[test]
    fn messages_have_the_pixels_in_the_encoding() {
        let bytes = |kind: ImageKind, channels: &[&[f64]]| {
            let mut to = Vec::new();
            form(kind).write_message(channels, &mut to);
            assert_eq!(to.len(), 2 * kind.pixel_size());
            to
        };
        let colours: [&[f64]; 3] = [&[0.0, 254.6], &[128.4, 300.0], &[f64::NAN, -1.0]];
        assert_eq!(bytes(ImageKind::Rgb, &colours), [0, 128, 0, 255, 255, 0]);
        let depths = bytes(ImageKind::Depth, &[&[0.0, 2.5]]);
        assert!(f32::from_le_bytes(*depths.first_chunk().unwrap()).is_nan());
        assert_eq!(depths[4..], 2.5_f32.to_le_bytes());
        assert_eq!(bytes(ImageKind::Class, &[&[0.0, 258.0]]), [0, 0, 2, 1]);
        assert_eq!(bytes(ImageKind::Instance, &[&[-1.0, 70_000.0]]), [255; 4]);
        assert_eq!(bytes(ImageKind::Instance, &[&[0.0, 3.0]]), [0, 0, 3, 0]);
        assert_eq!(
            bytes(ImageKind::Flow, &[&[1.0, 0.0], &[-2.0, 0.0]])[4..8],
            (-2.0_f32).to_le_bytes()
        );
    }

    #[test]
    fn the_projection_has_the_intrinsics() {
        let form = form(ImageKind::Rgb);
        assert_eq!(form.intrinsics(), [10.0, 0.0, 0.5, 0.0, 11.0, 0.25, 0.0, 0.0, 1.0]);
        for (row, with) in form.intrinsics().chunks(3).zip(form.projection().chunks(4)) {
            assert_eq!((row, 0.0), (&with[..3], with[3]));
        }
    }
}
