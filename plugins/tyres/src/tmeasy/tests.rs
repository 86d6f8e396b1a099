//! Combined slip, first-order dynamics and the aligning moment of the present book. Numbers are from an implementation
//! of its equations in Python, for the pattern of a passenger car, p_n = 3500 N.

#![allow(clippy::unwrap_used)]

use proptest::prelude::*;
use simhost_sdk::{Force, Friction, ModelCore, Step, Wheel, testing};

use super::{Combination, TMeasy};
use crate::{Brake, Lag, Slip, SteadyTyre};

fn normalised() -> TMeasy {
    TMeasy { combination: Combination::Normalised, ..testing::friction(&[]) }
}

fn steady(tyre: &TMeasy, slip: &Slip, load: f64, grip: f64) -> [f64; 2] {
    SteadyTyre::force(tyre, slip, load, grip)
}

fn push(tyre: &TMeasy, wheel: &Wheel<Brake>, step: &Step, lag: &mut Lag) -> Force {
    Friction::force(tyre, wheel, step, lag)
}

/// The force at slips that are relative to the rolling speed.
fn at(tyre: &TMeasy, sx: f64, sy: f64, load: f64) -> [f64; 2] {
    let rolling = 1.0 / (1.0 - sx);
    steady(tyre, &Slip::along(sx * rolling, -sy * rolling), load, 1.0)
}

#[test]
fn normalised_slips_combine_as_in_the_book() {
    for (sx, sy, load, fx, fy) in [
        (0.05, 0.05, 5000.0, 3176.341022, 2769.343359),
        (0.1, -0.2, 3500.0, 1607.780888, -3083.102858),
        (-0.3, 0.1, 4200.0, -3815.409789, 1166.196661),
        (0.02, 0.3, 7000.0, 533.126897, 6152.78327),
        (0.6, 0.9, 3000.0, 1392.454521, 2068.295032),
    ] {
        let found = at(&normalised(), sx, sy, load);
        assert!((found[0] - fx).abs() < 1e-5 && (found[1] - fy).abs() < 1e-5, "{found:?}");
    }
}

#[test]
fn pure_slip_does_not_depend_on_the_combination() {
    let (plain, book) = (testing::friction(&[]), normalised());
    for slip in [1e-4_f64, 0.05, 0.139, 0.16, 0.3, 0.8, 2.0] {
        for (sx, sy) in [(slip.min(0.9), 0.0), (0.0, slip)] {
            let [one, other] = [&plain, &book].map(|tyre| at(tyre, sx, sy, 4000.0));
            for axis in 0..2 {
                assert!((one[axis] - other[axis]).abs() < 1e-9 * 4000.0, "{one:?} {other:?}");
            }
        }
    }
}

/// A wheel at 20 m/s that moves little in a step.
fn wheel(tan_alpha: f64) -> Wheel<Brake> {
    let fast = Wheel { vx: 20.0, vy: 20.0 * tan_alpha, spin: 20.0 / 0.3, ..testing::wheel() };
    let fast = Wheel { normal_force: 3500.0, radius: 0.3, inertia: 1e9, gravity: 1e-9, ..fast };
    fast.with(Brake::default())
}

/// With dF_y⁰ = 15.9826 · 3500 N and c_y = 164 kN/m: σ = (dF⁰ + v d)/c.
#[test]
fn the_stiffness_of_the_carcass_makes_the_force_lag() {
    for damping in [0.0, 400.0] {
        let given = [("cx", 185e3), ("cy", 164e3), ("dx", damping), ("dy", damping)];
        let tyre: TMeasy = testing::friction(&given);
        let stiffness = 15.9826 * 3500.0;
        let sigma = (stiffness + 20.0 * damping) / 164e3;
        let (wheel, step, mut lag) = (wheel(1e-5), Step::new(0.0, 1e-5), Lag::default());
        let first = push(&tyre, &wheel, &step, &mut lag).fy / (-1e-5 * stiffness);
        // the damper carries d/(f + v d) v of the force at once
        let at_once = 20.0 * damping / (stiffness + 20.0 * damping);
        assert!((first - at_once).abs() < 1e-3, "{first} {at_once}");
        let steps = (sigma / 20.0 / step.dt).round() as usize;
        for _ in 1..steps {
            push(&tyre, &wheel, &step, &mut lag);
        }
        let reached = lag.lateral / -1e-5;
        assert!((reached - (1.0 - (-1.0f64).exp())).abs() < 2e-3, "{reached}");
    }
}

/// At great slip the secant is small, and the force settles sooner, at its steady value.
#[test]
fn a_lagging_force_settles_at_the_steady_one_and_sooner_at_great_slip() {
    let tyre: TMeasy = testing::friction(&[("cx", 185e3), ("cy", 164e3)]);
    let time_to = |tan_alpha: f64| {
        let (wheel, step, mut lag) = (wheel(tan_alpha), Step::new(0.0, 1e-4), Lag::default());
        let settled = steady(&tyre, &Slip::along(0.0, tan_alpha), 3500.0, 1.0)[1];
        let mut reached = None;
        let mut force = 0.0;
        for k in 0..5000 {
            force = push(&tyre, &wheel, &step, &mut lag).fy;
            if -lag.lateral > 0.9 * tan_alpha && reached.is_none() {
                reached = Some(k);
            }
        }
        assert!((force / settled - 1.0).abs() < 1e-3, "{force} N, {settled} N");
        reached.unwrap()
    };
    assert!(2 * time_to(0.3) < time_to(0.001));
}

/// A mass on the standing tyre swings with √(c/m), and its amplitude falls by e^(−ζ ω t) with ζ = d/(2 √(c m)).
#[test]
fn a_standing_tyre_is_a_damped_spring() {
    let (c, d, mass) = (160e3, 1500.0, 400.0);
    let tyre: TMeasy = testing::friction(&[("cx", c), ("cy", c), ("dx", d), ("dy", d)]);
    let (step, mut lag, mut vy) = (Step::new(0.0, 1e-5), Lag::default(), 0.01);
    let brake = Brake { brake_limit: 1e6, ..Brake::default() };
    let (mut crossings, mut peaks, mut most) = (Vec::new(), Vec::new(), 0.0_f64);
    for k in 0..120_000 {
        let wheel = Wheel {
            vx: 0.0,
            vy,
            spin: 0.0,
            normal_force: 9.81 * mass,
            gravity: 9.81,
            radius: 0.3,
            inertia: 1.0,
            ..testing::wheel()
        };
        let force = push(&tyre, &wheel.with(brake), &step, &mut lag);
        let next = vy + step.dt / mass * force.fy;
        most = most.max(vy.abs());
        if next * vy < 0.0 {
            crossings.push(f64::from(k) * step.dt);
            peaks.push(most);
            most = 0.0;
        }
        vy = next;
    }
    let (omega, zeta) = ((c / mass).sqrt(), d / (2.0 * (c * mass).sqrt()));
    let half = std::f64::consts::PI / (omega * (1.0 - zeta * zeta).sqrt());
    assert!(crossings.len() > 5, "{crossings:?} {peaks:?} {half}");
    let period = (crossings[4] - crossings[0]) / 4.0;
    assert!((period / half - 1.0).abs() < 0.01, "{period} s, {half} s");
    let decay = (peaks[2] / peaks[4]).ln() / 2.0;
    let expected = zeta * omega * half;
    assert!((decay / expected - 1.0).abs() < 0.05, "{decay} {expected}");
}

#[test]
fn the_trail_passes_its_values() {
    let mut tyre: TMeasy = testing::friction(&[("cz", 200e3)]);
    tyre.trail.nl0 = [0.178, 0.19];
    for (slip, expected) in [
        (0.0, 0.178),
        (0.05, 0.126004377),
        (0.1, 0.067441029),
        (0.2, -0.030195391),
        (0.5, -0.102568813),
        (1.0, 0.0),
    ] {
        let found = tyre.trail.at(slip, 1.0);
        assert!((found - expected).abs() < 1e-9, "{slip}: {found}");
        assert_eq!(tyre.trail.at(-slip, 1.0), found);
    }
    assert!((tyre.trail.at(0.0, 2.0) - 0.19).abs() < 1e-12);
    // where the parts meet
    for meeting in [0.16337, 0.96524] {
        let jump = tyre.trail.at(meeting + 1e-9, 1.0) - tyre.trail.at(meeting - 1e-9, 1.0);
        assert!(jump.abs() < 1e-8);
    }
}

/// n = n_0 L with L² = 8 R F_z/c_z, and the moment turns a wheel that drifts to its left to its left.
#[test]
fn the_aligning_moment_is_the_force_behind_the_wheel_centre() {
    let tyre: TMeasy = {
        let mut tyre: TMeasy = testing::friction(&[("cz", 200e3)]);
        tyre.trail.nl0 = [0.178, 0.19];
        tyre
    };
    let (wheel, mut lag) = (wheel(1e-4), Lag::default());
    let force = push(&tyre, &wheel, &testing::step(), &mut lag);
    let moment = tyre.publish(&wheel, &force, &testing::step(), &lag).aligning_moment;
    let expected = -0.178 * (8.0 * 0.3 * 3500.0 / 200e3_f64).sqrt() * force.fy;
    assert!(moment > 0.0 && (moment / expected - 1.0).abs() < 2e-3, "{moment} {expected}");
    let none: TMeasy = testing::friction(&[]);
    assert_eq!(none.publish(&wheel, &force, &testing::step(), &lag).aligning_moment, 0.0);
}

#[test]
fn values_that_define_no_trail_are_refused() {
    let mut tyre: TMeasy = testing::friction(&[]);
    tyre.trail.nl0 = [0.2, 0.2];
    assert!(tyre.prepare().unwrap_err().starts_with("nl0 is given without cz"));
    let mut tyre: TMeasy = testing::friction(&[]);
    tyre.trail.sye[1] = 0.1;
    let text = tyre.prepare().unwrap_err();
    assert!(text.starts_with("sy0 and sye at 2 pn are 0.20355 and 0.1"), "{text}");
}

proptest! {
    /// Whatever the combination, the force opposes the slip, stays below the larger peak, and is finite.
    #[test]
    fn normalised_forces_are_passive_and_limited(
        kappa in -3.0..3.0_f64, tan_alpha in -5.0..5.0_f64, load in 0.0..40e3_f64, grip in 0.0..2.0_f64,
    ) {
        let (tyre, slip) = (normalised(), Slip::along(kappa, tan_alpha));
        let [fx, fy] = steady(&tyre, &slip, load, grip);
        prop_assert!(fx * kappa >= 0.0 && fy * tan_alpha <= 0.0, "{fx} N, {fy} N");
        let most = tyre.peak(load, grip);
        prop_assert!(fx.hypot(fy) <= most * (1.0 + 1e-9) + 1e-9, "{fx} N, {fy} N of {most} N");
        let mirrored = steady(&tyre, &Slip::along(kappa, -tan_alpha), load, grip);
        prop_assert_eq!(mirrored, [fx, -fy]);
    }
}
