//! Scans of bundles against brute force, bit by bit, for many patterns of rays.

use std::f64::consts::{PI, TAU};

use crate::scenes::{Draws, everything, lumpy_ball};
use simhost_scene::{Pose2, Pose3};
use simhost_sensing::{Body, Bundle, Geometry, Return, Shape, Space, Top};

fn direction(azimuth: f64, elevation: f64) -> [f64; 3] {
    let level = elevation.cos();
    [level * azimuth.cos(), level * azimuth.sin(), elevation.sin()]
}

/// Rays of a spinning lidar, ring by ring or column by column.
fn lattice([rings, columns]: [usize; 2], by_ring: bool, turn: f64) -> Vec<[f64; 3]> {
    let ray = |ring: usize, column: usize| {
        direction(turn * column as f64 / columns as f64, 0.5 * ring as f64 / rings as f64 - 0.3)
    };
    (0..rings * columns)
        .map(|at| match by_ring {
            true => ray(at / columns, at % columns),
            false => ray(at % rings, at / rings),
        })
        .collect()
}

/// Rays of a pinhole camera.
fn camera([width, height]: [usize; 2]) -> Vec<[f64; 3]> {
    let pixel = |at: usize| {
        let (u, v) = ((at % width) as f64, (at / width) as f64);
        let [y, z] = [0.5 - u / width as f64, 0.4 - 0.8 * v / height as f64];
        let length = (1.0 + y * y + z * z).sqrt();
        [1.0 / length, y / length, z / length]
    };
    (0..width * height).map(pixel).collect()
}

fn patterns(draws: &mut Draws) -> Vec<(&'static str, Vec<[f64; 3]>)> {
    let random = |draws: &mut Draws| direction(draws.between(-PI, PI), draws.between(-1.5, 1.5));
    let mut noisy = lattice([8, 60], true, TAU);
    for ray in &mut noisy {
        let azimuth = ray[1].atan2(ray[0]) + draws.between(-0.02, 0.02);
        *ray = direction(azimuth, ray[2].asin() + draws.between(-0.02, 0.02));
    }
    let mut odd: Vec<_> = (0..400).map(|_| random(draws)).collect();
    (odd[3], odd[7]) = ([f64::NAN, 0.0, 1.0], [0.0; 3]);
    (odd[9], odd[11], odd[12]) = ([0.0, 0.0, 1.0], [0.0, 0.0, -1.0], [f64::INFINITY, 0.0, 0.0]);
    let rosette = (0..500).map(|at| {
        let angle = 0.1 * f64::from(at);
        direction(0.6 * (angle * 1.3).sin(), 0.5 * (angle * 0.7).cos())
    });
    vec![
        ("rings", lattice([16, 50], true, TAU)),
        ("columns", lattice([16, 50], false, -TAU)),
        ("a part of a turn", lattice([9, 40], true, 1.7)),
        ("one ring", lattice([1, 600], true, TAU)),
        ("one column", lattice([600, 1], true, TAU)),
        ("noise", noisy),
        ("a camera", camera([32, 24])),
        // rows of pixels near the optical axis leave gaps between them
        ("a wide camera", camera([120, 30])),
        ("a rosette", rosette.collect()),
        ("random directions", odd),
        ("equal directions", vec![direction(1.0, -0.2); 300]),
        ("few rays", lattice([4, 10], true, TAU)),
    ]
}

fn bits(found: &Return) -> (u64, [u32; 3], u32, u32) {
    (found.range.to_bits(), found.normal.map(f32::to_bits), found.number, found.surface)
}

/// Compares a scan with brute force. Returns the number of rays that meet something.
fn compare(name: &str, space: &Space, bundle: &Bundle<'_>, hidden: u32) -> usize {
    let accepts = |number: u32| number % 7 != hidden;
    let mut fast = vec![Return::NOTHING; bundle.directions.len()];
    let mut slow = fast.clone();
    space.scan(bundle, &accepts, &mut fast);
    space.scan_by_force(bundle, &accepts, &mut slow);
    for (ray, (fast, slow)) in fast.iter().zip(&slow).enumerate() {
        let (direction, pose) = (bundle.directions[ray], bundle.pose_of(ray));
        assert_eq!(bits(fast), bits(slow), "{name}, ray {ray}: {direction:?} from {pose:?}");
    }
    slow.iter().filter(|found| found.range.is_finite()).count()
}

#[test]
fn scans_have_the_bits_of_brute_force() {
    let mut draws = Draws(8);
    let mut hits = 0;
    for round in 0..6 {
        let space = everything(&mut draws, [0, 3, 12][round % 3]);
        for (name, directions) in patterns(&mut draws) {
            let pose = draws.pose(8.0);
            let level = Pose3 { pitch: 0.0, roll: 0.0, ..pose };
            let pose = if draws.bits().is_multiple_of(2) { level } else { pose };
            let max_range = [30.0, f64::INFINITY, 4.0][round % 3];
            let bundle =
                Bundle { pose, poses: &[], rays_per_pose: 1, directions: &directions, max_range };
            hits += compare(name, &space, &bundle, draws.bits() as u32 % 14);
        }
    }
    assert!(hits > 9_000, "{hits} hits");
}

/// Rays along sides, through corners and upright, from points on the lines of sides and within solids.
#[test]
fn rays_along_the_sides_of_solids_have_the_bits_of_brute_force() {
    let mut space = Space::default();
    let square = Shape::new(&[[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]]);
    let notched = Shape::new(&[[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [0.0, 0.0], [-1.0, 1.0]]);
    let solid = space.add_geometry(Geometry::Box([[-1.0, -1.0, 0.0], [1.0, 1.0, 2.0]]));
    space.add_level_ground(0u32);
    space.set_fixed(|solids| {
        for (number, x) in (1u32..).zip([-4.0, 0.0, 4.0]) {
            let (left, right) = (Pose2 { x, y: -4.0, yaw: 0.0 }, Pose2 { x, y: 4.0, yaw: 0.0 });
            solids.add(number, &square, left, 0.0, Top::Flat(2.0));
            solids.add(number + 10, &notched, right, 0.0, Top::Ramp { base: 1.0, slope: 0.5 });
            solids.place(number + 20, solid, &Pose3 { x, ..Pose3::default() }, 1.0);
        }
    });
    let signs = [-1.0, 0.0, 1.0];
    let parts = [[3.0, 4.0, 0.0], [4.0, 0.0, 3.0], [0.0, 3.0, 4.0], [5.0, 0.0, 0.0]];
    let turned = parts.iter().flat_map(|[x, y, z]| [[*x, *y, *z], [*y, *z, *x], [*z, *x, *y]]);
    let all = turned.flat_map(|part| {
        let signs =
            signs.iter().flat_map(|x| signs.iter().flat_map(|y| signs.map(|z| [*x, *y, z])));
        signs.map(move |signs| [0, 1, 2].map(|k| 0.2 * signs[k] * part[k]))
    });
    let directions: Vec<_> = all.filter(|[x, y, z]| x * x + y * y + z * z > 0.9).collect();
    let mut hits = 0;
    let places = [-5.0, -4.5, -3.0, -2.0, -1.0, 0.0, 0.5, 1.0, 3.0, 6.0];
    for (x, y) in places.iter().flat_map(|x| places.map(|y| (*x, y))) {
        for z in [0.0, 0.5, 2.0, 3.0] {
            let pose = Pose3 { x, y, z, ..Pose3::default() };
            let max_range = if z == 0.5 { 3.0 } else { f64::INFINITY };
            let directions: Vec<_> = directions.iter().cycle().take(280).copied().collect();
            let bundle =
                Bundle { pose, poses: &[], rays_per_pose: 1, directions: &directions, max_range };
            hits += compare("along sides", &space, &bundle, 9);
        }
    }
    assert!(hits > 40_000, "{hits} hits");
}

/// A sensor above, below, on and within meshes.
#[test]
fn a_sensor_close_to_a_surface_misses_nothing() {
    let mut draws = Draws(9);
    for round in 0..8 {
        let mut space = Space::default();
        let body = Body::new(&lumpy_ball(&mut draws, 12));
        let vertex = lumpy_ball(&mut Draws(1), 3).vertices()[4];
        let id = space.add_geometry(Geometry::Mesh(std::sync::Arc::new(body)));
        space.set_fixed(|solids| solids.place(1, id, &Pose3::default(), 1.0));
        let [x, y, z] = [[0.0; 3], [0.0, 0.0, 2.0], [0.0, 0.0, -1.3], vertex][round % 4];
        let pose = Pose3 { x, y, z, yaw: draws.between(-PI, PI), ..Pose3::default() };
        for (name, directions) in patterns(&mut draws) {
            let bundle = Bundle {
                pose,
                poses: &[],
                rays_per_pose: 1,
                directions: &directions,
                max_range: 9.0,
            };
            compare(name, &space, &bundle, 5);
        }
    }
}

#[test]
fn groups_of_rays_have_their_own_poses() {
    let mut draws = Draws(10);
    let space = everything(&mut draws, 6);
    for (rings, columns) in [(16, 40), (300, 3)] {
        let directions = lattice([rings, columns], false, TAU);
        let poses: Vec<_> = (0..columns).map(|_| draws.pose(5.0)).collect();
        let pose = Pose3::default();
        let bundle = Bundle {
            pose,
            poses: &poses,
            rays_per_pose: rings,
            directions: &directions,
            max_range: 20.0,
        };
        compare("groups", &space, &bundle, 5);
        // two parts are the whole
        let mut whole = vec![Return::NOTHING; directions.len()];
        let mut parts = whole.clone();
        space.scan(&bundle, &|_| true, &mut whole);
        let middle = rings * (columns / 2);
        let (first, second) = parts.split_at_mut(middle);
        space.scan(&bundle.part(0..middle), &|_| true, first);
        space.scan(&bundle.part(middle..directions.len()), &|_| true, second);
        assert_eq!(whole, parts);
    }
}

#[test]
fn ranges_that_reach_nothing_meet_nothing() {
    let space = everything(&mut Draws(11), 6);
    let directions = lattice([16, 50], true, TAU);
    for max_range in [-1.0, f64::NAN, 0.0] {
        let pose = Pose3 { z: 30.0, ..Pose3::default() };
        let bundle =
            Bundle { pose, poses: &[], rays_per_pose: 1, directions: &directions, max_range };
        assert_eq!(compare("no range", &space, &bundle, 9), 0);
    }
}
