//! LuGre: a wheel that is held at a slip comes to the closed form of the steady state.

use simhost_sdk::testing;
use simhost_tyres::lugre::LuGre;

use super::{close, held, settled};

#[test]
fn the_steady_state_is_the_closed_form() {
    let tyre: LuGre = testing::friction(&[("C_rr", 0.0)]);
    for (kappa, alpha) in [(0.01, 0.0), (-0.08, 0.05), (0.0, 0.3), (-1.0, 0.0), (0.4, -0.2)] {
        let wheel = held(kappa, alpha, 4000.0);
        let rolling = wheel.spin * wheel.radius;
        let creep = [rolling - wheel.vx, -wheel.vy];
        let steady = tyre.steady(creep, rolling);
        let [fx, fy] = settled(&tyre, &wheel);
        close(fx, 4000.0 * steady[0], 1e-9);
        close(fy, 4000.0 * steady[1], 1e-9);
    }
}

/// σ₀ |s|/g + κ |R ω| by hand: s = 1 m/s, R ω = 11 m/s, g = 0.8 + 0.4 e^−√(1/6.5).
#[test]
fn one_steady_state_by_hand() {
    let tyre: LuGre = testing::friction(&[]);
    let g = 0.8 + 0.4 * (-(1.0_f64 / 6.5).sqrt()).exp();
    let expected = 180.0 / (180.0 / g + 7.0 / 1.2 * 11.0) + 0.0018;
    close(tyre.steady([1.0, 0.0], 11.0)[0], expected, 1e-12);
}

/// A wheel that skids with locked brakes is held by g(s) alone.
#[test]
fn a_locked_wheel_is_held_by_the_friction_of_its_speed() {
    let tyre: LuGre = testing::friction(&[("sigma2", 0.0), ("C_rr", 0.0)]);
    let fx = settled(&tyre, &held(-1.0, 0.0, 4000.0))[0];
    close(fx, -4000.0 * tyre.stribeck(10.0), 1e-9);
}
