//! The models as a host calls them: symmetry, forces, ranges, warm start.

use proptest::prelude::*;
use simhost_sdk::{AxleKinematics, AxleMotion, State, Suspension, testing};
use simhost_suspension::double_wishbone::DoubleWishbone;
use simhost_suspension::five_link::FiveLink;
use simhost_suspension::mcpherson::McPherson;
use simhost_suspension::rigid_axle::RigidAxleSuspension;
use simhost_suspension::tables::Tables;
use simhost_suspension::trailing_arm::TrailingArms;

/// Calls a model with a new state.
type Call = Box<dyn Fn(&AxleMotion) -> AxleKinematics>;

fn call<M: Suspension<Inputs = ()>>() -> Call {
    let model: M = testing::suspension(&[]);
    Box::new(move |axle| {
        model.kinematics(axle, &testing::step(), &mut testing::initial::<M::State>())
    })
}

fn models() -> [(&'static str, Call); 6] {
    [
        ("tables", call::<Tables>()),
        ("double_wishbone", call::<DoubleWishbone>()),
        ("mcpherson", call::<McPherson>()),
        ("five_link", call::<FiveLink>()),
        ("rigid_axle", call::<RigidAxleSuspension>()),
        ("trailing_arm", call::<TrailingArms>()),
    ]
}

prop_compose! {
    /// An axle within the range of the travels.
    fn axles()(
        travel in [-0.07..0.07_f64, -0.07..0.07_f64], rack in -0.03..0.03_f64,
        fx in [-4e3..4e3_f64, -4e3..4e3_f64], fy in [-4e3..4e3_f64, -4e3..4e3_f64],
        fz in [0.0..8e3_f64, 0.0..8e3_f64], mx in [-200.0..200.0_f64, -200.0..200.0_f64],
        mz in [-200.0..200.0_f64, -200.0..200.0_f64], shaft in [-500.0..500.0_f64, -500.0..500.0_f64],
    ) -> AxleMotion {
        AxleMotion {
            travel_left: travel[0], travel_right: travel[1], rack,
            fx_left: fx[0], fx_right: fx[1], fy_left: fy[0], fy_right: fy[1],
            fz_left: fz[0], fz_right: fz[1], mx_left: mx[0], mx_right: mx[1],
            mz_left: mz[0], mz_right: mz[1],
            shaft_torque_left: shaft[0], shaft_torque_right: shaft[1],
            half_track: 0.76, wheel_radius: 0.31,
            ..AxleMotion::default()
        }
    }
}

/// Returns the mirror image of an axle.
fn mirrored(axle: &AxleMotion) -> AxleMotion {
    AxleMotion {
        travel_left: axle.travel_right,
        travel_right: axle.travel_left,
        rack: -axle.rack,
        fx_left: axle.fx_right,
        fx_right: axle.fx_left,
        fy_left: -axle.fy_right,
        fy_right: -axle.fy_left,
        fz_left: axle.fz_right,
        fz_right: axle.fz_left,
        mx_left: -axle.mx_right,
        mx_right: -axle.mx_left,
        mz_left: -axle.mz_right,
        mz_right: -axle.mz_left,
        shaft_torque_left: axle.shaft_torque_right,
        shaft_torque_right: axle.shaft_torque_left,
        ..*axle
    }
}

fn left(found: &AxleKinematics) -> [f64; 8] {
    [
        found.camber_left,
        found.toe_left,
        found.track_left,
        found.longitudinal_left,
        found.caster_left,
        found.spring_left,
        found.motion_ratio_left,
        found.jacking_left,
    ]
}

fn right(found: &AxleKinematics) -> [f64; 8] {
    [
        found.camber_right,
        found.toe_right,
        found.track_right,
        found.longitudinal_right,
        found.caster_right,
        found.spring_right,
        found.motion_ratio_right,
        found.jacking_right,
    ]
}

fn largest_difference(one: [f64; 8], other: [f64; 8]) -> f64 {
    one.iter().zip(other).fold(0.0, |most, (one, other)| (one - other).abs().max(most))
}

proptest! {
    #[test]
    fn mirrored_axles_have_mirrored_outputs(axle in axles()) {
        for (name, model) in models() {
            let (found, mirror) = (model(&axle), model(&mirrored(&axle)));
            let difference = largest_difference(left(&found), right(&mirror));
            prop_assert!(difference < 1e-9, "{name}: {difference}");
            let heights = [found.roll_centre_kinematic - mirror.roll_centre_kinematic,
                found.roll_centre_constructed - mirror.roll_centre_constructed];
            prop_assert!(heights.iter().all(|height| height.abs() < 1e-9), "{name}: {heights:?}");
        }
    }

    /// A table has the path of the contact point alone: J = F_z − (F_x ∂x/∂z + F_y ∂y/∂z + F_z).
    #[test]
    fn links_of_tables_do_the_work_along_the_path(axle in axles()) {
        let model = call::<Tables>();
        let still = AxleMotion {
            mx_left: 0.0, mz_left: 0.0, shaft_torque_left: 0.0, fx_left: 0.0, ..axle
        };
        let h = 1e-5;
        let moved = |shift: f64| model(&AxleMotion { travel_left: still.travel_left + shift, ..still });
        let track = (moved(h).track_left - moved(-h).track_left) / (2.0 * h);
        let (found, expected) = (model(&still).jacking_left, -still.fy_left * track);
        prop_assert!((found - expected).abs() < 1e-3 * (1.0 + expected.abs()), "{found} {expected}");
    }

    #[test]
    fn motion_ratios_are_derivatives_of_the_compression(axle in axles()) {
        let h = 1e-5;
        for (name, model) in models() {
            let moved = |shift: f64| {
                model(&AxleMotion { travel_left: axle.travel_left + shift, ..axle }).spring_left
            };
            let expected = (moved(h) - moved(-h)) / (2.0 * h);
            let found = model(&axle).motion_ratio_left;
            prop_assert!((found - expected).abs() < 1e-6, "{name}: {found} {expected}");
        }
    }

    /// Beyond the range that the parameters declare.
    #[test]
    fn outputs_are_finite_and_continue_beyond_the_range(axle in axles(), factor in 1.0..40.0_f64) {
        let wide = AxleMotion {
            travel_left: axle.travel_left * factor, travel_right: axle.travel_right * factor,
            rack: axle.rack * factor, ..axle
        };
        for (name, model) in models() {
            let found = model(&wide);
            let values = [left(&found), right(&found)].concat();
            prop_assert!(values.iter().all(|value| value.is_finite()), "{name}: {found:?}");
            let near = model(&AxleMotion { travel_left: wide.travel_left + 1e-9, ..wide });
            prop_assert!(largest_difference(left(&found), left(&near)) < 1e-4, "{name}");
        }
    }
}

/// Both wheels of a double wishbone at rest: the forces of the links follow from the heights of the roll centre.
#[test]
fn lateral_forces_jack_by_the_slope_to_the_roll_centre() {
    for (name, model) in models() {
        let axle = AxleMotion {
            fy_left: -3000.0,
            half_track: 0.76,
            wheel_radius: 0.31,
            ..AxleMotion::default()
        };
        let found = model(&axle);
        if name == "rigid_axle" {
            // half of the moment about the roll centre is on either wheel
            let sum = found.jacking_left + found.jacking_right;
            assert!(sum.abs() < 1e-9, "{name}: {sum}");
            let couple = 0.74 * (found.jacking_left - found.jacking_right);
            let expected = 3000.0 * found.roll_centre_kinematic;
            assert!((couple - expected).abs() < 1e-9 * expected, "{name}: {couple} {expected}");
            continue;
        }
        let half_track = match name {
            "mcpherson" => 0.75,
            "five_link" => 0.77,
            "trailing_arm" => 0.74,
            _ => 0.76,
        };
        let expected = 3000.0 * found.roll_centre_kinematic / half_track;
        let difference = (found.jacking_left - expected).abs();
        assert!(
            difference < 1e-9 * (1.0 + expected.abs()),
            "{name}: {} {expected}",
            found.jacking_left
        );
        assert!(found.jacking_right.abs() < 1e-12);
    }
}

#[test]
fn a_suspension_at_rest_has_no_displacements() {
    for (name, model) in models() {
        let axle = AxleMotion { half_track: 0.76, wheel_radius: 0.3, ..AxleMotion::default() };
        let found = model(&axle);
        for value in
            [found.track_left, found.longitudinal_left, found.spring_left, found.jacking_left]
        {
            assert!(value.abs() < 1e-15, "{name}: {found:?}");
        }
    }
}

/// A warm start changes the time of a step, but not its result.
#[test]
fn warm_starts_do_not_change_the_result() {
    fn check<M: Suspension<Inputs = ()>>()
    where
        M::State: State + Clone,
    {
        let model: M = testing::suspension(&[]);
        let mut state = testing::initial::<M::State>();
        for step in 0..400 {
            let phase = 0.05 * f64::from(step);
            let axle = AxleMotion {
                travel_left: 0.09 * phase.sin(),
                travel_right: 0.07 * (1.3 * phase).cos(),
                rack: 0.03 * (0.7 * phase).sin(),
                half_track: 0.76,
                wheel_radius: 0.31,
                ..AxleMotion::default()
            };
            let warm = model.kinematics(&axle, &testing::step(), &mut state);
            let cold = model.kinematics(&axle, &testing::step(), &mut testing::initial());
            assert!(largest_difference(left(&warm), left(&cold)) < 1e-10);
            assert!(largest_difference(right(&warm), right(&cold)) < 1e-10);
        }
    }
    check::<DoubleWishbone>();
    check::<McPherson>();
    check::<FiveLink>();
    check::<RigidAxleSuspension>();
}

#[test]
fn batches_equal_single_lanes() {
    simhost_sdk::testing::assert_same_in_batches(&simhost_suspension::PLUGIN);
}
