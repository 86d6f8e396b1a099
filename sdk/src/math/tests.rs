//! Tests of `math`.

/// Returns the largest error against the platform's function over an even grid.
fn worst(from: f64, to: f64, ours: fn(f64) -> f64, reference: fn(f64) -> f64) -> f64 {
    (0..=200_000)
        .map(|i| from + (to - from) * f64::from(i) / 200_000.0)
        .map(|x| (ours(x) - reference(x)).abs() / reference(x).abs().max(1.0))
        .fold(0.0, f64::max)
}

#[test]
fn close_to_the_platform() {
    assert!(worst(-700.0, 700.0, super::exp, f64::exp) < 6e-16);
    assert!(worst(-2.0, 2.0, super::exp, f64::exp) < 6e-16);
    assert!(worst(-25.0, 25.0, super::tanh, f64::tanh) < 3e-16);
    assert!(worst(-50.0, 50.0, super::atan, f64::atan) < 3e-16);
    assert!(worst(-1e5, 1e5, super::sin, f64::sin) < 4e-16);
    assert!(worst(-10.0, 10.0, super::sin, f64::sin) < 3e-16);
    assert!(worst(-1e5, 1e5, super::cos, f64::cos) < 4e-16);
}

#[test]
fn small_arguments_keep_relative_accuracy() {
    for x in [1e-300, 1e-20, 1e-8, 1e-4, 0.01] {
        assert!((super::tanh(x) / x.tanh() - 1.0).abs() < 4e-16);
        assert!((super::atan(x) / x.atan() - 1.0).abs() < 4e-16);
        assert!((super::sin(x) / x.sin() - 1.0).abs() < 4e-16);
    }
}

#[test]
fn edges() {
    assert_eq!(super::exp(-1e9), 0.0);
    assert!(super::exp(1e9).is_finite());
    assert_eq!(super::tanh(1e300), 1.0);
    assert_eq!(super::atan(f64::INFINITY), std::f64::consts::FRAC_PI_2);
    for (y, x) in [(0.0, 0.0), (1.0, 0.0), (-1.0, 0.0), (0.0, -1.0), (1.0, -1.0), (-2.0, -1.0)] {
        assert!((super::atan2(y, x) - f64::atan2(y, x)).abs() < 1e-15, "{y} {x}");
    }
    assert!((super::wrap_angle(7.0) - (7.0 - std::f64::consts::TAU)).abs() < 1e-15);
}
