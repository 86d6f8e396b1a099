//! Images that a sensor describes, checked.

use std::ffi::c_void;

use simhost_abi::{ImageDesc, ImagesTable, Model, PortDesc, Scope, SensorImage};

use crate::breadcrumb::Function;
use crate::instance::Instance;
use crate::view::View;

/// Largest number of columns and of rows of an image.
const MAX_SIDE: u32 = 1 << 16;
/// Largest magnitude of the numbers that describe an image.
const MAX_NUMBER: f64 = 1e12;

/// Describes what the host cannot use of the image of a sensor with so many rays and these readings.
fn defect(image: &SensorImage, rays: usize, outputs: &'static [View<PortDesc>]) -> Option<String> {
    let SensorImage { name, kind, width, height, first_ray, fx, fy, cx, cy, pose, .. } = image;
    let sides = 1..=MAX_SIDE;
    if !sides.contains(width) || !sides.contains(height) {
        return Some(format!(
            "its image `{name}` has {width} x {height} pixels, expected 1 to {MAX_SIDE} columns and rows"
        ));
    }
    let pixels = *width as usize * *height as usize;
    if first_ray.checked_add(pixels).is_none_or(|end| end > rays) {
        return Some(format!(
            "its image `{name}` has {pixels} pixels from ray {first_ray} on, but the sensor has {rays} rays"
        ));
    }
    let (_, coefficients) = image.distortion.parts();
    let numbers = [fx, fy, cx, cy].into_iter().chain(pose).chain(&coefficients);
    if let Some(bad) = numbers.copied().find(|number| number.is_nan() || number.abs() > MAX_NUMBER)
    {
        return Some(format!("its image `{name}` has the number {bad}, expected a finite one"));
    }
    if let Some(bad) = [fx, fy].into_iter().find(|focal| **focal <= 0.0) {
        return Some(format!(
            "its image `{name}` has the focal length {bad} px, expected one above 0"
        ));
    }
    let is_there = |channel: &str| {
        outputs
            .iter()
            .any(|port| port.name() == channel && Scope::from_u32(port.scope) == Scope::Ray)
    };
    let missing = kind.channels().iter().find(|(channel, _)| !is_there(channel));
    missing.map(|(channel, unit)| {
        format!(
            "its image `{name}` needs the reading `{channel}` per ray in {unit}, which is missing"
        )
    })
}

/// The images that a sensor has passed on.
type Taken = Vec<Result<SensorImage, String>>;

unsafe extern "C" fn copy_image(sink: *mut c_void, desc: *const ImageDesc) {
    // SAFETY: the sink is the list below, which nothing else uses during the call.
    let taken = unsafe { &mut *sink.cast::<Taken>() };
    if desc.is_null() {
        return taken.push(Err("it describes an image with a null pointer".to_owned()));
    }
    // SAFETY: the size is the first field.
    let size = unsafe { desc.cast::<u32>().read() } as usize;
    if size < size_of::<ImageDesc>() {
        let expected = size_of::<ImageDesc>();
        return taken.push(Err(format!(
            "it describes an image with a `size` of {size} bytes, expected {expected} (sizeof the struct)"
        )));
    }
    // SAFETY: the model keeps the description alive during the call, and its size was checked.
    taken.push(unsafe { SensorImage::from_desc(&*desc) });
}

impl Instance {
    /// Returns the images of a sensor.
    ///
    /// # Errors
    /// A description of the first image that the host cannot use.
    pub fn images(&self) -> Result<Vec<SensorImage>, String> {
        let Some(ImagesTable { images, .. }) = self.table::<ImagesTable>()? else {
            return Ok(Vec::new());
        };
        let mut taken = Taken::new();
        let sink = (&raw mut taken).cast();
        // SAFETY: the handle is that of the model, and the sink is what the function takes.
        self.functions()
            .call(Function::Ability, || unsafe { images(self.handle(), sink, copy_image) });
        let taken: Vec<SensorImage> = taken.into_iter().collect::<Result<_, _>>()?;
        let model: &'static View<Model> = self.model();
        let outputs = model.phase("read").map_or(&[][..], |read| read.outputs());
        for (number, image) in taken.iter().enumerate() {
            let name = &image.name;
            if name.is_empty() || taken[..number].iter().any(|other| other.name == *name) {
                return Err(format!("its images have the name `{name}` twice or an empty one"));
            }
            if let Some(defect) = defect(image, self.rays(), outputs) {
                return Err(defect);
            }
        }
        Ok(taken)
    }
}

#[cfg(test)]
mod tests {
    use simhost_abi::{Distortion, ImageKind};

    use super::*;

    /// A defect of a description.
    type Change = fn(&mut SensorImage);

    fn image() -> SensorImage {
        SensorImage {
            name: "rgb".to_owned(),
            kind: ImageKind::Rgb,
            width: 4,
            height: 3,
            first_ray: 2,
            fx: 5.0,
            fy: 5.0,
            cx: 1.5,
            cy: 1.0,
            distortion: Distortion::Fisheye([0.1, 0.0, 0.0, 0.0]),
            pose: [0.0; 6],
        }
    }

    /// Returns the defect of an image of a sensor with 14 rays and no readings.
    fn defect(change: impl FnOnce(&mut SensorImage)) -> String {
        let mut image = image();
        change(&mut image);
        super::defect(&image, 14, &[]).unwrap_or_default()
    }

    #[test]
    fn defects_of_images_are_described() {
        let cases: [(Change, &str); 7] = [
            (|image| image.width = 0, "has 0 x 3 pixels, expected 1 to 65536 columns and rows"),
            (|image| image.height = 100_000, "has 4 x 100000 pixels"),
            (|image| image.first_ray = 3, "12 pixels from ray 3 on, but the sensor has 14 rays"),
            (|image| image.first_ray = usize::MAX, "pixels from ray 18446744073709551615 on"),
            (|image| image.cx = f64::NAN, "has the number NaN, expected a finite one"),
            (|image| image.fy = -5.0, "has the focal length -5 px, expected one above 0"),
            (|_| {}, "needs the reading `red` per ray in 1, which is missing"),
        ];
        for (change, expected) in cases {
            let found = defect(change);
            assert!(found.contains(expected), "{found}");
        }
    }

    #[test]
    fn a_description_is_copied_and_checked() {
        let SensorImage { width, height, first_ray, fx, fy, cx, cy, distortion, pose, .. } =
            image();
        let (distortion, coefficients) = distortion.parts();
        let (size, kind) = (size_of::<ImageDesc>() as u32, ImageKind::Rgb as u32);
        let name = simhost_abi::Str::new("rgb");
        let desc = ImageDesc {
            size,
            kind,
            name,
            width,
            height,
            first_ray,
            fx,
            fy,
            cx,
            cy,
            distortion,
            reserved: 0,
            coefficients,
            pose,
        };
        let taken = |desc: ImageDesc| {
            let mut taken = Taken::new();
            // SAFETY: the sink is a list of images, and the description is alive.
            unsafe { copy_image((&raw mut taken).cast(), &raw const desc) };
            taken.remove(0)
        };
        assert_eq!(taken(desc), Ok(image()));
        let cases = [
            (ImageDesc { size: 8, ..desc }, "a `size` of 8 bytes"),
            (ImageDesc { kind: 77, ..desc }, "image `rgb` has the unknown kind 77"),
            (ImageDesc { distortion: 9, ..desc }, "image `rgb` has the unknown lens 9"),
        ];
        for (desc, expected) in cases {
            let found = taken(desc).expect_err("a defect");
            assert!(found.contains(expected), "{found}");
        }
    }
}
