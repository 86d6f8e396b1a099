use simhost_sdk::testing::{self, Sampler, step};

use super::*;

/// A depth image of 3 × 2 pixels and a colour image of 2 × 2.
fn camera(change: impl FnOnce(&mut RgbdCamera)) -> Result<RgbdCamera, String> {
    let small = [
        ("depth_ncols", 3.0),
        ("depth_nrows", 2.0),
        ("depth_cx", 1.0),
        ("depth_cy", 1.0),
        ("depth_fx", 10.0),
        ("depth_fy", 10.0),
        ("rgb_ncols", 2.0),
        ("rgb_nrows", 2.0),
        ("rgb_cx", 0.0),
        ("rgb_cy", 0.0),
        ("depth_noise_sigma", 0.0),
    ];
    let mut model: RgbdCamera = testing::sensor(&small);
    model.pose_3d = [0.5, 0.0, 1.0, 0.0, 10.0, 0.0];
    model.relative_pose = [0.0, -0.03, 0.01, -90.0, 0.0, -90.0];
    change(&mut model);
    model.prepare()?;
    Ok(model)
}

fn depths(model: &RgbdCamera, ranges: &[f64], key: u64) -> Vec<f64> {
    Sampler::new(model).read(&(), ranges, key, &step()).rays[3].clone()
}

#[test]
fn both_eyes_have_their_rays_and_origins() {
    let model = camera(|_| {}).expect("a camera");
    let fan = Sampler::new(&model).aim(1);
    assert_eq!((model.rays(), fan.origin), (10, [0.5, 0.0, 1.0]));
    assert!((fan.pitch - 10.0 * math::DEG).abs() < 1e-15);
    // the optical axes: pixel (1, 1) of the depth image, and pixel (0, 0) of the colour image
    for axis in [4, 6] {
        assert!(fan.angles[axis].abs() < 1e-15 && fan.elevations[axis].abs() < 1e-15);
    }
    assert!((fan.angles[3] - math::atan(0.1)).abs() < 1e-15);
    assert_eq!(fan.offsets[1], [[0.0; 6].as_slice(), &[-0.03; 4]].concat());
    assert_eq!(fan.offsets[2], [[0.0; 6].as_slice(), &[0.01; 4]].concat());
    assert_eq!(fan.max_range, 1e4);
}

#[test]
fn images_have_the_poses_of_their_optical_frames() {
    let images = camera(|_| {}).expect("a camera").images();
    let names: Vec<_> = images.iter().map(|image| (image.name.as_str(), image.first_ray)).collect();
    assert_eq!(names, [("depth", 0), ("rgb", 6)]);
    let [x, y, z, ..] = images[1].pose;
    let (sin, cos) = math::sin_cos(10.0 * math::DEG);
    for (found, expected) in [(x, 0.5 + 0.01 * sin), (y, -0.03), (z, 1.0 + 0.01 * cos)] {
        assert!((found - expected).abs() < 1e-15, "{:?}", images[1].pose);
    }
    for part in 3..6 {
        assert!((images[0].pose[part] - images[1].pose[part]).abs() < 1e-15);
    }
}

#[test]
fn depths_are_rounded_and_limited() {
    let model = camera(|model| model.depth_resolution = 0.01).expect("a camera");
    let mut ranges = [f64::INFINITY; 10];
    ranges[..6].copy_from_slice(&[2.0, 0.05, 20.0, f64::INFINITY, 3.333, 15.001]);
    // the first ray: 2 m at (−1, −1) focal tenths
    let corner = 2.0 / (1.0f64 + 0.01 + 0.01).sqrt();
    let found = depths(&model, &ranges, 1);
    assert!((found[0] - (corner * 100.0).round() / 100.0).abs() < 1e-12, "{found:?}");
    assert_eq!([found[1], found[2], found[3]], [0.0; 3]);
    assert!((found[4] - 3.33).abs() < 1e-12);
    // 15.001 m along the ray are less than 15 m of depth
    assert!((found[5] - 14.93).abs() < 1e-12, "{}", found[5]);
}

#[test]
fn noise_has_its_deviation() {
    let noisy = |model: &mut RgbdCamera| {
        (model.depth_ncols, model.depth_nrows, model.sense_rgb) = (200, 100, false);
        (model.depth_fx, model.depth_fy, model.depth_noise_sigma) = (1e9, 1e9, 0.02);
    };
    let model = camera(noisy).expect("a camera");
    let found = depths(&model, &vec![5.0; 20_000], 3);
    let mean = found.iter().sum::<f64>() / 2e4;
    let square = found.iter().map(|depth| (depth - mean).powi(2)).sum::<f64>() / 2e4;
    assert!((mean - 5.0).abs() < 6e-4 && (square.sqrt() / 0.02 - 1.0).abs() < 0.02, "{mean}");
}

#[test]
fn parameters_that_contradict_each_other_are_rejected() {
    let rejected = |change: fn(&mut RgbdCamera)| camera(change).map(|_| ()).expect_err("rejected");
    assert_eq!(
        rejected(|model| model.depth_clip_min = 15.0),
        "depth_clip_min is 15 m, expected less than depth_clip_max, 15 m"
    );
    assert!(rejected(|model| model.rgb_ncols = 16_384 * 256).contains("rays, expected at most"));
}

/// Eyes with the same pixels and the same axis share their rays, and see as two eyes do.
#[test]
fn eyes_that_see_alike_share_rays() {
    let alike = |offset: f64, samples: usize| {
        camera(|model| {
            (model.rgb_ncols, model.rgb_nrows) = (3, 2);
            (model.rgb_cx, model.rgb_cy) = (Some(1.0), Some(1.0));
            (model.rgb_fx, model.rgb_fy) = (10.0, 10.0);
            (model.depth_fx, model.depth_fy, model.colors.samples) = (10.0, 10.0, samples);
            model.relative_pose = [0.0, offset, 0.0, -90.0, 0.0, -90.0];
        })
        .expect("a camera")
    };
    let (shared, apart) = (alike(0.0, 1), alike(1e-3, 1));
    assert_eq!((shared.rays(), apart.rays()), (6, 12));
    assert_eq!(alike(0.0, 4).rays(), 24);
    let images = shared.images();
    assert_eq!(images.iter().map(|image| image.first_ray).collect::<Vec<_>>(), [0, 0]);
    assert_eq!(apart.images()[1].first_ray, 6);
    let ranges: Vec<f64> = (0..12).map(|ray| 1.0 + 0.1 * f64::from(ray % 6)).collect();
    assert_eq!(depths(&shared, &ranges[..6], 1)[..6], depths(&apart, &ranges, 1)[..6]);
    let (fan, other) = (Sampler::new(&shared).aim(1), Sampler::new(&apart).aim(1));
    assert_eq!(fan.angles[..6], other.angles[..6]);
}

/// Classes and instances are read at the pixels of the colour image, which follow the pixels of the
/// depth image.
#[test]
fn classes_and_instances_have_the_pixels_of_the_colour_image() {
    let model = camera(|model| (model.sense_class, model.sense_instance) = (true, true));
    let model = model.expect("a camera");
    let images = model.images();
    let names: Vec<_> = images.iter().map(|image| (image.name.as_str(), image.first_ray)).collect();
    assert_eq!(names, [("depth", 0), ("rgb", 6), ("class", 6), ("instance", 6)]);
    let mut ranges = [2.0; 10];
    (ranges[7], ranges[8]) = (f64::INFINITY, 2e4);
    let mut sampler = Sampler::new(&model);
    sampler.set_result(RayResult::Class, &[3.0; 10]);
    sampler.set_result(RayResult::Entity, &[9.0; 10]);
    let found = sampler.read(&(), &ranges, 1, &step()).rays.clone();
    assert_eq!(found[4], [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 3.0, 0.0, 0.0, 3.0]);
    assert_eq!(found[5], [-1.0, -1.0, -1.0, -1.0, -1.0, -1.0, 9.0, -1.0, -1.0, 9.0]);
    // without colour, a pixel has one ray
    let alone = camera(|model| {
        (model.sense_rgb, model.sense_class, model.colors.samples) = (false, true, 4);
    });
    let alone = alone.expect("a camera");
    assert_eq!((alone.rays(), alone.images().len()), (10, 2));
}

#[test]
fn each_eye_has_a_lens_of_its_own() {
    let barrel = |model: &mut RgbdCamera| {
        model.rgb_lens_model = LensModel::PlumbBob;
        model.rgb_distortion = Some(vec![-0.1, 0.0, 0.0, 0.0]);
        (model.rgb_fx, model.rgb_fy) = (2.0, 2.0);
    };
    let plain = camera(|model| (model.rgb_fx, model.rgb_fy) = (2.0, 2.0)).expect("a camera");
    let bent = camera(barrel).expect("a camera");
    let fans = [&plain, &bent].map(|model| Sampler::new(model).aim(1));
    assert_eq!(fans[0].angles[..7], fans[1].angles[..7]);
    // a pixel beside the axis looks farther out, as the radius 0.5 is that of r (1 − 0.1 r²)
    let radius = math::tan(fans[1].angles[7].abs());
    assert!((radius * (1.0 - 0.1 * radius * radius) - 0.5).abs() < 1e-9, "{radius}");
    assert!((math::tan(fans[0].angles[7].abs()) - 0.5).abs() < 1e-12);
    assert_eq!(bent.images()[1].distortion, Distortion::BrownConrady([-0.1, 0.0, 0.0, 0.0, 0.0]));
    let wrong = camera(|model| model.depth_distortion = Some(vec![0.1]));
    assert_eq!(
        wrong.map(|_| ()).expect_err("no coefficients for a pinhole"),
        "depth_distortion has 1 numbers, expected none for the lens_model `pinhole`"
    );
}
