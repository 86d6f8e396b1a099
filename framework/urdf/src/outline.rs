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

/// Returns the convex hull of points in the plane, counter-clockwise, without points on its sides (monotone chain by
/// Andrew, 1979).
pub(crate) fn hull(mut points: Vec<[f64; 2]>) -> Vec<[f64; 2]> {
    points.sort_by(|a, b| a[0].total_cmp(&b[0]).then(a[1].total_cmp(&b[1])));
    points.dedup();
    if points.len() < 3 {
        return points;
    }
    let turn = |a: [f64; 2], b: [f64; 2], c: [f64; 2]| {
        (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
    };
    let mut hull: Vec<[f64; 2]> = Vec::new();
    for side in 0..2 {
        let base = hull.len();
        for point in &points {
            while hull.len() >= base + 2
                && turn(hull[hull.len() - 2], hull[hull.len() - 1], *point) <= 1e-12
            {
                hull.pop();
            }
            hull.push(*point);
        }
        hull.pop();
        if side == 0 {
            points.reverse();
        }
    }
    hull
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hull_of_a_grid_is_its_corners() {
        let grid = (0..25).map(|n| [f64::from(n % 5), f64::from(n / 5)]).collect();
        assert_eq!(hull(grid), [[0.0, 0.0], [4.0, 0.0], [4.0, 4.0], [0.0, 4.0]]);
    }

    #[test]
    fn points_on_a_line_have_its_ends() {
        let line = (0..5).map(|n| [f64::from(n), 0.0]).collect();
        assert_eq!(hull(line), [[0.0, 0.0], [4.0, 0.0]]);
    }
}
