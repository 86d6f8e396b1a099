//! Images of a sensor: which of its rays are the pixels.

use std::ffi::c_void;
use std::marker::PhantomData;

use simhost_abi::{ImageFn, ImagesTable};

use super::Sensor;
use crate::fault;

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
            image.with_desc(|image| unsafe { write(sink, image) });
        }
    }
}
