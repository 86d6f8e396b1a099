//! A wheel on a linkage: its steering axis, and the springs between its parts and the vehicle.
//!
//! Angles, lengths and signs describe a left wheel: x forwards, y outboard, z up. The motion of a right wheel is
//! the motion of its mirror image, a left wheel whose rack moves in the opposite direction.

use simhost_sdk::math;
use simhost_sdk::vectors::Vec3;

use crate::alignment::{Alignment, WheelGeometry};
use crate::dual::Dual;
use crate::errors::Unreachable;
use crate::linkage::{Linkage, Posture};
use crate::pose::{Motion, Moving};
use crate::roll_centre::Construction;

/// Where a point is fixed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Mount {
    /// At the carrier or the axle, in its frame.
    Carrier(Vec3),
    /// At an arm that turns about an axis of the vehicle.
    Arm(ArmMount),
}

/// A point of an arm. The arm turns about an axis of the vehicle, and carries a ball joint.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ArmMount {
    /// Point of the axis.
    pivot: Vec3,
    /// Unit vector of the axis.
    axis: Vec3,
    /// Ball joint, in the frame of the carrier.
    joint: Vec3,
    /// Distance of the point from `pivot` along the axis, m.
    along: f64,
    /// Components perpendicular to the axis, per distance of the ball joint from it: towards the joint, and across.
    across: [f64; 2],
}

impl ArmMount {
    /// Creates the mount of `point`, a point at rest, on an arm with the axis from `front` to `rear` and its ball
    /// joint at `joint`. `origin` is the origin of the carrier.
    pub fn new(point: Vec3, [front, rear]: [Vec3; 2], joint: Vec3, origin: Vec3) -> Self {
        let axis = (rear - front).unit();
        let radial = perpendicular(joint - front, axis);
        let across = axis.cross(radial);
        let (square, offset) = (radial.dot(radial), point - front);
        Self {
            pivot: front,
            axis,
            joint: joint - origin,
            along: offset.dot(axis),
            across: [offset.dot(radial) / square, offset.dot(across) / square],
        }
    }
}

/// Returns the part of a vector that is perpendicular to a unit vector.
#[inline(always)]
fn perpendicular(vector: Vec3, axis: Vec3) -> Vec3 {
    vector - axis * vector.dot(axis)
}

impl Mount {
    /// Returns the point with its derivatives.
    #[inline(always)]
    pub fn at(&self, motion: &Motion) -> Moving {
        match self {
            Self::Carrier(point) => motion.point(*point),
            Self::Arm(arm) => {
                let joint = motion.point(arm.joint);
                let turn = |vector: Vec3| {
                    let radial = perpendicular(vector, arm.axis);
                    radial * arm.across[0] + arm.axis.cross(radial) * arm.across[1]
                };
                Moving {
                    at: arm.pivot + arm.axis * arm.along + turn(joint.at - arm.pivot),
                    by: [turn(joint.by[0]), turn(joint.by[1])],
                }
            }
        }
    }
}

/// A spring or a shock absorber between the vehicle and a moving part.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Strut {
    /// End at the vehicle, m.
    pub top: Vec3,
    /// Other end.
    pub lower: Mount,
}

impl Strut {
    /// Returns the length, m.
    #[inline(always)]
    pub fn length(&self, motion: &Motion) -> Dual {
        self.lower.at(motion).distance(self.top)
    }
}

/// Axis about which a wheel steers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum SteeringAxis {
    /// From the lower to the upper of two ball joints of the carrier, in its frame.
    BallJoints([Vec3; 2]),
    /// From a ball joint of the carrier, in its frame, to the joint of a strut at the vehicle.
    Strut {
        /// Ball joint.
        lower: Vec3,
        /// Joint at the vehicle, m.
        top: Vec3,
    },
    /// The instantaneous screw axis of the carrier when the rack moves and the wheel does not travel.
    Instantaneous,
    /// None: caster, kingpin inclination, scrub radius and trail are 0.
    None,
}

/// Joints at the carrier, in its frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Joints {
    /// Lower ball joint.
    pub lower_outer: Vec3,
    /// Upper ball joint, or the lower end of the line that guides a strut.
    pub upper_outer: Vec3,
    /// Outer joint of the tie rod.
    pub tie_outer: Vec3,
}

/// A wheel with everything that its linkage determines.
#[derive(Clone, Debug)]
pub struct Corner {
    /// Constraints of the carrier.
    pub linkage: Linkage,
    /// Everything that follows from its motion.
    pub geometry: CornerGeometry,
}

/// What follows from the motion of a carrier.
#[derive(Clone, Copy, Debug)]
pub struct CornerGeometry {
    /// Wheel.
    pub wheel: WheelGeometry,
    /// Axis about which the wheel steers.
    pub steering_axis: SteeringAxis,
    /// Spring.
    pub spring: Strut,
    /// Shock absorber.
    pub shock: Strut,
    /// Construction of the roll centre in the front view.
    pub construction: Construction,
    /// Joints at the carrier, of a layout with two arms or a strut.
    pub joints: Option<Joints>,
}

/// The steering axis relative to the wheel.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Steer {
    /// Caster angle, rad; positive if the top of the axis is rearward.
    pub caster: f64,
    /// Kingpin inclination, rad; positive if the top of the axis is inboard.
    pub kingpin_inclination: f64,
    /// Scrub radius, m; positive if the contact point is outboard of the axis.
    pub scrub: f64,
    /// Mechanical trail, m; positive if the axis meets the ground in front of the contact point.
    pub trail: f64,
}

impl Corner {
    /// Returns the motion at a wheel travel and a rack travel, m. `from` is a pose to start from; see
    /// [`Linkage::solve`].
    ///
    /// # Errors
    ///
    /// A travel that the links do not allow.
    #[inline]
    pub fn solve(&self, from: &Posture, travel: f64, rack: f64) -> Result<Motion, Unreachable> {
        self.linkage.solve(from, [travel, rack])
    }

    /// Returns the pose at rest, from which a search can start.
    pub fn rest(&self) -> Posture {
        Posture::from(self.linkage.rest())
    }
}

impl CornerGeometry {
    /// Returns position and orientation of the wheel, and the lengths of the springs.
    #[inline]
    pub fn alignment(&self, motion: &Motion) -> Alignment {
        self.alignment_of(motion, self.wheel.radius)
    }

    /// Returns the same for a wheel of another radius, m.
    #[inline]
    pub fn alignment_of(&self, motion: &Motion, radius: f64) -> Alignment {
        let lengths = [self.spring.length(motion), self.shock.length(motion)];
        WheelGeometry { radius, ..self.wheel }.alignment(motion, lengths)
    }

    /// Returns the steering axis relative to a wheel at `contact`, m.
    #[inline]
    pub fn steer(&self, motion: &Motion, contact: Vec3) -> Steer {
        let (base, along) = match &self.steering_axis {
            SteeringAxis::None => return Steer::default(),
            SteeringAxis::BallJoints([lower, upper]) => {
                let base = motion.point(*lower).at;
                (base, motion.point(*upper).at - base)
            }
            SteeringAxis::Strut { lower, top } => {
                let base = motion.point(*lower).at;
                (base, *top - base)
            }
            SteeringAxis::Instantaneous => {
                // the screw axis passes through p + (ω × v)/ω²
                let twist = motion.by[1];
                let turn = twist.rotation;
                let nearest = turn.cross(twist.velocity) / turn.dot(turn);
                (motion.pose.position + nearest, turn * turn.z.signum())
            }
        };
        let ground = base + along * ((contact.z - base.z) / along.z);
        Steer {
            caster: math::atan2(-along.x, along.z),
            kingpin_inclination: math::atan2(-along.y, along.z),
            scrub: contact.y - ground.y,
            trail: ground.x - contact.x,
        }
    }
}
