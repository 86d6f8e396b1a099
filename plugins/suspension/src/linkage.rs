//! A rigid body on five constraints, whose height follows from its inputs, and the search for its pose.
//!
//! The height of a wheel centre is its height at rest plus its travel, so that five coordinates remain.
//! Newton's method with the analytic Jacobian of [`Joint::row`] finds the pose. A start value that is far away is
//! brought nearer in steps along the inputs (continuation with an Euler predictor), so that the pose stays in the
//! assembly of the rest pose: links have two assemblies, and the determinant of the Jacobian changes its sign between
//! them. Derivatives follow from the implicit function theorem, J dq/du = −∂r/∂u. Source: E. J. Haug, *Computer Aided
//! Kinematics and Dynamics of Mechanical Systems*, 1989, chapters 3 and 4.

use simhost_sdk::vectors::Vec3;

use crate::elimination::{Equation, SIZE, solve};
use crate::errors::{HardpointError, Unreachable};
use crate::joint::{Joint, Row};
use crate::pose::{Motion, Pose, Twist};

/// Largest violation of a constraint before the last Newton step, m. The step leaves about its square.
const TOLERANCE: f64 = 1e-11;
/// Newton steps for one pose.
const MOST_STEPS: usize = 12;
/// Change of an input up to which Newton's method starts from the given pose, m.
const NEAR: f64 = 0.01;
/// Smallest step of the continuation, m.
const LEAST_STEP: f64 = 1e-7;
/// Largest rotation between a predicted or a given pose and a solved one, rad. A larger one leads to another assembly.
const LARGEST_CORRECTION: f64 = 0.3;
/// Largest derivative of a rotation by an input of a suspension that moves, rad/m.
const FASTEST_ROTATION: f64 = 500.0;
/// Share of the largest constraint force from which a joint counts as one that locks.
const LIMITING_SHARE: f64 = 0.3;

/// A pose and the inputs that belong to it, from which a search can start.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Posture {
    /// Inputs, m.
    pub inputs: [f64; 2],
    /// Pose.
    pub pose: Pose,
}

impl From<&Motion> for Posture {
    fn from(motion: &Motion) -> Self {
        Self { inputs: motion.inputs, pose: motion.pose }
    }
}

/// A constraint with the name of its part.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NamedJoint {
    /// Name of the part in messages.
    pub name: &'static str,
    /// Constraint.
    pub joint: Joint,
}

/// The two inputs of a linkage.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Inputs {
    /// Names in messages.
    pub names: [&'static str; 2],
    /// Rise of the origin of the body per unit of each input.
    pub lift: [f64; 2],
}

/// A rigid body on five constraints.
#[derive(Clone, Debug)]
pub struct Linkage {
    joints: [Joint; SIZE],
    names: [&'static str; SIZE],
    /// Inputs.
    inputs: Inputs,
    /// Pose without inputs.
    rest: Motion,
    /// Sign of the determinant in the assembly of the rest pose.
    sign: f64,
}

impl Linkage {
    /// Creates a linkage from its constraints at rest, where the origin of the body is at `origin`.
    ///
    /// # Errors
    ///
    /// Constraints that do not determine the motion at rest.
    pub fn new(
        origin: Vec3,
        inputs: Inputs,
        joints: [NamedJoint; SIZE],
    ) -> Result<Self, HardpointError> {
        let pose = Pose::at(origin);
        let names = joints.map(|joint| joint.name);
        let joints = joints.map(|joint| joint.joint);
        let rest =
            Motion { inputs: [0.0; 2], pose, rotation: pose.rotation(), by: [Twist::default(); 2] };
        let mut linkage = Self { joints, names, inputs, rest, sign: 1.0 };
        let equations = linkage.rows(&pose, &[0.0; 2]).map(|row| row.equation(&inputs.lift));
        let solved = solve(equations);
        linkage.sign = solved.determinant.signum();
        linkage.rest.by = [0, 1].map(|k| twist(solved.column(k + 1), inputs.lift[k]));
        let moves = linkage.rest.by.iter().all(|twist| twist.rotation.length() < FASTEST_ROTATION);
        if !moves {
            return Err(HardpointError::Singular(linkage.limiting(&pose, &[0.0; 2])));
        }
        Ok(linkage)
    }

    /// Returns the pose without inputs.
    pub fn rest(&self) -> &Motion {
        &self.rest
    }

    /// Returns the root of the sum of the squared violations of the constraints at a pose, m.
    pub fn violation(&self, pose: &Pose, inputs: &[f64; 2]) -> f64 {
        violation(&self.rows(pose, inputs))
    }

    /// Returns the pose at some inputs. `from` is a pose in the assembly of the rest pose, and the nearer it is, the
    /// faster is the search. The result does not depend on it, except for rounding errors.
    ///
    /// # Errors
    ///
    /// Inputs that cannot be reached.
    #[inline]
    pub fn solve(&self, from: &Posture, inputs: [f64; 2]) -> Result<Motion, Unreachable> {
        let is_near = (0..2).all(|k| (inputs[k] - from.inputs[k]).abs() <= NEAR);
        if is_near && let Some(motion) = self.newton(from.pose, inputs) {
            return Ok(motion);
        }
        self.approach(from, inputs)
    }

    /// Moves the inputs to their targets in steps, from the given pose, or from rest if that pose is not a solution.
    #[cold]
    fn approach(&self, from: &Posture, target: [f64; 2]) -> Result<Motion, Unreachable> {
        let start = self.newton(from.pose, from.inputs);
        self.follow(start.unwrap_or(self.rest), target).or_else(|_| self.follow(self.rest, target))
    }

    fn follow(&self, start: Motion, target: [f64; 2]) -> Result<Motion, Unreachable> {
        let change = [target[0] - start.inputs[0], target[1] - start.inputs[1]];
        let way = change[0].abs().max(change[1].abs());
        if !way.is_finite() {
            return Err(self.unreachable(&start, target));
        }
        let (mut at, mut gone, mut step) = (start, 0.0, (NEAR / way).min(1.0));
        while gone < 1.0 {
            let next = if gone + step >= 1.0 { 1.0 } else { gone + step };
            let inputs = if next == 1.0 {
                target
            } else {
                [0, 1].map(|k| start.inputs[k] + next * change[k])
            };
            match self.advance(&at, inputs) {
                Some(motion) => {
                    (at, gone) = (motion, next);
                    step = (1.5 * step).min(NEAR / way);
                }
                None if step * way < LEAST_STEP => return Err(self.unreachable(&at, target)),
                None => step *= 0.5,
            }
        }
        Ok(at)
    }

    /// Returns the pose at inputs near the inputs of a solved pose, if it is in the same assembly.
    fn advance(&self, at: &Motion, inputs: [f64; 2]) -> Option<Motion> {
        let change = [inputs[0] - at.inputs[0], inputs[1] - at.inputs[1]];
        let [first, second] = at.by;
        let velocity = first.velocity * change[0] + second.velocity * change[1];
        let rotation = first.rotation * change[0] + second.rotation * change[1];
        let predicted = at.pose.displaced(velocity, rotation);
        self.newton(predicted, inputs)
    }

    /// Returns the pose to which Newton's method converges, if it is near and in the assembly of the rest pose.
    #[inline(always)]
    fn newton(&self, start: Pose, inputs: [f64; 2]) -> Option<Motion> {
        let lift = &self.inputs.lift;
        let height = self.rest.pose.position.z + lift[0] * inputs[0] + lift[1] * inputs[1];
        let mut pose = Pose { position: Vec3 { z: height, ..start.position }, ..start };
        for _ in 0..MOST_STEPS {
            let rows = self.rows(&pose, &inputs);
            let equation = |k: usize| rows[k].equation(lift);
            let solved = solve([equation(0), equation(1), equation(2), equation(3), equation(4)]);
            let step = twist(solved.column(0), 0.0);
            pose = pose.displaced(step.velocity, step.rotation);
            if violation(&rows) <= TOLERANCE {
                let by = [twist(solved.column(1), lift[0]), twist(solved.column(2), lift[1])];
                let motion = Motion { inputs, pose, rotation: pose.rotation(), by };
                let is_same = solved.determinant * self.sign > 0.0;
                return (is_same && start.angle_to(&pose) < LARGEST_CORRECTION).then_some(motion);
            }
        }
        None
    }

    #[inline(always)]
    fn rows(&self, pose: &Pose, inputs: &[f64; 2]) -> [Row; SIZE] {
        let rotation = pose.rotation();
        let [a, b, c, d, e] = &self.joints;
        let row = |joint: &Joint| joint.row(pose, &rotation, inputs);
        [row(a), row(b), row(c), row(d), row(e)]
    }

    fn unreachable(&self, at: &Motion, inputs: [f64; 2]) -> Unreachable {
        let limiting = self.limiting(&at.pose, &at.inputs);
        Unreachable { names: self.inputs.names, inputs, reached: at.inputs, limiting }
    }

    /// Returns the names of the parts that lock near a singular pose: those with the largest constraint forces of
    /// the state of self-stress, which is the left null vector of the Jacobian.
    fn limiting(&self, pose: &Pose, inputs: &[f64; 2]) -> Vec<&'static str> {
        let equations = self.rows(pose, inputs).map(|row| row.equation(&self.inputs.lift));
        let mut transposed = [[0.0; SIZE]; SIZE];
        for (k, column) in transposed.iter_mut().enumerate() {
            *column = equations.map(|equation| equation[k]);
        }
        let mut forces = [1.0, 0.8, 0.9, 0.7, 1.1];
        // inverse iteration
        for _ in 0..3 {
            let matrix = equations.map(|[a, b, c, d, e, ..]| [a, b, c, d, e]);
            let twist = solve(with_right_side(&matrix, &forces)).column(0);
            forces = solve(with_right_side(&transposed, &twist)).column(0);
            let size = forces.iter().fold(0.0, |most: f64, force| force.abs().max(most));
            if !size.is_finite() || size == 0.0 {
                return self.distinct_links(|_| true);
            }
            forces = forces.map(|force| force / size);
        }
        self.distinct_links(|k| forces[k].abs() > LIMITING_SHARE)
    }

    /// Returns the names of some parts, each once, without the travels of wheels.
    fn distinct_links(&self, is_wanted: impl Fn(usize) -> bool) -> Vec<&'static str> {
        let mut names = Vec::new();
        for (k, name) in self.names.iter().enumerate() {
            let is_part = !matches!(self.joints[k], Joint::Level { .. });
            if is_part && is_wanted(k) && !names.contains(name) {
                names.push(*name);
            }
        }
        names
    }
}

/// Returns the root of the sum of the squared violations, m, or a value that is not a number.
#[inline(always)]
fn violation(rows: &[Row; SIZE]) -> f64 {
    let mut sum = 0.0;
    for row in rows {
        sum += row.residual * row.residual;
    }
    sum.sqrt()
}

/// Returns the twist with given components: displacements along x and y, and the rotation.
#[inline(always)]
fn twist([x, y, a, b, c]: [f64; SIZE], z: f64) -> Twist {
    Twist { velocity: Vec3::new(x, y, z), rotation: Vec3::new(a, b, c) }
}

/// Returns equations with one right side.
fn with_right_side(matrix: &[[f64; SIZE]; SIZE], right: &[f64; SIZE]) -> [Equation; SIZE] {
    let mut rows = [[0.0; SIZE + 3]; SIZE];
    for (k, row) in rows.iter_mut().enumerate() {
        row[..SIZE].copy_from_slice(&matrix[k]);
        row[SIZE] = right[k];
    }
    rows
}
