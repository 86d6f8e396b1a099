//! Random scenes, and what all tests need.

use std::sync::OnceLock;

use simhost_gpu::reference::{Ray, Reference};
use simhost_gpu::{
    Device, Instance, Light, Mesh, Output, Pose, Preference, Scene, Sensor, Submission,
};
use simhost_sdk::Random;

/// Returns the software adapter, and a hardware adapter where there is one.
pub fn devices() -> Vec<Device> {
    static DEVICES: OnceLock<Vec<Device>> = OnceLock::new();
    let open = || {
        let software = Device::open(Preference::Software).unwrap_or_else(|error| panic!("{error}"));
        std::iter::once(software).chain(Device::open(Preference::Auto)).collect()
    };
    DEVICES.get_or_init(open).clone()
}

pub fn between(random: &mut Random, low: f64, high: f64) -> f64 {
    low + (high - low) * random.uniform()
}

pub fn point(random: &mut Random, size: f64) -> [f64; 3] {
    [0; 3].map(|_| between(random, -size, size))
}

/// A box of half sizes, with corners in all octants.
pub fn cuboid(half: [f64; 3]) -> Mesh {
    let corner = |k: usize| [0, 1, 2].map(|axis| half[axis] * [-1.0, 1.0][k >> axis & 1]);
    let faces: [[u32; 4]; 6] =
        [[0, 2, 6, 4], [1, 3, 7, 5], [0, 1, 5, 4], [2, 3, 7, 6], [0, 1, 3, 2], [4, 5, 7, 6]];
    let triangles = faces.iter().flat_map(|[a, b, c, d]| [[*a, *b, *c], [*a, *c, *d]]).collect();
    Mesh { vertices: (0..8).map(corner).collect(), triangles, colours: Vec::new() }
}

/// Hills on a square grid of cells around the origin.
pub fn hills(cells: usize, cell: f64) -> Mesh {
    let side = cells + 1;
    let at = |k: usize| (k as f64 - 0.5 * cells as f64) * cell;
    let height = |x: f64, y: f64| (0.11 * x).sin() * (0.07 * y).cos() * 2.0 - 1.5;
    let vertices = (0..side * side).map(|k| {
        let (x, y) = (at(k % side), at(k / side));
        [x, y, height(x, y)]
    });
    let triangles = (0..cells * cells).flat_map(|k| {
        let a = (k / cells * side + k % cells) as u32;
        let b = a + side as u32;
        [[a, a + 1, b + 1], [a, b + 1, b]]
    });
    Mesh { vertices: vertices.collect(), triangles: triangles.collect(), colours: Vec::new() }
}

/// Triangles of any shape: long, thin, without area.
pub fn soup(random: &mut Random, count: usize) -> Mesh {
    let vertices: Vec<[f64; 3]> = (0..count)
        .flat_map(|k| {
            let centre = point(random, 3.0);
            let size = [1.0, 0.01, 5.0][k % 3];
            let a = centre;
            let b = [0, 1, 2].map(|axis| centre[axis] + point(random, size)[axis]);
            let c = match k % 7 {
                0 => a,
                1 => [0, 1, 2].map(|axis| 2.0 * b[axis] - a[axis]),
                _ => [0, 1, 2].map(|axis| centre[axis] + point(random, 1.0)[axis]),
            };
            [a, b, c]
        })
        .collect();
    let triangles = (0..count as u32).map(|k| [3 * k, 3 * k + 1, 3 * k + 2]).collect();
    Mesh { vertices, triangles, colours: Vec::new() }
}

pub fn turned(random: &mut Random, position: [f64; 3]) -> Pose {
    let mut angle = || between(random, -3.2, 3.2);
    Pose::new(position, angle(), angle(), angle())
}

/// Fixed and moving instances of boxes, hills and soups around a place.
pub fn random_scene(random: &mut Random, centre: [f64; 3]) -> (Scene, Vec<Instance>) {
    let meshes = vec![cuboid([1.0, 2.0, 0.5]), hills(24, 2.0), soup(random, 40)];
    let mut number = 0;
    let mut instance = |random: &mut Random, mesh: usize, spread: f64| {
        let offset = point(random, spread);
        let position = [0, 1, 2].map(|axis| centre[axis] + offset[axis]);
        number += 1;
        let scale =
            [0; 3].map(|_| between(random, 0.3, 2.0) * [1.0, -1.0][(random.bits() & 1) as usize]);
        Instance { mesh, pose: turned(random, position), scale, number, group: Some(number % 4) }
    };
    let mut fixed: Vec<Instance> = (0..12).map(|k| instance(random, k % 3 * 2 % 3, 25.0)).collect();
    let ground = Pose { position: centre, ..Pose::IDENTITY };
    fixed.push(Instance { mesh: 1, pose: ground, scale: [1.0; 3], number: 99, group: None });
    let movers = (0..15).map(|k| instance(random, k % 3, 15.0)).collect();
    (Scene { meshes, fixed }, movers)
}

pub fn sensor(pose: Pose) -> Sensor {
    Sensor { pattern: 0, pose, near: 0.1, far: 200.0, ignore: None, noise: None }
}

pub fn submission<'a>(
    movers: &'a [Instance],
    sensors: &'a [Sensor],
    output: Output,
) -> Submission<'a> {
    Submission { movers, sensors, output, light: Light::default() }
}

/// The ray of a sensor along a direction of its pattern.
pub fn ray(sensor: &Sensor, direction: [f64; 3]) -> Ray {
    let length = direction.iter().map(|c| c * c).sum::<f64>().sqrt();
    let direction = sensor.pose.rotate(direction.map(|c| c / length));
    let origin = sensor.pose.position;
    Ray { origin, direction, near: sensor.near.into(), far: sensor.far.into() }
}

/// Directions around a ray, within 1e-5 rad.
pub fn neighbours(ray: &Ray) -> Vec<Ray> {
    let d = ray.direction;
    let helper = if d[0].abs() < 0.7 { [1.0, 0.0, 0.0] } else { [0.0, 1.0, 0.0] };
    let cross = |a: [f64; 3], b: [f64; 3]| {
        [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
    };
    let u = cross(d, helper);
    let length = u.iter().map(|c| c * c).sum::<f64>().sqrt();
    let u = u.map(|c| c / length);
    let v = cross(d, u);
    let ring = |k: i32| {
        let angle = f64::from(k) * 0.45;
        let (a, b) = (angle.cos(), angle.sin());
        [9e-6, 3e-6, 3e-7].map(|radius| {
            let direction = [0, 1, 2].map(|axis| d[axis] + radius * (a * u[axis] + b * v[axis]));
            Ray { direction, ..*ray }
        })
    };
    (0..14).flat_map(ring).collect()
}

/// Counts rays whose range or surface differs, and requires for each of them that a ray within
/// 1e-5 rad meets what the device reports.
pub fn disagreements(
    reference: &Reference,
    sensor: &Sensor,
    directions: &[[f64; 3]],
    returns: impl Iterator<Item = Option<simhost_gpu::Return>>,
) -> usize {
    let mut differ = 0;
    for (k, (direction, found)) in directions.iter().zip(returns).enumerate() {
        let ray = ray(sensor, *direction);
        let expected = reference.cast(&ray, sensor.ignore);
        let agrees = match (found, expected) {
            (None, None) => true,
            (Some(found), Some(expected)) => {
                let off = (f64::from(found.range) - expected.range).abs();
                off <= 1e-4 * expected.range
            }
            _ => false,
        };
        if agrees {
            continue;
        }
        differ += 1;
        let near = neighbours(&ray).into_iter().map(|ray| reference.cast(&ray, sensor.ignore));
        let same = |near: Option<simhost_gpu::reference::Hit>| {
            near.map(|hit| hit.instance) == found.map(|hit| hit.instance)
        };
        assert!({ near }.any(same), "ray {k} {ray:?}: found {found:?}, expected {expected:?}");
    }
    differ
}
