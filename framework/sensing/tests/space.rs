//! Rays in space: known geometry, and random scenes against brute force and against triangles.

use std::f64::consts::PI;
use std::sync::Arc;

use simhost_scene::{HeightField, OccupancyGrid, Pose2, Pose3};
use simhost_sensing::{Beam, Shape, Space, Strike, Top};

use crate::scenes::Draws;

const SQUARE: [[f64; 2]; 4] = [[0.0, 0.0], [2.0, 0.0], [2.0, 1.0], [0.0, 1.0]];

/// A box from (0, 0, 0) to (2, 1, 1.5), number 7.
fn one_box() -> Space {
    let mut space = Space::default();
    space.set_fixed(|solids| {
        solids.add(7, &Shape::new(&SQUARE), Pose2::default(), 0.0, Top::Flat(1.5));
    });
    space
}

fn cast(space: &Space, origin: [f64; 3], direction: [f64; 3]) -> Option<(f64, [f64; 3])> {
    let beam = Beam::new(origin, direction, f64::INFINITY)?;
    space.cast(&beam, &|_| true).map(|strike| (strike.range, strike.normal))
}

#[test]
fn a_box_from_all_sides() {
    let space = one_box();
    let hit = |origin, direction| cast(&space, origin, direction);
    assert_eq!(hit([-3.0, 0.5, 0.5], [2.0, 0.0, 0.0]), Some((3.0, [-1.0, 0.0, 0.0])));
    assert_eq!(hit([1.0, 4.0, 0.5], [0.0, -0.1, 0.0]), Some((3.0, [0.0, 1.0, 0.0])));
    assert_eq!(hit([1.0, 0.5, 4.0], [0.0, 0.0, -1.0]), Some((2.5, [0.0, 0.0, 1.0])), "top");
    assert_eq!(hit([1.0, 0.5, -4.0], [0.0, 0.0, 9.0]), Some((4.0, [0.0, 0.0, -1.0])), "bottom");
    assert_eq!(hit([1.0, 0.5, 4.0], [0.0, 0.0, 1.0]), None, "it is behind");
    assert_eq!(hit([-3.0, 0.5, 1.6], [1.0, 0.0, 0.0]), None, "above it");
    // 3-4-5: the slanted ray reaches height 1.5 one metre before the side
    let (range, normal) = hit([1.0 - 4.0, 0.5, 4.5], [4.0, 0.0, -3.0]).expect("a hit");
    assert!((range - 5.0).abs() < 1e-12 && normal == [0.0, 0.0, 1.0], "{range} {normal:?}");
}

#[test]
fn from_inside_a_ray_meets_the_far_surface() {
    let space = one_box();
    let hit = |direction| cast(&space, [0.5, 0.5, 0.5], direction);
    assert_eq!(hit([1.0, 0.0, 0.0]), Some((1.5, [-1.0, 0.0, 0.0])));
    assert_eq!(hit([0.0, 0.0, 1.0]), Some((1.0, [0.0, 0.0, -1.0])));
    assert_eq!(hit([0.0, 0.0, -1.0]), Some((0.5, [0.0, 0.0, 1.0])));
}

#[test]
fn rays_along_walls_and_through_corners_meet_them() {
    let space = one_box();
    let hit = |origin, direction| cast(&space, origin, direction).map(|(range, _)| range);
    for y in [0.0, 1.0] {
        assert_eq!(hit([-1.0, y, 0.5], [1.0, 0.0, 0.0]), Some(1.0), "along a side at {y}");
        assert_eq!(hit([1.0, y, 3.0], [0.0, 0.0, -1.0]), Some(1.5), "down a side at {y}");
    }
    assert_eq!(hit([-1.0, 0.5, 1.5], [1.0, 0.0, 0.0]), Some(1.0), "along the top");
    assert_eq!(hit([-1.0, 0.5, 0.0], [1.0, 0.0, 0.0]), Some(1.0), "along the bottom");
    let corner = hit([-1.0, -1.0, 0.5], [1.0, 1.0, 0.0]).expect("a hit");
    assert!((corner - 2f64.sqrt()).abs() < 1e-12);
    let upper = hit([-1.0, 0.5, 2.5], [1.0, 0.0, -1.0]).expect("the edge of the top");
    assert!((upper - 2f64.sqrt()).abs() < 1e-12);
    assert_eq!(hit([-1.0, 1.0 + 1e-9, 0.5], [1.0, 0.0, 0.0]), None, "beside a side");
    assert_eq!(hit([0.0, 0.5, 0.5], [-1.0, 0.0, 0.0]), Some(0.0), "from the surface");
}

#[test]
fn rays_without_a_direction_or_range_meet_nothing() {
    let ray = |direction, range| Beam::new([0.0; 3], direction, range);
    for direction in [[0.0; 3], [f64::NAN, 1.0, 0.0], [f64::INFINITY, 0.0, 0.0]] {
        assert_eq!(ray(direction, 1.0), None, "{direction:?}");
    }
    assert_eq!(ray([1.0, 0.0, 0.0], -1.0), None);
    assert_eq!(ray([1.0, 0.0, 0.0], f64::NAN), None);
    let space = one_box();
    let range = |range| {
        let beam = Beam::new([-3.0, 0.5, 0.5], [1.0, 0.0, 0.0], range).expect("a ray");
        space.cast(&beam, &|_| true).map(|strike| strike.range)
    };
    assert_eq!(range(3.0), Some(3.0), "the largest range is included");
    assert_eq!(range(3.0f64.next_down()), None);
    // any length of the direction
    for scale in [1e-300, 1e-3, 1e300] {
        assert_eq!(cast(&space, [-3.0, 0.5, 0.5], [scale, 0.0, 0.0]).map(|hit| hit.0), Some(3.0));
    }
}

#[test]
fn ramps_and_arches_have_their_own_tops() {
    let mut space = Space::default();
    let turned = Pose2 { x: 10.0, y: 0.0, yaw: 0.5 * PI };
    space.set_fixed(|solids| {
        let ramp = Top::Ramp { base: 0.0, slope: 0.5 };
        solids.add(0, &Shape::new(&SQUARE), Pose2::default(), 0.0, ramp);
        let arch = Top::Arch { base: 0.0, width: 2.0, height: 0.5 };
        let shape = Shape::new(&[[-2.0, -1.0], [2.0, -1.0], [2.0, 1.0], [-2.0, 1.0]]);
        solids.add(1, &shape, turned, 0.0, arch);
    });
    let down = |x, y| cast(&space, [x, y, 5.0], [0.0, 0.0, -1.0]).expect("a hit");
    let (range, normal) = down(1.0, 0.5);
    assert!((range - 4.5).abs() < 1e-12, "{range}");
    assert!((normal[0] + 0.5 / 1.25f64.sqrt()).abs() < 1e-12, "{normal:?}");
    // z = 0.5 √(1 − 0.6²) across the bump, which lies along y
    let (range, normal) = down(10.6, 0.3);
    assert!((range - 4.6).abs() < 1e-9, "{range}");
    assert!(normal[0] > 0.1 && normal[1].abs() < 1e-12, "{normal:?}");
    // over the low end of the ramp, and against its slope
    assert_eq!(cast(&space, [-1.0, 0.5, 1.2], [1.0, 0.0, 0.0]), None);
    let (range, _) = cast(&space, [-1.0, 0.5, 0.5], [1.0, 0.0, 0.0]).expect("the slope");
    assert!((range - 2.0).abs() < 1e-12, "{range}");
}

#[test]
fn terrain_hides_the_level_ground_below_it() {
    let heights = vec![1.0, 1.0, 2.0, 2.0];
    let field = HeightField::new([0.0; 2], 4.0, [2, 2], heights).expect("a field");
    let mut space = Space::default();
    space.add_terrain(3, Arc::new(field));
    space.add_level_ground(9);
    let down = |x, y| cast(&space, [x, y, 10.0], [0.0, 0.0, -1.0]);
    let (range, normal) = down(2.0, 1.0).expect("terrain");
    assert!((range - 8.5).abs() < 1e-12 && normal[0] < 0.0, "{range} {normal:?}");
    assert_eq!(down(-1.0, 1.0), Some((10.0, [0.0, 0.0, 1.0])));
    assert_eq!(down(2.0, 2.0).map(|hit| hit.0), Some(8.5), "on the diagonal of a cell");
    let up = cast(&space, [2.0, 1.0, -3.0], [0.0, 0.0, 1.0]).expect("terrain from below");
    assert!((up.0 - 4.5).abs() < 1e-12, "no level ground below terrain: {up:?}");
}

#[test]
fn a_map_is_met_as_by_planar_scans() {
    let cells = vec![9, 9, 9, -9, 9, 0, -9, 9];
    let grid = OccupancyGrid::new([0.0; 2], 1.0, [8, 1], cells).expect("a grid");
    let mut space = Space::default();
    space.add_map(5, Arc::new(grid), f64::INFINITY);
    let hit = |origin, direction| cast(&space, origin, direction);
    assert_eq!(hit([0.5, 0.5, 40.0], [1.0, 0.0, 0.0]), Some((2.5, [-1.0, 0.0, 0.0])));
    let (range, _) = hit([0.5, 0.5, 0.0], [2.5, 0.0, 2.5]).expect("a hit");
    assert!((range - 2.5 * 2f64.sqrt()).abs() < 1e-12, "{range}");
    assert_eq!(hit([3.5, 0.5, 0.0], [1.0, 0.0, 0.0]), Some((0.0, [-1.0, 0.0, 0.0])));
    assert_eq!(hit([3.5, 0.5, 0.0], [0.0, 0.0, 1.0]), Some((0.0, [0.0, 0.0, -1.0])));
    assert_eq!(hit([4.5, 0.5, 0.0], [1.0, 0.0, 0.0]), None, "an unknown cell ends it");
}

impl Draws {
    /// A number that is often round, so that rays meet corners and run along sides.
    fn lattice_coordinate(&mut self, size: f64) -> f64 {
        let value = self.between(-size, size);
        if self.bits().is_multiple_of(2) { value.round() } else { value }
    }
}

/// A prism of a random scene.
struct Solid {
    outline: Vec<[f64; 2]>,
    pose: Pose2,
    span: [f64; 2],
}

fn solids(draws: &mut Draws, count: usize) -> Vec<Solid> {
    (0..count)
        .map(|_| {
            let corners = 3 + draws.bits() as usize % 6;
            // star-shaped, and often not convex
            let corner = |i: usize, draws: &mut Draws| {
                let (sin, cos) = (2.0 * PI * i as f64 / corners as f64).sin_cos();
                let radius = draws.between(0.3, 2.0);
                [(radius * cos * 4.0).round() / 4.0, (radius * sin * 4.0).round() / 4.0]
            };
            let outline = (0..corners).map(|i| corner(i, draws)).collect();
            let yaw = if draws.bits().is_multiple_of(2) { 0.0 } else { draws.between(-PI, PI) };
            let pose =
                Pose2 { x: draws.lattice_coordinate(9.0), y: draws.lattice_coordinate(9.0), yaw };
            let bottom = draws.lattice_coordinate(2.0);
            Solid { outline, pose, span: [bottom, bottom + draws.between(0.1, 3.0)] }
        })
        .collect()
}

fn scene(draws: &mut Draws, solids: &[Solid]) -> (Space, HeightField) {
    let mut space = Space::default();
    let half = solids.len() / 2;
    let mut number = 0;
    for (from, to, fixed) in [(0, half, true), (half, solids.len(), false)] {
        let add = |all: &mut simhost_sensing::Solids<'_>| {
            for Solid { outline, pose, span: [low, high] } in &solids[from..to] {
                all.add(number, &Shape::new(outline), *pose, *low, Top::Flat(*high));
                number += 1;
            }
        };
        if fixed {
            space.set_fixed(add)
        } else {
            space.set_moving(add)
        };
    }
    let heights = (0..12 * 9).map(|_| draws.lattice_coordinate(2.0) as f32 - 3.0).collect();
    let field = HeightField::new([-6.0, -5.0], 1.0, [12, 9], heights).expect("a field");
    space.add_terrain(1000, Arc::new(field.clone()));
    space.add_plate(1001, [-4.0, 4.0], [-2.0, 2.0], 0.5);
    space.move_plate(0, Pose3 { x: 1.0, z: 4.0, yaw: 0.4, pitch: 0.2, ..Pose3::default() });
    space.add_level_ground(1002);
    (space, field)
}

fn beam(draws: &mut Draws) -> Beam {
    loop {
        let origin = [
            draws.lattice_coordinate(12.0),
            draws.lattice_coordinate(12.0),
            draws.lattice_coordinate(5.0),
        ];
        let mut direction = [0; 3].map(|_| draws.lattice_coordinate(1.0));
        match draws.bits() % 6 {
            0 => direction[2] = 0.0,
            1 => (direction[0], direction[1]) = (0.0, 0.0),
            2 => direction[0] = 0.0,
            _ => {}
        }
        let range =
            if draws.bits().is_multiple_of(4) { draws.between(0.0, 9.0) } else { f64::INFINITY };
        if let Some(beam) = Beam::new(origin, direction, range) {
            return beam;
        }
    }
}

fn bits(strike: Option<Strike>) -> Option<(u64, [u64; 3], u32)> {
    strike.map(|one| (one.range.to_bits(), one.normal.map(f64::to_bits), one.number))
}

#[test]
fn the_search_finds_what_brute_force_finds() {
    let mut draws = Draws(1);
    let mut hits = 0;
    for round in 0..60 {
        let solids = solids(&mut draws, [0, 1, 7, 30, 90][round % 5]);
        let (space, _) = scene(&mut draws, &solids);
        for _ in 0..300 {
            let (beam, hidden) = (beam(&mut draws), draws.bits() as u32 % 8);
            let accepts = |number: u32| number % 8 != hidden;
            let found = space.cast(&beam, &accepts);
            assert_eq!(bits(found), bits(space.cast_by_force(&beam, &accepts)), "{beam:?}");
            hits += usize::from(found.is_some());
        }
    }
    assert!(hits > 4000, "{hits} hits");
}

type Triangle = [[f64; 3]; 3];

/// Returns the surface of a prism: sides, and top and bottom by ears of a star-shaped outline.
fn triangles(solid: &Solid) -> Vec<Triangle> {
    let at = |point: [f64; 2], z: f64| {
        let [x, y] = solid.pose.transform(point);
        [x, y, z]
    };
    let [low, high] = solid.span;
    let corners = solid.outline.iter().zip(solid.outline.iter().cycle().skip(1));
    let mut all = Vec::new();
    for (&a, &b) in corners {
        all.push([at(a, low), at(b, low), at(b, high)]);
        all.push([at(a, low), at(b, high), at(a, high)]);
        for z in solid.span {
            all.push([at([0.0; 2], z), at(a, z), at(b, z)]);
        }
    }
    all
}

fn terrain_triangles(field: &HeightField) -> Vec<Triangle> {
    let [rows, columns] = field.size();
    let [x, y] = field.corner();
    let at = |r: usize, c: usize| {
        let height = field.height(r, c).expect("a sample");
        [x + r as f64, y + c as f64, height]
    };
    let cells = (0..rows - 1).flat_map(|r| (0..columns - 1).map(move |c| (r, c)));
    cells
        .flat_map(|(r, c)| {
            let (near, far) = (at(r, c), at(r + 1, c + 1));
            [[near, at(r + 1, c), far], [near, at(r, c + 1), far]]
        })
        .collect()
}

/// Returns the distance to a triangle (Möller and Trumbore 1997).
fn distance_to(origin: [f64; 3], direction: [f64; 3], [a, b, c]: Triangle) -> Option<f64> {
    let minus = |u: [f64; 3], v: [f64; 3]| [u[0] - v[0], u[1] - v[1], u[2] - v[2]];
    let dot = |u: [f64; 3], v: [f64; 3]| u[0] * v[0] + u[1] * v[1] + u[2] * v[2];
    let cross = |u: [f64; 3], v: [f64; 3]| {
        [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]]
    };
    let (e1, e2) = (minus(b, a), minus(c, a));
    let p = cross(direction, e2);
    let determinant = dot(e1, p);
    if determinant.abs() < 1e-12 {
        return None;
    }
    let s = minus(origin, a);
    let u = dot(s, p) / determinant;
    let q = cross(s, e1);
    let v = dot(direction, q) / determinant;
    let inside = u >= 0.0 && v >= 0.0 && u + v <= 1.0;
    let t = dot(e2, q) / determinant;
    (inside && t >= 0.0).then_some(t)
}

/// Rays in general position against the triangles of all surfaces.
#[test]
fn ranges_are_those_of_triangles() {
    let mut draws = Draws(2);
    let (mut hits, mut misses) = (0, 0);
    for _ in 0..25 {
        let solids = solids(&mut draws, 20);
        let (space, field) = scene(&mut draws, &solids);
        let mut surface: Vec<Triangle> = solids.iter().flat_map(triangles).collect();
        surface.extend(terrain_triangles(&field));
        for _ in 0..150 {
            let mut number = || draws.between(-1.0, 1.0);
            let origin = [11.0 * number(), 11.0 * number(), 4.0 * number()];
            let direction = [number(), number(), number()];
            let beam = Beam::new(origin, direction, f64::INFINITY).expect("a ray");
            let length = direction.iter().map(|part| part * part).sum::<f64>().sqrt();
            let unit = direction.map(|part| part / length);
            let distances = surface.iter().filter_map(|one| distance_to(origin, unit, *one));
            let expected = distances.fold(f64::INFINITY, f64::min);
            let found = space.cast(&beam, &|number| number <= 1000);
            let range = found.map_or(f64::INFINITY, |strike| strike.range);
            let same = range == expected || (range - expected).abs() < 1e-9 * (1.0 + expected);
            assert!(same, "{beam:?}: {found:?} instead of {expected}");
            if let Some(strike) = found {
                let facing: f64 = (0..3).map(|axis| strike.normal[axis] * unit[axis]).sum();
                let square: f64 = strike.normal.iter().map(|part| part * part).sum();
                assert!(facing <= 0.0 && (square - 1.0).abs() < 1e-12, "{strike:?}");
            }
            *if range.is_finite() { &mut hits } else { &mut misses } += 1;
        }
    }
    assert!(hits > 700 && misses > 500, "{hits} hits, {misses} misses");
}
