//! Images of a sensor: which of its rays are the pixels.

use std::ffi::c_void;
use std::marker::PhantomData;

use simhost_abi::{Distortion, ImageDesc, ImageFn, ImageKind, ImagesTable, Str};

use super::Sensor;
use crate::fault;

/// An image whose pixels are rays of a sensor, row by row from the top left.
///
/// Pixel (u, v), which is ray `first_ray` + v·`width` + u, has its centre at the whole numbers u and v, as
/// in OpenCV. A point (X, Y, Z) of the optical frame (x right, y down, z ahead) appears at
/// u = `fx`·x + `cx` and v = `fy`·y + `cy`, where (x, y) is the distorted (X/Z, Y/Z).
///
/// The pixels show the readings per ray that [`ImageKind`] names. The same rays can be the pixels of
/// several images, such as colour, class and instance.
#[derive(Clone, Debug, PartialEq)]
pub struct Image {
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
    /// Column of the optical axis, px.
    pub cx: f64,
    /// Row of the optical axis, px.
    pub cy: f64,
    /// Distortion of the lens.
    pub distortion: Distortion,
    /// Pose of the optical frame in the vehicle frame: x, y, z, m; yaw, pitch, roll, rad.
    pub pose: [f64; 6],
}

impl Image {
    /// Calls `take` with the description at the boundary, which lives during the call.
    fn with_abi(&self, take: impl FnOnce(&ImageDesc)) {
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
}

/// The table with which a sensor describes its images.
pub(super) struct Images<M>(PhantomData<M>);

impl<M: Sensor> Images<M> {
    pub(super) const TABLE: ImagesTable =
        ImagesTable { size: size_of::<ImagesTable>() as u32, reserved: 0, images: Self::images };

    unsafe extern "C" fn images(model: *const c_void, sink: *mut c_void, write: ImageFn) {
        // SAFETY: `model` came from `create` of this type.
        let model = unsafe { &*model.cast::<M>() };
        // a panic leaves the sensor without images, which the host reports where it needs them
        let images = fault::contain(|| model.images()).unwrap_or_default();
        for image in images {
            // SAFETY: sink and function are the host's; the description lives during the call.
            image.with_abi(|image| unsafe { write(sink, image) });
        }
    }
}
