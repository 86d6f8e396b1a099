//! The Magic Formula as an independent program evaluates it, see `mfeval.csv`.

use simhost_tyres::magic_formula::tir::parse;
use simhost_tyres::magic_formula::tyre::{Angles, Limits, Load, Tyre};

/// Returns the tyre of a block of coefficients.
fn tyre(format: &str, coefficients: &str) -> Tyre {
    let lines = coefficients.split_whitespace().collect::<Vec<_>>().join("\n");
    let mut tyre = parse(&format!("[MODEL]\nFITTYP = {format}\n{lines}\n")).unwrap().tyre;
    tyre.limits = Limits::Unlimited;
    tyre
}

/// A printed number has nine digits, and denominators near zero have another guard.
#[track_caller]
fn close(name: &str, row: &str, got: f64, expected: f64, absolute: f64) {
    let apart = (got - expected).abs();
    assert!(
        apart <= absolute + 1e-7 * expected.abs(),
        "{name} is {got}, expected {expected}: {row}"
    );
}

fn compare(tyre: &mut Tyre, row: &str) {
    let cells: Vec<f64> = row.split(',').map(|cell| cell.parse().unwrap()).collect();
    let [angles, f_z, kappa, alpha, gamma, pressure, omega, fx, fy, mz, radius, stiffness] =
        cells[..]
    else {
        panic!("{row}")
    };
    tyre.angles = if angles == 1.0 { Angles::Angle } else { Angles::Tangent };
    tyre.coefficients.inflpres = pressure;
    let load = Load::new(f_z, 1.0, gamma);
    // a negative PDY1 turns the sign of the coefficients, not that of the force
    assert_eq!(tyre.side(), 1.0);
    let force = tyre.combined(kappa, alpha, &load);
    close("F_x", row, force[0], fx, 3e-4);
    close("F_y", row, force[1], fy, 3e-4);
    close("M_z", row, tyre.aligning_moment(kappa, alpha, &load, 0.0), mz, 4e-4);
    let free = tyre.coefficients.unloaded_radius;
    close("R_e", row, tyre.rolling_radius(free, f_z, omega), radius, 1e-9);
    close("K_xκ", row, tyre.slip_stiffness(&load), stiffness, 1e-3);
}

#[test]
fn six_tyres_have_the_forces_and_moments_of_mfeval() {
    let text = include_str!("mfeval.csv");
    let mut compared = 0;
    for block in text.split("\ntyre,").skip(1) {
        let mut lines = block.lines();
        let (_, format) = lines.next().unwrap().split_once(',').unwrap();
        let (coefficients, rows): (Vec<_>, Vec<_>) = lines.partition(|line| line.contains('='));
        let mut tyre = tyre(format, &coefficients.join(" "));
        for row in rows {
            compare(&mut tyre, row);
            compared += 1;
        }
    }
    assert_eq!(compared, 6 * 46);
}
