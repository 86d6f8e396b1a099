//! Extents and outlines of shapes.

use nalgebra::Vector3;

use crate::frame::LinkFrame;
use crate::robot::LinkShape;

/// Number of points of a circle.
const CIRCLE: usize = 24;

/// Reads the points of a mesh by its address, m before scaling, or says why it cannot.
pub type ReadMesh<'m> = dyn Fn(&str) -> Result<Vec<[f64; 3]>, String> + 'm;

impl LinkShape {
    /// Returns points whose hull is the shape, or encloses it to 1 %, in the frame that `frame` is in.
    ///
    /// # Errors
    /// What `read` returns for a mesh.
    pub(crate) fn points(
        &self,
        frame: &LinkFrame,
        read: &ReadMesh<'_>,
    ) -> Result<Vec<Vector3<f64>>, String> {
        let mut points = match self {
            Self::Box(size) => {
                let [x, y, z] = size.map(|length| 0.5 * length.abs());
                let corner = |n: usize| {
                    let side = |bit: usize, half: f64| if n & bit == 0 { -half } else { half };
                    Vector3::new(side(1, x), side(2, y), side(4, z))
                };
                (0..8).map(corner).collect()
            }
            Self::Cylinder { radius, length } => {
                let ends = [-0.5 * length, 0.5 * length];
                ends.iter()
                    .flat_map(|z| circle(*radius).map(|[x, y]| Vector3::new(x, y, *z)))
                    .collect()
            }
            Self::Sphere(radius) => {
                let planes = [(0, 1), (1, 2), (2, 0)];
                let ring = |(i, j): (usize, usize)| {
                    circle(*radius).map(move |[a, b]| {
                        let mut point = Vector3::zeros();
                        (point[i], point[j]) = (a, b);
                        point
                    })
                };
                planes.into_iter().flat_map(ring).collect()
            }
            Self::Mesh { uri, scale } => {
                let scaled =
                    |[x, y, z]: [f64; 3]| Vector3::new(x * scale[0], y * scale[1], z * scale[2]);
                read(uri)?.into_iter().map(scaled).collect::<Vec<_>>()
            }
        };
        points.iter_mut().for_each(|point| *point = frame.point(*point));
        Ok(points)
    }
}

fn circle(radius: f64) -> impl Iterator<Item = [f64; 2]> {
    (0..CIRCLE).map(move |n| {
        let (sin, cos) = (n as f64 / CIRCLE as f64 * std::f64::consts::TAU).sin_cos();
        [radius * cos, radius * sin]
    })
}
