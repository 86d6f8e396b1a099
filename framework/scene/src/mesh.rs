//! Triangle meshes.

use crate::pose3::{Pose3, turned};

/// Coordinates beyond this are refused, m: products of them would lose what a mesh is about.
pub const MAX_COORDINATE: f64 = 1e9;

/// What is wrong with the numbers of a mesh.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum MeshError {
    /// A triangle names a vertex that is not there.
    #[error("triangle {triangle} names vertex {index}, but there are {vertices} vertices")]
    Index {
        /// Which triangle, from zero.
        triangle: usize,
        /// The vertex that it names.
        index: u32,
        /// How many there are.
        vertices: usize,
    },
    /// A coordinate is infinite, not a number, or too far away.
    #[error(
        "vertex {vertex} has the coordinate {value}: expected a number within ±{MAX_COORDINATE:e} m"
    )]
    Coordinate {
        /// Which vertex, from zero.
        vertex: usize,
        /// The value.
        value: f64,
    },
}

/// A box along the axes that contains something, m.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bounds {
    /// Least coordinates.
    pub min: [f64; 3],
    /// Greatest coordinates.
    pub max: [f64; 3],
}

/// Triangles on shared vertices. Indices are in range and coordinates finite, once it exists.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Mesh {
    vertices: Vec<[f64; 3]>,
    triangles: Vec<[u32; 3]>,
}

impl Mesh {
    /// A mesh of vertices, m, and triples of their indices.
    pub fn new(vertices: Vec<[f64; 3]>, triangles: Vec<[u32; 3]>) -> Result<Self, MeshError> {
        check_coordinates(&vertices)?;
        for (triangle, corners) in triangles.iter().enumerate() {
            if let Some(&index) = corners.iter().find(|&&i| i as usize >= vertices.len()) {
                return Err(MeshError::Index { triangle, index, vertices: vertices.len() });
            }
        }
        Ok(Self { vertices, triangles })
    }

    /// Vertices, m.
    pub fn vertices(&self) -> &[[f64; 3]] {
        &self.vertices
    }

    /// Indices of the corners of each triangle.
    pub fn triangles(&self) -> &[[u32; 3]] {
        &self.triangles
    }

    /// Corners of each triangle, m.
    pub fn faces(&self) -> impl Iterator<Item = [[f64; 3]; 3]> + '_ {
        self.triangles.iter().map(|corners| corners.map(|index| self.vertices[index as usize]))
    }

    /// The box that contains all vertices; nothing when there are none.
    pub fn bounds(&self) -> Option<Bounds> {
        let first = *self.vertices.first()?;
        let start = Bounds { min: first, max: first };
        Some(self.vertices.iter().fold(start, |bounds, vertex| Bounds {
            min: std::array::from_fn(|axis| bounds.min[axis].min(vertex[axis])),
            max: std::array::from_fn(|axis| bounds.max[axis].max(vertex[axis])),
        }))
    }

    /// This mesh scaled about its origin, then posed.
    pub fn transformed(&self, scale: f64, pose: &Pose3) -> Result<Self, MeshError> {
        let rotation = pose.rotation();
        let place = |vertex: &[f64; 3]| {
            let [x, y, z] = turned(&rotation, vertex.map(|value| value * scale));
            [pose.x + x, pose.y + y, pose.z + z]
        };
        let vertices: Vec<_> = self.vertices.iter().map(place).collect();
        check_coordinates(&vertices)?;
        Ok(Self { vertices, triangles: self.triangles.clone() })
    }
}

fn check_coordinates(vertices: &[[f64; 3]]) -> Result<(), MeshError> {
    for (vertex, coordinates) in vertices.iter().enumerate() {
        // what is not a number is in no range
        let range = -MAX_COORDINATE..=MAX_COORDINATE;
        if let Some(&value) = coordinates.iter().find(|value| !range.contains(value)) {
            return Err(MeshError::Coordinate { vertex, value });
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    const CORNERS: [[f64; 3]; 3] = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 2.0, 3.0]];

    #[test]
    fn what_cannot_be_a_mesh_is_refused() {
        let error = Mesh::new(CORNERS.to_vec(), vec![[0, 1, 2], [0, 1, 3]]).unwrap_err();
        assert_eq!(error, MeshError::Index { triangle: 1, index: 3, vertices: 3 });
        for bad in [f64::NAN, f64::INFINITY, -2e9] {
            let mut corners = CORNERS.to_vec();
            corners[1][2] = bad;
            let error = Mesh::new(corners, vec![[0, 1, 2]]).unwrap_err();
            assert!(matches!(error, MeshError::Coordinate { vertex: 1, .. }), "{error}");
        }
    }

    #[test]
    fn bounds_follow_scale_and_pose() {
        let mesh = Mesh::new(CORNERS.to_vec(), vec![[0, 1, 2]]).unwrap();
        let pose = Pose3 { x: 10.0, roll: std::f64::consts::FRAC_PI_2, ..Pose3::default() };
        let Bounds { min, max } = mesh.transformed(2.0, &pose).unwrap().bounds().unwrap();
        let expected = [(10.0, 12.0), (-6.0, 0.0), (0.0, 4.0)];
        for axis in 0..3 {
            assert!((min[axis] - expected[axis].0).abs() < 1e-12, "{min:?}");
            assert!((max[axis] - expected[axis].1).abs() < 1e-12, "{max:?}");
        }
        assert!(mesh.transformed(1e30, &pose).is_err());
        assert_eq!(Mesh::default().bounds(), None);
    }
}
