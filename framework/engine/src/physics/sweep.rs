//! Continuous collision detection: which steps have to be divided so that nothing passes through
//! anything.
//!
//! A contact is found only while two shapes overlap. If a body approaches another so fast that it
//! enters it by more than half of the thinner of the two in one step, rapier gets the step in parts in
//! which it does not. Only bodies that would do so are cast along their way, and only steps in which
//! they meet something are divided.

use rapier2d_f64::parry::query::{self, ShapeCastOptions};
use rapier2d_f64::prelude::*;

use super::body::{self, BodyInfo, RigidBody};
use super::world::Physics;

/// Part of the thinner body that another can enter in a step.
const SHARE: f64 = 0.5;
/// Greatest number of parts of a step.
const MAX_PARTS: f64 = 1000.0;

/// A shape that moves in a straight line.
struct Swept<'a> {
    pose: Pose,
    shape: &'a dyn Shape,
    velocity: Vector,
    /// Greatest speed of a point by the rotation, m/s.
    rotation: f64,
    width: f64,
}

impl Physics {
    /// Returns the number of parts into which a step of `dt` seconds has to be divided.
    pub(super) fn parts(&mut self, dt: f64) -> usize {
        let thinnest = self.neighbours.thinnest.min(self.thinnest);
        let mut parts = 1.0f64;
        for index in 0..self.solved.len() {
            let number = self.solved[index];
            let (body, info) = (&self.bodies[number], &self.infos[number]);
            let way = dt * body.state.top_speed(info.lever);
            if way > SHARE * info.width.min(thinnest) {
                parts = parts.max(self.parts_for(number, dt));
            }
        }
        parts.min(MAX_PARTS) as usize
    }

    /// Returns the number of parts that one body needs.
    fn parts_for(&mut self, number: usize, dt: f64) -> f64 {
        let Self { bodies, infos, neighbours, heights, solved, .. } = self;
        let (own, info) = (&bodies[number], &infos[number]);
        let swept = swept(own, info, dt);
        let way = dt * own.state.top_speed(info.lever);
        let mut parts = 1.0f64;
        for &other in solved.iter().filter(|other| **other != number) {
            let (its, its_info) = (&bodies[other], &infos[other]);
            let reach =
                info.radius + its_info.radius + way + dt * its.state.top_speed(its_info.lever);
            let ([x, y], [its_x, its_y]) = (own.centre(), its.centre());
            let (dx, dy) = (its_x - x, its_y - y);
            let both_follow_plans = info.is_kinematic() && its_info.is_kinematic();
            if dx * dx + dy * dy < reach * reach
                && !both_follow_plans
                && heights.overlap(info.span, its_info.span)
            {
                parts = parts.max(swept.parts_towards(&self::swept(its, its_info, dt), dt));
            }
        }
        if !info.is_kinematic() {
            let bounds = swept.shape.compute_swept_aabb(
                &swept.pose,
                &Pose { translation: swept.pose.translation + swept.velocity * dt, ..swept.pose },
            );
            let bounds = bounds.loosened(swept.rotation * dt);
            for obstacle in neighbours.obstacles_near(&bounds) {
                if heights.overlap(info.span, obstacle.span) {
                    let still = Swept {
                        pose: obstacle.pose,
                        shape: obstacle.shape.as_ref(),
                        velocity: Vector::ZERO,
                        rotation: 0.0,
                        width: obstacle.width,
                    };
                    parts = parts.max(swept.parts_towards(&still, dt));
                }
            }
        }
        parts
    }
}

impl Swept<'_> {
    /// Returns the number of parts in which neither of two shapes enters the other too far.
    fn parts_towards(&self, other: &Self, dt: f64) -> f64 {
        let rotation = self.rotation + other.rotation;
        let most = SHARE * self.width.min(other.width);
        let fastest = (other.velocity - self.velocity).length() + rotation;
        if fastest * dt <= most {
            return 1.0;
        }
        let options = ShapeCastOptions {
            max_time_of_impact: dt,
            target_distance: rotation * dt,
            stop_at_penetration: false,
            compute_impact_geometry_on_penetration: true,
        };
        let hit = query::cast_shapes(
            &self.pose,
            self.velocity,
            self.shape,
            &other.pose,
            other.velocity,
            other.shape,
            options,
        );
        match hit {
            Ok(Some(hit)) => {
                let normal = self.pose.rotation * hit.normal1;
                let approach = (self.velocity - other.velocity).dot(normal) + rotation;
                (approach * dt / most).ceil().max(1.0)
            }
            Ok(None) => 1.0,
            Err(_) => (fastest * dt / most).ceil(),
        }
    }
}

fn swept<'a>(body: &RigidBody, info: &'a BodyInfo, dt: f64) -> Swept<'a> {
    let [vx, vy] = body.state.velocity;
    let mut state = body.state;
    if info.is_kinematic() {
        // its state is that at the end of the step
        state.position = [state.position[0] - vx * dt, state.position[1] - vy * dt];
    }
    Swept {
        pose: body::pose(&state),
        shape: info.shape.as_ref(),
        velocity: Vector::new(vx, vy),
        rotation: body.state.omega.abs() * info.lever,
        width: info.width,
    }
}
