//! Trailing arms and rigid axles against closed forms.

use proptest::prelude::*;
use simhost_sdk::vectors::Vec3;
use simhost_suspension::errors::HardpointError;
use simhost_suspension::five_link::LinkEnds;
use simhost_suspension::hardpoints::{StrutEnds, Wheel};
use simhost_suspension::linkage::Posture;
use simhost_suspension::pose::mirrored;
use simhost_suspension::rigid_axle::{RigidAxle, RigidAxlePoints, UpperLinks};
use simhost_suspension::roll_centre::RollCentre;
use simhost_suspension::trailing_arm::TrailingArmPoints;

const WHEEL: Wheel =
    Wheel { centre: Vec3::new(0.0, 0.74, 0.31), spin_axis: Vec3::new(0.0, 1.0, 0.0), radius: 0.31 };
const SPRING: StrutEnds =
    StrutEnds { top: Vec3::new(0.1, 0.55, 0.6), lower: Vec3::new(0.1, 0.55, 0.3) };

const SEMI_TRAILING: TrailingArmPoints = TrailingArmPoints {
    wheel: WHEEL,
    arm_inner: Vec3::new(0.35, 0.25, 0.3),
    arm_outer: Vec3::new(0.5, 0.6, 0.33),
    spring: SPRING,
    shock: SPRING,
};

/// An axle with parallel links of equal length and a Panhard rod.
const PARALLEL: RigidAxlePoints = RigidAxlePoints {
    wheel: WHEEL,
    lower: LinkEnds { inner: Vec3::new(0.5, 0.5, 0.25), outer: Vec3::new(0.0, 0.5, 0.22) },
    upper: UpperLinks::Panhard {
        upper: LinkEnds { inner: Vec3::new(0.5, 0.0, 0.43), outer: Vec3::new(0.0, 0.0, 0.4) },
        rod: LinkEnds { inner: Vec3::new(-0.1, -0.5, 0.35), outer: Vec3::new(-0.1, 0.5, 0.35) },
    },
    spring: SPRING,
    shock: SPRING,
};

/// An axle with oblique upper links.
const OBLIQUE: RigidAxlePoints = RigidAxlePoints {
    upper: UpperLinks::Pair(LinkEnds {
        inner: Vec3::new(0.4, 0.45, 0.45),
        outer: Vec3::new(0.02, 0.1, 0.46),
    }),
    ..PARALLEL
};

fn rest(axle: &RigidAxle) -> Posture {
    Posture::from(axle.linkage.rest())
}

proptest! {
    #[test]
    fn wheels_on_arms_stay_on_their_circle(travel in -0.15..0.15_f64) {
        let arm = SEMI_TRAILING.arm().unwrap();
        let motion = arm.solve(travel).unwrap();
        for joint in [SEMI_TRAILING.arm_inner, SEMI_TRAILING.arm_outer] {
            let fixed = motion.point(joint - WHEEL.centre);
            prop_assert!((fixed.at - joint).length() < 1e-15);
            prop_assert!(fixed.by[0].length() < 1e-14);
        }
        prop_assert!((motion.pose.position.z - WHEEL.centre.z - travel).abs() < 1e-15);
        let h = 1e-4;
        let [before, after] = [travel - h, travel + h].map(|travel| arm.solve(travel).unwrap());
        let slope = (after.pose.position - before.pose.position) / (2.0 * h);
        prop_assert!((slope - motion.by[0].velocity).length() < 1e-7);
    }

    /// The line from the contact point to the place where the axis of the arm crosses the transverse plane through it.
    #[test]
    fn roll_centres_of_arms_follow_from_the_axis(travel in -0.08..0.08_f64) {
        let arm = SEMI_TRAILING.arm().unwrap();
        let motion = arm.solve(travel).unwrap();
        let alignment = arm.geometry.alignment(&motion);
        let found = RollCentre::new(&arm.geometry.construction, &motion, &alignment);
        let [x, y, z] = alignment.contact.map(|coordinate| coordinate.value);
        let (from, along) =
            (SEMI_TRAILING.arm_inner, SEMI_TRAILING.arm_outer - SEMI_TRAILING.arm_inner);
        let pole = from + along * ((x - from.x) / along.x);
        let expected = -y * (pole.z - z) / (pole.y - y);
        prop_assert!((found.kinematic - expected).abs() < 1e-12);
    }

    #[test]
    fn parallel_links_move_the_axle_on_a_circle(travel in -0.08..0.08_f64) {
        let axle = PARALLEL.axle().unwrap();
        let motion = axle.solve(&rest(&axle), [travel; 2]).unwrap();
        let along = |length: f64, height: f64| (length * length - height * height).sqrt();
        let length = 0.5f64.hypot(0.03);
        let UpperLinks::Panhard { rod, .. } = PARALLEL.upper else { unreachable!() };
        // links and rod move the axle forwards and sideways
        let sideways = |x: f64| {
            let reach = Vec3::new(rod.outer.x + x - rod.inner.x, 0.0, travel).length();
            along(1.0, reach) - 1.0
        };
        let forwards = |y: f64| 0.5 - along(length, (travel - 0.03).hypot(y));
        let (mut x, mut y) = (0.0, 0.0);
        for _ in 0..50 {
            (x, y) = (forwards(y), sideways(x));
        }
        let position = motion.pose.position;
        prop_assert!((position - Vec3::new(x, y, WHEEL.centre.z + travel)).length() < 1e-12);
    }

    #[test]
    fn symmetric_axles_move_symmetrically(left in -0.08..0.08_f64, right in -0.08..0.08_f64) {
        let axle = OBLIQUE.axle().unwrap();
        let [one, other] = [[left, right], [right, left]]
            .map(|travels| axle.solve(&rest(&axle), travels).unwrap());
        let mirror = other.mirrored();
        prop_assert!((one.pose.position - mirror.pose.position).length() < 1e-14);
        for k in 0..2 {
            prop_assert!((one.by[k].velocity - mirror.by[k].velocity).length() < 1e-10);
            prop_assert!((one.by[k].rotation - mirror.by[k].rotation).length() < 1e-10);
        }
        let heights = [WHEEL.centre, mirrored(WHEEL.centre)]
            .map(|centre| one.point(centre - Vec3 { y: 0.0, ..WHEEL.centre }).at.z - WHEEL.centre.z);
        prop_assert!((heights[0] - left).abs() < 1e-14 && (heights[1] - right).abs() < 1e-14);
        let violation = axle.linkage.violation(&one.pose, &[left, right]);
        prop_assert!(violation < 1e-14);
    }
}

/// A pair of links acts at the point where their lines meet in the plan view.
#[test]
fn roll_centres_of_axles_follow_from_their_links() {
    let contact_z = 0.0;
    let panhard = PARALLEL.axle().unwrap();
    // a level rod in the middle
    let found = panhard.roll_centre(panhard.linkage.rest(), contact_z);
    // roll turns the axle about the line through the middle of the rod that is parallel to the links
    let expected = 0.35 + 0.1 * 0.03 / 0.5;
    assert!((found - expected).abs() < 1e-3, "{found} {expected}");

    let oblique = OBLIQUE.axle().unwrap();
    let found = oblique.roll_centre(oblique.linkage.rest(), contact_z);
    let UpperLinks::Pair(upper) = OBLIQUE.upper else { unreachable!() };
    let along = upper.outer - upper.inner;
    let meeting = upper.inner - along * (upper.inner.y / along.y);
    // the axis passes through that point and is parallel to the lower links
    let lower = OBLIQUE.lower.outer - OBLIQUE.lower.inner;
    let expected = meeting.z - lower.z / lower.x * meeting.x;
    assert!((found - expected).abs() < 1e-12, "{found} {expected}");
}

#[test]
fn axles_that_nothing_holds_sideways_are_refused() {
    let loose = RigidAxlePoints {
        upper: UpperLinks::Pair(LinkEnds {
            inner: Vec3::new(0.5, 0.4, 0.45),
            outer: Vec3::new(0.0, 0.4, 0.4),
        }),
        ..PARALLEL
    };
    assert!(matches!(loose.axle().unwrap_err(), HardpointError::Singular(_)));
}

#[test]
fn arms_that_do_not_lift_the_wheel_are_refused() {
    // an axis through the wheel centre
    let points = TrailingArmPoints {
        arm_inner: WHEEL.centre - Vec3::new(0.0, 0.3, 0.0),
        arm_outer: WHEEL.centre,
        ..SEMI_TRAILING
    };
    assert!(matches!(points.arm().unwrap_err(), HardpointError::Singular(_)));
    let arm = SEMI_TRAILING.arm().unwrap();
    let error = arm.solve(0.8).unwrap_err();
    assert!((0.3..0.7).contains(&error.reached[0]), "{error}");
}
