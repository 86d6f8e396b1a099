//! The McPherson strut: a lower arm, a strut that is fixed to the carrier and slides through its joint at the
//! vehicle, and a tie rod.
//!
//! Constraints: two lengths of the lower arm, two conditions that keep the joint of the strut at the vehicle on the
//! line through `strut_lower` that is fixed to the carrier, the length of the tie rod, and the height of the wheel
//! centre. The line need not meet the lower ball joint. Spring and shock absorber are on the carrier.

mod model;

use simhost_sdk::vectors::Vec3;

use crate::corner::{Corner, CornerGeometry, Joints, Mount, SteeringAxis};
use crate::errors::HardpointError;
use crate::hardpoints::{Hardpoint, Link, StrutEnds, WHEEL_INPUTS, Wheel, check_finite, struts};
use crate::joint::Joint;
use crate::linkage::{Linkage, NamedJoint};
use crate::roll_centre::{ArmPlane, Construction};

pub use model::{McPherson, McPhersonParams};

/// Hardpoints of the left wheel at rest, m: x forwards, y to the left, z up.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct McPhersonPoints {
    /// Wheel.
    pub wheel: Wheel,
    /// Front joint of the lower arm at the vehicle.
    pub lower_front: Vec3,
    /// Rear joint of the lower arm at the vehicle.
    pub lower_rear: Vec3,
    /// Lower ball joint.
    pub lower_outer: Vec3,
    /// Joint of the strut at the vehicle.
    pub strut_top: Vec3,
    /// Point of the strut at the carrier.
    pub strut_lower: Vec3,
    /// Joint of the tie rod at the rack.
    pub tie_inner: Vec3,
    /// Joint of the tie rod at the carrier.
    pub tie_outer: Vec3,
    /// Spring.
    pub spring: StrutEnds,
    /// Shock absorber.
    pub shock: StrutEnds,
}

impl McPhersonPoints {
    /// Returns the hardpoints with their names.
    fn named(&self) -> [Hardpoint; 8] {
        [
            Hardpoint::new("wheel_centre", self.wheel.centre),
            Hardpoint::new("lower_front", self.lower_front),
            Hardpoint::new("lower_rear", self.lower_rear),
            Hardpoint::new("lower_outer", self.lower_outer),
            Hardpoint::new("strut_top", self.strut_top),
            Hardpoint::new("strut_lower", self.strut_lower),
            Hardpoint::new("tie_inner", self.tie_inner),
            Hardpoint::new("tie_outer", self.tie_outer),
        ]
    }

    fn check(&self) -> Result<(), HardpointError> {
        let [_, front, rear, lower, top, strut, inner, outer] = self.named();
        check_finite(&self.named())?;
        front.check_in_front_of(rear)?;
        for pivot in [front, rear] {
            lower.check_outboard_of(pivot)?;
        }
        top.check_above(strut)?;
        top.check_above(lower)?;
        outer.check_outboard_of(inner)?;
        top.check_apart(strut, "the strut")?;
        front.check_apart(rear, "the axis of the lower arm")
    }

    fn links(&self) -> [Link; 3] {
        let [_, front, rear, lower, _, _, inner, outer] = self.named();
        let fixed = |name, inner, outer| Link { name, inner, outer, moved: [0.0; 2] };
        [
            fixed("the front of the lower arm", front, lower),
            fixed("the rear of the lower arm", rear, lower),
            Link { name: "the tie rod", inner, outer, moved: [0.0, 1.0] },
        ]
    }

    /// Returns the conditions that keep the top of the strut on its line.
    fn slider(&self, along: Vec3) -> [NamedJoint; 2] {
        // any two directions perpendicular to the strut; the forward axis is never parallel to it
        let first = Vec3::new(1.0, 0.0, 0.0).cross(along).unit();
        let base = self.strut_lower - self.wheel.centre;
        [first, along.cross(first)].map(|normal| NamedJoint {
            name: "the strut",
            joint: Joint::Plane { point: self.strut_top, base, normal },
        })
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
        let along = (self.strut_top - self.strut_lower).unit();
        let [a, b, c] = self.links();
        let [across, other] = self.slider(along);
        let joints = [a.joint(origin)?, b.joint(origin)?, across, other, c.joint(origin)?];
        let on_carrier = |point| Mount::Carrier(point - origin);
        let [spring, shock] = struts([self.spring, self.shock], on_carrier)?;
        let lower = self.lower_outer - origin;
        let arm = ArmPlane { inner: [self.lower_front, self.lower_rear], outer: lower };
        Ok(Corner {
            linkage: Linkage::new(origin, WHEEL_INPUTS, joints)?,
            geometry: CornerGeometry {
                wheel,
                steering_axis: SteeringAxis::Strut { lower, top: self.strut_top },
                spring,
                shock,
                construction: Construction::Strut { lower: arm, top: self.strut_top, along },
                joints: Some(Joints {
                    lower_outer: lower,
                    upper_outer: self.strut_lower - origin,
                    tie_outer: self.tie_outer - origin,
                }),
            },
        })
    }
}
