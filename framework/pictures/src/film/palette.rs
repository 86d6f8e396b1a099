//! The colours of a GIF.

use std::collections::HashMap;

use crate::drawing::Image;

/// Colours of a GIF.
const SIZE: usize = 256;

/// The most frequent colours of a film. Its pictures have few colours, apart from smooth edges.
pub struct Palette {
    colours: Vec<[u8; 3]>,
    /// Indices of colours that have been looked up.
    known: HashMap<[u8; 3], u8>,
}

impl Palette {
    /// Returns the most frequent colours of images.
    pub fn of(images: &[Image]) -> Self {
        let mut counts: HashMap<[u8; 3], usize> = HashMap::new();
        for pixel in images.iter().flat_map(|image| image.pixels.chunks_exact(3)) {
            *counts.entry([pixel[0], pixel[1], pixel[2]]).or_default() += 1;
        }
        let mut found: Vec<([u8; 3], usize)> = counts.into_iter().collect();
        found.sort_unstable_by_key(|(colour, count)| (std::cmp::Reverse(*count), *colour));
        found.truncate(SIZE);
        let colours: Vec<[u8; 3]> = found.into_iter().map(|(colour, _)| colour).collect();
        let known = colours.iter().enumerate().map(|(at, colour)| (*colour, at as u8)).collect();
        Self { colours, known }
    }

    /// Returns the colours as red, green and blue bytes.
    pub fn bytes(&self) -> Vec<u8> {
        self.colours.iter().flatten().copied().collect()
    }

    /// Returns the index of the nearest colour.
    pub fn index(&mut self, colour: [u8; 3]) -> u8 {
        if let Some(known) = self.known.get(&colour) {
            return *known;
        }
        let distance = |other: &[u8; 3]| -> u32 {
            let parts = colour.iter().zip(other).map(|(a, b)| u32::from(a.abs_diff(*b)).pow(2));
            parts.sum()
        };
        let nearest = self.colours.iter().enumerate().min_by_key(|(_, other)| distance(other));
        let index = nearest.map_or(0, |(at, _)| at as u8);
        self.known.insert(colour, index);
        index
    }
}
