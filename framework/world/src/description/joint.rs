//! Links between bodies.

use crate::sources::Span;

/// A link between two bodies, which do not collide with each other.
#[derive(Clone, Debug, PartialEq)]
pub struct Joint {
    /// What the link allows.
    pub kind: JointKind,
    /// What it links.
    pub bodies: [BodyRef; 2],
    /// A point of each body in the body's frame, m.
    pub anchors: [[f64; 2]; 2],
    /// Where it is declared.
    pub span: Span,
}

/// What a link allows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum JointKind {
    /// The anchors stay within a range of distances.
    Rope {
        /// m.
        min_length: f64,
        /// Also the length at rest of the spring, m.
        max_length: f64,
        /// Of a spring towards `max_length`, N/m; 0 for none.
        stiffness: f64,
        /// N·s/m.
        damping: f64,
    },
    /// The anchors stay together.
    Pin {
        /// Lowest and highest angle of the second body in the first, from that at the start, rad.
        limits: Option<[f64; 2]>,
    },
}

/// A body of the world, by its place in the list of its kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum BodyRef {
    /// Index into [`World::vehicles`](super::World::vehicles).
    Vehicle(usize),
    /// Index into [`World::blocks`](super::World::blocks).
    Block(usize),
    /// Index into [`World::walls`](super::World::walls).
    Wall(usize),
}
