//! Shapes as the numbers of markers, see [`simhost_streams::types::Markers`].

use std::f64::consts::PI;

use simhost_scene::{HeightField, Mesh, Pose3, Primitive};

/// Parts of the profile of a bump.
const BUMP: usize = 24;
/// Squares of terrain along each axis at most.
const SQUARES: usize = 64;
/// Kind of a cuboid.
const CUBOID: f64 = 1.0;
/// Kind of an ellipsoid.
const SPHERE: f64 = 2.0;
/// Kind of a cylinder, whose axis is z.
const CYLINDER: f64 = 3.0;
/// Kind of a list of triangles.
const TRIANGLES: f64 = 11.0;

/// Position and attitude: x, y, z, m; yaw, pitch, roll, rad.
pub(super) type ShapePlace = [f64; 6];

/// Markers of one namespace.
#[derive(Default)]
pub(super) struct Shapes {
    count: usize,
    numbers: Vec<f64>,
}

impl Shapes {
    /// Returns whether there is no marker.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Appends the number of markers and the markers.
    pub fn append_to(&self, numbers: &mut Vec<f64>) {
        numbers.push(self.count as f64);
        numbers.extend_from_slice(&self.numbers);
    }

    /// Adds a cuboid about its centre.
    pub fn cuboid(&mut self, place: ShapePlace, size: [f64; 3], colour: [u8; 4]) {
        self.add(CUBOID, place, size, colour, &[]);
    }

    /// Adds a cylinder about its centre.
    pub fn cylinder(&mut self, place: ShapePlace, diameter: f64, length: f64, colour: [u8; 4]) {
        self.add(CYLINDER, place, [diameter, diameter, length], colour, &[]);
    }

    /// Adds an upright prism over an outline, between two heights above `place`.
    pub fn prism(
        &mut self,
        place: ShapePlace,
        outline: &[[f64; 2]],
        heights: [f64; 2],
        colour: [u8; 4],
    ) {
        self.add(TRIANGLES, place, [1.0; 3], colour, &prism(outline, heights));
    }

    /// Adds a simple body.
    pub fn primitive(&mut self, place: ShapePlace, body: Primitive, colour: [u8; 4]) {
        // the prism over a profile, turned so that the second axis of the profile points upwards
        let turned = |profile: &[[f64; 2]], width: f64, turn: fn([f64; 3]) -> [f64; 3]| {
            let points = prism(profile, [-0.5 * width, 0.5 * width]);
            points.into_iter().map(turn).collect::<Vec<_>>()
        };
        let points = match body {
            Primitive::Box { .. } => prism(&body.outline(), body.z_range()),
            Primitive::Sphere { radius, .. } => {
                return self.add(SPHERE, place, [2.0 * radius; 3], colour, &[]);
            }
            Primitive::Cylinder { radius, length, .. } => {
                let [x, y, z, yaw, pitch, roll] = place;
                let axis = Pose3 { x, y, z, yaw, pitch, roll }.rotation().map(|row| row[2]);
                let [x, y, z] = [0, 1, 2].map(|of| place[of] + 0.5 * length * axis[of]);
                return self.cylinder([x, y, z, yaw, pitch, roll], 2.0 * radius, length, colour);
            }
            Primitive::Ramp { lengths: [length, width, height] } => {
                let profile = [[0.0, 0.0], [length, 0.0], [length, height]];
                turned(&profile, width, |[x, z, across]| [x, -across, z])
            }
            Primitive::SemiCylinderBump { lengths: [length, width, height] } => {
                let corner = |number: usize| {
                    let angle = PI * number as f64 / BUMP as f64;
                    [0.5 * width * angle.cos(), height * angle.sin()]
                };
                let profile: Vec<[f64; 2]> = (0..=BUMP).map(corner).collect();
                turned(&profile, length, |[y, z, along]| [along, y, z])
            }
        };
        self.add(TRIANGLES, place, [1.0; 3], colour, &points);
    }

    /// Adds terrain as triangles, at a coarser resolution if it has many samples.
    pub fn surface(&mut self, field: &HeightField, colour: [u8; 4]) {
        let ([x, y], extent) = (field.corner(), field.extent());
        let squares = field.size().map(|samples| samples.saturating_sub(1).clamp(1, SQUARES));
        let size = [0, 1].map(|axis| extent[axis] / squares[axis] as f64);
        let corner = |i: usize, k: usize| {
            let at = [x + i as f64 * size[0], y + k as f64 * size[1]];
            // rounding must not leave the field
            let inside = [at[0].min(x + extent[0]), at[1].min(y + extent[1])];
            [at[0], at[1], field.height_at(inside[0], inside[1]).unwrap_or(0.0)]
        };
        let mut points = Vec::with_capacity(6 * squares[0] * squares[1]);
        for (i, k) in (0..squares[0]).flat_map(|i| (0..squares[1]).map(move |k| (i, k))) {
            let [a, b, c, d] =
                [corner(i, k), corner(i + 1, k), corner(i + 1, k + 1), corner(i, k + 1)];
            points.extend([a, b, c, a, c, d]);
        }
        self.add(TRIANGLES, [0.0; 6], [1.0; 3], colour, &points);
    }

    /// Adds a mesh in the frame of the markers, with one marker per colour.
    pub fn mesh(&mut self, mesh: &Mesh) {
        for (number, colour) in mesh.palette().iter().enumerate() {
            let painted = mesh.triangles().iter().zip(mesh.paint());
            let own = painted.filter(|(_, paint)| usize::from(**paint) == number);
            let corners = own.flat_map(|(corners, _)| corners.iter());
            let points: Vec<[f64; 3]> =
                corners.map(|corner| mesh.vertices()[*corner as usize]).collect();
            if !points.is_empty() {
                self.add(TRIANGLES, [0.0; 6], [1.0; 3], *colour, &points);
            }
        }
    }

    fn add(
        &mut self,
        kind: f64,
        place: ShapePlace,
        size: [f64; 3],
        colour: [u8; 4],
        points: &[[f64; 3]],
    ) {
        self.count += 1;
        self.numbers.push(kind);
        self.numbers.extend(place);
        self.numbers.extend(size);
        self.numbers.extend(colour.map(|part| f64::from(part) / 255.0));
        self.numbers.push(points.len() as f64);
        self.numbers.extend(points.iter().flatten());
    }
}

/// Returns the triangles of an upright prism over an outline.
fn prism(outline: &[[f64; 2]], [low, high]: [f64; 2]) -> Vec<[f64; 3]> {
    let mut points = Vec::new();
    let mut corner = |[x, y]: [f64; 2], z: f64| points.push([x, y, z]);
    let outline = counter_clockwise(outline);
    for (from, to) in outline.iter().zip(outline.iter().cycle().skip(1)) {
        for (point, z) in [(from, low), (to, low), (to, high)] {
            corner(*point, z);
        }
        for (point, z) in [(from, low), (to, high), (from, high)] {
            corner(*point, z);
        }
    }
    for triangle in triangles(&outline) {
        triangle.iter().for_each(|point| corner(*point, high));
        triangle.iter().rev().for_each(|point| corner(*point, low));
    }
    points
}

/// Returns twice the signed area of a triangle, positive if its corners are counter-clockwise.
fn turn([ax, ay]: [f64; 2], [bx, by]: [f64; 2], [cx, cy]: [f64; 2]) -> f64 {
    (bx - ax) * (cy - ay) - (by - ay) * (cx - ax)
}

fn counter_clockwise(outline: &[[f64; 2]]) -> Vec<[f64; 2]> {
    let next = outline.iter().cycle().skip(1);
    let area: f64 = outline.iter().zip(next).map(|(a, b)| a[0] * b[1] - a[1] * b[0]).sum();
    let mut outline = outline.to_vec();
    if area < 0.0 {
        outline.reverse();
    }
    outline
}

/// Divides a simple counter-clockwise polygon into triangles by cutting ears off (Meisters, "Polygons have
/// ears", 1975).
fn triangles(outline: &[[f64; 2]]) -> Vec<[[f64; 2]; 3]> {
    let mut rest = outline.to_vec();
    let mut found = Vec::new();
    while rest.len() > 3 {
        let count = rest.len();
        let corners =
            |at: usize| [rest[(at + count - 1) % count], rest[at], rest[(at + 1) % count]];
        let is_ear = |at: &usize| {
            let [a, b, c] = corners(*at);
            let is_inside = |point: &[f64; 2]| {
                ![a, b, c].contains(point)
                    && turn(a, b, *point) >= 0.0
                    && turn(b, c, *point) >= 0.0
                    && turn(c, a, *point) >= 0.0
            };
            turn(a, b, c) > 0.0 && !rest.iter().any(is_inside)
        };
        // a polygon that crosses itself may have none
        let ear = (0..count).find(is_ear).unwrap_or(0);
        found.push(corners(ear));
        rest.remove(ear);
    }
    if let [a, b, c] = rest[..] {
        found.push([a, b, c]);
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn terrain_is_a_surface_of_triangles() {
        let heights = vec![0.0, 0.0, 1.0, 1.0, 2.0, 2.0];
        let field = HeightField::new([10.0, 20.0], 0.5, [3, 2], heights).unwrap();
        let mut shapes = Shapes::default();
        shapes.surface(&field, [255; 4]);
        let mut numbers = Vec::new();
        shapes.append_to(&mut numbers);
        // the number of markers, the head of this one, and two squares of two triangles
        let points = &numbers[1 + 15..];
        assert_eq!((numbers[0], numbers[15], points.len()), (1.0, 12.0, 36));
        assert_eq!(points[..3], [10.0, 20.0, 0.0]);
        assert_eq!(points[18 + 6..18 + 9], [11.0, 20.5, 2.0]);
    }

    #[test]
    fn triangles_cover_a_polygon() {
        // an L, clockwise
        let outline = [[0.0, 0.0], [0.0, 2.0], [1.0, 2.0], [1.0, 1.0], [3.0, 1.0], [3.0, 0.0]];
        let found = triangles(&counter_clockwise(&outline));
        assert_eq!(found.len(), outline.len() - 2);
        let areas: Vec<f64> = found.iter().map(|[a, b, c]| 0.5 * turn(*a, *b, *c)).collect();
        assert!(areas.iter().all(|area| *area > 0.0), "{areas:?}");
        assert!((areas.iter().sum::<f64>() - 4.0).abs() < 1e-12);
    }

    /// Ramps, bumps and spheres were shown as prisms.
    #[test]
    fn simple_bodies_have_their_own_shapes() {
        let lengths = [4.0, 2.0, 1.0];
        let volume = |body| {
            let mut shapes = Shapes::default();
            shapes.primitive([0.0; 6], body, [255; 4]);
            // behind the head of a marker, three corners of three numbers for each triangle
            let triangles = shapes.numbers[15..].chunks(9);
            triangles
                .map(|t| determinant([t[0], t[1], t[2]], [t[3], t[4], t[5]], [t[6], t[7], t[8]]))
                .sum::<f64>()
                / 6.0
        };
        let is_near = |found: f64, expected: f64| (found / expected - 1.0).abs() < 0.01;
        // positive, so the triangles face outwards
        assert!(is_near(volume(Primitive::Box { lengths }), 8.0));
        assert!(is_near(volume(Primitive::Ramp { lengths }), 4.0));
        assert!(is_near(volume(Primitive::SemiCylinderBump { lengths }), 2.0 * PI));
        let mut shapes = Shapes::default();
        let pillar = Primitive::Cylinder { radius: 0.5, length: 3.0, vertex_count: 4 };
        shapes.primitive([1.0, 0.0, 0.0, 0.0, 0.0, 0.0], pillar, [255; 4]);
        shapes.primitive([0.0; 6], Primitive::Sphere { radius: 2.0, vertex_count: 9 }, [255; 4]);
        assert_eq!(shapes.numbers[..10], [CYLINDER, 1.0, 0.0, 1.5, 0.0, 0.0, 0.0, 1.0, 1.0, 3.0]);
        assert_eq!(shapes.numbers[15..25], [SPHERE, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 4.0, 4.0, 4.0]);
    }

    fn determinant([a, b, c]: [f64; 3], [d, e, f]: [f64; 3], [g, h, i]: [f64; 3]) -> f64 {
        a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g)
    }
}
