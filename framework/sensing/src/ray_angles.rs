//! The angles of a fan, and what follows from them alone.

use std::ops::{Deref, DerefMut};

use crate::bearing::Spread;
use crate::directions;

/// Number of rays that are computed together.
pub(crate) const TILE: usize = 8;

/// One number of each ray of a tile, in one cache line.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub(crate) struct Lanes(pub [f64; TILE]);

impl Deref for Lanes {
    type Target = [f64; TILE];

    #[inline(always)]
    fn deref(&self) -> &[f64; TILE] {
        &self.0
    }
}

impl DerefMut for Lanes {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut [f64; TILE] {
        &mut self.0
    }
}

/// Directions of neighbouring rays.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Tile {
    /// Cosines of the bearings.
    pub cos: Lanes,
    /// Their sines.
    pub sin: Lanes,
}

/// Angles of rays relative to the heading of their fan, with their unit vectors. For most sensors
/// they are the same in each scan, and are prepared once.
#[derive(Debug, Default)]
pub(crate) struct RayAngles {
    angles: Vec<f64>,
    spread: Spread,
    /// Cosines and sines. Angles that fill the last tile are zero.
    units: Vec<Tile>,
}

impl directions::Write for Vec<Tile> {
    #[inline(always)]
    fn write(&mut self, _: usize, cos: &[f64; directions::TILE], sin: &[f64; directions::TILE]) {
        for (cos, sin) in cos.as_chunks::<TILE>().0.iter().zip(sin.as_chunks::<TILE>().0) {
            self.push(Tile { cos: Lanes(*cos), sin: Lanes(*sin) });
        }
    }
}

impl RayAngles {
    /// Prepares angles, rad, unless they are bit-identical to the previous angles.
    #[inline(always)]
    pub fn set(&mut self, angles: &[f64]) {
        if are_same(&self.angles, angles) {
            return;
        }
        self.angles.clear();
        self.angles.extend_from_slice(angles);
        self.spread = Spread::new(angles);
        self.units.clear();
        self.units.reserve(angles.len().next_multiple_of(directions::TILE) / TILE);
        directions::compute(angles, &mut self.units);
        self.units.truncate(angles.len().div_ceil(TILE));
    }

    /// Returns how the angles are distributed.
    pub fn spread(&self) -> &Spread {
        &self.spread
    }

    /// Returns the cosines and sines of the angles.
    pub fn units(&self) -> &[Tile] {
        &self.units
    }
}

impl Tile {
    /// Returns the directions of rays whose fan has a heading with this sine and cosine, as
    /// [`reference::cast`](crate::reference::cast) does.
    #[inline(always)]
    pub fn turned(&self, (yaw_sin, yaw_cos): (f64, f64)) -> Self {
        let mut turned = *self;
        for i in 0..TILE {
            turned.cos[i] = self.cos[i] * yaw_cos - self.sin[i] * yaw_sin;
            turned.sin[i] = self.sin[i] * yaw_cos + self.cos[i] * yaw_sin;
        }
        turned
    }
}

/// Returns whether two lists of numbers have the same bits.
#[inline(always)]
pub(crate) fn are_same(a: &[f64], b: &[f64]) -> bool {
    let (mut at, is_alike) = (0, a.len() == b.len());
    while is_alike && at < a.len() {
        let end = a.len().min(at + 64);
        let mut difference = 0;
        for (a, b) in a[at..end].iter().zip(&b[at..end]) {
            difference |= a.to_bits() ^ b.to_bits();
        }
        if difference != 0 {
            return false;
        }
        at = end;
    }
    is_alike
}
