//! Pose of a rigid body near its rest pose, its rates of change by the inputs of a linkage, and the motion of its
//! points.

use simhost_sdk::vectors::{Rotation, Vec3};

use crate::dual::Dual;

/// Pose of a carrier or an axle in the frame of the vehicle.
///
/// In the rest pose, the axes of the body are parallel to the axes of the vehicle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pose {
    /// Position of the origin of the body, m.
    pub position: Vec3,
    /// Unit quaternion of the rotation from the rest pose: w, x, y, z.
    pub quaternion: [f64; 4],
}

/// Derivative of a pose by an input.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Twist {
    /// Derivative of the position of the origin, m per unit of the input.
    pub velocity: Vec3,
    /// Derivative of the rotation, as a rotation vector in the frame of the vehicle, rad per unit of the input.
    pub rotation: Vec3,
}

impl Pose {
    /// Returns the rest pose of a body with its origin at `position`.
    pub const fn at(position: Vec3) -> Self {
        Self { position, quaternion: [1.0, 0.0, 0.0, 0.0] }
    }

    /// Returns the rotation from the rest pose.
    #[inline(always)]
    pub fn rotation(&self) -> Rotation {
        let [w, x, y, z] = self.quaternion;
        Rotation {
            axes: [
                Vec3::new(
                    1.0 - 2.0 * (y * y + z * z),
                    2.0 * (x * y + w * z),
                    2.0 * (x * z - w * y),
                ),
                Vec3::new(
                    2.0 * (x * y - w * z),
                    1.0 - 2.0 * (x * x + z * z),
                    2.0 * (y * z + w * x),
                ),
                Vec3::new(
                    2.0 * (x * z + w * y),
                    2.0 * (y * z - w * x),
                    1.0 - 2.0 * (x * x + y * y),
                ),
            ],
        }
    }

    /// Returns the pose after a small displacement. The rotation is exact to the second order, and the result is
    /// always a rotation.
    #[inline(always)]
    pub fn displaced(&self, velocity: Vec3, rotation: Vec3) -> Self {
        let [w, x, y, z] = self.quaternion;
        let half = rotation * 0.5;
        // (1, half) * quaternion
        let product = [
            w - half.x * x - half.y * y - half.z * z,
            x + half.x * w + half.y * z - half.z * y,
            y + half.y * w + half.z * x - half.x * z,
            z + half.z * w + half.x * y - half.y * x,
        ];
        let [a, b, c, d] = product;
        let shrink = 1.0 / (a * a + b * b + c * c + d * d).sqrt();
        let quaternion = [a * shrink, b * shrink, c * shrink, d * shrink];
        Self { position: self.position + velocity, quaternion }
    }

    /// Returns the angle of the rotation to a pose nearby, rad.
    #[inline(always)]
    pub fn angle_to(&self, other: &Self) -> f64 {
        let ([a, b, c, d], [e, f, g, h]) = (self.quaternion, other.quaternion);
        let [a, b, c, d] = [a - e, b - f, c - g, d - h];
        2.0 * (a * a + b * b + c * c + d * d).sqrt()
    }

    /// Returns the pose mirrored at the vertical plane through the x axis.
    pub fn mirrored(&self) -> Self {
        let Self { position, quaternion: [w, x, y, z] } = *self;
        Self { position: mirrored(position), quaternion: [w, -x, y, -z] }
    }
}

impl Twist {
    /// Returns the derivative of the point of the body at `arm` from its origin, in the frame of the vehicle.
    #[inline(always)]
    pub fn at(&self, arm: Vec3) -> Vec3 {
        self.velocity + self.rotation.cross(arm)
    }

    /// Returns the twist mirrored at the vertical plane through the x axis.
    pub fn mirrored(&self) -> Self {
        // a rotation vector is axial
        Self { velocity: mirrored(self.velocity), rotation: -mirrored(self.rotation) }
    }
}

/// Returns a point mirrored at the vertical plane through the x axis.
#[inline(always)]
pub fn mirrored(point: Vec3) -> Vec3 {
    Vec3 { y: -point.y, ..point }
}

/// A point with its derivatives by two inputs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Moving {
    /// Position, m.
    pub at: Vec3,
    /// Derivatives by the inputs, m per unit of the input.
    pub by: [Vec3; 2],
}

impl Moving {
    /// Returns a component with its derivatives.
    #[inline(always)]
    pub fn axis(&self, axis: usize) -> Dual {
        let [first, second] = &self.by;
        Dual { value: self.at[axis], by: [first[axis], second[axis]] }
    }

    /// Returns the distance from a fixed point, m.
    #[inline(always)]
    pub fn distance(&self, point: Vec3) -> Dual {
        let difference = self.at - point;
        let length = difference.length();
        let unit = difference / length;
        Dual { value: length, by: [unit.dot(self.by[0]), unit.dot(self.by[1])] }
    }
}

/// A solved pose with its derivatives by two inputs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Motion {
    /// Inputs: wheel travel and rack travel of a wheel, or the travels of the left and the right wheel of a rigid
    /// axle, m.
    pub inputs: [f64; 2],
    /// Pose.
    pub pose: Pose,
    /// Rotation of the pose.
    pub rotation: Rotation,
    /// Derivatives of the pose by the inputs.
    pub by: [Twist; 2],
}

impl Motion {
    /// Returns a point that is fixed to the body, given in its frame.
    #[inline(always)]
    pub fn point(&self, point: Vec3) -> Moving {
        let arm = self.rotation.apply(point);
        let [first, second] = &self.by;
        Moving { at: self.pose.position + arm, by: [first.at(arm), second.at(arm)] }
    }

    /// Returns a direction that is fixed to the body, given in its frame.
    #[inline(always)]
    pub fn direction(&self, direction: Vec3) -> Moving {
        let at = self.rotation.apply(direction);
        let [first, second] = &self.by;
        Moving { at, by: [first.rotation.cross(at), second.rotation.cross(at)] }
    }

    /// Returns the derivatives of the point of the body that is at `place` in the frame of the vehicle.
    #[inline(always)]
    pub fn material(&self, place: Vec3) -> [Vec3; 2] {
        let arm = place - self.pose.position;
        let [first, second] = &self.by;
        [first.at(arm), second.at(arm)]
    }

    /// Returns the motion of a symmetric body mirrored at the vertical plane through the x axis, with the inputs
    /// exchanged.
    pub fn mirrored(&self) -> Self {
        let pose = self.pose.mirrored();
        let [first, second] = self.by;
        Self {
            inputs: [self.inputs[1], self.inputs[0]],
            pose,
            rotation: pose.rotation(),
            by: [second.mirrored(), first.mirrored()],
        }
    }
}
