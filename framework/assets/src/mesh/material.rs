//! Colours and images of materials.
//!
//! A material has one colour: its diffuse colour, times the mean colour of its image if it has one. Cameras see
//! the image itself.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;

use std::sync::Arc;

use percent_encoding::percent_decode_str;
use simhost_scene::{ColorImage, product};

use super::Resolver;
use super::assembly::{Paint, WHITE};
use crate::{Limits, image};

/// Files that a mesh refers to.
pub(super) struct Images<'r> {
    #[cfg_attr(not(feature = "gltf"), expect(dead_code, reason = "only glTF has other parts"))]
    pub limits: &'r Limits,
    pub resolve: &'r Resolver<'r>,
    /// Number of pixels of images that may still be decoded; 0 for a mesh without its images.
    budget: Cell<u64>,
    /// Numbers of the images of the files that were read; `None` for one that cannot be decoded.
    known: RefCell<BTreeMap<String, Option<u32>>>,
    decoded: RefCell<Vec<Arc<ColorImage>>>,
}

impl<'r> Images<'r> {
    /// Creates the files of a mesh. Decoding images can take longer than reading the mesh, which is why
    /// they can be left out.
    pub fn new(limits: &'r Limits, resolve: &'r Resolver<'r>, with_images: bool) -> Self {
        let budget = Cell::new(if with_images { limits.max_pixels } else { 0 });
        let (known, decoded) = (RefCell::default(), RefCell::default());
        Self { limits, resolve, budget, known, decoded }
    }

    /// Returns the images that were decoded, by their numbers.
    pub fn into_decoded(self) -> Vec<Arc<ColorImage>> {
        self.decoded.into_inner()
    }

    /// Returns a colour with the image of a file, without one that cannot be read. Percent-encoded characters of its
    /// name are decoded.
    pub fn paint(&self, tint: [u8; 4], name: &str) -> Paint {
        self.covered(tint, self.number(name))
    }

    /// As [`Self::paint`], for the bytes of an image.
    #[cfg(feature = "gltf")]
    pub fn paint_with(&self, tint: [u8; 4], bytes: &[u8]) -> Paint {
        self.covered(tint, self.decode(bytes))
    }

    fn covered(&self, tint: [u8; 4], image: Option<u32>) -> Paint {
        let mean = image.map(|image| self.decoded.borrow()[image as usize].mean());
        Paint { color: product(tint, mean.unwrap_or(WHITE)), tint, image }
    }

    fn number(&self, name: &str) -> Option<u32> {
        let name = percent_decode_str(name.trim().trim_start_matches("./"));
        let name = name.decode_utf8_lossy().replace('\\', "/");
        if self.budget.get() == 0 {
            return None;
        }
        if let Some(known) = self.known.borrow().get(&name) {
            return *known;
        }
        let bytes = (self.resolve)(&name);
        let number = bytes.ok().and_then(|bytes| self.decode(&bytes));
        self.known.borrow_mut().insert(name, number);
        number
    }

    /// Returns the number of an image, unless it cannot be decoded.
    fn decode(&self, bytes: &[u8]) -> Option<u32> {
        let mut budget = self.budget.get();
        let image = if budget > 0 { image::decode_color(bytes, &mut budget).ok() } else { None };
        self.budget.set(budget);
        let mut decoded = self.decoded.borrow_mut();
        decoded.push(Arc::new(image?));
        u32::try_from(decoded.len() - 1).ok()
    }
}

/// Returns a colour whose parts are given from 0 to 1.
pub(super) fn color(parts: [f64; 4]) -> [u8; 4] {
    // a cast maps NaN to 0
    parts.map(|part| (part.clamp(0.0, 1.0) * 255.0).round() as u8)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_are_limited_and_multiplied() {
        assert_eq!(color([f64::NAN, -1.0, 0.5, 2.0]), [0, 0, 128, 255]);
        assert_eq!(product([255, 100, 0, 128], [7, 255, 9, 128]), [7, 100, 0, 64]);
    }
}
