use simhost_sdk::testing::{self, Sampler, step};

use super::*;

/// Natural pose of a camera 1 m above the ground, and four columns and three rows.
fn camera(change: impl FnOnce(&mut Camera)) -> Result<Camera, String> {
    let small =
        [("ncols", 4.0), ("nrows", 3.0), ("fx", 10.0), ("fy", 10.0), ("cx", 1.0), ("cy", 2.0)];
    let mut model: Camera = testing::sensor(&small);
    model.pose_3d = [0.5, 0.0, 1.0, -90.0, 0.0, -90.0];
    change(&mut model);
    model.prepare()?;
    Ok(model)
}

/// Reads light that grows from ray to ray, on surfaces at a range of 2 m.
fn read(model: &Camera, key: u64) -> Vec<Vec<f64>> {
    let count = model.rays();
    let mut sampler = Sampler::new(model);
    for (scale, light) in [(1.0, RayResult::LightRed), (0.5, RayResult::LightGreen)] {
        let values: Vec<f64> = (0..count).map(|ray| scale * ray as f64 / 12.0).collect();
        sampler.set_result(light, &values);
    }
    sampler.set_result(RayResult::Entity, &vec![7.0; count]);
    sampler.set_result(RayResult::Class, &vec![2.0; count]);
    sampler.read(&Clock { sample_period: 0.1 }, &vec![2.0; count], key, &step()).rays
}

#[test]
fn rays_go_from_left_to_right_and_from_top_to_bottom() {
    let model = camera(|_| {}).expect("a camera");
    let fan = Sampler::new(&model).aim(1);
    assert_eq!((fan.origin, fan.angles.len()), ([0.5, 0.0, 1.0], 12));
    assert!([fan.yaw, fan.pitch, fan.roll].iter().all(|angle| angle.abs() < 1e-15));
    // the optical axis is that of ray 9
    assert_eq!((fan.angles[9], fan.elevations[9]), (0.0, 0.0));
    assert!((fan.angles[8] - math::atan(0.1)).abs() < 1e-15);
    assert!((fan.elevations[1] - math::atan(0.2)).abs() < 1e-15);
    assert!(fan.see_own && fan.min_range == 0.01 && fan.max_range == 1e4);
    assert_eq!(fan.times, [0.0; 12]);
}

#[test]
fn readings_are_numbers_of_colours_and_depths() {
    let rays = read(&camera(|_| {}).expect("a camera"), 1);
    // the sRGB values of 6/12 and 3/12 (IEC 61966-2-1)
    assert_eq!((rays[0][6], rays[1][6], rays[2][6]), (188.0, 137.0, 0.0));
    assert!(rays[0].is_sorted());
    assert_eq!(rays[3][9], 2.0);
    assert!((rays[3][8] - 2.0 / 1.01f64.sqrt()).abs() < 1e-15);
    assert_eq!((rays[4][0], rays[5][11]), (2.0, 7.0));
}

#[test]
fn several_rays_per_pixel_are_averaged() {
    let one = camera(|_| {}).expect("a camera");
    let four = camera(|model| model.colors.samples = 4).expect("a camera");
    assert_eq!(four.rays(), 48);
    let rays = read(&four, 1);
    // the light of ray k is k/12: the mean over k, k + 12, k + 24 and k + 36 is above white
    assert_eq!(rays[0][0], 255.0);
    assert_eq!(rays[1][0], 225.0); // 18/24
    assert_eq!(read(&one, 1)[3], rays[3][..12]);
    assert_eq!(rays[3][12..], [0.0; 36]);
}

#[test]
fn rows_of_a_rolling_shutter_end_at_the_time_of_the_sample() {
    let model =
        camera(|model| (model.readout, model.colors.samples) = (0.02, 2)).expect("a camera");
    let times = Sampler::new(&model).aim(1).times;
    let rows: Vec<f64> = times.chunks(4).map(|row| row[0]).collect();
    assert_eq!(rows, [-0.02, -0.01, 0.0, -0.02, -0.01, 0.0]);
}

#[test]
fn noise_depends_on_the_sample_alone() {
    let model = camera(|model| model.colors.shot_noise = 0.1).expect("a camera");
    assert_eq!(read(&model, 3), read(&model, 3));
    assert_ne!(read(&model, 3), read(&model, 4));
}

#[test]
fn images_are_those_that_are_wanted() {
    let model = camera(|model| (model.sense_class, model.sense_rgb) = (true, false));
    let images = model.expect("a camera").images();
    assert_eq!(images.len(), 1);
    let Image { name, kind, width, height, fx, cy, pose, .. } = &images[0];
    assert_eq!((name.as_str(), *kind, *width, *height), ("class", ImageKind::Class, 4, 3));
    assert_eq!((*fx, *cy), (10.0, 2.0));
    let quarter = -90.0 * math::DEG;
    for (found, expected) in pose.iter().zip([0.5, 0.0, 1.0, quarter, 0.0, quarter]) {
        assert!((found - expected).abs() < 1e-15, "{pose:?}");
    }
}

#[test]
fn a_dark_corner_of_a_fisheye_sees_nothing() {
    let model = camera(|model| {
        (model.lens_model, model.fx, model.fy) = (LensModel::Equidistant, 0.5, 0.5);
    });
    let model = model.expect("a camera");
    let rays = read(&model, 1);
    // pixel (3, 0) is at 5.7 rad from the axis
    assert_eq!([0, 1, 3, 4, 5].map(|reading| rays[reading][3]), [0.0, 0.0, 0.0, 0.0, -1.0]);
    assert!(rays.iter().flatten().all(|value| value.is_finite()));
}

#[test]
fn parameters_that_contradict_each_other_are_rejected() {
    let rejected = |change: fn(&mut Camera)| camera(change).map(|_| ()).expect_err("rejected");
    assert_eq!(
        rejected(|model| model.clip_min = 2e4),
        "clip_min is 20000 m, expected less than clip_max, 10000 m"
    );
    assert_eq!(
        rejected(|model| model.distortion = Some(vec![0.1; 5])),
        "distortion has 5 numbers, expected none for the lens_model `pinhole`"
    );
    assert!(
        rejected(|model| {
            model.lens_model = LensModel::Equidistant;
            model.distortion = Some(vec![0.1; 5]);
        })
        .ends_with("expected k1 k2 k3 k4 for the lens_model `equidistant`")
    );
    assert!(
        rejected(|model| (model.ncols, model.nrows) = (16_384, 16_384)).contains("268435456 rays")
    );
}
