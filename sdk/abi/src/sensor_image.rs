//! Images of sensors as a Rust type, for the descriptions in [`ImageDesc`].

use crate::{Distortion, ImageDesc, ImageKind, Str};

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
