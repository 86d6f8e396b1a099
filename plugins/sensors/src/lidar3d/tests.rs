use simhost_sdk::testing::{self, Sampler, step};

use super::*;

fn lidar(given: &[(&str, f64)]) -> Lidar3d {
    let small = [("vert_nrays", 3.0), ("horz_nrays", 4.0), ("range_std_noise", 0.0)];
    testing::sensor(&[&small, given].concat())
}

/// Reads ranges that are all `range`, on a white surface that every ray meets at right angles.
fn read(model: &Lidar3d, range: f64, key: u64) -> Vec<Vec<f64>> {
    let count = model.rays();
    let mut sampler = Sampler::new(model);
    sampler.set_result(RayResult::CosIncidence, &vec![0.5; count]);
    sampler.set_result(RayResult::Reflectivity, &vec![0.8; count]);
    sampler.set_result(RayResult::Entity, &vec![7.0; count]);
    sampler.set_result(RayResult::Class, &vec![2.0; count]);
    sampler.read(&(), &vec![range; count], key, &step()).rays
}

#[test]
fn rays_go_ring_by_ring_and_column_by_column() {
    let model = lidar(&[]);
    let fan = Sampler::new(&model).aim(1);
    let deg = |values: &[f64]| -> Vec<f64> {
        values.iter().map(|value| (value / math::DEG * 1e9).round() / 1e9).collect()
    };
    assert_eq!(deg(&fan.elevations), [-15.0, 0.0, 15.0].repeat(4));
    let azimuths: Vec<f64> = [-180.0, -90.0, 0.0, 90.0].iter().flat_map(|a| [*a; 3]).collect();
    assert_eq!(deg(&fan.angles), azimuths);
    assert_eq!(fan.times, [0.0; 12]);
    assert!(fan.see_own && fan.see_bodies && fan.max_range == 80.0);
}

#[test]
fn points_lie_on_their_rays() {
    let rays = read(&lidar(&[]), 10.0, 1);
    let [x, y, z] = [rays[0][7], rays[1][7], rays[2][7]];
    assert!((x - 10.0).abs() < 1e-12 && y.abs() < 1e-12 && z.abs() < 1e-12, "{x} {y} {z}");
    assert!((rays[2][8] - 10.0 * (15.0 * math::DEG).sin()).abs() < 1e-12);
    assert_eq!(rays[4], [0.4; 12]);
    assert_eq!(rays[5], [0.0, 1.0, 2.0].repeat(4));
    assert_eq!((rays[7][0], rays[8][0], rays[9][0]), (7.0, 2.0, 1.0));
}

#[test]
fn ranges_beyond_the_limits_give_no_return() {
    let model = lidar(&[("min_range", 1.0), ("max_range", 20.0)]);
    for (range, valid) in [(0.99, 0.0), (1.0, 1.0), (20.0, 1.0), (f64::INFINITY, 0.0)] {
        let rays = read(&model, range, 1);
        assert_eq!(rays[9], [valid; 12], "{range}");
        let expected = if valid == 1.0 { range } else { 0.0 };
        assert_eq!(rays[3], [expected; 12], "{range}");
        assert!(rays.iter().flatten().all(|value| value.is_finite()));
    }
}

#[test]
fn a_spinning_mirror_gives_each_column_its_time() {
    for (spin, first) in [(10.0, -180.0), (-10.0, 90.0)] {
        let fan = Sampler::new(&lidar(&[("spin", spin)])).aim(1);
        assert!((fan.angles[0] - first * math::DEG).abs() < 1e-12, "{spin}");
        let times: Vec<f64> = fan.times.chunks(3).map(|times| times[0]).collect();
        for (time, expected) in times.iter().zip([-0.075, -0.05, -0.025, 0.0]) {
            assert!((time - expected).abs() < 1e-12, "{spin}: {times:?}");
        }
    }
}

#[test]
fn noise_has_its_mean_and_deviation() {
    let noisy = [("range_std_noise", 0.05), ("angle_std_noise_deg", 0.2), ("horz_nrays", 4000.0)];
    let model = lidar(&noisy);
    let statistics = |values: &[f64]| {
        let count = values.len() as f64;
        let mean = values.iter().sum::<f64>() / count;
        let square = values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / count;
        (mean, square.sqrt())
    };
    let (mean, deviation) = statistics(&read(&model, 10.0, 3)[3]);
    assert!((mean - 10.0).abs() < 2e-3 && (deviation / 0.05 - 1.0).abs() < 0.03);
    let fan = Sampler::new(&model).aim(3);
    let nominal = Sampler::new(&lidar(&[("horz_nrays", 4000.0)])).aim(3);
    for (noisy, nominal) in [(&fan.angles, &nominal.angles), (&fan.elevations, &nominal.elevations)]
    {
        let errors: Vec<f64> =
            noisy.iter().zip(nominal).map(|(a, b)| (a - b) / math::DEG).collect();
        let (mean, deviation) = statistics(&errors);
        assert!(mean.abs() < 8e-3 && (deviation / 0.2 - 1.0).abs() < 0.03, "{mean} {deviation}");
    }
}

#[test]
fn returns_are_lost_with_their_probability() {
    let model = lidar(&[("dropout_probability", 0.3), ("horz_nrays", 4000.0)]);
    let valid = &read(&model, 10.0, 5)[9];
    let lost = 1.0 - valid.iter().sum::<f64>() / valid.len() as f64;
    assert!((lost - 0.3).abs() < 0.015, "{lost}");
    assert_ne!(*valid, read(&model, 10.0, 6)[9]);
}

#[test]
fn listed_angles_are_checked_and_sorted() {
    let listed = |angles: &[f64], count: usize| {
        Pattern::new(&pattern::Form {
            rings: (count, 1.0, Some(angles)),
            columns: (2, 1.0, None),
            offsets: Some(&vec![0.0; count]),
            spin: 0.0,
            divergence: 0.0,
            rosette: None,
        })
    };
    assert_eq!(listed(&[5.0, -3.0, 0.0], 3).map(|pattern| pattern.rings()), Ok(3));
    let error = listed(&[5.0, 5.0, 0.0], 3).map(|_| ()).expect_err("too few angles");
    assert_eq!(error, "vertical_ray_angles has 2 different angles, expected vert_nrays = 3");
    assert!(listed(&[5.0, 0.0], 3).is_err());
}

#[test]
fn parameters_that_contradict_each_other_are_rejected() {
    let prepared = |change: fn(&mut Lidar3d)| {
        let mut model = lidar(&[]);
        change(&mut model);
        model.prepare().expect_err("a contradiction")
    };
    let ranges = prepared(|model| (model.min_range, model.max_range) = (90.0, 80.0));
    assert_eq!(ranges, "min_range is 90 m, expected less than max_range, 80 m");
    let rays = prepared(|model| (model.vert_nrays, model.horz_nrays) = (1024, 100_000));
    assert!(rays.ends_with("make 102400000 rays, expected at most 2097152"), "{rays}");
}

#[test]
fn a_beam_with_a_width_has_five_rays_about_its_axis() {
    let model = lidar(&[("beam_divergence_deg", 2.0)]);
    let fan = Sampler::new(&model).aim(1);
    assert_eq!(fan.angles.len(), 60);
    let axis = |angle: f64, elevation: f64| {
        let ((sin, cos), (up, level)) = (math::sin_cos(angle), math::sin_cos(elevation));
        [level * cos, level * sin, up]
    };
    for beam in 0..12 {
        let directions = [0, 1, 2, 3, 4].map(|part| {
            let ray = model.pattern.ray(beam, part);
            assert_eq!(
                model.pattern.direction(ray),
                model.pattern.direction(model.pattern.ray(beam, 0))
            );
            axis(fan.angles[ray], fan.elevations[ray])
        });
        for direction in &directions[1..] {
            let dot: f64 = direction.iter().zip(directions[0]).map(|(a, b)| a * b).sum();
            let off = dot.acos() / math::DEG;
            assert!((off - 0.75).abs() < 0.01, "{off}° from the axis of beam {beam}");
        }
    }
}

#[test]
fn a_rosette_fills_its_circle_in_its_duration() {
    let mut model = lidar(&[("horz_nrays", 5000.0), ("spin", 1.0)]);
    model.scan_pattern = ScanPattern::Rosette;
    model.prepare().expect("the parameters fit");
    let fan = Sampler::new(&model).aim(1);
    let off = |k: usize| fan.angles[k].hypot(fan.elevations[k]) / math::DEG;
    let reach = (0..5000).map(off).fold(0.0, f64::max);
    assert!((19.1..=19.2).contains(&reach), "{reach}°");
    // the curve passes through the middle and through all quarters
    assert!((0..5000).any(|k| off(k) < 0.5));
    for (right, below) in [(false, false), (false, true), (true, false), (true, true)] {
        let inside = (0..5000)
            .filter(|k| (fan.angles[*k] < 0.0) == right && (fan.elevations[*k] < 0.0) == below);
        let share = inside.count() as f64 / 5000.0;
        assert!((share - 0.25).abs() < 0.05, "{share}");
    }
    assert!((fan.times[0] + 0.1).abs() < 1e-4 && fan.times[4999] == 0.0);
    assert!(fan.times.is_sorted());
}
