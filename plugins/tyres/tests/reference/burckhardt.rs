//! Burckhardt: the closed form and its peak, with the constants of Kiencke and Nielsen 2005.

use simhost_sdk::testing;
use simhost_tyres::SteadyTyre;
use simhost_tyres::burckhardt::{Burckhardt, Surface};

use super::{close, force};

#[test]
fn the_curve_of_dry_asphalt() {
    let tyre: Burckhardt = testing::friction(&[]);
    // a locked wheel: c1 (1 − e^−c2) − c3; a driven one slips by κ/(1 + κ)
    close(force(&tyre, -1.0, 0.0, 1000.0)[0], -1000.0 * (1.2801 - 0.52), 1e-9);
    let slip: f64 = 0.25 / 1.25;
    let mu = 1.2801 * (1.0 - (-23.99 * slip).exp()) - 0.52 * slip;
    close(force(&tyre, 0.25, 0.0, 1000.0)[0], 1000.0 * mu, 1e-12);
    // sideways, the slip is the sine of the angle
    let slip = 0.1_f64.sin();
    let mu = 1.2801 * (1.0 - (-23.99 * slip).exp()) - 0.52 * slip;
    close(force(&tyre, 0.0, 0.1, 1000.0)[1], -1000.0 * mu, 1e-12);
}

#[test]
fn the_peak_is_the_top_of_the_curve() {
    for surface in Surface::ALL {
        let [c1, c2, c3] = surface.constants();
        let tyre: Burckhardt = testing::friction(&[("c1", c1), ("c2", c2), ("c3", c3)]);
        let tops = (0..=100_000).map(|slip| tyre.friction(f64::from(slip) * 1e-5));
        close(tyre.mu(), tops.fold(0.0, f64::max), 1e-6);
    }
    let asphalt: Burckhardt = testing::friction(&[]);
    close(asphalt.slip_at_peak(), 0.170, 2e-3);
    close(asphalt.mu(), 1.170, 1e-3);
}
