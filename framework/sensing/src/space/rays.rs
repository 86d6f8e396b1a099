//! Neighbouring rays of a scan, and what they have met so far.

use simhost_vectors::Vec3;

use super::beam::{Label, Strike, dot};
use super::pattern::TILE;

/// Winner of a ray that has met nothing.
pub(super) const NOBODY: u64 = u64::MAX;

/// Neighbouring rays and what they have met.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rays {
    /// Direction in the world frame.
    pub x: [f64; TILE],
    pub y: [f64; TILE],
    pub z: [f64; TILE],
    /// Nearest range, or just above the largest range, m.
    pub nearest: [f64; TILE],
    /// Index of what is met there.
    pub winner: [u64; TILE],
}

/// A surface that rays have met.
#[derive(Clone, Copy, Debug)]
pub(super) struct Found {
    pub label: Label,
    /// Normal of any sign and, for a triangle, of any length.
    pub normal: [f64; 3],
    pub is_unit: bool,
}

impl Found {
    pub fn unit_normal(&self) -> [f64; 3] {
        if self.is_unit { self.normal } else { Vec3::from(self.normal).unit().to_array() }
    }
}

/// What neighbouring rays meet of one object.
#[derive(Clone, Copy, Debug)]
pub(super) struct Met {
    /// Range of each ray, m; infinite for nothing.
    pub ranges: [f64; TILE],
    /// Index of the surface that it meets.
    pub winners: [u64; TILE],
    /// 1 for a ray that is left out and has to be cast by itself, otherwise 0.
    pub unsure: [f64; TILE],
}

impl Met {
    /// Of rays that meet nothing.
    pub const NOTHING: Self =
        Self { ranges: [f64::INFINITY; TILE], winners: [0; TILE], unsure: [0.0; TILE] };
}

/// Returns a normal or its opposite, whichever points against a direction.
#[inline(always)]
pub(super) fn facing([x, y, z]: [f64; 3], direction: [f64; 3]) -> [f64; 3] {
    let sign = if dot([x, y, z], direction) > 0.0 { -1.0 } else { 1.0 };
    // zero plus something has no negative zero
    [0.0 + sign * x, 0.0 + sign * y, 0.0 + sign * z]
}

/// Returns whether one of the numbers is positive.
#[inline(always)]
pub(super) fn is_any(marks: &[f64; TILE]) -> bool {
    let mut is_any = false;
    for mark in marks {
        is_any |= *mark > 0.0;
    }
    is_any
}

impl Rays {
    /// Rays without a direction that have met nothing.
    pub const UNMET: Self = Self {
        x: [0.0; TILE],
        y: [0.0; TILE],
        z: [0.0; TILE],
        nearest: [0.0; TILE],
        winner: [NOBODY; TILE],
    };

    /// Returns the direction of a ray.
    #[inline(always)]
    pub fn direction(&self, i: usize) -> [f64; 3] {
        [self.x[i], self.y[i], self.z[i]]
    }

    /// Offers surfaces to the rays. Returns whether one of the rays meets its surface first.
    #[inline(always)]
    pub fn take(&mut self, met: &Met, found: &[Found]) -> bool {
        let (mut is_closer, mut is_equal) = (false, false);
        for i in 0..TILE {
            let range = met.ranges[i];
            is_closer |= range < self.nearest[i];
            // of two infinite ranges, neither is met
            is_equal |= (range == self.nearest[i]) & (range < f64::INFINITY);
        }
        if is_equal {
            // a copy, so that the numbers stay in registers where nothing is equal
            let met = *met;
            return self.take_with_care(&met, found);
        }
        if is_closer {
            let (mut nearest, mut winner) = (self.nearest, self.winner);
            for i in 0..TILE {
                let is_closer = met.ranges[i] < nearest[i];
                winner[i] = if is_closer { met.winners[i] } else { winner[i] };
                nearest[i] = if is_closer { met.ranges[i] } else { nearest[i] };
            }
            (self.nearest, self.winner) = (nearest, winner);
        }
        is_closer
    }

    /// As [`Self::take`], for ranges that can be equal to previous ranges.
    #[cold]
    #[inline(never)]
    fn take_with_care(&mut self, met: &Met, found: &[Found]) -> bool {
        let mut is_met = false;
        for i in 0..TILE {
            let (range, winner) = (met.ranges[i], met.winners[i]);
            let is_equal = range == self.nearest[i] && range < f64::INFINITY;
            if range < self.nearest[i]
                || is_equal && self.wins_tie(i, &found[winner as usize], found)
            {
                (self.nearest[i], self.winner[i], is_met) = (range, winner, true);
            }
        }
        is_met
    }

    /// Returns whether a surface at the nearest range of a ray comes before the present one.
    #[cold]
    pub fn wins_tie(&self, i: usize, surface: &Found, found: &[Found]) -> bool {
        let Some(before) = found.get(self.winner[i] as usize) else { return false };
        let strike = |surface: &Found| {
            let normal = facing(surface.unit_normal(), self.direction(i));
            let Label { number, surface } = surface.label;
            Strike { range: self.nearest[i], normal, number, surface }
        };
        strike(surface).comes_before(&strike(before))
    }
}
