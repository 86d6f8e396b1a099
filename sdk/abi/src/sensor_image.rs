//! Images of sensors as a Rust type, for the descriptions in [`ImageDesc`].

use std::ffi::c_void;

use crate::Str;
use crate::numbered::numbered;

/// An image whose pixels are rays of a sensor, row by row from the top left.
///
/// Pixel (u, v), which is ray `first_ray` + v·`width` + u, has its centre at the whole numbers u and v, as
/// in OpenCV. A point (X, Y, Z) of the optical frame (x right, y down, z ahead) appears at
/// u = `fx`·x + `cx` and v = `fy`·y + `cy`, where (x, y) is the distorted (X/Z, Y/Z).
///
/// The pixels show the readings per ray that [`ImageKind`] names. The same rays can be the pixels of
/// several images, such as colour, class and instance.
#[derive(Clone, Debug, PartialEq)]
pub struct SensorImage {
    /// Name, unique among the images of the sensor, such as `rgb`.
    pub name: String,
    /// Quantity of the pixels.
    pub kind: ImageKind,
    /// Number of columns.
    pub width: u32,
    /// Number of rows.
    pub height: u32,
    /// Index of the ray of the first pixel.
    pub first_ray: usize,
    /// Horizontal focal length, px.
    pub fx: f64,
    /// Vertical focal length, px.
    pub fy: f64,
    /// Column of the optical axis, px; the centres of pixels are whole numbers.
    pub cx: f64,
    /// Row of the optical axis, px.
    pub cy: f64,
    /// Distortion of the lens.
    pub distortion: Distortion,
    /// Pose of the optical frame in the vehicle frame, or in the world for a sensor without a vehicle: x, y, z, m;
    /// yaw, pitch, roll, rad.
    pub pose: [f64; 6],
}

impl SensorImage {
    /// Returns the rays that are its pixels.
    pub fn rays(&self) -> std::ops::Range<usize> {
        self.first_ray..self.first_ray + self.width as usize * self.height as usize
    }

    /// Calls `take` with the description at the boundary, which lives during the call.
    pub fn with_desc(&self, take: impl FnOnce(&ImageDesc)) {
        let (distortion, coefficients) = self.distortion.parts();
        take(&ImageDesc {
            size: size_of::<ImageDesc>() as u32,
            kind: self.kind as u32,
            name: Str::borrowed(&self.name),
            width: self.width,
            height: self.height,
            first_ray: self.first_ray,
            fx: self.fx,
            fy: self.fy,
            cx: self.cx,
            cy: self.cy,
            distortion,
            reserved: 0,
            coefficients,
            pose: self.pose,
        });
    }

    /// Copies the image that a sensor describes.
    ///
    /// # Errors
    /// The number of a kind or of a lens that does not exist, in words.
    ///
    /// # Safety
    /// The name belongs to a description that is alive.
    pub unsafe fn from_desc(desc: &ImageDesc) -> Result<Self, String> {
        // SAFETY: promised by the caller.
        let name = unsafe { desc.name.as_str() }.to_owned();
        let Some(kind) = ImageKind::from_u32(desc.kind) else {
            return Err(format!("its image `{name}` has the unknown kind {}", desc.kind));
        };
        let Some(distortion) = Distortion::from_parts(desc.distortion, desc.coefficients) else {
            return Err(format!("its image `{name}` has the unknown lens {}", desc.distortion));
        };
        let ImageDesc { width, height, first_ray, fx, fy, cx, cy, pose, .. } = *desc;
        Ok(Self { name, kind, width, height, first_ray, fx, fy, cx, cy, distortion, pose })
    }
}

/// Distortion of a lens: from the ideal point (x, y) = (X/Z, Y/Z) in the optical frame to the
/// distorted point, which is at the pixel (fx·x + cx, fy·y + cy). The equations are the same as in
/// OpenCV and ROS.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Distortion {
    /// A pinhole camera.
    #[default]
    None,
    /// Radial and tangential distortion (Brown 1966, Conrady 1919) with k1, k2, p1, p2, k3: ROS's
    /// `plumb_bob`.
    BrownConrady([f64; 5]),
    /// A fisheye lens (Kannala and Brandt 2006) with k1 to k4: ROS's `equidistant`. The ideal point is
    /// at the angle θ from the optical axis, the distorted one at the distance
    /// θ (1 + k1 θ² + k2 θ⁴ + k3 θ⁶ + k4 θ⁸).
    Fisheye([f64; 4]),
}

impl Distortion {
    /// Returns the lens with this number and these coefficients.
    pub const fn from_parts(number: u32, coefficients: [f64; 8]) -> Option<Self> {
        let [a, b, c, d, e, ..] = coefficients;
        Some(match number {
            distortion::NONE => Self::None,
            distortion::BROWN_CONRADY => Self::BrownConrady([a, b, c, d, e]),
            distortion::FISHEYE => Self::Fisheye([a, b, c, d]),
            _ => return None,
        })
    }

    /// Returns the number of the lens and its coefficients.
    pub const fn parts(self) -> (u32, [f64; 8]) {
        match self {
            Self::None => (distortion::NONE, [0.0; 8]),
            Self::BrownConrady([k1, k2, p1, p2, k3]) => {
                (distortion::BROWN_CONRADY, [k1, k2, p1, p2, k3, 0.0, 0.0, 0.0])
            }
            Self::Fisheye([k1, k2, k3, k4]) => {
                (distortion::FISHEYE, [k1, k2, k3, k4, 0.0, 0.0, 0.0, 0.0])
            }
        }
    }
}

/// Id of [`ImagesTable`], asked of [`Model::ability`](crate::Model::ability).
pub const IMAGES_ABILITY: &str = "simhost.images/1";

/// The quantity that the pixels of an image hold.
///
/// Like the tables in `ability.rs`, these structs are not part of the fingerprint and never change under
/// their id.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u32)]
pub enum ImageKind {
    /// Colour: `red`, `green` and `blue`, 0 to 255, with the sRGB transfer curve.
    Rgb = 0,
    /// Depth: `depth`, m along the optical axis, 0 for none.
    Depth = 1,
    /// Semantic class: `class`, 0 for none.
    Class = 2,
    /// Instance: `entity`, -1 for none.
    Instance = 3,
    /// Optical flow: `flow_x` to the right and `flow_y` down, px.
    Flow = 4,
}

numbered! { ImageKind: Rgb, Depth, Class, Instance, Flow }

impl ImageKind {
    /// Returns the readings per ray that the pixels show, with their units.
    pub const fn channels(self) -> &'static [(&'static str, &'static str)] {
        match self {
            Self::Rgb => &[("red", "1"), ("green", "1"), ("blue", "1")],
            Self::Depth => &[("depth", "m")],
            Self::Class => &[("class", "1")],
            Self::Instance => &[("entity", "1")],
            Self::Flow => &[("flow_x", "px"), ("flow_y", "px")],
        }
    }
}

/// Models of lens distortion, the values of [`ImageDesc::distortion`].
pub mod distortion {
    /// No distortion: a pinhole camera. No coefficients.
    pub const NONE: u32 = 0;
    /// Radial and tangential (Brown 1966, Conrady 1919): k1, k2, p1, p2, k3, as `plumb_bob` in ROS.
    pub const BROWN_CONRADY: u32 = 1;
    /// Fisheye (Kannala and Brandt 2006): k1 to k4, as `equidistant` in ROS.
    pub const FISHEYE: u32 = 2;
}

/// An image whose pixels are rays of a sensor, row by row from the top left. Pixel (u, v), which is ray
/// `first_ray` + v·`width` + u, has its centre at the whole numbers u and v.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct ImageDesc {
    /// Size of this struct in bytes.
    pub size: u32,
    /// Quantity of the pixels, an [`ImageKind`].
    pub kind: u32,
    /// Name, unique among the images of the sensor.
    pub name: Str,
    /// Number of columns.
    pub width: u32,
    /// Number of rows.
    pub height: u32,
    /// Index of the ray of the first pixel.
    pub first_ray: usize,
    /// Horizontal focal length, px.
    pub fx: f64,
    /// Vertical focal length, px.
    pub fy: f64,
    /// Column of the optical axis, px.
    pub cx: f64,
    /// Row of the optical axis, px.
    pub cy: f64,
    /// Model of the lens, a value of [`distortion`].
    pub distortion: u32,
    /// Zero.
    pub reserved: u32,
    /// Coefficients of the lens; unused entries are zero.
    pub coefficients: [f64; 8],
    /// Pose of the optical frame (x right, y down, z ahead) in the frame of the vehicle, or of the world
    /// for a sensor without a vehicle: x, y, z, m; yaw, pitch, roll, rad.
    pub pose: [f64; 6],
}

/// Takes one image: the sink of the caller, and the image, which the callee copies.
pub type ImageFn = unsafe extern "C" fn(*mut c_void, *const ImageDesc);

/// Describes the images of an instance of a sensor, whose readings per ray are their pixels.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct ImagesTable {
    /// Size of this struct in bytes.
    pub size: u32,
    /// Zero.
    pub reserved: u32,
    /// Passes each image of the instance to `write(sink, image)`. Called while the world is loaded. The
    /// images cannot depend on parameters with [`PER_LANE`](crate::param_flag::PER_LANE).
    pub images: unsafe extern "C" fn(*const c_void, *mut c_void, ImageFn),
}
