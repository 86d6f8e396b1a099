//! Images whose pixels are rays of a sensor.
//!
//! Like the tables in `ability.rs`, these structs are not part of the fingerprint and never change under
//! their id.

use std::ffi::c_void;

use crate::numbered::numbered;
use crate::values::Str;

/// Id of [`ImagesTable`], asked of [`Model::ability`](crate::Model::ability).
pub const IMAGES_ABILITY: &str = "simhost.images/1";

/// The quantity that the pixels of an image hold.
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
