//! All outputs of the Magic Formula at operating conditions.
//!
//! The numbers in `touring.csv` are from an implementation of the same equations in Python, independent of this crate, which
//! agrees with MFeval by M. Furlan (the copy in github LHRIC/Vogel_SIM, 183525f, under GNU Octave 7.3) on 1,800 random
//! conditions of six tyres of others to the nine digits that it prints.

use simhost_sdk::math;
use simhost_tyres::magic_formula::tir::parse;
use simhost_tyres::magic_formula::tyre::{
    Angles, Limits, Tyre, TyreCondition, TyreResponse, TyreVariant, Version,
};

use super::close;

/// Returns the touring tyre without limits.
pub fn touring(version: Version) -> Tyre {
    Tyre {
        version,
        limits: Limits::Unlimited,
        angles: Angles::Tangent,
        ..parse(include_str!("touring.tir")).unwrap().tyre
    }
}

/// All versions.
pub const VERSIONS: [Version; 3] = [Version::Mf52, Version::Mf61, Version::Mf62];

/// A wheel with a nominal load at 20 m/s.
fn at(kappa: f64, alpha: f64, gamma: f64) -> TyreCondition {
    TyreCondition { f_z: 4000.0, kappa, alpha, gamma, vx: 20.0, ..TyreCondition::default() }
}

/// Returns all outputs, in the order of the columns of `touring.csv`.
pub fn numbers(of: &TyreResponse) -> Vec<f64> {
    let radii = [of.rolling_radius, of.loaded_radius, of.deflection];
    let trail = [of.trail, of.residual_moment, of.spin];
    let parts: [&[f64]; 9] = [
        &of.force,
        &of.moment,
        &of.used,
        &radii,
        &of.contact,
        &trail,
        &of.mu,
        &of.stiffness,
        &of.relaxation,
    ];
    parts.concat().into_iter().chain(of.slip_stiffness).collect()
}

/// Cells of a row: version, limits as in USE_MODE of MFeval (1: limits of the file, 2: none), turn
/// slip or nothing, pressure and the condition.
fn evaluated(row: &str) -> Vec<f64> {
    let cells: Vec<&str> = row.split(',').collect();
    let number = |place: usize| cells[place].parse::<f64>().unwrap();
    let version = VERSIONS[["5.2", "6.1", "6.2"].iter().position(|v| *v == cells[0]).unwrap()];
    let mut tyre = touring(version);
    tyre.limits = if cells[1] == "1" { Limits::Solver } else { Limits::Unlimited };
    tyre.coefficients.inflpres = number(3);
    let condition = TyreCondition {
        f_z: number(4),
        kappa: number(5),
        alpha: number(6),
        gamma: number(7),
        turn_slip: cells[2].parse().ok(),
        vx: number(8),
        radius: 0.0,
    };
    numbers(&tyre.respond(&condition))
}

#[test]
fn the_touring_tyre_has_its_recorded_outputs() {
    let text = include_str!("touring.csv");
    let mut compared = 0;
    for row in text.lines().skip(2) {
        let (condition, expected) = row.split_once(" | ").unwrap();
        let expected: Vec<f64> = expected.split(',').map(|cell| cell.parse().unwrap()).collect();
        let found = evaluated(condition);
        assert_eq!(found.len(), expected.len());
        for (found, expected) in found.into_iter().zip(expected) {
            close(found, expected, 1e-9);
            compared += 1;
        }
    }
    assert_eq!(compared, 90 * 24);
}

/// M_y = −R_0 F_z QSY1 and M_x = R_0 F_z (F_y/F_z0) QSX3 without other coefficients.
#[test]
fn moments_about_the_axle_and_the_path_in_closed_form() {
    let mut tyre = touring(Version::Mf52);
    for name in ["QSY2", "QSY3", "QSY4", "QSX1", "QSX2", "QSX4", "QSX10", "QSX12", "QSX13", "QSX14"]
    {
        *tyre.coefficients.named(name).unwrap() = 0.0;
    }
    let response = tyre.respond(&at(0.0, 0.05, 0.02));
    let (p, load) = (&tyre.coefficients, 4000.0);
    close(response.moment[1], -0.316 * load * 0.009 * p.lmy, 1e-12);
    close(response.moment[0], 0.316 * response.force[1] * 0.04 * p.lmx, 1e-12);
    // backwards, the resistance has the other sign
    let back = tyre.respond(&TyreCondition { vx: -20.0, ..at(0.0, 0.05, 0.02) });
    close(back.moment[1], -response.moment[1], 1e-12);
}

/// ρ = F_z/C_z of a linear tyre, and a/R_0 = Q_RA2 ρ/R_0 + Q_RA1 √(ρ/R_0).
#[test]
fn a_linear_tyre_deflects_by_load_and_stiffness() {
    for version in VERSIONS {
        let mut tyre = touring(version);
        for name in ["Q_V2", "Q_FZ2", "Q_FZ3", "Q_FCX", "Q_FCY", "PFZ1", "Q_V1"] {
            *tyre.coefficients.named(name).unwrap() = 0.0;
        }
        let response = tyre.respond(&at(0.1, 0.05, 0.0));
        let deflection = 4000.0 / 210e3;
        close(response.deflection, deflection, 1e-9);
        close(response.loaded_radius, 0.316 * 1.002 - deflection, 1e-9);
        close(response.stiffness[2], 210e3, 1e-9);
        if version != Version::Mf52 {
            let part = deflection / 0.316;
            close(response.contact[0], 0.632 * (0.75 * part + 0.65 * part.sqrt()), 1e-9);
        }
    }
}

/// σ_x = K_xκ/C_x and σ_y = K_yα/C_y.
#[test]
fn relaxation_lengths_are_ratios_of_stiffness_since_6_1() {
    let response = touring(Version::Mf61).respond(&at(0.0, 0.0, 0.03));
    for axis in 0..2 {
        let expected = (response.slip_stiffness[axis] / response.stiffness[axis]).abs();
        close(response.relaxation[axis], expected, 1e-12);
    }
}

/// A tyre that turns on the spot has the moment M_zφ∞ sin(π/2 QDRP1) (4.E94 to 4.E99).
#[test]
fn a_parked_wheel_is_turned_against_the_friction_of_its_contact_patch() {
    let mut tyre = touring(Version::Mf61);
    tyre.variant = TyreVariant::Book;
    tyre.coefficients.qdrp2 = 0.0;
    let turned = |rate: f64| {
        let vx = 1e-3;
        let parked = TyreCondition { turn_slip: Some(-rate / vx), vx, ..at(0.0, 0.0, 0.0) };
        tyre.respond(&parked)
    };
    let response = turned(2.0);
    let p = &tyre.coefficients;
    let most = p.qcrp1 * response.mu[1] * 0.316 * 4000.0 * (4000.0 / 3800.0_f64).sqrt() * p.lmp;
    let size = response.moment[2].abs();
    assert!((size / most - 1.0).abs() < 0.02, "{size} N·m of {most} N·m");
    // counter-clockwise turning meets a clockwise moment
    assert!(turned(2.0).moment[2] < 0.0 && turned(-2.0).moment[2] > 0.0);
    // and the wheel has hardly any other force
    assert!(response.force[1].abs() < 0.05 * 4000.0);
}

/// Each row of the table of differences in the book: a scale of 0.5 counts 10 · 0.5/(1 + 9 · 0.5) for shifts.
#[test]
fn the_equations_of_the_book_differ_where_the_manual_says() {
    let (solver, mut book) = (touring(Version::Mf61), touring(Version::Mf61));
    book.variant = TyreVariant::Book;
    let condition = at(0.02, 0.06, 0.04);
    let [one, other] = [&solver, &book].map(|tyre| tyre.respond(&condition));
    close(one.moment[1] * (4000.0 / 3800.0), other.moment[1], 0.05);
    for place in 0..3 {
        assert_ne!(one.moment[place], other.moment[place], "moment {place}");
    }
    // without scales, camber and slip, only the rolling resistance differs
    let neutral = |mut tyre: Tyre| {
        let p = &mut tyre.coefficients;
        (p.lmux, p.lmuy, p.lfzo, p.qsx4) = (1.0, 1.0, 1.0, 0.0);
        tyre.respond(&at(0.0, 0.0, 0.0))
    };
    let [one, other] = [neutral(solver), neutral(book)];
    assert_eq!(one.force, other.force);
    close(one.moment[0], other.moment[0], 1e-12);
    close(one.moment[2], other.moment[2], 1e-3);
    close(one.moment[1], other.moment[1], 1e-9);
}

/// Below VXLOW the solver fades slip and shifts, so that a wheel at rest has no force.
#[test]
fn with_the_limits_of_the_solver_forces_go_through_standstill_without_a_jump() {
    for version in VERSIONS {
        let tyre = Tyre { limits: Limits::Solver, ..touring(version) };
        for v in [1e-6, -1e-6] {
            let response = tyre.respond(&TyreCondition { vx: v, ..at(0.3, 0.2, 0.0) });
            let [fx, fy] = response.force;
            assert!(fx.abs() < 1.0 && fy.abs() < 1.0, "{fx} N, {fy} N at {v} m/s");
            assert!(response.moment[1].abs() < 1e-3 && response.moment[2].abs() < 0.1);
        }
    }
}

#[test]
fn the_measures_of_the_angles_agree_for_small_ones() {
    let tangent = touring(Version::Mf61);
    let angle = Tyre { angles: Angles::Angle, ..tangent.clone() };
    let small = at(0.01, 1e-4, 1e-4);
    close(angle.respond(&small).force[1], tangent.respond(&small).force[1], 1e-6);
    let large = at(0.0, 0.5, 0.0);
    let [one, other] = [&angle, &tangent].map(|tyre| tyre.respond(&large).force[1]);
    assert!((one - other).abs() > 1e-4 * one.abs() && math::tan(0.5) > 0.5, "{one} {other}");
}
