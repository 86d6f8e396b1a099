//! Scenes of triangles for scans in space, and the rays of a spinning lidar.

use std::f64::consts::{PI, TAU};
use std::sync::Arc;

use simhost_scene::{Mesh, Pose3};
use simhost_sdk::Random;
use simhost_sensing::{Body, Geometry, Space};

/// Number of rings and of columns of the lidar.
pub const LATTICE: [usize; 2] = [64, 2048];

/// A scene of instances of one mesh around the origin, and its triangles in the world frame.
pub struct Scene {
    /// The scene.
    pub space: Space,
    /// Corners of all triangles, m.
    pub triangles: Vec<[[f64; 3]; 3]>,
}

/// Returns a ball with a wavy surface, of `4 * rings * rings` triangles at most.
fn wavy_ball(rings: usize) -> Mesh {
    let columns = 2 * rings;
    let vertex = |ring: usize, column: usize| {
        let elevation = PI * (ring as f64 / rings as f64 - 0.5);
        let azimuth = TAU * column as f64 / columns as f64;
        let radius = 1.0 + 0.1 * (7.0 * azimuth).sin() * (5.0 * elevation).cos();
        let level = radius * elevation.cos();
        [level * azimuth.cos(), level * azimuth.sin(), radius * elevation.sin()]
    };
    let rows = (0..=rings).flat_map(|ring| (0..columns).map(move |column| (ring, column)));
    let at = |ring: usize, column: usize| (ring * columns + column % columns) as u32;
    let cells = (0..rings).flat_map(|ring| (0..columns).map(move |column| (ring, column)));
    let triangles = cells.flat_map(|(ring, column)| {
        let (near, far) = (at(ring, column), at(ring + 1, column + 1));
        [[near, at(ring, column + 1), far], [near, far, at(ring + 1, column)]]
    });
    let vertices = rows.map(|(ring, column)| vertex(ring, column));
    Mesh::new(vertices.collect(), triangles.collect()).expect("all indices are in range")
}

/// Returns a scene of `count` balls with this number of rings, 4 m to 30 m away.
pub fn balls(count: usize, rings: usize) -> Scene {
    let mesh = wavy_ball(rings);
    let mut draws = Random::new(7);
    let mut draw = || draws.uniform();
    let mut space = Space::default();
    let ball = space.add_geometry(Geometry::Mesh(Arc::new(Body::new(&mesh))));
    let mut triangles = Vec::new();
    space.set_fixed(|solids| {
        for number in 0..count {
            let (distance, bearing) = (4.0 + 26.0 * draw(), TAU * draw());
            let (sin, cos) = bearing.sin_cos();
            let pose = Pose3 {
                x: distance * cos,
                y: distance * sin,
                z: 2.0 * draw() - 1.0,
                yaw: bearing,
                pitch: draw(),
                roll: draw(),
            };
            let scale = 1.0 + draw();
            solids.place(number as u32, ball, &pose, scale);
            let placed = mesh.transformed(scale, &pose).expect("small coordinates");
            triangles.extend(placed.faces());
        }
    });
    Scene { space, triangles }
}

/// Returns the directions of a lidar with a vertical field of view of 45°, ring by ring.
pub fn lidar() -> Vec<[f64; 3]> {
    let [rings, columns] = LATTICE;
    let ray = |at: usize| {
        let (ring, column) = ((at / columns) as f64, (at % columns) as f64);
        let elevation = (ring / (rings - 1) as f64 - 0.5) * PI / 4.0;
        let azimuth = TAU * column / columns as f64;
        let level = elevation.cos();
        [level * azimuth.cos(), level * azimuth.sin(), elevation.sin()]
    };
    (0..rings * columns).map(ray).collect()
}
