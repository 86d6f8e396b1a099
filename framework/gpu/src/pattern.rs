//! Directions in the order in which the device casts them.
//!
//! Rays that a group of threads casts together should take the same way through the trees. Rays are
//! therefore sorted along a Morton curve over the octahedral map of directions (Cigolle et al., *A
//! survey of efficient representations for independent unit vectors*, 2014), whatever the order in
//! which a sensor reports them.

use simhost_vectors::Vec3;

use crate::error::GpuError;
use crate::scene::{Pattern, unit};

/// Words of a direction: x, y, z, and the place of its result within the block.
pub(crate) const DIRECTION_WORDS: usize = 4;

/// Consecutive rays of a pattern that one dispatch casts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Block {
    /// Index of the first direction on the device.
    pub first: u32,
    /// Number of rays.
    pub count: u32,
    /// Index of the first ray in its pattern.
    pub offset: u32,
}

/// All patterns in the form in which the device reads them.
#[derive(Default)]
pub(crate) struct Patterns {
    /// Directions of [`DIRECTION_WORDS`] words.
    pub words: Vec<u32>,
    /// Blocks of each pattern.
    pub blocks: Vec<Vec<Block>>,
}

impl Patterns {
    /// Sorts the directions of patterns within blocks of at most `most` rays.
    pub fn new(patterns: &[Pattern], most: usize) -> Result<Self, GpuError> {
        let mut all = Self::default();
        for (index, pattern) in patterns.iter().enumerate() {
            let mut units = Vec::with_capacity(pattern.directions.len());
            for (ray, direction) in pattern.directions.iter().enumerate() {
                let missing = GpuError::Pattern { pattern: index, ray };
                units.push(unit(Vec3::from(*direction)).ok_or(missing)?.to_array());
            }
            let blocks = units.chunks(most.max(1)).scan(0, |offset, rays| {
                let block = all.block(rays, *offset);
                *offset += block.count;
                Some(block)
            });
            let blocks = blocks.collect();
            all.blocks.push(blocks);
        }
        Ok(all)
    }

    fn block(&mut self, rays: &[[f64; 3]], offset: u32) -> Block {
        let first = (self.words.len() / DIRECTION_WORDS) as u32;
        let mut order: Vec<(u32, u32)> =
            rays.iter().zip(0..).map(|(ray, place)| (curve(*ray), place)).collect();
        order.sort_unstable();
        for (_, place) in order {
            let ray = rays[place as usize].map(|c| (c as f32).to_bits());
            self.words.extend(ray);
            self.words.push(place);
        }
        Block { first, count: rays.len() as u32, offset }
    }
}

/// Returns the place of a direction along the curve.
fn curve([x, y, z]: [f64; 3]) -> u32 {
    let sum = x.abs() + y.abs() + z.abs();
    let (mut u, mut v) = (x / sum, y / sum);
    if z < 0.0 {
        (u, v) = ((1.0 - v.abs()).copysign(u), (1.0 - u.abs()).copysign(v));
    }
    let cell = |c: f64| ((0.5 * c + 0.5) * 65_535.0).round() as u32;
    spread(cell(u)) | spread(cell(v)) << 1
}

/// Moves bit `k` of 16 bits to bit `2k`.
fn spread(bits: u32) -> u32 {
    let bits = (bits | bits << 8) & 0x00FF_00FF;
    let bits = (bits | bits << 4) & 0x0F0F_0F0F;
    let bits = (bits | bits << 2) & 0x3333_3333;
    (bits | bits << 1) & 0x5555_5555
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    #[test]
    fn each_ray_stands_in_one_block_once() {
        let azimuths: Vec<f64> = (0..50).map(|k| f64::from(k) * 0.1).collect();
        let pattern = Pattern::lattice(&azimuths, &[-0.2, 0.0, 0.2]);
        let patterns = Patterns::new(&[pattern.clone(), Pattern::default()], 64).unwrap();
        assert_eq!(patterns.blocks[0].iter().map(|b| b.count).collect::<Vec<_>>(), [64, 64, 22]);
        assert!(patterns.blocks[1].is_empty());
        for block in &patterns.blocks[0] {
            let words = &patterns.words[4 * block.first as usize..][..4 * block.count as usize];
            let mut places = Vec::new();
            for ray in words.chunks_exact(4) {
                let original = pattern.directions[(block.offset + ray[3]) as usize];
                assert!(
                    (0..3).all(|k| (f64::from(f32::from_bits(ray[k])) - original[k]).abs() < 1e-7)
                );
                places.push(ray[3]);
            }
            places.sort_unstable();
            assert_eq!(places, (0..block.count).collect::<Vec<_>>());
        }
    }

    #[test]
    fn a_direction_without_length_is_reported() {
        let directions = vec![[1.0, 0.0, 0.0], [0.0; 3]];
        let error = Patterns::new(&[Pattern { directions }], 64).err().unwrap();
        assert_eq!(error, GpuError::Pattern { pattern: 0, ray: 1 });
    }

    #[test]
    fn neighbours_on_the_sphere_are_near_on_the_curve() {
        assert_eq!(spread(0xFFFF), 0x5555_5555);
        let near = curve([0.5, 0.5, 0.707]).abs_diff(curve([0.5, 0.5001, 0.707]));
        assert!(near < 1 << 22, "{near}");
    }
}
