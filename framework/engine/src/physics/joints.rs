//! Joints between bodies: ropes and pins.

use rapier2d_f64::prelude::*;
use simhost_world::{Joint, JointKind};

use super::body::JointEnd;
use super::min_distance::MinDistance;
use super::neighbours::Obstacle;
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
        let handles = ends.map(|end| self.end_handle(end));
        let [a, b] = joint.anchors.map(|[x, y]| Vector::new(x, y));
        let data: GenericJoint = match joint.kind {
            JointKind::Rope { min_length, max_length, stiffness, damping } => {
                if stiffness > 0.0 || damping > 0.0 {
                    let spring = SpringJointBuilder::new(max_length, stiffness, damping)
                        .spring_model(MotorModel::ForceBased)
                        .local_anchor1(a)
                        .local_anchor2(b)
                        .contacts_enabled(false);
                    self.world.impulse_joints.insert(handles[0], handles[1], spring, true);
                }
                if min_length > 0.0 {
                    self.min_distances.push(MinDistance::new(ends, joint.anchors, min_length));
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
                    .local_frame2(Pose::new(b, self.relative_yaw(ends)))
                    .contacts_enabled(false);
                if let Some(limits) = limits {
                    pin = pin.limits(JointAxis::AngX, limits);
                }
                pin.build()
            }
        };
        self.world.impulse_joints.insert(handles[0], handles[1], data, true);
    }

    /// Returns the yaw of the first end relative to the second, rad.
    fn relative_yaw(&self, ends: [JointEnd; 2]) -> f64 {
        let [a, b] = ends.map(|end| match end {
            JointEnd::Body(body) => self.state(body).pose().yaw,
            JointEnd::Fixed(pose) => pose.yaw,
        });
        simhost_sdk::math::wrap_angle(a - b)
    }

    fn end_handle(&mut self, end: JointEnd) -> RigidBodyHandle {
        match end {
            JointEnd::Body(body) => {
                let body = &mut self.infos[body.0];
                // rapier solves the joint
                body.always_solved = true;
                body.handle
            }
            JointEnd::Fixed(pose) => {
                let at = Pose::new(Vector::new(pose.x, pose.y), pose.yaw);
                // bodies that a joint links do not collide
                let is_there = |obstacle: &Obstacle| {
                    let between = obstacle.pose.inverse() * at;
                    between.translation.length() < ROUNDING
                        && between.rotation.angle().abs() < ROUNDING
                };
                match self.neighbours.obstacles.iter().position(is_there) {
                    Some(number) => self.neighbours.handles[number],
                    None => self.world.insert_body(RigidBodyBuilder::fixed().pose(at)),
                }
            }
        }
    }
}
