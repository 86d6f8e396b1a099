use simhost_sdk::kinematics::{angles, rotation};

use super::*;

fn grid() -> Grid {
    Grid {
        width: 5,
        height: 3,
        focal: [4.0, 2.0],
        centre: [2.0, 1.0],
        distortion: Distortion::None,
        samples: 1,
    }
}

#[test]
fn pixels_go_row_by_row_from_the_top_left() {
    let eye = Eye::new(grid(), &FROM_OPTICAL).expect("a good grid");
    assert_eq!(eye.len(), 15);
    // pixel (3, 0): half a focal length up, a quarter to the right
    assert!((eye.angles[3] + math::atan(0.25)).abs() < 1e-15);
    let up = 0.5 / (1.0f64 + 0.25 * 0.25).sqrt();
    assert!((eye.elevations[3] - math::atan(up)).abs() < 1e-15);
    assert_eq!((eye.angles[7], eye.elevations[7], eye.axial[7]), (0.0, 0.0, Some(1.0)));
    assert!(eye.angles[5] > 0.0 && eye.elevations[14] < 0.0);
    assert!((eye.depth(3, 2.0) - 2.0 / (1.0f64 + 0.25 + 0.0625).sqrt()).abs() < 1e-15);
}

#[test]
fn the_natural_pose_of_an_optical_frame_looks_ahead() {
    let quarter = -90.0 * math::DEG;
    let found = angles(&upright(&rotation([quarter, 0.0, quarter])));
    assert!(found.iter().all(|angle| angle.abs() < 1e-15), "{found:?}");
}

#[test]
fn further_rays_lie_within_their_pixels() {
    for count in [1, 4, 5, 64] {
        let places: Vec<_> = (0..count).map(|sample| place(sample, count)).collect();
        let sum = |part: usize| places.iter().map(|place| place[part]).sum::<f64>();
        assert_eq!(places[0], [0.0, 0.0]);
        assert!(places.iter().flatten().all(|part| part.abs() <= 0.5));
        assert!(sum(0).abs() < 1e-12 && sum(1).abs() < 1e-12, "{count}");
    }
    let many = Eye::new(Grid { samples: 4, ..grid() }, &Rotation::IDENTITY);
    let many = many.expect("a good grid");
    let mut light = vec![0.0; many.len()];
    light[17] = 1.0;
    assert_eq!(many.mean(2, &light), 0.25);
}

#[test]
fn a_lens_that_folds_the_image_is_rejected() {
    let distortion = Distortion::BrownConrady([-0.5, 0.0, 0.0, 0.0, 0.0]);
    let found = Eye::new(Grid { distortion, focal: [3.0; 2], ..grid() }, &UPRIGHT);
    let found = found.map(|eye| eye.len()).expect_err("a fold");
    assert!(found.starts_with("distortion folds the image at pixel (0, 0)"), "{found}");
    let many = Grid { width: 16_384, height: 16_384, ..grid() };
    let found = Eye::new(many, &UPRIGHT).map(|eye| eye.len()).expect_err("too many");
    assert!(found.contains("has 268435456 rays, expected at most 8388608"), "{found}");
}
