//! Triangles of a space, cast one by one here, against the space itself.

use std::f64::consts::{PI, TAU};

use crate::scenes::{Draws, everything};
use simhost_scene::{OccupancyGrid, Pose3};
use simhost_sensing::{Bundle, Placed, Return, Space, Tessellation, TriangleHit};
use simhost_vectors::{Vec3, meet_triangle};

type Vector = [f64; 3];

/// Stands for an engine: the nearest triangle of all that are accepted.
fn nearest(
    all: &Tessellation,
    placed: &[(Placed, Vec<[Vector; 3]>)],
    (origin, direction): (Vector, Vector),
    accepts: &dyn Fn(u32) -> bool,
) -> TriangleHit {
    let mut best = TriangleHit::NOTHING;
    for (one, triangles) in placed.iter().filter(|(one, _)| accepts(one.number)) {
        assert!(triangles.len() == all.meshes[one.mesh].triangles.len());
        for (at, corners) in triangles.iter().enumerate() {
            let range = meet_triangle(origin.into(), direction.into(), corners.map(Vec3::from))
                .unwrap_or(f64::INFINITY) as f32;
            if range < best.range {
                best = TriangleHit { range, piece: one.piece, triangle: at as u32 };
            }
        }
    }
    best
}

/// Returns the pieces with their triangles in the world.
fn in_world(all: &Tessellation, moving: &[Placed]) -> Vec<(Placed, Vec<[Vector; 3]>)> {
    let placed = all.fixed.iter().chain(moving);
    let place = |one: &Placed| {
        let mesh = &all.meshes[one.mesh];
        let corner = |at: u32| {
            let point = mesh.vertices[at as usize].map(|part| one.scale * part);
            [0, 1, 2].map(|k| one.position[k] + Vec3::from(one.rotation[k]).dot(point.into()))
        };
        (*one, mesh.triangles.iter().map(|at| at.map(corner)).collect())
    };
    placed.map(place).collect()
}

fn directions(count: u32) -> Vec<Vector> {
    let ray = |k: u32| {
        let (azimuth, elevation) =
            (TAU * f64::from(k % 61) / 61.0, 1.2 * f64::from(k % 37) / 36.0 - 0.8);
        let ((sin, cos), (up, level)) = (azimuth.sin_cos(), elevation.sin_cos());
        [level * cos, level * sin, up]
    };
    (0..count).map(ray).collect()
}

/// Compares what triangles mean with what the rays meet. Returns the number of rays, of hits, and of rays
/// that differ.
fn compare(space: &Space, pose: Pose3, hidden: u32) -> [usize; 3] {
    let accepts = |number: u32| number % 7 != hidden;
    let all = space.tessellate(200.0);
    let mut moving = Vec::new();
    assert!(all.place_moving(space, &mut moving));
    let placed = in_world(&all, &moving);
    let directions = directions(500);
    let rotation = pose.rotation();
    let hits: Vec<TriangleHit> = directions
        .iter()
        .map(|direction| {
            let turned = rotation.map(|row| Vec3::from(row).dot((*direction).into()));
            nearest(&all, &placed, (pose.position(), turned), &accepts)
        })
        .collect();
    let bundle =
        Bundle { pose, poses: &[], rays_per_pose: 1, directions: &directions, max_range: 30.0 };
    let mut found = vec![Return::NOTHING; directions.len()];
    let mut expected = found.clone();
    space.resolve(&all, &moving, &bundle, &hits, &accepts, &mut found);
    space.scan_by_force(&bundle, &accepts, &mut expected);
    let is_same = |(found, expected): &(&Return, &Return)| {
        let same_range = found.range == expected.range
            || (found.range - expected.range).abs() <= 1e-4 * expected.range;
        let turned = (0..3).map(|k| f64::from(found.normal[k] - expected.normal[k]).abs());
        same_range && found.number == expected.number && turned.fold(0.0, f64::max) < 1e-3
    };
    let differ = found.iter().zip(&expected).filter(|pair| !is_same(pair)).count();
    [directions.len(), expected.iter().filter(|one| one.range.is_finite()).count(), differ]
}

#[test]
fn triangles_mean_what_rays_meet() {
    let mut draws = Draws(31);
    let mut sum = [0; 3];
    for round in 0..12 {
        let space = everything(&mut draws, [3, 8, 14][round % 3]);
        let result = compare(&space, draws.pose(7.0), draws.bits() as u32 % 14);
        sum = [0, 1, 2].map(|k| sum[k] + result[k]);
    }
    let [rays, hits, differ] = sum;
    assert!(hits > rays / 2, "{hits} of {rays}");
    // coplanar surfaces, and rays along edges
    assert!(differ <= rays / 1000, "{differ} of {rays} differ");
}

#[test]
fn a_map_with_unknown_cells_still_ends_rays() {
    let cells = (0..400).map(|at: i32| {
        if at % 23 == 0 {
            -9
        } else if at % 31 == 0 {
            0
        } else {
            9
        }
    });
    let grid = OccupancyGrid::new([-5.0; 2], 0.5, [20, 20], cells.collect()).expect("a grid");
    for top in [f64::INFINITY, 1.0] {
        let mut space = Space::default();
        space.add_map(3, std::sync::Arc::new(grid.clone()), top);
        space.add_level_ground(4);
        let pose = Pose3 { x: 0.3, y: 0.1, z: 0.7, yaw: PI / 5.0, ..Pose3::default() };
        assert_eq!(compare(&space, pose, 5)[2], 0, "top {top}");
        assert!(space.tessellate(10.0).fixed.is_empty(), "the map stays");
    }
}

#[test]
fn a_sensor_in_a_solid_cell_or_that_sees_further_than_walls_is_not_covered() {
    let grid = OccupancyGrid::new([0.0; 2], 1.0, [2, 1], vec![-9, 9]).expect("a grid");
    let mut space = Space::default();
    space.add_map(3, std::sync::Arc::new(grid), 2.0);
    let all = space.tessellate(50.0);
    assert!(all.covers(&space, [1.5, 0.5, 1.0], 49.0));
    assert!(!all.covers(&space, [1.5, 0.5, 1.0], 50.0));
    assert!(!all.covers(&space, [0.5, 0.5, 1.0], 10.0));
    assert!(all.covers(&space, [0.5, 0.5, 3.0], 10.0));
}

#[test]
fn a_space_with_other_objects_is_tessellated_again() {
    let mut draws = Draws(3);
    let mut space = everything(&mut draws, 4);
    let all = space.tessellate(50.0);
    let mut moving = Vec::new();
    space.set_moving(|_| ());
    assert!(!all.place_moving(&space, &mut moving));
}
