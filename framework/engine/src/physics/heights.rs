//! Contact with regard to height: what is on different storeys does not touch.

use rapier2d_f64::prelude::*;

/// Overlap in height that is none yet, m: what stands on something does not push it aside.
const TOLERANCE: f64 = 1e-3;

/// The span of heights of every collider.
pub(super) struct Heights {
    pub(super) counts: bool,
    /// Above the origin of the body, m.
    pub(super) own: Vec<[f64; 2]>,
    /// World frame, m.
    pub(super) now: Vec<[f64; 2]>,
}

impl Heights {
    /// No spans yet; where heights do not count, none separates.
    pub fn new(counts: bool) -> Self {
        Self { counts, own: Vec::new(), now: Vec::new() }
    }

    /// What a collider needs for its span to be asked for.
    pub fn hooks(&self) -> ActiveHooks {
        if self.counts { ActiveHooks::FILTER_CONTACT_PAIRS } else { ActiveHooks::empty() }
    }

    /// The number of a new span, given from an origin at height `z`.
    pub fn add(&mut self, own: [f64; 2], z: f64) -> usize {
        self.own.push(own);
        self.now.push([own[0] + z, own[1] + z]);
        self.own.len() - 1
    }

    /// Moves a span to an origin at height `z`.
    pub fn place(&mut self, number: usize, z: f64) {
        let [low, high] = self.own[number];
        self.now[number] = [low + z, high + z];
    }

    /// Moves a span as high as another one is.
    pub fn carry(&mut self, old: &Self, number: usize, old_number: usize) {
        let z = old.now[old_number][0] - old.own[old_number][0];
        self.place(number, z);
    }

    /// Where a span is, m.
    pub fn now(&self, number: usize) -> [f64; 2] {
        self.now[number]
    }

    /// Whether two spans overlap.
    pub fn meet(&self, a: usize, b: usize) -> bool {
        let ([a_low, a_high], [b_low, b_high]) = (self.now[a], self.now[b]);
        !self.counts || (a_low + TOLERANCE < b_high && b_low + TOLERANCE < a_high)
    }
}

impl PhysicsHooks for Heights {
    fn filter_contact_pair(&self, context: &PairFilterContext<'_>) -> Option<SolverFlags> {
        let number = |collider: ColliderHandle| context.colliders[collider].user_data as usize;
        self.meet(number(context.collider1), number(context.collider2))
            .then_some(SolverFlags::COMPUTE_RIGID_IMPULSES)
    }
}
