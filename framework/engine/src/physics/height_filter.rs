//! Height-aware contacts: bodies whose height spans do not overlap do not touch.

use std::sync::Arc;

use rapier2d_f64::prelude::*;

/// Overlap in height up to which bodies do not touch, m, so that a body does not push aside the one
/// that it stands on.
const TOLERANCE: f64 = 1e-3;

/// The height spans of all colliders.
#[derive(Clone)]
pub(super) struct HeightFilter {
    /// Whether heights count.
    pub enabled: bool,
    /// Spans relative to the origins of the bodies, m. Copies share them.
    pub own: Arc<Vec<[f64; 2]>>,
    /// Spans in the world frame, m.
    pub now: Vec<[f64; 2]>,
}

impl HeightFilter {
    /// Creates a filter without spans. A filter that is not enabled separates nothing.
    pub fn new(enabled: bool) -> Self {
        Self { enabled, own: Arc::default(), now: Vec::new() }
    }

    /// Returns the hooks that a collider needs for the filter to be called.
    pub fn hooks(&self) -> ActiveHooks {
        if self.enabled { ActiveHooks::FILTER_CONTACT_PAIRS } else { ActiveHooks::empty() }
    }

    /// Adds a span relative to an origin at height `z`, m, and returns its index.
    pub fn add(&mut self, own: [f64; 2], z: f64) -> usize {
        Arc::make_mut(&mut self.own).push(own);
        self.now.push([own[0] + z, own[1] + z]);
        self.own.len() - 1
    }

    /// Moves the origin of a span to height `z`, m.
    pub fn place(&mut self, span: usize, z: f64) {
        let [low, high] = self.own[span];
        self.now[span] = [low + z, high + z];
    }

    /// Moves the origin of a span to the height of a span of another filter.
    pub fn copy(&mut self, old: &Self, span: usize, old_span: usize) {
        let z = old.now[old_span][0] - old.own[old_span][0];
        self.place(span, z);
    }

    /// Returns the height of the origin of a span, m.
    pub fn origin(&self, span: usize) -> f64 {
        self.now[span][0] - self.own[span][0]
    }

    /// Returns a span in the world frame, m.
    pub fn now(&self, span: usize) -> [f64; 2] {
        self.now[span]
    }

    /// Returns whether two spans overlap.
    pub fn overlap(&self, a: usize, b: usize) -> bool {
        let ([a_low, a_high], [b_low, b_high]) = (self.now[a], self.now[b]);
        !self.enabled || (a_low + TOLERANCE < b_high && b_low + TOLERANCE < a_high)
    }
}

impl PhysicsHooks for HeightFilter {
    fn filter_contact_pair(&self, context: &PairFilterContext<'_>) -> Option<SolverFlags> {
        let span = |collider: ColliderHandle| context.colliders[collider].user_data as usize;
        self.overlap(span(context.collider1), span(context.collider2))
            .then_some(SolverFlags::COMPUTE_RIGID_IMPULSES)
    }
}
