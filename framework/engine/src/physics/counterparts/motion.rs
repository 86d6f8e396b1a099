//! Exchange of poses and velocities with rapier.

use rapier2d_f64::prelude::*;
use simhost_sdk::math;

use super::super::body::{BodyInfo, BodyState, pose, rotate_heading};
use super::Counterparts;

impl Counterparts {
    /// Writes the velocity of a body to rapier, unless the body is kinematic.
    pub fn write(&mut self, number: usize, info: &BodyInfo, state: &BodyState) {
        if info.is_kinematic() {
            return;
        }
        let BodyState { velocity: [vx, vy], omega, .. } = *state;
        let body = &mut self.world.bodies[self.bodies[number].body];
        if body.linvel() != Vector::new(vx, vy) || body.angvel() != omega {
            body.set_linvel(Vector::new(vx, vy), false);
            body.set_angvel(omega, false);
        }
    }

    /// Writes the pose that a kinematic body reaches at the end of the next part of a step, which is a `share` of what is
    /// left of the step and whose last part ends at `state`.
    pub fn lead(&mut self, number: usize, info: &BodyInfo, state: &BodyState, share: f64) {
        if !info.is_kinematic() {
            return;
        }
        let (body, end) = (&mut self.world.bodies[self.bodies[number].body], pose(state));
        let next = if info.lever == 0.0 {
            // rapier need not turn a round body
            let start = *body.position();
            let translation = start.translation + (end.translation - start.translation) * share;
            Pose { translation, ..start }
        } else if share >= 1.0 {
            end
        } else {
            let start = *body.position();
            let turn = start.rotation.inverse() * end.rotation;
            let (sin, cos) = math::sin_cos(share * math::atan2(turn.im, turn.re));
            let rotation = rotate_heading([start.rotation.re, start.rotation.im], [cos, sin]);
            Pose {
                rotation: Rotation::from_cos_sin_unchecked(rotation[0], rotation[1]),
                translation: start.translation + (end.translation - start.translation) * share,
            }
        };
        body.set_next_kinematic_position(next);
    }

    /// Reads the state of a body from rapier, unless the body is kinematic.
    pub fn read(&self, number: usize, info: &BodyInfo, state: &mut BodyState) {
        if info.is_kinematic() {
            return;
        }
        let body = &self.world.bodies[self.bodies[number].body];
        let (position, velocity) = (body.translation(), body.linvel());
        let heading = body.position().rotation;
        *state = BodyState {
            position: [position.x, position.y],
            heading: [heading.re, heading.im],
            velocity: [velocity.x, velocity.y],
            omega: body.angvel(),
        };
    }

    /// Enables a body in rapier at its present pose, or disables it.
    pub fn set_enabled(&mut self, number: usize, state: &BodyState, enabled: bool) {
        let body = &mut self.world.bodies[self.bodies[number].body];
        if enabled {
            body.set_position(pose(state), false);
        }
        body.set_enabled(enabled);
    }

    /// Moves a body in rapier to its present pose.
    pub fn place(&mut self, number: usize, state: &BodyState) {
        self.set_enabled(number, state, true);
    }

    /// Wakes a body up. rapier lets bodies sleep that are at rest, although they overlap.
    pub fn wake_up(&mut self, number: usize) {
        self.world.bodies[self.bodies[number].body].wake_up(true);
    }
}
