use proptest::prelude::*;

use super::{Curve, Interpolation};

fn points() -> impl Strategy<Value = (Vec<f64>, Vec<f64>)> {
    proptest::collection::vec((0.01..1.0_f64, -2.0..2.0_f64), 2..9).prop_map(|pairs| {
        let mut at = -1.0;
        let x = pairs.iter().map(|(step, _)| {
            at += step;
            at
        });
        (x.collect(), pairs.iter().map(|(_, y)| *y).collect())
    })
}

proptest! {
    #[test]
    fn curves_meet_their_points((x, y) in points()) {
        for interpolation in [Interpolation::Monotone, Interpolation::Cubic, Interpolation::Linear] {
            let curve = Curve::new(x.clone(), y.clone(), interpolation);
            for (x, y) in x.iter().zip(&y) {
                prop_assert!((curve.at(*x)[0] - y).abs() < 1e-13);
            }
        }
    }

    #[test]
    fn monotone_curves_stay_between_neighbouring_points((x, y) in points(), part in 0.0..1.0_f64) {
        let curve = Curve::new(x.clone(), y.clone(), Interpolation::Monotone);
        for k in 1..x.len() {
            let [value, slope] = curve.at(x[k - 1] + part * (x[k] - x[k - 1]));
            let (low, high) = (y[k - 1].min(y[k]), y[k - 1].max(y[k]));
            prop_assert!(value >= low - 1e-13 && value <= high + 1e-13);
            prop_assert!(slope * (y[k] - y[k - 1]) >= -1e-12);
        }
    }

    #[test]
    fn slopes_equal_differences((x, y) in points(), at in -2.0..8.0_f64) {
        for interpolation in [Interpolation::Monotone, Interpolation::Cubic] {
            let curve = Curve::new(x.clone(), y.clone(), interpolation);
            let h = 1e-6;
            let difference = (curve.at(at + h)[0] - curve.at(at - h)[0]) / (2.0 * h);
            prop_assert!((curve.at(at)[1] - difference).abs() < 0.5);
            let is_inside = x.windows(2).any(|ends| ends[0] + h < at && at < ends[1] - h);
            if is_inside {
                prop_assert!((curve.at(at)[1] - difference).abs() < 1e-4);
            }
        }
    }
}

#[test]
fn cubics_reproduce_cubics_and_monotone_curves_do_not_overshoot() {
    let x: Vec<f64> = vec![-1.0, -0.4, 0.3, 1.0];
    let polynomial = |x: f64| 3.0 * x * x * x + 2.0 * x * x - x;
    let points = x.iter().map(|x| polynomial(*x)).collect();
    let curve = Curve::new(x.clone(), points, Interpolation::Cubic);
    assert!((curve.at(0.7)[0] - polynomial(0.7)).abs() < 1e-14);
    // a step: the unlimited cubic overshoots
    let step = vec![0.0, 0.0, 1.0, 1.0];
    let [cubic, monotone] = [Interpolation::Cubic, Interpolation::Monotone]
        .map(|interpolation| Curve::new(x.clone(), step.clone(), interpolation).at(0.6)[0]);
    assert!(cubic > 1.05, "{cubic}");
    assert!((monotone - 1.0).abs() < 1e-15, "{monotone}");
}

#[test]
fn curves_continue_as_straight_lines() {
    let curve = Curve::new(vec![0.0, 1.0, 2.0], vec![0.0, 1.0, 4.0], Interpolation::Monotone);
    let [end, slope] = curve.at(2.0);
    assert_eq!(curve.at(5.0), [end + 3.0 * slope, slope]);
    let [start, slope] = curve.at(0.0);
    assert_eq!(curve.at(-2.0), [start - 2.0 * slope, slope]);
}
