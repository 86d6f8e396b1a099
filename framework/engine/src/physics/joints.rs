//! Joints between bodies: ropes and pins.

use std::sync::Arc;

use rapier2d_f64::prelude::*;
use simhost_world::{Joint, JointKind};

use super::bodies::Bodies;
use super::body::JointEnd;
use super::counterparts::Counterparts;
use super::min_distance::MinDistance;
use super::neighbours::{Obstacle, Obstacles};
use super::world::Physics;

/// Difference of poses in m and rad that is due to rounding.
const ROUNDING: f64 = 1e-9;

impl Physics {
    /// Joins two ends, which then do not collide with each other. Two fixed ends are ignored.
    pub fn add_joint(&mut self, joint: &Joint, ends: [JointEnd; 2]) {
        if ends.iter().all(|end| matches!(end, JointEnd::Fixed(_))) {
            return;
        }
        self.add_counterparts();
        for end in ends {
            if let JointEnd::Body(body) = end {
                // rapier solves the joint
                self.bodies.info_mut(body).always_solved = true;
            }
        }
        let counterparts = &mut self.solver.counterparts;
        let handles = ends.map(|end| counterparts.end(end, &self.obstacles));
        let joints = &mut counterparts.world.impulse_joints;
        let [a, b] = joint.anchors.map(|[x, y]| Vector::new(x, y));
        let data: GenericJoint = match joint.kind {
            JointKind::Rope { min_length, max_length, stiffness, damping } => {
                if stiffness > 0.0 || damping > 0.0 {
                    let spring = SpringJointBuilder::new(max_length, stiffness, damping)
                        .spring_model(MotorModel::ForceBased)
                        .local_anchor1(a)
                        .local_anchor2(b)
                        .contacts_enabled(false);
                    joints.insert(handles[0], handles[1], spring, true);
                }
                if min_length > 0.0 {
                    let rope = MinDistance::new(ends, joint.anchors, min_length);
                    Arc::make_mut(&mut self.min_distances).push(rope);
                }
                RopeJointBuilder::new(max_length)
                    .local_anchor1(a)
                    .local_anchor2(b)
                    .contacts_enabled(false)
                    .build()
                    .into()
            }
            JointKind::Pin { limits } => {
                // angles are relative to those at the start
                let mut pin = GenericJointBuilder::new(JointAxesMask::LOCKED_REVOLUTE_AXES)
                    .local_frame1(Pose::new(a, 0.0))
                    .local_frame2(Pose::new(b, relative_yaw(ends, &self.bodies)))
                    .contacts_enabled(false);
                if let Some(limits) = limits {
                    pin = pin.limits(JointAxis::AngX, limits);
                }
                pin.build()
            }
        };
        joints.insert(handles[0], handles[1], data, true);
    }
}

impl Counterparts {
    /// Returns rapier's handle of the end of a joint. A fixed end at an obstacle is the obstacle, as bodies that a joint
    /// links do not collide.
    fn end(&mut self, end: JointEnd, obstacles: &Obstacles) -> RigidBodyHandle {
        let pose = match end {
            JointEnd::Body(body) => return self.body(body.0),
            JointEnd::Fixed(pose) => pose,
        };
        let at = Pose::new(Vector::new(pose.x, pose.y), pose.yaw);
        let is_there = |obstacle: &Obstacle| {
            let between = obstacle.pose.inverse() * at;
            between.translation.length() < ROUNDING && between.rotation.angle().abs() < ROUNDING
        };
        match obstacles.all.iter().position(is_there) {
            Some(number) => self.obstacle(number),
            None => self.world.insert_body(RigidBodyBuilder::fixed().pose(at)),
        }
    }
}

/// Returns the yaw of the first end relative to the second, rad.
fn relative_yaw(ends: [JointEnd; 2], bodies: &Bodies) -> f64 {
    let [a, b] = ends.map(|end| match end {
        JointEnd::Body(body) => bodies.state(body).pose().yaw,
        JointEnd::Fixed(pose) => pose.yaw,
    });
    simhost_sdk::math::wrap_angle(a - b)
}
