//! Instances of meshes, boxes, cylinders and spheres: known distances, brute force, and triangles.

use std::f64::consts::{FRAC_PI_2, SQRT_2};
use std::sync::Arc;

use crate::scenes::{Draws, add_instances, bits, everything, geometries, lumpy_ball};
use simhost_scene::{Mesh, Pose3};
use simhost_sensing::{Beam, Body, Geometry, Label, Space, Surface};

/// Returns range and normal of a ray at one instance.
fn cast(
    geometry: Geometry,
    (pose, scale): (Pose3, f64),
    origin: [f64; 3],
    direction: [f64; 3],
) -> Option<(f64, [f64; 3])> {
    let mut space = Space::default();
    let id = space.add_geometry(geometry);
    space.set_moving(|solids| solids.place(1, id, &pose, scale));
    let beam = Beam::new(origin, direction, 100.0)?;
    space.cast(&beam, &|_| true).map(|strike| (strike.range, strike.normal))
}

fn assert_close(found: Option<(f64, [f64; 3])>, range: f64, normal: [f64; 3]) {
    let (at, facing) = found.expect("a hit");
    let off = (0..3).map(|axis| (facing[axis] - normal[axis]).abs()).fold(0.0, f64::max);
    assert!((at - range).abs() < 1e-12 && off < 1e-12, "{at} {facing:?}, not {range} {normal:?}");
}

#[test]
fn a_cylinder_on_its_side_is_met_at_its_tread_and_at_its_faces() {
    let wheel = Geometry::Cylinder { radius: 0.3, half: 0.1 };
    let pose = Pose3 { x: 2.0, y: 1.0, z: 0.3, roll: FRAC_PI_2, ..Pose3::default() };
    let hit = |origin, direction| cast(wheel.clone(), (pose, 1.0), origin, direction);
    assert_close(hit([0.0, 1.0, 0.3], [1.0, 0.0, 0.0]), 1.7, [-1.0, 0.0, 0.0]);
    assert_close(hit([2.0, 1.0, 5.0], [0.0, 0.0, -1.0]), 4.4, [0.0, 0.0, 1.0]);
    assert_close(hit([2.1, 3.0, 0.4], [0.0, -1.0, 0.0]), 1.9, [0.0, 1.0, 0.0]);
    assert_eq!(hit([0.0, 1.11, 0.3], [1.0, 0.0, 0.0]), None);
    // from inside, the surface is met from inside
    assert_close(hit([2.0, 1.0, 0.3], [1.0, 0.0, 0.0]), 0.3, [-1.0, 0.0, 0.0]);
}

#[test]
fn boxes_and_spheres_follow_pose_and_scale() {
    let pose = Pose3 { x: 5.0, yaw: FRAC_PI_2 / 2.0, ..Pose3::default() };
    let cube = Geometry::Box([[-1.0; 3], [1.0; 3]]);
    let (range, _) = cast(cube, (pose, 2.0), [0.0; 3], [1.0, 0.0, 0.0]).expect("a hit");
    assert!((range - (5.0 - 2.0 * SQRT_2)).abs() < 1e-9, "{range}");
    let ball = Geometry::Sphere(0.5);
    assert_close(cast(ball.clone(), (pose, 2.0), [0.0; 3], [1.0, 0.0, 0.0]), 4.0, [-1.0, 0.0, 0.0]);
    assert_eq!(cast(ball, (pose, 2.0), [0.0, 1.01, 0.0], [1.0, 0.0, 0.0]), None);
}

#[test]
fn a_degenerate_triangle_is_never_met() {
    let corners = vec![[1.0, -1.0, 0.0], [1.0, 1.0, 0.0], [1.0, 0.0, 0.0], [2.0, 0.0, 1.0]];
    let mesh = Mesh::new(corners, vec![[0, 1, 2], [3, 3, 3], [0, 0, 3]]).expect("a valid mesh");
    let body = Geometry::Mesh(Arc::new(Body::new(&mesh)));
    for direction in [[1.0, 0.0, 0.0], [2.0, 0.0, 1.0]] {
        assert_eq!(cast(body.clone(), (Pose3::default(), 1.0), [0.0; 3], direction), None);
    }
}

#[test]
fn the_surface_is_that_of_the_instance() {
    let mut space = Space::default();
    let red = space.add_surface(Surface::of_color(7, [255, 0, 0, 255]));
    let ball = space.add_geometry(Geometry::Sphere(1.0));
    let pose = Pose3 { x: 4.0, ..Pose3::default() };
    space.set_fixed(|solids| solids.place(Label { number: 3, surface: red }, ball, &pose, 1.0));
    let beam = Beam::new([0.0; 3], [1.0, 0.0, 0.0], 9.0).expect("a ray");
    let strike = space.cast(&beam, &|_| true).expect("a hit");
    let surface = space.surfaces()[strike.surface as usize];
    assert_eq!((strike.number, surface.class, surface.color), (3, 7, [255, 0, 0, 255]));
    assert!((surface.reflectivity - 0.299).abs() < 1e-6);
}

fn beam(draws: &mut Draws, size: f64) -> Beam {
    let mut number = || draws.between(-size, size);
    let (origin, direction) =
        ([number(), number(), 0.4 * number()], [number(), number(), number()]);
    Beam::new(origin, direction, 40.0).expect("a ray")
}

#[test]
fn the_search_finds_what_brute_force_finds() {
    let mut draws = Draws(5);
    let mut hits = 0;
    for round in 0..12 {
        let space = everything(&mut draws, [0, 1, 6, 25, 60][round % 5]);
        for _ in 0..80 {
            let (beam, hidden) = (beam(&mut draws, 12.0), draws.bits() as u32 % 8);
            let accepts = |number: u32| number % 8 != hidden;
            let found = space.cast(&beam, &accepts);
            assert_eq!(bits(found), bits(space.cast_by_force(&beam, &accepts)), "{beam:?}");
            hits += usize::from(found.is_some());
        }
    }
    assert!(hits > 350, "{hits} hits");
}

/// No ray from within a closed mesh escapes, at whatever pose.
#[test]
fn no_ray_passes_between_triangles() {
    let mut draws = Draws(6);
    for rings in [4, 9, 30] {
        let mut space = Space::default();
        let body = Body::new(&lumpy_ball(&mut draws, rings));
        let id = space.add_geometry(Geometry::Mesh(Arc::new(body)));
        let pose = draws.pose(50.0);
        space.set_fixed(|solids| solids.place(0, id, &pose, 1.0));
        for _ in 0..1000 {
            let direction = [(); 3].map(|()| draws.between(-1.0, 1.0));
            let beam = Beam::new(pose.position(), direction, 2.0).expect("a ray");
            assert!(space.cast(&beam, &|_| true).is_some(), "{beam:?}");
        }
    }
}

/// What moves is replaced; what is fixed stays.
#[test]
fn moving_instances_are_replaced() {
    let mut draws = Draws(7);
    let mut space = Space::default();
    let geometries = geometries(&mut space, &mut draws);
    space.set_fixed(|solids| add_instances(solids, &mut Draws(1), &geometries, 0..20));
    for round in 0..20 {
        space.set_moving(|solids| add_instances(solids, &mut Draws(round), &geometries, 20..40));
        for _ in 0..100 {
            let beam = beam(&mut draws, 12.0);
            let found = space.cast(&beam, &|_| true);
            assert_eq!(bits(found), bits(space.cast_by_force(&beam, &|_| true)), "{beam:?}");
        }
    }
}
