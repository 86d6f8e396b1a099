//! Constraints of a linkage, each with its derivatives by the pose of the body and by the inputs.

use simhost_sdk::vectors::{Rotation, Vec3};

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
    /// A point of the body whose height is its height at rest plus an input.
    Height {
        /// Point of the body.
        point: Vec3,
        /// Height at rest.
        rest: f64,
        /// Index of the input.
        input: usize,
    },
}

/// A constraint at a pose: its violation, and the derivatives of the violation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Row {
    /// Violation, m; 0 if the constraint holds.
    pub residual: f64,
    /// Derivatives by a displacement of the body and a rotation about its origin.
    pub by_pose: [f64; 6],
    /// Derivatives by the inputs.
    pub by_input: [f64; 2],
}

impl Row {
    /// Returns the coefficients of the equation for a displacement that cancels the violation.
    #[inline(always)]
    pub fn step(&self) -> [f64; 7] {
        let [a, b, c, d, e, f] = self.by_pose;
        [a, b, c, d, e, f, -self.residual]
    }

    /// Returns the coefficients of the equations for such a displacement and for the derivatives by the inputs.
    #[inline(always)]
    pub fn step_and_rates(&self) -> [f64; 9] {
        let [a, b, c, d, e, f] = self.by_pose;
        [a, b, c, d, e, f, -self.residual, -self.by_input[0], -self.by_input[1]]
    }

    #[inline(always)]
    fn new(residual: f64, position: Vec3, rotation: Vec3, by_input: [f64; 2]) -> Self {
        let (p, r) = (position, rotation);
        Self { residual, by_pose: [p.x, p.y, p.z, r.x, r.y, r.z], by_input }
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
                Row::new(residual, unit, arm.cross(unit), by_input)
            }
            Self::Plane { point, base, normal } => {
                let normal = rotation.apply(normal);
                let base = pose.position + rotation.apply(base);
                let turning = normal.cross(point - pose.position);
                Row::new(normal.dot(point - base), -normal, turning, [0.0; 2])
            }
            Self::Height { point, rest, input } => {
                let arm = rotation.apply(point);
                let mut by_input = [0.0; 2];
                by_input[input] = -1.0;
                let residual = pose.position.z + arm.z - rest - inputs[input];
                Row::new(residual, Vec3::Z, arm.cross(Vec3::Z), by_input)
            }
        }
    }
}
