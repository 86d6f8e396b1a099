//! The rigid axle: both wheels on one body, which four links guide.
//!
//! Constraints: the lengths of a pair of lower links and of two further links, and the heights of both wheel centres. The
//! mean of the travels raises the middle of the axle, and half of their difference tilts it. The
//! two further links are either a pair of upper links, which also locate the axle sideways because they are oblique
//! in the plan view, or one upper link and a Panhard rod. The left link of a pair is given, and the right one is its
//! mirror image. Springs and shock absorbers are on the axle. The wheels do not steer.
//!
//! The roll centre is the point in the middle plane of the vehicle and the transverse plane of the wheels that does
//! not move sideways when the wheels travel in opposite directions.

mod model;

use simhost_sdk::vectors::Vec3;

use crate::corner::{CornerGeometry, Mount, SteeringAxis};
use crate::errors::{HardpointError, Unreachable};
use crate::five_link::LinkEnds;
use crate::hardpoints::{Hardpoint, Link, StrutEnds, Wheel, check_finite, struts};
use crate::joint::Joint;
use crate::linkage::{Inputs, Linkage, NamedJoint, Posture};
use crate::pose::{Motion, mirrored};
use crate::roll_centre::Construction;

pub use model::{AxleStart, RigidAxleParams, RigidAxleSuspension};

/// Inputs of an axle, whose origin is midway between the wheel centres.
const AXLE_INPUTS: Inputs = Inputs { names: ["travel_left", "travel_right"], lift: [0.5; 2] };

/// The links that guide the axle in addition to the lower ones.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum UpperLinks {
    /// A pair: the left link.
    Pair(LinkEnds),
    /// One upper link and a Panhard rod.
    Panhard {
        /// The upper link.
        upper: LinkEnds,
        /// The rod: `inner` at the vehicle and `outer` at the axle.
        rod: LinkEnds,
    },
}

/// Hardpoints at rest, m: x forwards, y to the left, z up.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RigidAxlePoints {
    /// Left wheel.
    pub wheel: Wheel,
    /// Left lower link.
    pub lower: LinkEnds,
    /// Further links.
    pub upper: UpperLinks,
    /// Left spring.
    pub spring: StrutEnds,
    /// Left shock absorber.
    pub shock: StrutEnds,
}

/// Both wheels on their axle.
#[derive(Clone, Debug)]
pub struct RigidAxle {
    /// Constraints of the axle. Its inputs are the travels of the left and the right wheel, m.
    pub linkage: Linkage,
    /// What follows from the motion for the left wheel, and for the right wheel from its mirror image.
    pub geometry: CornerGeometry,
}

/// Returns a named link, or its mirror image.
fn link(name: &'static str, names: [&'static str; 2], ends: LinkEnds, is_mirrored: bool) -> Link {
    let place = |point| if is_mirrored { mirrored(point) } else { point };
    let inner = Hardpoint::new(names[0], place(ends.inner));
    let outer = Hardpoint::new(names[1], place(ends.outer));
    Link { name, inner, outer, moved: [0.0; 2] }
}

impl RigidAxlePoints {
    fn links(&self) -> [Link; 4] {
        let lower =
            |name, is_right| link(name, ["lower_inner", "lower_outer"], self.lower, is_right);
        let upper_names = ["upper_inner", "upper_outer"];
        let [third, fourth] = match self.upper {
            UpperLinks::Pair(ends) => [
                link("the left upper link", upper_names, ends, false),
                link("the right upper link", upper_names, ends, true),
            ],
            UpperLinks::Panhard { upper, rod } => [
                link("the upper link", upper_names, upper, false),
                link("the Panhard rod", ["panhard_body", "panhard_axle"], rod, false),
            ],
        };
        [lower("the left lower link", false), lower("the right lower link", true), third, fourth]
    }

    /// Returns the axle on its links.
    ///
    /// # Errors
    ///
    /// Hardpoints that do not define a suspension.
    pub fn axle(&self) -> Result<RigidAxle, HardpointError> {
        check_finite(&[Hardpoint::new("wheel_centre", self.wheel.centre)])?;
        let centre = self.wheel.centre;
        let origin = Vec3 { y: 0.0, ..centre };
        let wheel = self.wheel.on_carrier(origin)?;
        let links = self.links();
        for link in &links {
            check_finite(&[link.inner, link.outer])?;
        }
        let [a, b, c, d] = links;
        let joints = [
            a.joint(origin)?,
            b.joint(origin)?,
            c.joint(origin)?,
            d.joint(origin)?,
            NamedJoint {
                name: "the wheels",
                joint: Joint::Level { point: wheel.centre, raised: [0.5, -0.5] },
            },
        ];
        let on_axle = |point| Mount::Carrier(point - origin);
        let [spring, shock] = struts([self.spring, self.shock], on_axle)?;
        let geometry = CornerGeometry {
            wheel,
            steering_axis: SteeringAxis::None,
            spring,
            shock,
            construction: Construction::Kinematic,
            joints: None,
        };
        Ok(RigidAxle { linkage: Linkage::new(origin, AXLE_INPUTS, joints)?, geometry })
    }
}

impl RigidAxle {
    /// Returns the motion of the axle at the travels of its wheels, m. In [`Motion::mirrored`], the right wheel
    /// is a left wheel.
    ///
    /// # Errors
    ///
    /// Travels that the links do not allow.
    #[inline]
    pub fn solve(&self, from: &Posture, travels: [f64; 2]) -> Result<Motion, Unreachable> {
        self.linkage.solve(from, travels)
    }

    /// Returns the height of the roll centre above the ground, m. `contact_z` is the mean height of the contact
    /// points.
    #[inline]
    pub fn roll_centre(&self, motion: &Motion, contact_z: f64) -> f64 {
        let [left, right] = &motion.by;
        let velocity = left.velocity - right.velocity;
        let turn = left.rotation - right.rotation;
        // the point at the height z above the origin moves sideways by v_y − ω_x z
        motion.pose.position.z + velocity.y / turn.x - contact_z
    }
}
