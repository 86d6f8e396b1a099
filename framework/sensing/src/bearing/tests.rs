use super::*;

#[test]
fn bearings_are_as_accurate_as_the_guard_assumes() {
    for i in 0..100_000 {
        let (sin, cos) = libm::sincos(f64::from(i) * 1e-3);
        for length in [1e-200, 1.0, 1e9] {
            let (x, y) = (length * cos, length * sin);
            let error = (bearing(x, y) - libm::atan2(y, x)).abs();
            assert!(error < 1e-7, "{x} {y}: {error}");
        }
    }
    assert_eq!(bearing(0.0, 0.0), 0.0);
}

/// Every ray whose bearing lies between two others is selected.
#[test]
fn intervals_contain_the_rays_between_two_bearings() {
    let even: Vec<f64> = (0..91).map(|i| f64::from(i) * 0.07 - 3.15).collect();
    let reversed = even.iter().map(|angle| -angle).collect();
    let wide: Vec<f64> = even.iter().map(|angle| 2.5 * angle).collect();
    let noisy = even.iter().map(|angle| angle + 0.05 * libm::sin(1e4 * angle)).collect();
    for angles in [even.clone(), reversed, wide, noisy, even[..1].to_vec()] {
        for yaw in [0.0, 2.0, -90.0] {
            let index = RayIndex::new(yaw, angles.len(), &Spread::new(&angles));
            for (from, width) in
                (0..200).map(|i| (f64::from(i) * 0.031 - 3.1, 0.013 * f64::from(i)))
            {
                let to = bearing(libm::cos(from + width), libm::sin(from + width));
                let mut selected = vec![false; angles.len()];
                for (from, to, _) in index.runs(index.between(from, to)) {
                    selected[from..=to].fill(true);
                }
                for (angle, selected) in angles.iter().zip(selected) {
                    let turned = (yaw + angle - from).rem_euclid(TAU);
                    assert!(selected || turned > width, "{yaw} {angle} from {from} by {width}");
                }
            }
        }
    }
}

#[test]
fn angles_without_order_select_all_rays() {
    for angles in [vec![0.0, f64::NAN, 0.1], vec![0.0, 3.0, -3.0, 0.1], vec![0.5; 3]] {
        let index = RayIndex::new(0.0, angles.len(), &Spread::new(&angles));
        let found: Vec<_> = index.runs(index.between(1.0, 1.1)).collect();
        assert_eq!(found, [(0, angles.len() - 1, 0.0)], "{angles:?}");
    }
}
