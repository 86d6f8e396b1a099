//! The trailing arm and the semi-trailing arm: a carrier that turns about an axis of the vehicle.
//!
//! The height of the wheel centre at the angle φ is q_z + A cos φ + B sin φ, with the height q_z of its circle's
//! centre. With the height h above q_z, √(A² + B² − h²) is the change of height per angle, and both give φ without
//! iteration. An axis along y gives a trailing arm, an axis at an angle to it in the plan view a semi-trailing arm,
//! and an axis along x a swing axle. The wheel does not steer.

mod model;

use simhost_sdk::vectors::Vec3;

use crate::corner::{CornerGeometry, Mount, SteeringAxis};
use crate::errors::{HardpointError, Unreachable};
use crate::hardpoints::{Hardpoint, StrutEnds, WHEEL_INPUTS, Wheel, check_finite, struts};
use crate::pose::{Motion, Pose, Twist};
use crate::roll_centre::Construction;

pub use model::{TrailingArmParams, TrailingArms};

/// Least change of height per angle at rest relative to the length of the arm.
const LEAST_LEVER: f64 = 0.05;

/// Hardpoints of the left wheel at rest, m: x forwards, y to the left, z up.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TrailingArmPoints {
    /// Wheel.
    pub wheel: Wheel,
    /// Inner joint of the arm at the vehicle.
    pub arm_inner: Vec3,
    /// Outer joint of the arm at the vehicle.
    pub arm_outer: Vec3,
    /// Spring.
    pub spring: StrutEnds,
    /// Shock absorber.
    pub shock: StrutEnds,
}

/// A wheel on an arm.
#[derive(Clone, Copy, Debug)]
pub struct TrailingArm {
    /// Unit vector of the axis.
    axis: Vec3,
    /// Centre of the circle of the wheel centre, m.
    centre: Vec3,
    /// From `centre` to the wheel centre at rest, m.
    arm: Vec3,
    /// `axis` × `arm`, m.
    across: Vec3,
    /// Everything that follows from the motion.
    pub geometry: CornerGeometry,
}

impl TrailingArmPoints {
    fn check(&self) -> Result<(), HardpointError> {
        let wheel = Hardpoint::new("wheel_centre", self.wheel.centre);
        let inner = Hardpoint::new("arm_inner", self.arm_inner);
        let outer = Hardpoint::new("arm_outer", self.arm_outer);
        check_finite(&[wheel, inner, outer])?;
        inner.check_apart(outer, "the axis of the arm")?;
        outer.check_outboard_of(inner)
    }

    /// Returns the wheel on its arm.
    ///
    /// # Errors
    ///
    /// Hardpoints that do not define a suspension.
    pub fn arm(&self) -> Result<TrailingArm, HardpointError> {
        self.check()?;
        let origin = self.wheel.centre;
        let wheel = self.wheel.on_carrier(origin)?;
        let axis = (self.arm_outer - self.arm_inner).unit();
        let offset = origin - self.arm_inner;
        let centre = self.arm_inner + axis * offset.dot(axis);
        let arm = origin - centre;
        let across = axis.cross(arm);
        // the wheel centre must rise when the arm turns
        if across.z.abs() < LEAST_LEVER * arm.length() || arm.length() == 0.0 {
            return Err(HardpointError::Singular(vec!["the joints of the arm"]));
        }
        let on_carrier = |point| Mount::Carrier(point - origin);
        let [spring, shock] = struts([self.spring, self.shock], on_carrier)?;
        let geometry = CornerGeometry {
            wheel,
            steering_axis: SteeringAxis::None,
            spring,
            shock,
            construction: Construction::Kinematic,
            joints: None,
        };
        Ok(TrailingArm { axis, centre, arm, across, geometry })
    }
}

impl TrailingArm {
    /// Returns the motion at rest.
    pub fn rest(&self) -> Motion {
        let rotation = self.axis / self.across.z;
        let by_travel = Twist { velocity: rotation.cross(self.arm), rotation };
        let pose = Pose::at(self.centre + self.arm);
        let by = [by_travel, Twist::default()];
        Motion { inputs: [0.0; 2], pose, rotation: pose.rotation(), by }
    }

    /// Returns the motion at a wheel travel, m.
    ///
    /// # Errors
    ///
    /// A travel beyond the circle of the wheel centre.
    #[inline]
    pub fn solve(&self, travel: f64) -> Result<Motion, Unreachable> {
        let (a, b) = (self.arm.z, self.across.z);
        let square = a * a + b * b;
        let height = a + travel;
        let rest = square - height * height;
        if rest <= 0.0 || rest.is_nan() {
            return Err(self.beyond(travel, square.sqrt()));
        }
        let lever = rest.sqrt().copysign(b);
        let cos = (a * height + b * lever) / square;
        let sin = (b * height - a * lever) / square;
        let place = self.arm * cos + self.across * sin;
        let half_cos = (0.5 * (1.0 + cos)).sqrt();
        let half_sin = self.axis * (0.5 * sin / half_cos);
        let quaternion = [half_cos, half_sin.x, half_sin.y, half_sin.z];
        let pose = Pose { position: self.centre + place, quaternion };
        let rotation = self.axis / lever;
        let by_travel = Twist { velocity: rotation.cross(place), rotation };
        let by = [by_travel, Twist::default()];
        Ok(Motion { inputs: [travel, 0.0], pose, rotation: pose.rotation(), by })
    }

    #[cold]
    fn beyond(&self, travel: f64, radius: f64) -> Unreachable {
        let reached = radius.copysign(travel) - self.arm.z;
        Unreachable {
            names: WHEEL_INPUTS.names,
            inputs: [travel, 0.0],
            reached: [reached, 0.0],
            limiting: vec!["the arm"],
        }
    }
}
