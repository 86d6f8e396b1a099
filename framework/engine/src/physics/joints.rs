//! Links between bodies.

use rapier2d_f64::prelude::*;
use simhost_world::{Joint, JointKind};

use super::Physics;
use super::body::Body;

/// One end of a link.
#[derive(Clone, Copy, Debug)]
pub(crate) enum End {
    /// A body that moves.
    Body(Body),
    /// What never moves, with its pose: x, y, m; yaw, rad.
    Fixed(simhost_scene::Pose2),
}

impl Physics {
    /// Links two bodies, which then do not collide with each other. Two ends that never move need
    /// no link.
    pub fn add_joint(&mut self, joint: &Joint, ends: [End; 2]) {
        let handles = ends.map(|end| self.end_handle(end));
        if ends.iter().all(|end| matches!(end, End::Fixed(_))) {
            return;
        }
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
                self.keep_apart(ends, joint.anchors, min_length);
                RopeJointBuilder::new(max_length)
                    .local_anchor1(a)
                    .local_anchor2(b)
                    .contacts_enabled(false)
                    .build()
                    .into()
            }
            JointKind::Pin { limits } => {
                // angles count from those at the start
                let mut pin = GenericJointBuilder::new(JointAxesMask::LOCKED_REVOLUTE_AXES)
                    .local_frame1(Pose::new(a, 0.0))
                    .local_frame2(Pose::new(b, self.turned_between(ends)))
                    .contacts_enabled(false);
                if let Some(limits) = limits {
                    pin = pin.limits(JointAxis::AngX, limits);
                }
                pin.build()
            }
        };
        self.world.impulse_joints.insert(handles[0], handles[1], data, true);
    }

    /// Angle of the first end in the second, rad.
    fn turned_between(&self, ends: [End; 2]) -> f64 {
        let [a, b] = ends.map(|end| match end {
            End::Body(body) => self.state(body).pose().yaw,
            End::Fixed(pose) => pose.yaw,
        });
        simhost_sdk::math::wrap_angle(a - b)
    }

    fn end_handle(&mut self, end: End) -> RigidBodyHandle {
        match end {
            End::Body(body) => {
                let movable = &mut self.bodies[body.0];
                // rapier solves the link
                movable.always_held = true;
                movable.handle
            }
            End::Fixed(pose) => {
                let at = Pose::new(Vector::new(pose.x, pose.y), pose.yaw);
                self.world.insert_body(RigidBodyBuilder::fixed().pose(at))
            }
        }
    }
}
