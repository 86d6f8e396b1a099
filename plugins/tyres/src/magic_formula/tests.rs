//! Parameters of the model with a tyre file.

#![allow(clippy::unwrap_used)]

use proptest::prelude::*;
use simhost_sdk::{Force, Friction, ModelCore, Step, TextFile, Wheel, testing};

use super::rolling::Rolling;
use super::tyre::{Limits, Load};
use super::{MagicFormula, RollingResistance, WheelSide};
use crate::{Brake, Lag};

const TOURING: &str = include_str!("../../tests/reference/touring.tir");

fn made(change: impl Fn(&mut MagicFormula)) -> MagicFormula {
    let mut model: MagicFormula = testing::friction(&[]);
    model.tir = Some(TextFile { path: "touring.tir".into(), text: TOURING.into() });
    model.notes.clear();
    model.details = true;
    change(&mut model);
    model.prepare().unwrap();
    model
}

/// A wheel at 20 m/s that drifts to its left, whose mass moves little in a step.
fn wheel(brake: Brake) -> Wheel<Brake> {
    Wheel {
        vx: 20.0,
        vy: 0.5,
        spin: 21.0 / 0.31,
        normal_force: 4000.0,
        radius: 0.316,
        inertia: 1e6,
        gravity: 4e-6,
        ..testing::wheel()
    }
    .with(brake)
}

fn settled(model: &MagicFormula, steps: usize) -> (Force, Rolling) {
    let (wheel, step, mut lag) = (wheel(Brake::default()), Step::new(0.0, 0.001), Lag::default());
    let mut force = model.force(&wheel, &step, &mut lag);
    for _ in 1..steps {
        force = model.force(&wheel, &step, &mut lag);
    }
    (force, model.publish(&wheel, &force, &step, &lag))
}

#[test]
fn use_mode_selects_forces_and_moments() {
    let of_mode = |mode: u32| settled(&made(|model| model.use_mode = mode), 1);
    let (force, rolling) = of_mode(4);
    assert!(force.fx > 500.0 && force.fy < -500.0);
    assert!(rolling.overturning_moment != 0.0 && rolling.aligning_moment > 0.0);
    let (none, rolling) = of_mode(0);
    assert_eq!((none.fx, none.fy), (0.0, 0.0));
    assert_eq!((rolling.overturning_moment, rolling.resistance_moment), (0.0, 0.0));
    let (along, rolling) = of_mode(1);
    assert!(along.fx > force.fx && along.fy == 0.0);
    assert!(rolling.resistance_moment < 0.0 && rolling.aligning_moment == 0.0);
    let (across, rolling) = of_mode(2);
    assert!(across.fx == 0.0 && across.fy < force.fy);
    assert!(rolling.resistance_moment == 0.0 && rolling.aligning_moment > 0.0);
    let (both, _) = of_mode(3);
    assert_eq!((both.fx, both.fy), (along.fx, across.fy));
}

#[test]
fn without_details_a_wheel_shows_the_aligning_moment_and_its_radius() {
    let (_, all) = settled(&made(|_| {}), 1);
    let (_, few) = settled(&made(|model| model.details = false), 1);
    assert_eq!(
        (few.aligning_moment, few.rolling_radius),
        (all.aligning_moment, all.rolling_radius)
    );
    assert_eq!((few.overturning_moment, few.deflection, few.pneumatic_trail), (0.0, 0.0, 0.0));
    assert!(all.deflection > 0.01 && all.contact_length > 0.1 && all.pneumatic_trail > 0.0);
}

#[test]
fn a_use_mode_without_outputs_is_refused() {
    let mut model = made(|_| {});
    model.use_mode = 15;
    let text = model.prepare().unwrap_err();
    assert_eq!(text, "use_mode is 15, expected a last digit of 0 to 4");
}

/// The force reaches 1 − 1/e of its final size within one relaxation length.
#[test]
fn with_a_transient_use_mode_the_relaxation_lengths_of_the_file_act() {
    let model = made(|model| {
        model.use_mode = 14;
        model.shifts = false;
    });
    let load = Load::new(4000.0, 1.0, 0.0);
    let [along, across] = model.tyre.relaxation_lengths(&load, 0.316);
    assert!(along > 0.1 && across > 0.1, "{along} m, {across} m");
    let steady = made(|_| {}).tyre.combined(0.0, 1e-4, &load)[1];
    // in small slip, where the force is linear
    let wheel = Wheel { vy: 20.0 * 1e-4, spin: 20.0 / 0.31, ..wheel(Brake::default()) };
    let (step, mut lag) = (Step::new(0.0, 1e-5), Lag::default());
    let steps = (across / 20.0 / step.dt).round() as usize;
    let forces: Vec<f64> =
        (0..steps).map(|_| model.force(&wheel, &step, &mut lag).fy / steady).collect();
    let reached = forces.last().unwrap();
    assert!((reached - (1.0 - (-1.0f64).exp())).abs() < 0.01, "{reached}");
}

#[test]
fn the_resistance_of_the_file_replaces_that_of_the_parameter() {
    let of = |resistance| {
        let model = made(|model| {
            model.resistance = resistance;
            (model.c_damping, model.c_rr) = (0.0, 0.03);
        });
        let (force, rolling) = settled(&model, 3);
        // the torque about the axle without that of the force
        let radius = rolling.rolling_radius;
        (-force.spin_torque - radius * force.fx, rolling.resistance_moment)
    };
    let (torque, moment) = of(RollingResistance::File);
    assert!((torque + moment).abs() < 0.02 * torque, "{torque} N·m, {moment} N·m");
    let (torque, _) = of(RollingResistance::Parameter);
    assert!((torque - 0.03 * 4000.0 * 0.31).abs() < 2.0, "{torque} N·m");
}

/// Without limits, the friction coefficients of this tyre fall below 0 at 2.2 times the nominal load.
#[test]
fn a_tyre_without_friction_under_a_great_load_has_no_force() {
    for limits in [Limits::Unlimited, Limits::Solver] {
        let model = made(|model| {
            model.coefficients = Some("PDX2 -0.9; PDY2 -0.9; FZMAX 1e5".into());
            (model.limits, model.limit_resultant) = (limits, true);
        });
        let heavy = Wheel { normal_force: 12e3, ..wheel(Brake::default()) };
        let force = model.force(&heavy, &testing::step(), &mut Lag::default());
        assert_eq!((force.fx, force.fy), (0.0, 0.0));
    }
}

/// The file is of the left side.
#[test]
fn a_tyre_of_the_other_side_is_mirrored() {
    let of = |side, vy: f64| {
        let model = made(|model| (model.shifts, model.side) = (true, side));
        let wheel = Wheel { vy, ..wheel(Brake::default()) };
        model.force(&wheel, &testing::step(), &mut Lag::default())
    };
    let file = of(WheelSide::File, 0.3);
    assert_eq!(of(WheelSide::Left, 0.3), file);
    let right = of(WheelSide::Right, -0.3);
    assert!((right.fy + file.fy).abs() < 1e-6 && (right.fx - file.fx).abs() < 1e-6);
    assert!((of(WheelSide::Right, 0.3).fy - file.fy).abs() > 10.0);
}

#[test]
fn warnings_name_what_the_file_has_and_the_tyre_does_not_use() {
    let notes = |change: &dyn Fn(&mut MagicFormula)| made(change).notes;
    let plain = notes(&|_| {});
    assert!(plain[0].contains("QSY1") && plain[0].contains("PTX1") && plain[0].contains("PDXP1"));
    assert_eq!(plain.len(), 1, "{plain:?}");
    let all = notes(&|model| {
        model.resistance = RollingResistance::File;
        model.use_mode = 24;
    });
    assert!(!all[0].contains("QSY1") && !all[0].contains("PTX1") && all[0].contains("PDXP1"));
    let other = notes(&|model| model.use_mode = 3);
    assert!(other[1].contains("USE_MODE is 24, but the outputs of mode 3"), "{other:?}");
    let shifted = notes(&|model| model.shifts = true);
    assert!(shifted[1].contains("TYRESIDE LEFT has no effect: set <side>"), "{shifted:?}");
    let mut bare: MagicFormula = testing::friction(&[]);
    (bare.use_mode, bare.resistance) = (14, RollingResistance::File);
    bare.prepare().unwrap();
    assert!(bare.notes[0].contains("no relaxation lengths") && bare.notes[1].contains("<C_rr>"));
}

prop_compose! {
    fn wheels()(
        vx in -30.0..30.0_f64, drift in -0.3..0.3_f64, slip in -0.3..0.3_f64, load in 0.0..9000.0_f64,
        torque in -500.0..500.0_f64, rests in any::<bool>(),
    ) -> Wheel<Brake> {
        let vx = if rests { 0.0 } else { vx };
        let spin = (1.0 + slip) * vx / 0.31;
        Wheel {
            vx, vy: drift * vx, spin, torque, normal_force: load, radius: 0.316, inertia: 0.9, ..testing::wheel()
        }
        .with(Brake::default())
    }
}

proptest! {
    /// With relaxation lengths and rolling resistance of the file, a mirrored wheel is pushed mirrored over several steps,
    /// with finite quantities.
    #[test]
    fn a_tyre_with_everything_of_its_file_is_finite_and_symmetric(wheel in wheels(), version in 0..3_usize) {
        use super::Equations::{Mf52, Mf61, Mf62};
        let model = made(|model| {
            model.use_mode = 14;
            model.resistance = RollingResistance::File;
            model.version = [Mf52, Mf61, Mf62][version];
        });
        let step = Step::new(0.0, 0.005);
        let mirrored = Wheel { vy: -wheel.vy, ..wheel };
        let (mut lag, mut other) = (Lag::default(), Lag::default());
        for _ in 0..5 {
            let force = model.force(&wheel, &step, &mut lag);
            let turned = model.force(&mirrored, &step, &mut other);
            prop_assert_eq!(force, Force { fy: -turned.fy, ..turned });
            let rolling = model.publish(&wheel, &force, &step, &lag);
            let back = model.publish(&mirrored, &turned, &step, &other);
            prop_assert!((rolling.aligning_moment + back.aligning_moment).abs() < 1e-9);
            prop_assert!((rolling.overturning_moment + back.overturning_moment).abs() < 1e-9);
            let sizes = [force.fx, force.spin_torque, rolling.deflection, rolling.loaded_radius];
            prop_assert!(sizes.iter().all(|size| size.is_finite()), "{:?} {:?}", force, rolling);
        }
    }

    /// Through standstill, forces change by no more than what stops the mass.
    #[test]
    fn a_tyre_with_everything_of_its_file_does_not_jump_at_standstill(load in 500.0..9000.0_f64, drift in -0.3..0.3_f64) {
        let model = made(|model| {
            model.use_mode = 14;
            model.resistance = RollingResistance::File;
        });
        let step = Step::new(0.0, 0.005);
        let at = |v: f64| {
            let wheel = Wheel { vx: v, vy: drift * v, spin: 1.01 * v / 0.31, ..wheel(Brake::default()) };
            let wheel = Wheel { normal_force: load, gravity: 9.81, inertia: 0.9, ..wheel };
            model.force(&wheel, &step, &mut Lag::default())
        };
        let forces: Vec<Force> = (-200..=200).map(|n| at(f64::from(n) * 1e-4)).collect();
        let most = (2e-4 * load / 9.81 / step.dt).max(0.05 * load);
        for pair in forces.windows(2) {
            let jump = (pair[1].fx - pair[0].fx).hypot(pair[1].fy - pair[0].fy);
            prop_assert!(jump <= most, "{jump} N of {load} N");
        }
    }
}
