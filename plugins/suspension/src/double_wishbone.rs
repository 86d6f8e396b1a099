//! The double wishbone: two arms, each with two joints at the vehicle and one ball joint at the carrier, and a tie
//! rod.
//!
//! Constraints: two lengths per arm, the length of the tie rod, whose inner joint moves with the rack along the y
//! axis, and the height of the wheel centre. Spring and shock absorber are on the lower arm.

mod model;

use simhost_sdk::vectors::Vec3;

use crate::corner::{ArmMount, Corner, CornerGeometry, Joints, Mount, SteeringAxis};
use crate::errors::HardpointError;
use crate::hardpoints::{Hardpoint, Link, StrutEnds, WHEEL_INPUTS, Wheel, check_finite, struts};
use crate::linkage::Linkage;
use crate::roll_centre::{ArmPlane, Construction};

pub use model::{DoubleWishbone, DoubleWishboneParams};

/// Hardpoints of the left wheel at rest, m: x forwards, y to the left, z up.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DoubleWishbonePoints {
    /// Wheel.
    pub wheel: Wheel,
    /// Front joint of the lower arm at the vehicle.
    pub lower_front: Vec3,
    /// Rear joint of the lower arm at the vehicle.
    pub lower_rear: Vec3,
    /// Lower ball joint.
    pub lower_outer: Vec3,
    /// Front joint of the upper arm at the vehicle.
    pub upper_front: Vec3,
    /// Rear joint of the upper arm at the vehicle.
    pub upper_rear: Vec3,
    /// Upper ball joint.
    pub upper_outer: Vec3,
    /// Joint of the tie rod at the rack.
    pub tie_inner: Vec3,
    /// Joint of the tie rod at the carrier.
    pub tie_outer: Vec3,
    /// Spring.
    pub spring: StrutEnds,
    /// Shock absorber.
    pub shock: StrutEnds,
}

impl DoubleWishbonePoints {
    /// Returns the hardpoints with their names.
    fn named(&self) -> [Hardpoint; 9] {
        [
            Hardpoint::new("wheel_centre", self.wheel.centre),
            Hardpoint::new("lower_front", self.lower_front),
            Hardpoint::new("lower_rear", self.lower_rear),
            Hardpoint::new("lower_outer", self.lower_outer),
            Hardpoint::new("upper_front", self.upper_front),
            Hardpoint::new("upper_rear", self.upper_rear),
            Hardpoint::new("upper_outer", self.upper_outer),
            Hardpoint::new("tie_inner", self.tie_inner),
            Hardpoint::new("tie_outer", self.tie_outer),
        ]
    }

    fn check(&self) -> Result<(), HardpointError> {
        let [_, lower_front, lower_rear, lower, upper_front, upper_rear, upper, inner, outer] =
            self.named();
        check_finite(&self.named())?;
        lower_front.check_in_front_of(lower_rear)?;
        upper_front.check_in_front_of(upper_rear)?;
        for pivot in [lower_front, lower_rear] {
            lower.check_outboard_of(pivot)?;
        }
        for pivot in [upper_front, upper_rear] {
            upper.check_outboard_of(pivot)?;
        }
        upper.check_above(lower)?;
        outer.check_outboard_of(inner)?;
        lower_front.check_apart(lower_rear, "the axis of the lower arm")?;
        upper_front.check_apart(upper_rear, "the axis of the upper arm")
    }

    fn links(&self) -> [Link; 5] {
        let [_, lower_front, lower_rear, lower, upper_front, upper_rear, upper, inner, outer] =
            self.named();
        let fixed = |name, inner, outer| Link { name, inner, outer, moved: [0.0; 2] };
        [
            fixed("the front of the lower arm", lower_front, lower),
            fixed("the rear of the lower arm", lower_rear, lower),
            fixed("the front of the upper arm", upper_front, upper),
            fixed("the rear of the upper arm", upper_rear, upper),
            Link { name: "the tie rod", inner, outer, moved: [0.0, 1.0] },
        ]
    }

    fn construction(&self, lower: Vec3, upper: Vec3) -> Construction {
        Construction::Arms {
            lower: ArmPlane { inner: [self.lower_front, self.lower_rear], outer: lower },
            upper: ArmPlane { inner: [self.upper_front, self.upper_rear], outer: upper },
        }
    }

    /// Returns the wheel on its linkage.
    ///
    /// # Errors
    ///
    /// Hardpoints that do not define a suspension.
    pub fn corner(&self) -> Result<Corner, HardpointError> {
        self.check()?;
        let origin = self.wheel.centre;
        let wheel = self.wheel.on_carrier(origin)?;
        let [a, b, c, d, e] = self.links();
        let joints = [
            a.joint(origin)?,
            b.joint(origin)?,
            c.joint(origin)?,
            d.joint(origin)?,
            e.joint(origin)?,
        ];
        let lower_arm = [self.lower_front, self.lower_rear];
        let on_arm = |point| Mount::Arm(ArmMount::new(point, lower_arm, self.lower_outer, origin));
        let [spring, shock] = struts([self.spring, self.shock], on_arm)?;
        let (lower, upper) = (self.lower_outer - origin, self.upper_outer - origin);
        Ok(Corner {
            linkage: Linkage::new(origin, WHEEL_INPUTS, joints)?,
            geometry: CornerGeometry {
                wheel,
                steering_axis: SteeringAxis::BallJoints([lower, upper]),
                spring,
                shock,
                construction: self.construction(lower, upper),
                joints: Some(Joints {
                    lower_outer: lower,
                    upper_outer: upper,
                    tie_outer: self.tie_outer - origin,
                }),
            },
        })
    }
}
