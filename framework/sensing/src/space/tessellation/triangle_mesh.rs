//! Triangles of a piece of a space.

/// Triangles in a local frame, m. Both sides reflect.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TriangleMesh {
    /// Positions of the vertices, m.
    pub vertices: Vec<[f64; 3]>,
    /// Indices of the corners of each triangle.
    pub triangles: Vec<[u32; 3]>,
    /// Index of the surface of each triangle after the surface of its piece; empty if all have the
    /// surface of the piece.
    pub(in crate::space) paint: Vec<u16>,
}
