//! Empty scenes, limits, order of results, images, noise, and failures.

use simhost_gpu::reference::Reference;
use simhost_gpu::{
    Device, GpuError, Instance, Limits, Output, Pattern, Pose, Preference, RangeNoise, Readings,
    Scanner, Scene, Sensor,
};
use simhost_sdk::Random;

use crate::scenes::{cuboid, devices, point, random_scene, ray, sensor, submission};

fn fan(count: u32) -> Pattern {
    let angles = (0..count).map(|k| f64::from(k) * 0.01);
    Pattern { directions: angles.map(|angle| [angle.cos(), angle.sin(), 0.0]).collect() }
}

fn room() -> Scene {
    let walls = Instance { mesh: 0, pose: Pose::IDENTITY, scale: [5.0; 3], number: 3, group: None };
    Scene { meshes: vec![cuboid([1.0; 3])], fixed: vec![walls] }
}

#[test]
fn an_empty_scene_and_no_rays() {
    for device in devices() {
        let patterns = [fan(70), Pattern::default()];
        let mut scanner = Scanner::new(device, Scene::default(), &patterns).unwrap();
        let empty = Sensor { pattern: 1, ..sensor(Pose::IDENTITY) };
        let sensors = [empty, sensor(Pose::IDENTITY), empty];
        let readings = scanner.scan(&submission(&[], &sensors, Output::Ranges)).unwrap();
        assert_eq!(readings.sensors(), 3);
        assert_eq!(readings.ranges(1), [f32::INFINITY; 70]);
        assert!(readings.ranges(0).is_empty() && readings.ranges(2).is_empty());
        let readings = scanner.scan(&submission(&[], &[], Output::Hits)).unwrap();
        assert_eq!(readings.sensors(), 0);
        assert_eq!(readings.returns(0).len(), 0);
    }
}

#[test]
fn small_buffers_and_few_groups_give_the_same_bits() {
    let mut random = Random::new(11);
    let (scene, movers) = random_scene(&mut random, [0.0; 3]);
    let sensors: Vec<Sensor> = (0..5)
        .map(|_| sensor(Pose { position: point(&mut random, 9.0), ..Pose::IDENTITY }))
        .collect();
    for device in devices() {
        for output in [Output::Ranges, Output::Hits, Output::Image] {
            let submission = submission(&movers, &sensors, output);
            let mut whole = Scanner::new(device.clone(), scene.clone(), &[fan(1500)]).unwrap();
            let whole = whole.scan(&submission).unwrap();
            let limits = Limits { buffer: Some(48 * 1024), groups: Some(3) };
            let mut parts =
                Scanner::with_limits(device.clone(), scene.clone(), &[fan(1500)], limits).unwrap();
            let divided = parts.scan(&submission).unwrap();
            assert!(output == Output::Ranges || parts.results().count() > 1);
            assert_eq!(whole, divided);
        }
    }
}

#[test]
fn a_scene_that_no_shader_can_bind_is_an_error() {
    let limits = Limits { buffer: Some(256), groups: None };
    let mesh = crate::scenes::hills(64, 1.0);
    let ground =
        Instance { mesh: 0, pose: Pose::IDENTITY, scale: [1.0; 3], number: 0, group: None };
    let scene = Scene { meshes: vec![mesh], fixed: vec![ground] };
    let error = Scanner::with_limits(devices().remove(0), scene, &[fan(4)], limits).err().unwrap();
    assert!(matches!(error, GpuError::TooLarge { .. }), "{error}");
    assert!(error.to_string().contains("help: reduce the number of triangles"), "{error}");
}

#[test]
fn movers_move_and_groups_are_left_out() {
    for device in devices() {
        let mut scanner = Scanner::new(device, room(), &[fan(1)]).unwrap();
        let mut readings = Readings::default();
        for x in [2.0, 3.5, 3.0] {
            let pose = Pose { position: [x, 0.0, 0.0], ..Pose::IDENTITY };
            let mover = Instance { mesh: 0, pose, scale: [0.5; 3], number: 8, group: Some(4) };
            let plain = sensor(Pose::IDENTITY);
            let sensors =
                [plain, Sensor { ignore: Some(4), ..plain }, Sensor { near: 3.2, ..plain }];
            scanner
                .scan_into(&submission(&[mover], &sensors, Output::Ranges), &mut readings)
                .unwrap();
            assert!((f64::from(readings.ranges(0)[0]) - (x - 0.5)).abs() < 1e-6);
            assert!((readings.ranges(1)[0] - 5.0).abs() < 1e-6);
            let behind = if x + 0.5 > 3.2 { x + 0.5 } else { 5.0 };
            let behind = if x - 0.5 > 3.2 { x - 0.5 } else { behind };
            assert!((f64::from(readings.ranges(2)[0]) - behind).abs() < 1e-6);
        }
    }
}

#[test]
fn images_have_the_light_and_shadow_of_the_reference() {
    let mut random = Random::new(21);
    let (mut scene, movers) = random_scene(&mut random, [0.0; 3]);
    for (k, mesh) in scene.meshes.iter_mut().enumerate() {
        mesh.colours = (0..mesh.triangles.len()).map(|t| [50 * k as u8, t as u8, 120]).collect();
    }
    let pattern = Pattern::pinhole(48, 32, 1.2);
    let camera = sensor(Pose::new([-12.0, 3.0, 4.0], 0.1, 0.2, 0.0));
    let reference = Reference::new(&scene, &movers);
    let lit = submission(&movers, &[], Output::Image).light;
    for device in devices() {
        let mut scanner =
            Scanner::new(device, scene.clone(), std::slice::from_ref(&pattern)).unwrap();
        let readings = scanner.scan(&submission(&movers, &[camera], Output::Image)).unwrap();
        let mut differ = 0;
        for (pixel, direction) in readings.pixels(0).zip(&pattern.directions) {
            let ray = ray(&camera, *direction);
            let (range, colour) = reference.shade(&ray, None, &lit);
            let same_range = range == f64::from(pixel.range)
                || (f64::from(pixel.range) - range).abs() <= 1e-4 * range;
            let close = colour.iter().zip(pixel.colour).all(|(a, b)| a.abs_diff(b) <= 1);
            differ += usize::from(!(same_range && close));
        }
        let colours: std::collections::BTreeSet<[u8; 3]> =
            readings.pixels(0).map(|pixel| pixel.colour).collect();
        assert!(colours.len() > 20, "{}", colours.len());
        assert!(differ <= 3, "{differ} of {} pixels", 48 * 32);
    }
}

#[test]
fn noise_is_that_of_the_stream_of_the_cpu() {
    let count = 60_000;
    let key = 0xDEAD_BEEF_1234_5678;
    let pattern = Pattern { directions: vec![[1.0, 0.0, 0.0]; count] };
    let mut expected = vec![0.0; count];
    Random::new(key).fill_normal(&mut expected);
    for device in devices() {
        let mut scanner = Scanner::new(device, room(), std::slice::from_ref(&pattern)).unwrap();
        // ranges of 5 m have steps of 5e-7 m, so that a deviation of 8 m shows 1e-6 σ
        let noise = Some(RangeNoise { key, deviation: 8.0 });
        let sensors = [Sensor { noise, ..sensor(Pose::IDENTITY) }];
        let readings = scanner.scan(&submission(&[], &sensors, Output::Ranges)).unwrap();
        let worst = readings
            .ranges(0)
            .iter()
            .zip(&expected)
            .map(|(range, expected)| ((f64::from(*range) - 5.0) / 8.0 - expected).abs());
        let worst = worst.fold(0.0, f64::max);
        assert!(worst < 1e-5, "{worst} σ");
    }
}

#[test]
fn results_stay_on_the_device_until_they_are_read() {
    for device in devices() {
        let mut scanner = Scanner::new(device, room(), &[fan(100)]).unwrap();
        let sensors = [sensor(Pose::IDENTITY); 3];
        scanner.launch(&submission(&[], &sensors, Output::Ranges)).unwrap();
        scanner.wait().unwrap();
        let rays: Vec<u32> = scanner.results().map(|(_, rays)| rays).collect();
        assert_eq!(rays, [300]);
        assert!(scanner.results().all(|(buffer, rays)| buffer.size() >= 4 * u64::from(rays)));
    }
}

#[test]
fn a_lost_device_is_an_error() {
    let device = Device::open(Preference::Software).unwrap();
    let mut scanner = Scanner::new(device.clone(), room(), &[fan(100)]).unwrap();
    let sensors = [sensor(Pose::IDENTITY)];
    let all = submission(&[], &sensors, Output::Ranges);
    scanner.scan(&all).unwrap();
    scanner.launch(&all).unwrap();
    device.destroy();
    let error = scanner.scan(&all).unwrap_err();
    assert!(error.is_loss(), "{error}");
    assert!(scanner.wait().unwrap_err().is_loss());
    assert!(scanner.launch(&all).unwrap_err().is_loss());
    assert!(Scanner::new(device, room(), &[fan(1)]).err().unwrap().is_loss());
}

#[test]
fn defects_of_submissions_are_errors() {
    let mut scanner = Scanner::new(devices().remove(0), room(), &[fan(3)]).unwrap();
    let plain = sensor(Pose::IDENTITY);
    let nowhere = Pose { position: [f64::NAN, 0.0, 0.0], ..Pose::IDENTITY };
    let mut fails = |movers: &[Instance], sensor: Sensor| {
        scanner.scan(&submission(movers, &[sensor], Output::Ranges)).unwrap_err().to_string()
    };
    let message = fails(&[], Sensor { pattern: 1, ..plain });
    assert_eq!(message, "sensor 0: it uses pattern 1; expected an index below 1");
    let message = fails(&[], Sensor { near: 9.0, far: 9.0, ..plain });
    assert_eq!(message, "sensor 0: found ranges from 9 m to 9 m; expected 0 ≤ near < far");
    let message = fails(&[], Sensor { pose: nowhere, ..plain });
    assert_eq!(message, "sensor 0: its position is not finite");
    let noise = Some(RangeNoise { key: 0, deviation: -1.0 });
    let message = fails(&[], Sensor { noise, ..plain });
    assert_eq!(message, "sensor 0: found a deviation of -1 m; expected a finite number from 0");
    let mover = Instance { mesh: 2, pose: Pose::IDENTITY, scale: [1.0; 3], number: 0, group: None };
    let message = fails(&[mover], plain);
    assert_eq!(message, "instance 0: it uses mesh 2; expected an index below 1");
    assert_eq!(Device::open(Preference::Off).err().map(|error| error.is_loss()), Some(false));
}
