//! Properties of linkages for random hardpoints near a valid set.

use proptest::prelude::*;
use simhost_sdk::vectors::Vec3;
use simhost_suspension::alignment::Alignment;
use simhost_suspension::corner::Corner;
use simhost_suspension::double_wishbone::DoubleWishbonePoints;
use simhost_suspension::linkage::Posture;
use simhost_suspension::mcpherson::McPhersonPoints;
use simhost_suspension::pose::Motion;
use simhost_suspension::roll_centre::RollCentre;

use crate::layouts::{DOUBLE_WISHBONE, MCPHERSON, five_links};

/// Number of moved hardpoints.
const POINTS: usize = 8;

/// Displacements of hardpoints, m.
fn offsets() -> impl Strategy<Value = [Vec3; POINTS]> {
    let offset = [-0.02..0.02_f64, -0.02..0.02_f64, -0.02..0.02_f64].prop_map(Vec3::from);
    proptest::array::uniform8(offset)
}

/// Wheel travel and rack travel, m.
fn inputs() -> impl Strategy<Value = [f64; 2]> {
    [-0.06..0.06_f64, -0.025..0.025_f64]
}

fn double_wishbone([a, b, c, d, e, f, g, h]: [Vec3; POINTS]) -> DoubleWishbonePoints {
    let points = DOUBLE_WISHBONE;
    DoubleWishbonePoints {
        lower_front: points.lower_front + a,
        lower_rear: points.lower_rear + b,
        lower_outer: points.lower_outer + c,
        upper_front: points.upper_front + d,
        upper_rear: points.upper_rear + e,
        upper_outer: points.upper_outer + f,
        tie_inner: points.tie_inner + g,
        tie_outer: points.tie_outer + h,
        ..points
    }
}

fn mcpherson([a, b, c, d, e, f, g, _]: [Vec3; POINTS]) -> McPhersonPoints {
    let points = MCPHERSON;
    McPhersonPoints {
        lower_front: points.lower_front + a,
        lower_rear: points.lower_rear + b,
        lower_outer: points.lower_outer + c,
        strut_top: points.strut_top + d,
        strut_lower: points.strut_lower + e,
        tie_inner: points.tie_inner + f,
        tie_outer: points.tie_outer + g,
        ..points
    }
}

/// Returns a double wishbone, the same with five links, and a McPherson strut.
fn corners(offsets: [Vec3; POINTS]) -> [Corner; 3] {
    let points = double_wishbone(offsets);
    [
        points.corner().unwrap(),
        five_links(&points).corner().unwrap(),
        mcpherson(offsets).corner().unwrap(),
    ]
}

fn at(corner: &Corner, [travel, rack]: [f64; 2]) -> Motion {
    corner.solve(&corner.rest(), travel, rack).unwrap()
}

/// Returns the fourth-order difference quotient of a function at 0.
fn slope(function: impl Fn(f64) -> f64) -> f64 {
    let h = 2e-4;
    let [a, b, c, d] = [-2.0 * h, -h, h, 2.0 * h].map(function);
    (a - 8.0 * b + 8.0 * c - d) / (12.0 * h)
}

/// Returns everything that an alignment has with derivatives: the value and its derivatives by both inputs.
fn varying(alignment: &Alignment) -> [(f64, [f64; 2]); 10] {
    let [x, y, z] = alignment.centre;
    let [c_x, c_y, c_z] = alignment.contact;
    let Alignment { camber, toe, spring_length, shock_length, .. } = *alignment;
    [camber, toe, x, y, z, c_x, c_y, c_z, spring_length, shock_length]
        .map(|dual| (dual.value, dual.by))
}

proptest! {
    #[test]
    fn constraints_hold(offsets in offsets(), inputs in inputs()) {
        for corner in corners(offsets) {
            let motion = at(&corner, inputs);
            let violation = corner.linkage.violation(&motion.pose, &inputs);
            prop_assert!(violation < 1e-14, "{violation}");
        }
    }

    #[test]
    fn derivatives_equal_differences(offsets in offsets(), inputs in inputs()) {
        for corner in corners(offsets) {
            let alignment = corner.geometry.alignment(&at(&corner, inputs));
            for k in 0..2 {
                let shifted = |k: usize, item: usize| {
                    slope(|shift| {
                        let mut moved = inputs;
                        moved[k] += shift;
                        varying(&corner.geometry.alignment(&at(&corner, moved)))[item].0
                    })
                };
                for (item, (_, by)) in varying(&alignment).into_iter().enumerate() {
                    let expected = shifted(k, item);
                    prop_assert!((by[k] - expected).abs() < 1e-8, "{item} by {k}: {} {expected}", by[k]);
                }
            }
        }
    }

    /// The contact point lies R (cos γ) below the wheel centre, which is the closed form of the rate for the class
    /// `linear`.
    #[test]
    fn contact_points_rise_as_wheels_lean(offsets in offsets(), inputs in inputs()) {
        for corner in corners(offsets) {
            let Alignment { camber, contact_path, .. } =
                corner.geometry.alignment(&at(&corner, inputs));
            let radius = corner.geometry.wheel.radius;
            for k in 0..2 {
                let expected = radius * camber.value.sin() * camber.by[k];
                let found = contact_path[k].z - [1.0, 0.0][k];
                prop_assert!((found - expected).abs() < 1e-9, "{found} {expected}");
            }
        }
    }

    #[test]
    fn poses_do_not_depend_on_the_start(
        offsets in offsets(), start in inputs(), inputs in inputs(),
    ) {
        for corner in corners(offsets) {
            let direct = at(&corner, inputs);
            let start = Posture::from(&at(&corner, start));
            let other = corner.solve(&start, inputs[0], inputs[1]).unwrap();
            let [one, two] = [direct, other].map(|motion| varying(&corner.geometry.alignment(&motion)));
            for ((value, by), (other, other_by)) in one.into_iter().zip(two) {
                prop_assert!((value - other).abs() < 1e-14, "{value} {other}");
                prop_assert!((by[0] - other_by[0]).abs() < 1e-9 && (by[1] - other_by[1]).abs() < 1e-9);
            }
        }
    }

    /// A link is a bar between two ball joints, so an arm is two of them.
    #[test]
    fn five_links_move_as_the_arms_that_they_replace(offsets in offsets(), inputs in inputs()) {
        let [arms, links, _] = corners(offsets);
        let [one, other] = [&arms, &links].map(|corner| at(corner, inputs));
        prop_assert_eq!(one.pose, other.pose);
        let [one, other] = [(&arms, one), (&links, other)]
            .map(|(corner, motion)| varying(&corner.geometry.alignment(&motion)));
        // the springs are on another part
        prop_assert_eq!(&one[..8], &other[..8]);
    }

    /// In a plane, both arms turn about the instant centre of the front view.
    #[test]
    fn roll_centres_agree_for_arms_in_the_plane_of_the_wheel(offsets in offsets(), travel in -0.06..0.06_f64) {
        let flat = |point: Vec3, x: f64| Vec3 { x, ..point };
        let points = double_wishbone(offsets);
        let x = points.wheel.centre.x;
        let points = DoubleWishbonePoints {
            wheel: simhost_suspension::hardpoints::Wheel { spin_axis: Vec3::new(0.0, 1.0, 0.0), ..points.wheel },
            lower_front: flat(points.lower_front, x + 0.2),
            lower_rear: Vec3 { x: x - 0.2, ..points.lower_front },
            lower_outer: flat(points.lower_outer, x),
            upper_front: flat(points.upper_front, x + 0.2),
            upper_rear: Vec3 { x: x - 0.2, ..points.upper_front },
            upper_outer: flat(points.upper_outer, x),
            ..points
        };
        // without bump steer: the tie rod is in the plane of the lower arm, and parallel to it
        let behind = Vec3::new(-0.1, 0.0, 0.0);
        let points = DoubleWishbonePoints {
            tie_inner: flat(points.lower_front, x) + behind,
            tie_outer: points.lower_outer + behind,
            ..points
        };
        let corner = points.corner().unwrap();
        let motion = at(&corner, [travel, 0.0]);
        let alignment = corner.geometry.alignment(&motion);
        let RollCentre { kinematic, constructed, .. } =
            RollCentre::new(&corner.geometry.construction, &motion, &alignment);
        prop_assert!((kinematic - constructed).abs() < 1e-10, "{kinematic} {constructed}");
    }
}
