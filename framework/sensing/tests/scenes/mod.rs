//! Random scenes of instances, prisms, maps and terrain.

#![allow(dead_code, reason = "each test uses a part of it")]

use std::f64::consts::{PI, TAU};
use std::sync::Arc;

use simhost_scene::{HeightField, Mesh, OccupancyGrid, Pose2, Pose3};
use simhost_sensing::{Body, Extrusion, Geometry, GeometryId, Shape, Solids, Space, Strike, Top};

/// SplitMix64 (Steele, Lea and Flood 2014).
pub struct Draws(pub u64);

impl Draws {
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    pub fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * (self.bits() >> 11) as f64 / (1u64 << 53) as f64
    }

    pub fn pose(&mut self, size: f64) -> Pose3 {
        let mut place = || self.between(-size, size);
        let [x, y, z] = [place(), place(), 0.3 * place()];
        let mut angle = || self.between(-PI, PI);
        Pose3 { x, y, z, yaw: angle(), pitch: 0.4 * angle(), roll: angle() }
    }
}

/// Returns a ball of about `2 * rings * rings` triangles with a bumpy surface and a radius of about 1 m.
pub fn lumpy_ball(draws: &mut Draws, rings: usize) -> Mesh {
    let columns = rings + 1;
    let mut vertices = Vec::new();
    for ring in 0..=rings {
        for column in 0..columns {
            let (elevation, azimuth) =
                (PI * (ring as f64 / rings as f64 - 0.5), TAU * column as f64 / columns as f64);
            let radius = draws.between(0.8, 1.2);
            let level = radius * elevation.cos();
            vertices.push([level * azimuth.cos(), level * azimuth.sin(), radius * elevation.sin()]);
        }
    }
    let at = |ring: usize, column: usize| (ring * columns + column % columns) as u32;
    let cells = (0..rings).flat_map(|ring| (0..columns).map(move |column| (ring, column)));
    let triangles = cells.flat_map(|(ring, column)| {
        let [a, b] = [at(ring, column), at(ring, column + 1)];
        let [c, d] = [at(ring + 1, column), at(ring + 1, column + 1)];
        [[a, b, d], [a, d, c]]
    });
    Mesh::new(vertices, triangles.collect()).expect("a valid mesh")
}

/// Returns the prism over an outline that is not convex.
fn prism(top: Top) -> Geometry {
    let outline = [[-1.0, -0.7], [1.0, -0.7], [1.0, 0.7], [0.1, 0.2], [-1.0, 0.7]];
    Geometry::Prism(Arc::new(Extrusion::new(&outline, -0.3, top)))
}

/// Geometries of a space, for instances.
pub fn geometries(space: &mut Space, draws: &mut Draws) -> Vec<(GeometryId, Geometry)> {
    let small = Geometry::Mesh(Arc::new(Body::new(&lumpy_ball(draws, 5))));
    let fine = Geometry::Mesh(Arc::new(Body::new(&lumpy_ball(draws, 24))));
    let all = [
        small,
        fine,
        Geometry::Box([[-0.5, -1.0, -0.25], [1.5, 0.75, 0.5]]),
        Geometry::Cylinder { radius: 0.8, half: 0.5 },
        Geometry::Sphere(0.9),
        prism(Top::Flat(1.1)),
        prism(Top::Ramp { base: 0.4, slope: 0.3 }),
        prism(Top::Arch { base: -0.2, width: 2.5, height: 0.8 }),
    ];
    all.into_iter().map(|one| (space.add_geometry(one.clone()), one)).collect()
}

/// Adds `count` random instances, numbered from 0.
pub fn add_instances(
    solids: &mut Solids<'_>,
    draws: &mut Draws,
    geometries: &[(GeometryId, Geometry)],
    numbers: std::ops::Range<u32>,
) {
    for number in numbers {
        let (id, _) = geometries[draws.bits() as usize % geometries.len()];
        let pose = draws.pose(9.0);
        solids.place(number, id, &pose, draws.between(0.5, 1.5));
    }
}

/// Returns a space of everything: instances from 0 on, prisms from 500 on, a map, terrain, a plate and
/// the ground.
pub fn everything(draws: &mut Draws, count: u32) -> Space {
    let mut space = Space::default();
    let geometries = geometries(&mut space, draws);
    let half = count / 2;
    space.set_fixed(|solids| {
        add_instances(solids, draws, &geometries, 0..half);
        add_prisms(solids, draws, count);
    });
    space.set_moving(|solids| add_instances(solids, draws, &geometries, half..count));
    let heights = (0..12 * 9).map(|_| draws.between(-5.0, -3.0) as f32).collect();
    let field = HeightField::new([-6.0, -5.0], 1.0, [12, 9], heights).expect("a field");
    space.add_terrain(1000, Arc::new(field));
    space.add_plate(1001, [-4.0, 4.0], [-2.0, 2.0], 0.5);
    space.move_plate(0, Pose3 { x: 1.0, z: 4.0, yaw: 0.4, pitch: 0.2, ..Pose3::default() });
    space.add_level_ground(1002);
    let cells = (0..30 * 30).map(|_| if draws.bits().is_multiple_of(40) { -9 } else { 9 });
    let grid = OccupancyGrid::new([-15.0; 2], 1.0, [30, 30], cells.collect()).expect("a grid");
    space.add_map(1003, Arc::new(grid), draws.between(-1.0, 1.0));
    space
}

fn add_prisms(solids: &mut Solids<'_>, draws: &mut Draws, count: u32) {
    let outline = Shape::new(&[[0.0, 0.0], [2.0, 0.0], [0.6, 0.7], [0.0, 1.0]]);
    for number in 500..500 + count {
        let pose = Pose2 {
            x: draws.between(-9.0, 9.0),
            y: draws.between(-9.0, 9.0),
            yaw: draws.between(-PI, PI),
        };
        let bottom = draws.between(-2.0, 1.0);
        let top = match draws.bits() % 3 {
            0 => Top::Flat(bottom + 1.0),
            1 => Top::Ramp { base: bottom, slope: 0.3 },
            _ => Top::Arch { base: bottom, width: 2.0, height: 1.0 },
        };
        solids.add(number, &outline, pose, bottom, top);
    }
}

/// All bits of what a ray meets.
pub fn bits(strike: Option<Strike>) -> Option<(u64, [u64; 3], u32, u32)> {
    strike.map(|one| (one.range.to_bits(), one.normal.map(f64::to_bits), one.number, one.surface))
}
