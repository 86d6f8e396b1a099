//! Constraints of a linkage, each with its derivatives by the pose of the body and by the inputs.

use simhost_sdk::vectors::{Rotation, Vec3};

use crate::elimination::Equation;
use crate::pose::Pose;

/// A constraint between a body, which is a carrier or an axle, and the vehicle. Points of the body are in its frame,
/// all others in the frame of the vehicle. Lengths are in m.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Joint {
    /// A link of constant length between two ball joints.
    Link {
        /// Joint at the vehicle while the inputs are 0.
        inner: Vec3,
        /// Displacement of `inner` along the y axis per unit of each input.
        moved: [f64; 2],
        /// Joint at the body.
        outer: Vec3,
        /// Length.
        length: f64,
    },
    /// A point of the vehicle that stays in a plane of the body. Two of them guide a strut.
    Plane {
        /// Point of the vehicle.
        point: Vec3,
        /// Point of the plane.
        base: Vec3,
        /// Unit normal of the plane, in the frame of the body.
        normal: Vec3,
    },
    /// A point of the body whose height above the origin of the body depends on the inputs alone.
    Level {
        /// Point of the body.
        point: Vec3,
        /// Height per unit of each input. It is 0 at rest.
        raised: [f64; 2],
    },
}

/// A constraint at a pose: its violation, and the derivatives of the violation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Row {
    /// Violation, m; 0 if the constraint holds.
    pub residual: f64,
    /// Derivatives by a displacement of the body.
    pub by_position: Vec3,
    /// Derivatives by a rotation about the origin of the body.
    pub by_rotation: Vec3,
    /// Derivatives by the inputs.
    pub by_input: [f64; 2],
}

impl Row {
    /// Returns the equation for a displacement along x and y and a rotation that cancel the violation, and those for
    /// their derivatives by the inputs, if the body rises by `lift` per unit of each input.
    #[inline(always)]
    pub fn equation(&self, lift: &[f64; 2]) -> Equation {
        let (p, r) = (&self.by_position, &self.by_rotation);
        let by = |k: usize| -(self.by_input[k] + p.z * lift[k]);
        [p.x, p.y, r.x, r.y, r.z, -self.residual, by(0), by(1)]
    }
}

impl Joint {
    /// Returns the constraint at a pose with its rotation.
    #[inline(always)]
    pub fn row(&self, pose: &Pose, rotation: &Rotation, inputs: &[f64; 2]) -> Row {
        match *self {
            Self::Link { inner, moved, outer, length } => {
                let arm = rotation.apply(outer);
                let shift = moved[0] * inputs[0] + moved[1] * inputs[1];
                let along = pose.position + arm - inner - Vec3::new(0.0, shift, 0.0);
                // (|d|² − L²)/2L is |d| − L to the second order
                let per_length = 1.0 / length;
                let residual = 0.5 * (along.dot(along) - length * length) * per_length;
                let unit = along * per_length;
                let by_input = [-unit.y * moved[0], -unit.y * moved[1]];
                Row { residual, by_position: unit, by_rotation: arm.cross(unit), by_input }
            }
            Self::Plane { point, base, normal } => {
                let normal = rotation.apply(normal);
                let base = pose.position + rotation.apply(base);
                Row {
                    residual: normal.dot(point - base),
                    by_position: -normal,
                    by_rotation: normal.cross(point - pose.position),
                    by_input: [0.0; 2],
                }
            }
            Self::Level { point, raised } => {
                let arm = rotation.apply(point);
                Row {
                    residual: arm.z - raised[0] * inputs[0] - raised[1] * inputs[1],
                    by_position: Vec3::ZERO,
                    by_rotation: arm.cross(Vec3::Z),
                    by_input: [-raised[0], -raised[1]],
                }
            }
        }
    }
}
