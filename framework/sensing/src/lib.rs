//! Scans of a scene: rays against outlines and grids, independent of vehicles and worlds. [`Space`] casts
//! single rays in three dimensions, and [`Places`] finds points around a point.
//!
//! A [`PlanarScene`] is prepared once per world. [`PlanarScene::update`] replaces the outlines that
//! move for each instant, and [`PlanarScene::cast`] writes the ranges of a [`Fan`], a pattern of rays
//! from one origin. Instead of casting ray after ray, geometry is projected into the scan:
//!
//! 1. A tree is searched from near to far. A box is skipped if it is out of range, or if all rays that
//!    can meet it have met something nearer.
//! 2. The bearings of an edge's ends select the rays that can meet it.
//! 3. Exact arithmetic intersects these rays with the edge, and the nearest distance of each ray is kept.
//!
//! The first two steps are approximate and cautious: they leave out only what cannot change a range. All
//! ranges therefore have the bits that brute force computes, with every edge and every cell along every
//! ray; [`reference`](mod@reference) is that computation. Rules that depend on the scene and the fan alone select among
//! engines, never a measurement at run time. On x86-64 the scan is compiled for the baseline, for
//! AVX2 and for AVX-512, without fused multiply-add, so that all give the same bits.

mod bearing;
mod directions;
mod grid;
mod outlines;
mod places;
mod ray_angles;
pub mod reference;
mod scan;
mod scene;
mod space;
mod tree;

pub use outlines::{Outlines, Shape};
pub use places::Places;
pub use scan::{Fan, Visibility, Work};
pub use scene::PlanarScene;
pub use space::{
    Beam, Body, Bundle, Decal, Extrusion, Geometry, GeometryId, Label, Placed, Return, Shade,
    Solids, Space, Strike, Surface, Tessellation, Top, TriangleHit, TriangleMesh,
};
