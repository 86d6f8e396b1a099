//! Hardpoints of the tests, in m. `tests/reference` has values of the double wishbone and of the McPherson strut.

use simhost_sdk::vectors::Vec3;
use simhost_suspension::double_wishbone::DoubleWishbonePoints;
use simhost_suspension::five_link::{FiveLinkPoints, LinkEnds};
use simhost_suspension::hardpoints::{StrutEnds, Wheel};
use simhost_suspension::mcpherson::McPhersonPoints;

const fn ends(top: Vec3, lower: Vec3) -> StrutEnds {
    StrutEnds { top, lower }
}

/// A front double wishbone with 0.5° of camber and 0.1° of toe-in.
pub const DOUBLE_WISHBONE: DoubleWishbonePoints = DoubleWishbonePoints {
    wheel: Wheel {
        centre: Vec3::new(0.0, 0.76, 0.31),
        spin_axis: Vec3::new(0.0017453, 0.9999619, 0.0087265),
        radius: 0.31,
    },
    lower_front: Vec3::new(0.2, 0.38, 0.19),
    lower_rear: Vec3::new(-0.24, 0.4, 0.2),
    lower_outer: Vec3::new(0.01, 0.7, 0.185),
    upper_front: Vec3::new(0.12, 0.45, 0.48),
    upper_rear: Vec3::new(-0.16, 0.46, 0.465),
    upper_outer: Vec3::new(-0.02, 0.66, 0.49),
    tie_inner: Vec3::new(-0.13, 0.36, 0.24),
    tie_outer: Vec3::new(-0.12, 0.69, 0.232),
    spring: ends(Vec3::new(-0.01, 0.48, 0.64), Vec3::new(0.0, 0.6, 0.198)),
    shock: ends(Vec3::new(-0.01, 0.48, 0.64), Vec3::new(0.0, 0.6, 0.198)),
};

/// A front McPherson strut whose line does not meet the lower ball joint.
pub const MCPHERSON: McPhersonPoints = McPhersonPoints {
    wheel: Wheel {
        centre: Vec3::new(0.0, 0.75, 0.305),
        spin_axis: Vec3::new(0.0, 1.0, 0.0),
        radius: 0.305,
    },
    lower_front: Vec3::new(0.01, 0.35, 0.2),
    lower_rear: Vec3::new(-0.28, 0.36, 0.21),
    lower_outer: Vec3::new(0.005, 0.705, 0.19),
    strut_top: Vec3::new(-0.03, 0.56, 0.82),
    strut_lower: Vec3::new(-0.012, 0.64, 0.5),
    tie_inner: Vec3::new(-0.14, 0.32, 0.27),
    tie_outer: Vec3::new(-0.135, 0.67, 0.255),
    spring: ends(Vec3::new(-0.03, 0.56, 0.82), Vec3::new(-0.012, 0.64, 0.5)),
    shock: ends(Vec3::new(-0.03, 0.56, 0.82), Vec3::new(-0.012, 0.64, 0.5)),
};

/// Returns the five links that guide a carrier as the arms and the tie rod of a double wishbone do.
pub fn five_links(points: &DoubleWishbonePoints) -> FiveLinkPoints {
    let link = |inner, outer| LinkEnds { inner, outer };
    FiveLinkPoints {
        wheel: points.wheel,
        lower_front: link(points.lower_front, points.lower_outer),
        lower_rear: link(points.lower_rear, points.lower_outer),
        upper_front: link(points.upper_front, points.upper_outer),
        upper_rear: link(points.upper_rear, points.upper_outer),
        toe_link: link(points.tie_inner, points.tie_outer),
        spring: points.spring,
        shock: points.shock,
    }
}
