//! The nearest strike of a ray so far, and its search through a tree.

use super::beam::{Beam, Strike};
use crate::tree::{Bounds, Walker};

/// The nearest strike so far.
pub(super) struct Nearest(pub Option<Strike>);

impl Nearest {
    /// Returns a ray that reaches no farther than the nearest strike.
    pub fn limited(&self, beam: &Beam) -> Beam {
        let max_range = self.0.map_or(beam.max_range, |best| best.range.min(beam.max_range));
        Beam { max_range, ..*beam }
    }

    /// Keeps a strike if it is within range and nearer than the present one, or as near with a smaller
    /// number.
    pub fn offer(&mut self, beam: &Beam, strike: Option<Strike>) {
        let Some(strike) = strike.filter(|strike| strike.range <= beam.max_range) else { return };
        let is_better = self.0.is_none_or(|best| strike.comes_before(&best));
        if is_better {
            self.0 = Some(strike);
        }
    }

    /// Returns whether something at this distance, m, can still change the result.
    pub fn is_open(&self, beam: &Beam, distance: f64) -> bool {
        distance <= self.0.map_or(beam.max_range, |best| best.range)
    }
}

/// A ray on its way through a tree, and how it meets an item.
pub(super) struct Course<'c, M> {
    pub beam: &'c Beam,
    pub nearest: &'c mut Nearest,
    pub meet: M,
}

impl<M: FnMut(usize, &mut Nearest)> Walker for Course<'_, M> {
    fn reach(&self, bounds: &Bounds) -> Option<f64> {
        self.beam.reach(bounds)
    }

    fn is_open(&self, distance: f64) -> bool {
        self.nearest.is_open(self.beam, distance)
    }

    fn visit(&mut self, item: usize) {
        (self.meet)(item, self.nearest);
    }
}
