//! Streams of the images of sensors.

use simhost_engine::SensorInfo;
use simhost_streams::image::ImageForm;
use simhost_streams::{Stream, types};

use super::bind::SourcePlace;
use super::draft::{Draft, Fill, Fixed};
use crate::images::image_forms;

/// Returns the optical frame of an image of a sensor with this frame.
pub(super) fn frame(sensor: &str, image: &str) -> String {
    format!("{sensor}/{image}")
}

/// Returns two streams per image of a sensor: its pixels and its calibration.
pub(super) fn drafts(info: &SensorInfo, place: &SourcePlace<'_>) -> Vec<Draft> {
    let both = |form: ImageForm| {
        let frame = frame(&place.name, &form.name);
        let named = |name: &str, kind| {
            let name = format!("{frame}/{name}");
            Stream { frame: frame.clone(), ..Stream::new(name, kind) }
        };
        let kind = types::CameraInfo::TYPE.into();
        let calibration = Draft::fixed(named("camera_info", kind), info_of(&form));
        let channels = form.kind.channels().iter();
        let values = channels.map(|name| vec![format!("{}{name}", place.values)]).collect();
        let pixels = Draft::new(named("image", types::Image::TYPE.into()), Fill::Pixels(form));
        [Draft { values, ..pixels }, calibration]
    };
    image_forms(info).into_iter().flat_map(both).collect()
}

/// Returns the calibration of an image in the order of the fields of [`types::CameraInfo`].
fn info_of(form: &ImageForm) -> Fixed {
    let mut numbers = vec![form.height as f64, form.width as f64];
    numbers.extend(form.intrinsics());
    numbers.extend(form.rectification());
    numbers.extend(form.projection());
    let rest = form.distortion.coefficients().to_vec();
    let texts = vec![form.distortion.model().to_owned()];
    Fixed { numbers, rest, texts, bytes: Vec::new() }
}
