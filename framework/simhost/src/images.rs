//! Forms of the images of sensors.

use simhost_abi as abi;
use simhost_engine::{SensorImage, SensorInfo};
use simhost_streams::image::{Distortion, ImageForm, ImageKind};

/// Returns the forms of the images of a sensor, with which its samples become pixels.
pub fn image_forms(sensor: &SensorInfo) -> Vec<ImageForm> {
    sensor.images.iter().map(form).collect()
}

fn form(image: &SensorImage) -> ImageForm {
    let kind = match image.kind {
        abi::ImageKind::Rgb => ImageKind::Rgb,
        abi::ImageKind::Depth => ImageKind::Depth,
        abi::ImageKind::Class => ImageKind::Class,
        abi::ImageKind::Instance => ImageKind::Instance,
        abi::ImageKind::Flow => ImageKind::Flow,
    };
    let distortion = match image.distortion {
        abi::Distortion::None => Distortion::None,
        abi::Distortion::BrownConrady(coefficients) => Distortion::BrownConrady(coefficients),
        abi::Distortion::Fisheye(coefficients) => Distortion::Fisheye(coefficients),
    };
    ImageForm {
        name: image.name.clone(),
        kind,
        width: image.width as usize,
        height: image.height as usize,
        first_ray: image.first_ray,
        focal: [image.fx, image.fy],
        centre: [image.cx, image.cy],
        distortion,
        pose: image.pose,
    }
}
