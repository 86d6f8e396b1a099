//! TMeasy: numbers of Project Chrono's formulas (7689fbc0, `ChTMeasyTire`), its guess of a passenger
//! car's tyre, p_n = 3500 N. Slips there are by the speed of rolling: κ = s_x/(1 − s_x).

use simhost_sdk::testing;
use simhost_tyres::tmeasy::TMeasy;
use simhost_tyres::{Slip, SteadyTyre};

use super::close;

fn at(sx: f64, sy: f64, load: f64) -> [f64; 2] {
    let tyre: TMeasy = testing::friction(&[]);
    let rolling = 1.0 / (1.0 - sx);
    let slip = Slip::along(sx * rolling, -sy * rolling);
    tyre.force(&slip, load, 1.0)
}

#[test]
fn the_numbers_of_chrono() {
    for (sx, fx) in [(0.01, 627.93916), (0.139, 3952.19847), (0.3, 3385.86212), (0.9, 2805.215)] {
        close(at(sx, 0.0, 3500.0)[0], fx, 1e-8);
    }
    close(at(0.0, 0.05, 3500.0)[1], 2258.45375, 1e-8);
    close(at(0.0, 0.2, 7000.0)[1], 6379.62763, 1e-8);
    let [fx, fy] = at(0.05, 0.05, 5000.0);
    close(fx, 2943.27094, 1e-8);
    close(fy, 2943.27094, 1e-8);
}

#[test]
fn the_curve_has_no_corner_where_its_pieces_meet() {
    let fx = |sx: f64| at(sx, 0.0, 3500.0)[0];
    // the peak, the meeting of the parabolas, and where sliding begins
    for meeting in [0.13913, 0.163_238, 0.66667] {
        let step = 1e-6;
        let slope = |from: f64| (fx(from + step) - fx(from)) / step;
        assert!((fx(meeting + step) - fx(meeting - step)).abs() < 0.02, "{meeting}");
        assert!((slope(meeting) - slope(meeting - step)).abs() < 2.0, "{meeting}");
    }
}

#[test]
fn the_nominal_load_follows_from_a_load_index() {
    let tyre: TMeasy = testing::friction(&[("load_index", 91.0), ("inflation", 0.8)]);
    // ½ g 615 kg 0.8^0.8
    close(tyre.nominal_load(), 2523.0, 0.02);
}
