//! Triangle meshes.

use std::sync::Arc;

use crate::color_image::ColorImage;
use crate::pose3::{Pose3, rotated};

/// Maximum absolute value of a coordinate in m. Products of larger coordinates would lose the shape
/// of a mesh.
pub const MAX_COORDINATE: f64 = 1e9;

/// Error in the numbers of a mesh.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum MeshError {
    /// A triangle refers to a vertex that does not exist.
    #[error("triangle {triangle} refers to vertex {index}, but there are {vertices} vertices")]
    Index {
        /// Index of the triangle, counted from 0.
        triangle: usize,
        /// Index of the vertex.
        index: u32,
        /// Number of vertices.
        vertices: usize,
    },
    /// A coordinate is not finite, or too large.
    #[error(
        "vertex {vertex} has the coordinate {value}; expected a number within ±{MAX_COORDINATE:e} m"
    )]
    Coordinate {
        /// Index of the vertex, counted from 0.
        vertex: usize,
        /// Coordinate in m.
        value: f64,
    },
}

/// An axis-aligned bounding box in m.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bounds {
    /// Smallest coordinates.
    pub min: [f64; 3],
    /// Largest coordinates.
    pub max: [f64; 3],
}

/// A triangle mesh with shared vertices. All indices are in range and all coordinates are finite.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Mesh {
    vertices: Vec<[f64; 3]>,
    triangles: Vec<[u32; 3]>,
    palette: Vec<[u8; 4]>,
    /// Index of the colour of each triangle; empty for a mesh without colours.
    paint: Vec<u16>,
    /// Image of each colour; empty for a mesh without images.
    skins: Vec<Option<Skin>>,
    /// Positions of the corners of each triangle on its image; triangles after the last entry have
    /// 0.
    places: Vec<SkinPlaces>,
}

/// SkinPlaces of the corners of a triangle on an image, from its lower left corner, in copies of the image.
pub type SkinPlaces = [[f32; 2]; 3];

/// An image that covers triangles.
#[derive(Clone, Debug, PartialEq)]
pub struct Skin {
    /// The image.
    pub image: Arc<ColorImage>,
    /// Colour with which it is multiplied: red, green, blue and opacity, sRGB.
    pub tint: [u8; 4],
}

impl Skin {
    /// Returns the colour at a place on the image.
    pub fn color_at(&self, place: [f64; 2]) -> [u8; 4] {
        product(self.tint, self.image.at(place))
    }
}

/// Returns the product of two colours.
pub fn product(a: [u8; 4], b: [u8; 4]) -> [u8; 4] {
    [0, 1, 2, 3].map(|part| {
        let product = u32::from(a[part]) * u32::from(b[part]);
        ((product + 127) / 255) as u8
    })
}

impl Mesh {
    /// Creates a mesh from vertices in m and triples of their indices.
    ///
    /// # Errors
    /// An index or a coordinate is out of range.
    pub fn new(vertices: Vec<[f64; 3]>, triangles: Vec<[u32; 3]>) -> Result<Self, MeshError> {
        check_coordinates(&vertices)?;
        for (triangle, corners) in triangles.iter().enumerate() {
            if let Some(&index) = corners.iter().find(|&&i| i as usize >= vertices.len()) {
                return Err(MeshError::Index { triangle, index, vertices: vertices.len() });
            }
        }
        Ok(Self { vertices, triangles, ..Self::default() })
    }

    /// Returns the mesh with colours: red, green, blue and opacity, sRGB, and the index of the colour of
    /// each triangle.
    ///
    /// # Panics
    /// Panics if there is not one index for each triangle, or if a colour is missing.
    #[must_use]
    pub fn painted(self, palette: Vec<[u8; 4]>, paint: Vec<u16>) -> Self {
        assert_eq!(paint.len(), self.triangles.len(), "one colour for each triangle");
        assert!(paint.iter().all(|index| usize::from(*index) < palette.len()), "known colours");
        Self { palette, paint, ..self }
    }

    /// Returns the mesh with images: one for each colour that has one, and the places of the corners of the first
    /// triangles on them. Corners of other triangles are at 0.
    #[must_use]
    pub fn skinned(self, skins: Vec<Option<Skin>>, places: Vec<SkinPlaces>) -> Self {
        Self { skins, places, ..self }
    }

    /// Returns the image of each colour. Empty for a mesh without images.
    pub fn skins(&self) -> &[Option<Skin>] {
        &self.skins
    }

    /// Returns the places of the corners of a triangle on its image.
    pub fn places(&self, triangle: usize) -> SkinPlaces {
        self.places.get(triangle).copied().unwrap_or_default()
    }

    /// Returns the colours of the triangles: red, green, blue and opacity, sRGB. Empty for a mesh without
    /// colours.
    pub fn palette(&self) -> &[[u8; 4]] {
        &self.palette
    }

    /// Returns the index of the colour of each triangle. Empty for a mesh without colours.
    pub fn paint(&self) -> &[u16] {
        &self.paint
    }

    /// Returns the vertices in m.
    pub fn vertices(&self) -> &[[f64; 3]] {
        &self.vertices
    }

    /// Returns the indices of the corners of each triangle.
    pub fn triangles(&self) -> &[[u32; 3]] {
        &self.triangles
    }

    /// Returns the corners of each triangle in m.
    pub fn faces(&self) -> impl Iterator<Item = [[f64; 3]; 3]> + '_ {
        self.triangles.iter().map(|corners| corners.map(|index| self.vertices[index as usize]))
    }

    /// Returns the bounding box of all vertices, or `None` if there are none.
    pub fn bounds(&self) -> Option<Bounds> {
        let first = *self.vertices.first()?;
        let start = Bounds { min: first, max: first };
        Some(self.vertices.iter().fold(start, |bounds, vertex| Bounds {
            min: std::array::from_fn(|axis| bounds.min[axis].min(vertex[axis])),
            max: std::array::from_fn(|axis| bounds.max[axis].max(vertex[axis])),
        }))
    }

    /// Returns the mesh scaled about its origin and then moved to a pose.
    ///
    /// # Errors
    /// A coordinate becomes too large.
    pub fn transformed(&self, scale: f64, pose: &Pose3) -> Result<Self, MeshError> {
        let rotation = pose.rotation();
        let place = |vertex: &[f64; 3]| {
            let [x, y, z] = rotated(&rotation, vertex.map(|value| value * scale));
            [pose.x + x, pose.y + y, pose.z + z]
        };
        let vertices: Vec<_> = self.vertices.iter().map(place).collect();
        check_coordinates(&vertices)?;
        Ok(Self { vertices, ..self.clone() })
    }
}

fn check_coordinates(vertices: &[[f64; 3]]) -> Result<(), MeshError> {
    for (vertex, coordinates) in vertices.iter().enumerate() {
        // NaN is not in the range
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
    fn invalid_meshes_are_rejected() {
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
