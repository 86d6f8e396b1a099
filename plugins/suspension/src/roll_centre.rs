//! Heights of the roll centre above the ground, in three definitions.
//!
//! | Name | Line in the front view through the contact point |
//! |---|---|
//! | kinematic | perpendicular to the path of the material point of the carrier at the contact point |
//! | of the contact path | perpendicular to the path of the lowest point of the wheel, which moves on the tyre |
//! | constructed | to the instant centre, where the planes of the arms meet in the plane of the wheel |
//!
//! The roll centre is where the line of the left wheel crosses the middle plane of the vehicle, if both wheels travel
//! alike. The kinematic height determines the forces of links without mass (principle of virtual work). The
//! construction is the drawing of textbooks, and neglects that the ball joints are not in the plane of the wheel.
//! Sources: SAE J670:2022; W. Matschinsky, *Road Vehicle Suspensions*, 2000, section 7.4; W. F. Milliken and D. L.
//! Milliken, *Race Car Vehicle Dynamics*, 1995, section 17.3.

use simhost_sdk::vectors::Vec3;

use crate::alignment::{Alignment, place};
use crate::pose::Motion;

/// How the instant centre of the front view is constructed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Construction {
    /// Two arms, each with its two joints at the vehicle and its joint at the carrier.
    Arms {
        /// Lower arm.
        lower: ArmPlane,
        /// Upper arm.
        upper: ArmPlane,
    },
    /// A lower arm and a strut: the second plane is perpendicular to the strut at its top.
    Strut {
        /// Lower arm.
        lower: ArmPlane,
        /// Joint of the strut at the vehicle, m.
        top: Vec3,
        /// Unit vector along the strut, in the frame of the carrier.
        along: Vec3,
    },
    /// None: the constructed height is the kinematic one.
    Kinematic,
}

/// The plane through the three joints of an arm.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ArmPlane {
    /// Joints at the vehicle, m.
    pub inner: [Vec3; 2],
    /// Joint at the carrier, in its frame.
    pub outer: Vec3,
}

/// Heights of the roll centre above the contact point, m.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct RollCentre {
    /// From the path of the carrier.
    pub kinematic: f64,
    /// From the path of the lowest point of the wheel.
    pub contact_path: f64,
    /// From the instant centre of the front view.
    pub constructed: f64,
}

/// A line in the plane of the wheel: y n_y + z n_z = c.
struct Trace([f64; 3]);

impl Trace {
    /// Intersects the plane through `point` with the normal `normal` with the plane at `x`.
    #[inline(always)]
    fn new(point: Vec3, normal: Vec3, x: f64) -> Self {
        Self([normal.y, normal.z, normal.dot(point) - normal.x * x])
    }
}

impl ArmPlane {
    #[inline(always)]
    fn trace(&self, motion: &Motion, x: f64) -> Trace {
        let [front, rear] = self.inner;
        let outer = motion.point(self.outer).at;
        Trace::new(front, (rear - front).cross(outer - front), x)
    }
}

impl Construction {
    /// Returns the height above the contact point; `None` for [`Self::Kinematic`].
    #[inline]
    fn height(&self, motion: &Motion, x: f64, contact: Vec3) -> Option<f64> {
        let [one, other] = match self {
            Self::Arms { lower, upper } => [lower.trace(motion, x), upper.trace(motion, x)],
            Self::Strut { lower, top, along } => {
                let along = motion.rotation.apply(*along);
                [lower.trace(motion, x), Trace::new(*top, along, x)]
            }
            Self::Kinematic => return None,
        };
        let (Trace([a, b, c]), Trace([d, e, f])) = (one, other);
        // instant centre (y, z)/w, at infinity for parallel arms
        let (y, z, w) = (c * e - b * f, a * f - c * d, a * e - b * d);
        Some(contact.y * (z - contact.z * w) / (contact.y * w - y))
    }
}

impl RollCentre {
    /// Returns the heights for a wheel on its own suspension.
    #[inline]
    pub fn new(construction: &Construction, motion: &Motion, alignment: &Alignment) -> Self {
        let [_, y, z] = alignment.contact;
        let path = alignment.contact_path[0];
        let kinematic = y.value * path.y / path.z;
        let contact = place(&alignment.contact);
        let constructed = construction.height(motion, alignment.centre[0].value, contact);
        Self {
            kinematic,
            contact_path: y.value * y.by[0] / z.by[0],
            constructed: constructed.unwrap_or(kinematic),
        }
    }
}
