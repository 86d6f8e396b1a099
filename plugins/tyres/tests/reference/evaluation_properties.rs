//! Properties of all outputs of the Magic Formula: mirror symmetry, finite numbers, continuity.

use proptest::prelude::*;
use simhost_tyres::magic_formula::tyre::{Limits, Tyre, TyreCondition, TyreResponse, TyreVariant};

use super::evaluation::{VERSIONS, numbers, touring};
use crate::near_zero::within;

prop_compose! {
    fn conditions()(
        f_z in 20.0..20e3_f64, kappa in within(1.5), alpha in within(1.2), gamma in within(0.25),
        turn in proptest::option::of(within(0.3)), vx in within(50.0),
    ) -> TyreCondition {
        TyreCondition { f_z, kappa, alpha, gamma, turn_slip: turn, vx, radius: 0.3 }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    /// A tyre on the other side of the vehicle, in a mirrored condition, has mirrored outputs.
    #[test]
    fn a_mirrored_tyre_has_mirrored_outputs(
        c in conditions(), version in 0..3_usize, limited in any::<bool>(), book in any::<bool>(),
    ) {
        let mut tyre = touring(VERSIONS[version]);
        if limited { tyre.limits = Limits::Solver }
        if book { tyre.variant = TyreVariant::Book }
        // the moment of turn slip of the solver has a factor that is not odd
        let turn_slip = c.turn_slip.filter(|_| book);
        let c = TyreCondition { turn_slip, ..c };
        let other = TyreCondition {
            alpha: -c.alpha, gamma: -c.gamma, turn_slip: c.turn_slip.map(|turn| -turn), ..c
        };
        for tyre in [tyre.clone(), tyre.without_shifts()] {
            let (one, other) = (tyre.respond(&c), tyre.clone().mirrored().respond(&other));
            let mut expected = TyreResponse { force: [one.force[0], -one.force[1]], ..one };
            expected.moment = [-one.moment[0], one.moment[1], -one.moment[2]];
            expected.residual_moment = -one.residual_moment;
            let pairs = numbers(&expected).into_iter().zip(numbers(&other));
            for (place, (expected, found)) in pairs.enumerate() {
                let apart = (expected - found).abs();
                prop_assert!(apart <= 1e-9 * expected.abs().max(1.0), "{place}: {expected} {found}");
            }
        }
    }

    #[test]
    fn outputs_are_finite(
        f_z in prop_oneof![Just(0.0), Just(-10.0), 0.0..1e7_f64], kappa in within(1e4), alpha in within(1.6),
        gamma in within(1.5), turn in proptest::option::of(within(1e6)), vx in within(1e4),
        version in 0..3_usize, limited in any::<bool>(), book in any::<bool>(),
    ) {
        let mut tyre = touring(VERSIONS[version]);
        if limited { tyre.limits = Limits::Solver }
        if book { tyre.variant = TyreVariant::Book }
        let c = TyreCondition { f_z, kappa, alpha, gamma, turn_slip: turn, vx, radius: 0.3 };
        for (place, number) in numbers(&tyre.respond(&c)).into_iter().enumerate() {
            prop_assert!(number.is_finite(), "{place}: {number}");
        }
    }

    /// Forces and moments of a rolling tyre change little with the slip, in both directions through zero.
    #[test]
    fn outputs_go_through_zero_slip_without_a_jump(c in conditions(), version in 0..3_usize, axis in 0..3_usize) {
        let tyre = Tyre { limits: Limits::Curvature, ..touring(VERSIONS[version]) }.without_shifts();
        let small = 1e-9;
        let to = |slip: f64| match axis {
            0 => TyreCondition { kappa: slip, turn_slip: None, ..c },
            1 => TyreCondition { alpha: slip, kappa: 0.0, turn_slip: None, ..c },
            _ => TyreCondition { gamma: slip, turn_slip: None, ..c },
        };
        let [below, above] = [-small, small].map(|slip| numbers(&tyre.respond(&to(slip))));
        for (place, (below, above)) in below.into_iter().zip(above).enumerate() {
            let most = 1e-4 * below.abs().max(c.f_z);
            prop_assert!((below - above).abs() <= most, "{place}: {below} {above}");
        }
    }
}
