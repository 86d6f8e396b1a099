//! The five-link (multi-link) suspension: five links, each with a ball joint at both ends.
//!
//! Constraints: the five lengths and the height of the wheel centre. The rack moves the inner joint of the toe link
//! along the y axis; without steering it stays where it is. The wheel steers about the instantaneous screw axis of
//! the carrier when that joint moves and the wheel does not travel, since no two joints are on the axis. Spring and
//! shock absorber are on the carrier.

mod model;

use simhost_sdk::vectors::Vec3;

use crate::corner::{Corner, CornerGeometry, Mount, SteeringAxis};
use crate::errors::HardpointError;
use crate::hardpoints::{Hardpoint, Link, StrutEnds, WHEEL_INPUTS, Wheel, check_finite, struts};
use crate::linkage::Linkage;
use crate::roll_centre::Construction;

pub use model::{FiveLink, FiveLinkParams};

/// Ends of a link at rest, m.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LinkEnds {
    /// Joint at the vehicle.
    pub inner: Vec3,
    /// Joint at the carrier.
    pub outer: Vec3,
}

/// Hardpoints of the left wheel at rest, m: x forwards, y to the left, z up.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FiveLinkPoints {
    /// Wheel.
    pub wheel: Wheel,
    /// Front lower link.
    pub lower_front: LinkEnds,
    /// Rear lower link.
    pub lower_rear: LinkEnds,
    /// Front upper link.
    pub upper_front: LinkEnds,
    /// Rear upper link.
    pub upper_rear: LinkEnds,
    /// Toe link, or tie rod.
    pub toe_link: LinkEnds,
    /// Spring.
    pub spring: StrutEnds,
    /// Shock absorber.
    pub shock: StrutEnds,
}

impl FiveLinkPoints {
    fn links(&self) -> [Link; 5] {
        let link = |name, inner: (&'static str, Vec3), outer: (&'static str, Vec3), by_rack| Link {
            name,
            inner: Hardpoint::new(inner.0, inner.1),
            outer: Hardpoint::new(outer.0, outer.1),
            moved: [0.0, by_rack],
        };
        macro_rules! link {
            ($name:literal, $ends:ident, $inner:literal, $outer:literal, $by_rack:literal) => {
                link($name, ($inner, self.$ends.inner), ($outer, self.$ends.outer), $by_rack)
            };
        }
        [
            link!(
                "the front lower link",
                lower_front,
                "lower_front_inner",
                "lower_front_outer",
                0.0
            ),
            link!("the rear lower link", lower_rear, "lower_rear_inner", "lower_rear_outer", 0.0),
            link!(
                "the front upper link",
                upper_front,
                "upper_front_inner",
                "upper_front_outer",
                0.0
            ),
            link!("the rear upper link", upper_rear, "upper_rear_inner", "upper_rear_outer", 0.0),
            link!("the toe link", toe_link, "toe_inner", "toe_outer", 1.0),
        ]
    }

    fn check(&self, links: &[Link; 5]) -> Result<(), HardpointError> {
        check_finite(&[Hardpoint::new("wheel_centre", self.wheel.centre)])?;
        for link in links {
            check_finite(&[link.inner, link.outer])?;
        }
        let [lower_front, lower_rear, upper_front, upper_rear, _] = links;
        upper_front.outer.check_above(lower_front.outer)?;
        upper_rear.outer.check_above(lower_rear.outer)
    }

    /// Returns the wheel on its linkage.
    ///
    /// # Errors
    ///
    /// Hardpoints that do not define a suspension.
    pub fn corner(&self) -> Result<Corner, HardpointError> {
        let links = self.links();
        self.check(&links)?;
        let origin = self.wheel.centre;
        let wheel = self.wheel.on_carrier(origin)?;
        let [a, b, c, d, e] = links;
        let joints = [
            a.joint(origin)?,
            b.joint(origin)?,
            c.joint(origin)?,
            d.joint(origin)?,
            e.joint(origin)?,
        ];
        let on_carrier = |point| Mount::Carrier(point - origin);
        let [spring, shock] = struts([self.spring, self.shock], on_carrier)?;
        Ok(Corner {
            linkage: Linkage::new(origin, WHEEL_INPUTS, joints)?,
            geometry: CornerGeometry {
                wheel,
                steering_axis: SteeringAxis::Instantaneous,
                spring,
                shock,
                construction: Construction::Kinematic,
                joints: None,
            },
        })
    }
}
