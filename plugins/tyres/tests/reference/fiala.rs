//! Fiala: numbers of Project Chrono's formulas (7689fbc0, `ChFialaTire`), its HMMWV tyre, load 8 kN.

use simhost_sdk::testing;
use simhost_tyres::fiala::Fiala;
use simhost_tyres::{Slip, SteadyTyre};

use super::{close, force};

fn hmmwv() -> Fiala {
    testing::friction(&[])
}

#[test]
fn the_numbers_of_chrono() {
    let tyre = hmmwv();
    for (kappa, fx) in [(0.01, 1939.29), (0.05, 6169.73168), (0.2, 6852.50197)] {
        close(force(&tyre, kappa, 0.0, 8000.0)[0], fx, 1e-8);
        close(force(&tyre, -kappa, 0.0, 8000.0)[0], -fx, 1e-8);
    }
    for (alpha, fy) in [(0.1, -3984.53401), (0.4, -6424.75307)] {
        close(force(&tyre, 0.0, alpha, 8000.0)[1], fy, 1e-8);
    }
    close(tyre.aligning_moment(&Slip::of(0.0, 0.1), 8000.0, 1.0), 250.214885, 1e-8);
}

/// Chrono computes the limits of slip before it scales the friction: 11506 N where 2469 N is the limit.
#[test]
fn slippery_ground_limits_the_lateral_force() {
    let tyre = hmmwv();
    let grip = 0.3 / 0.8;
    let fy = tyre.force(&Slip::of(0.0, 0.36), 8000.0, grip)[1];
    close(fy, -2469.0, 1e-3);
}

#[test]
fn the_resultant_points_along_the_slip_when_all_slides() {
    let tyre = hmmwv();
    let slip = Slip::along(30.0, 40.0);
    let [fx, fy] = tyre.force(&slip, 8000.0, 1.0);
    close(fx.hypot(fy), 0.5568 * 8000.0, 1e-9);
    close(fx / fy, -0.75, 1e-2);
}
