//! Steady-state tyre models compared with reference values.

use simhost_sdk::testing;
use simhost_tyres::burckhardt::Burckhardt;
use simhost_tyres::fiala::Fiala;
use simhost_tyres::magic_formula::MagicFormula;
use simhost_tyres::tmeasy::TMeasy;
use simhost_tyres::{Slip, SteadyTyre};

use crate::check::{Case, Check};
use crate::plot::{Line, svg};

/// Normal load of the curves, N.
const LOAD: f64 = 4000.0;

/// Compares all steady-state tyre models with reference values and plots their curves.
pub fn all() -> Vec<Case> {
    vec![along(), across()]
}

fn fiala() -> Fiala {
    testing::friction(&[])
}

fn tmeasy() -> TMeasy {
    testing::friction(&[])
}

fn burckhardt() -> Burckhardt {
    testing::friction(&[])
}

fn magic_formula() -> MagicFormula {
    testing::friction(&[])
}

fn curve(name: &str, tyre: &impl SteadyTyre, axis: usize, slips: &[f64]) -> Line {
    let at = |slip: f64| if axis == 0 { Slip::of(slip, 0.0) } else { Slip::of(0.0, slip) };
    let forces: Vec<f64> =
        slips.iter().map(|slip| tyre.force(&at(*slip), LOAD, 1.0)[axis].abs()).collect();
    Line::new(name, slips, &forces)
}

fn curves(axis: usize, most: f64) -> Vec<Line> {
    let slips: Vec<f64> = (0..=200).map(|k| most * f64::from(k) / 200.0).collect();
    vec![
        curve("fiala", &fiala(), axis, &slips),
        curve("tmeasy", &tmeasy(), axis, &slips),
        curve("magic_formula", &magic_formula(), axis, &slips),
        curve("burckhardt", &burckhardt(), axis, &slips),
    ]
}

fn along() -> Case {
    let mut checks = Vec::new();
    for (kappa, fx) in [(0.01, 1939.29), (0.05, 6169.73168), (0.2, 6852.50197)] {
        let found = fiala().force(&Slip::of(kappa, 0.0), 8000.0, 1.0)[0];
        checks.push(Check::relative(
            &format!("`fiala`, F_x at κ = {kappa}, 8 kN, N"),
            fx,
            found,
            1e-7,
        ));
    }
    for (sx, fx) in [(0.01, 627.93916), (0.139, 3952.19847), (0.9, 2805.215)] {
        // Chrono divides the slip by the rolling speed
        let found = tmeasy().force(&Slip::along(sx / (1.0 - sx), 0.0), 3500.0, 1.0)[0];
        checks.push(Check::relative(
            &format!("`tmeasy`, F_x at s_x = {sx}, 3.5 kN, N"),
            fx,
            found,
            1e-7,
        ));
    }
    let locked = LOAD * (1.2801 * (1.0 - (-23.99f64).exp()) - 0.52);
    let found = -burckhardt().force(&Slip::of(-1.0, 0.0), LOAD, 1.0)[0];
    checks.push(Check::relative(
        "`burckhardt`, locked wheel on dry asphalt, 4 kN, N",
        locked,
        found,
        1e-9,
    ));
    Case {
        title: "Longitudinal tyre forces",
        file: "longitudinal-tyre-forces",
        text: "Longitudinal forces of the steady-state tyre models with default parameters at 4 \
               kN. The reference values come from Project Chrono 7689fbc0 (`ChFialaTire`, \
               `ChTMeasyTire`) and the closed form in Kiencke and Nielsen, *Automotive Control \
               Systems*, 2005. `plugins/tyres/tests/reference` has further values, and compares \
               the magic formula with CommonRoad and Chrono."
            .to_owned(),
        checks,
        picture: svg("Longitudinal force at 4 kN", ["slip ratio", "force, N"], &curves(0, 1.0)),
    }
}

fn across() -> Case {
    let mut checks = Vec::new();
    for (alpha, fy) in [(0.1, 3984.53401), (0.4, 6424.75307)] {
        let found = -fiala().force(&Slip::of(0.0, alpha), 8000.0, 1.0)[1];
        checks.push(Check::relative(
            &format!("`fiala`, −F_y at α = {alpha} rad, 8 kN, N"),
            fy,
            found,
            1e-7,
        ));
    }
    let side = 0.1f64.sin();
    let expected = LOAD * (1.2801 * (1.0 - (-23.99 * side).exp()) - 0.52 * side);
    let found = -burckhardt().force(&Slip::of(0.0, 0.1), LOAD, 1.0)[1];
    checks.push(Check::relative(
        "`burckhardt`, −F_y at α = 0.1 rad, 4 kN, N",
        expected,
        found,
        1e-9,
    ));
    Case {
        title: "Lateral tyre forces",
        file: "lateral-tyre-forces",
        text: "Lateral forces of the steady-state tyre models with default parameters at 4 kN."
            .to_owned(),
        checks,
        picture: svg("Lateral force at 4 kN", ["slip angle, rad", "force, N"], &curves(1, 0.5)),
    }
}
