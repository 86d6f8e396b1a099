//! The parts of neighbouring rays between surfaces.

use super::pattern::TILE;
use super::rays::Met;

/// The parts of neighbouring rays between planes, each as a [`Slab`](super::slab::Slab).
pub(super) struct Slabs {
    /// Distances of both ends, m.
    pub ends: [[f64; TILE]; 2],
    /// Numbers of the planes there.
    pub planes: [[u64; TILE]; 2],
}

impl Slabs {
    /// The whole lines of the rays.
    pub const WHOLE: Self =
        Self { ends: [[f64::NEG_INFINITY; TILE], [f64::INFINITY; TILE]], planes: [[0; TILE]; 2] };

    /// Keeps the parts where `offset + distance * rate` is at most 0, which is on one side of a plane.
    #[inline(always)]
    pub fn clip(&mut self, offset: f64, rates: &[f64; TILE], plane: u64) {
        let Self { ends: [from, to], planes: [entered, left] } = self;
        for i in 0..TILE {
            let distance = -offset / rates[i];
            let enters = (rates[i] < 0.0) & (distance > from[i]);
            from[i] = if enters { distance } else { from[i] };
            entered[i] = if enters { plane } else { entered[i] };
            let leaves = (rates[i] > 0.0) & (distance < to[i]);
            to[i] = if leaves { distance } else { to[i] };
            left[i] = if leaves { plane } else { left[i] };
            // a ray along the plane, on its other side
            let is_out = (rates[i] == 0.0) & (offset > 0.0);
            from[i] = if is_out { f64::INFINITY } else { from[i] };
            to[i] = if is_out { f64::NEG_INFINITY } else { to[i] };
        }
    }

    /// Returns the first end of each part that is ahead, for planes with the numbers of surfaces.
    #[inline(always)]
    pub fn first(&self) -> Met {
        let Self { ends: [from, to], planes: [entered, left] } = self;
        let mut met = Met::NOTHING;
        for i in 0..TILE {
            let is_outside = from[i] >= 0.0;
            let range = if is_outside { from[i] } else { to[i] };
            let is_met = (from[i] <= to[i]) & (range >= 0.0);
            // zero plus something has no negative zero
            met.ranges[i] = if is_met { range + 0.0 } else { f64::INFINITY };
            met.winners[i] = if is_outside { entered[i] } else { left[i] };
        }
        met
    }
}
