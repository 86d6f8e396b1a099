//! Streams of the images of sensors.

use simhost_engine::SensorInfo;
use simhost_streams::image::ImageForm;
use simhost_streams::{Stream, types};

use super::draft::{Draft, Source};
use crate::images::image_forms;

/// Returns the optical frame of an image of a sensor with this frame.
pub(super) fn frame(sensor: &str, image: &str) -> String {
    format!("{sensor}/{image}")
}

/// Returns two streams per image of a sensor: its pixels and its calibration. `quantity` gives the name of the
/// quantity of an output.
pub(super) fn drafts(
    info: &SensorInfo,
    sensor: &str,
    quantity: impl Fn(&str) -> String,
) -> Vec<Draft> {
    let both = |form: ImageForm| {
        let frame = frame(sensor, &form.name);
        let named = |name: &str, kind| {
            let name = format!("{frame}/{name}");
            Stream { frame: frame.clone(), ..Stream::new(name, kind) }
        };
        let calibration =
            Draft::new(named("camera_info", types::CAMERA_INFO.into()), info_of(&form));
        let channels = form.kind.channels().iter().map(|name| quantity(name)).collect();
        let pixels = named("image", types::IMAGE.into());
        [Draft::new(pixels, Source::Image { form, channels }), calibration]
    };
    image_forms(info).into_iter().flat_map(both).collect()
}

/// Returns the calibration of an image in the order of the fields of [`types::CAMERA_INFO`].
fn info_of(form: &ImageForm) -> Source {
    let mut numbers = vec![form.height as f64, form.width as f64];
    numbers.extend(form.intrinsics());
    numbers.extend(form.rectification());
    numbers.extend(form.projection());
    numbers.extend(form.distortion.coefficients());
    let texts = vec![form.distortion.model().to_owned()];
    Source::Fixed { numbers, texts, bytes: Vec::new() }
}
