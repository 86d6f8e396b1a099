//! Agreement with 64-bit arithmetic.

use proptest::prelude::*;
use simhost_gpu::reference::Reference;
use simhost_gpu::{Instance, Output, Pattern, Pose, Scanner, Scene, Sensor};
use simhost_sdk::Random;

use crate::scenes::{
    between, cuboid, devices, disagreements, hills, point, random_scene, sensor, submission, turned,
};

fn ball(random: &mut Random, count: usize) -> Pattern {
    let directions = (0..count).map(|_| [0; 3].map(|_| random.normal())).collect();
    Pattern { directions }
}

/// Scans on all devices, and returns the number of rays that differ and the number of all.
fn compare(
    scene: &Scene,
    movers: &[Instance],
    pattern: &Pattern,
    sensors: &[Sensor],
) -> (usize, usize) {
    let reference = Reference::new(scene, movers);
    let (mut differ, mut all) = (0, 0);
    for device in devices() {
        let mut scanner =
            Scanner::new(device, scene.clone(), std::slice::from_ref(pattern)).unwrap();
        let readings = scanner.scan(&submission(movers, sensors, Output::Hits)).unwrap();
        for (k, sensor) in sensors.iter().enumerate() {
            assert_eq!(readings.returns(k).len(), pattern.directions.len());
            differ += disagreements(&reference, sensor, &pattern.directions, readings.returns(k));
            all += pattern.directions.len();
        }
    }
    (differ, all)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 4, ..ProptestConfig::default() })]

    #[test]
    fn random_scenes_anywhere_agree(seed in any::<u64>(), far in prop::sample::select(vec![0.0, 1e3, 5e6])) {
        let mut random = Random::new(seed);
        let centre = point(&mut random, far);
        let (scene, movers) = random_scene(&mut random, centre);
        let pattern = ball(&mut random, 1000);
        let sensors: Vec<Sensor> = (0..3u32).map(|k| {
            let offset = point(&mut random, 12.0);
            let position = [0, 1, 2].map(|axis| centre[axis] + offset[axis]);
            let ignore = (k == 2).then_some(1);
            Sensor { ignore, ..sensor(turned(&mut random, position)) }
        }).collect();
        let (differ, all) = compare(&scene, &movers, &pattern, &sensors);
        prop_assert!(differ <= 2, "{differ} of {all}");
    }
}

#[test]
fn a_lattice_on_hills_agrees_in_all_but_one_of_ten_thousand() {
    let azimuths: Vec<f64> = (0..360).map(|k| f64::from(k) * 0.017_453_292_5).collect();
    let elevations: Vec<f64> = (0..32).map(|k| -0.4 + 0.02 * f64::from(k)).collect();
    let pattern = Pattern::lattice(&azimuths, &elevations);
    let ground =
        Instance { mesh: 0, pose: Pose::IDENTITY, scale: [1.0; 3], number: 0, group: None };
    let meshes = vec![hills(40, 3.0), cuboid([2.0, 1.0, 1.0])];
    let scene = Scene { meshes, fixed: vec![ground] };
    let car = |k: u32| Instance {
        mesh: 1,
        pose: Pose::new([f64::from(k) * 4.0 - 20.0, 7.0, 0.0], f64::from(k), 0.0, 0.0),
        scale: [1.0; 3],
        number: 1 + k,
        group: Some(k),
    };
    let movers: Vec<Instance> = (0..10).map(car).collect();
    let sensors = [sensor(Pose::new([0.3, 0.2, 1.03], 0.1, 0.0, 0.0))];
    let (differ, all) = compare(&scene, &movers, &pattern, &sensors);
    assert!(differ * 10_000 <= all, "{differ} of {all}");
}

/// Rays along the axes meet edges, diagonals, corners and planes of boxes exactly.
#[test]
fn rays_through_edges_and_corners_leave_no_gap() {
    let steps: Vec<f64> = (-8..=8).map(|k| f64::from(k) / 8.0).collect();
    let square = steps.iter().flat_map(|y| steps.iter().map(move |z| [1.0, *y, *z]));
    let faces =
        square.flat_map(|[x, y, z]| [[x, y, z], [-x, y, z], [y, x, z], [y, z, x], [y, z, -x]]);
    let pattern = Pattern { directions: faces.collect() };
    let room = Instance { mesh: 0, pose: Pose::IDENTITY, scale: [4.0; 3], number: 5, group: None };
    let meshes = vec![cuboid([1.0; 3])];
    let sensors = [sensor(Pose::IDENTITY)];
    for moves in [false, true] {
        let (fixed, movers) = if moves { (vec![], vec![room]) } else { (vec![room], vec![]) };
        let scene = Scene { meshes: meshes.clone(), fixed };
        for device in devices() {
            let mut scanner =
                Scanner::new(device, scene.clone(), std::slice::from_ref(&pattern)).unwrap();
            let readings = scanner.scan(&submission(&movers, &sensors, Output::Hits)).unwrap();
            for (found, direction) in readings.returns(0).zip(&pattern.directions) {
                let found = found.unwrap_or_else(|| panic!("{direction:?} passes the wall"));
                let length = direction.iter().map(|c| c * c).sum::<f64>().sqrt();
                assert!((f64::from(found.range) - 4.0 * length).abs() < 1e-5, "{direction:?}");
                assert_eq!(found.instance, 5);
            }
        }
    }
}

/// A ray that runs in the plane of a wall does not meet it.
#[test]
fn rays_in_the_plane_of_a_triangle_pass_it() {
    let vertices = vec![[2.0, 0.0, -1.0], [4.0, 0.0, -1.0], [3.0, 0.0, 3.0]];
    let blade = simhost_gpu::Mesh { vertices, triangles: vec![[0, 1, 2]], colours: Vec::new() };
    let instance = |mesh, number, x| {
        let pose = Pose { position: [x, 0.0, 0.0], ..Pose::IDENTITY };
        Instance { mesh, pose, scale: [1.0; 3], number, group: None }
    };
    let meshes = vec![blade, cuboid([1.0, 5.0, 5.0])];
    let scene = Scene { meshes, fixed: vec![instance(0, 1, 0.0), instance(1, 2, 9.0)] };
    let pattern = Pattern { directions: vec![[1.0, 0.0, 0.0], [1.0, 0.0, 0.1]] };
    for device in devices() {
        let mut scanner =
            Scanner::new(device, scene.clone(), std::slice::from_ref(&pattern)).unwrap();
        let sensors = [sensor(Pose::IDENTITY)];
        let readings = scanner.scan(&submission(&[], &sensors, Output::Hits)).unwrap();
        let numbers: Vec<_> = readings.returns(0).map(|hit| hit.map(|hit| hit.instance)).collect();
        assert_eq!(numbers, [Some(2), Some(2)]);
    }
}

/// Ranges above a plain of two triangles of 20 km, far from its centre.
#[test]
fn a_large_plain_is_exact_near_the_sensor() {
    let size = 10_000.0;
    let vertices =
        vec![[-size, -size, 0.0], [size, -size, 40.0], [size, size, 0.0], [-size, size, -60.0]];
    let mesh =
        simhost_gpu::Mesh { vertices, triangles: vec![[0, 1, 2], [0, 2, 3]], colours: Vec::new() };
    let pose = Pose { position: [4e5, 5.5e6, 0.0], ..Pose::IDENTITY };
    let plain = Instance { mesh: 0, pose, scale: [1.0; 3], number: 1, group: None };
    let scene = Scene { meshes: vec![mesh], fixed: vec![plain] };
    let mut random = Random::new(5);
    let directions: Vec<[f64; 3]> = (0..3000)
        .map(|_| [random.normal(), random.normal(), between(&mut random, -2.0, -0.1)])
        .collect();
    let pattern = Pattern { directions };
    let position = [4e5 + 7321.5, 5.5e6 - 6412.25, 40.0];
    let sensors = [Sensor { far: 5000.0, ..sensor(Pose { position, ..Pose::IDENTITY }) }];
    let (differ, all) = compare(&scene, &[], &pattern, &sensors);
    assert_eq!(differ, 0, "of {all}");
}
