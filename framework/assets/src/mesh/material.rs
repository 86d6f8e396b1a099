//! Colours of materials.
//!
//! A material has one colour: its diffuse colour, times the mean colour of its image if it has one.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;

use percent_encoding::percent_decode_str;

use super::Resolver;
use super::assembly::WHITE;
use crate::{Limits, image};

/// Files that a mesh refers to.
pub(super) struct Images<'r> {
    #[cfg_attr(not(feature = "gltf"), expect(dead_code, reason = "only glTF has other parts"))]
    pub limits: &'r Limits,
    pub resolve: &'r Resolver<'r>,
    /// Number of pixels of images that may still be decoded; 0 for a mesh without its images.
    budget: Cell<u64>,
    /// Mean colours of the files that were read.
    known: RefCell<BTreeMap<String, [u8; 4]>>,
}

impl<'r> Images<'r> {
    /// Creates the files of a mesh. Decoding images can take longer than reading the mesh, which is why
    /// they can be left out.
    pub fn new(limits: &'r Limits, resolve: &'r Resolver<'r>, with_images: bool) -> Self {
        let budget = Cell::new(if with_images { limits.max_pixels } else { 0 });
        Self { limits, resolve, budget, known: RefCell::default() }
    }

    /// Returns the mean colour of an image file, white for one that cannot be read. Percent-encoded
    /// characters are decoded.
    pub fn mean(&self, name: &str) -> [u8; 4] {
        let name = percent_decode_str(name.trim().trim_start_matches("./"));
        let name = name.decode_utf8_lossy().replace('\\', "/");
        if self.budget.get() == 0 {
            return WHITE;
        }
        if let Some(known) = self.known.borrow().get(&name) {
            return *known;
        }
        let bytes = (self.resolve)(&name);
        let color = bytes.map_or(WHITE, |bytes| self.mean_of(&bytes));
        self.known.borrow_mut().insert(name, color);
        color
    }

    /// Returns the mean colour of the bytes of an image, white if they cannot be decoded.
    pub fn mean_of(&self, bytes: &[u8]) -> [u8; 4] {
        let mut budget = self.budget.get();
        let mean = if budget > 0 { image::mean_color(bytes, &mut budget).ok() } else { None };
        self.budget.set(budget);
        mean.unwrap_or(WHITE)
    }
}

/// Returns a colour whose parts are given from 0 to 1.
pub(super) fn color(parts: [f64; 4]) -> [u8; 4] {
    // a cast maps NaN to 0
    parts.map(|part| (part.clamp(0.0, 1.0) * 255.0).round() as u8)
}

/// Returns the product of two colours.
pub(super) fn product(a: [u8; 4], b: [u8; 4]) -> [u8; 4] {
    [0, 1, 2, 3].map(|part| {
        let product = u32::from(a[part]) * u32::from(b[part]);
        ((product + 127) / 255) as u8
    })
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
