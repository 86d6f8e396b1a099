//! Continuous collision detection: how long a part of a step can be so that nothing passes through
//! anything.
//!
//! A contact is found only while two shapes are close to each other. If a body approaches another so fast
//! that it enters it by more than half of the thinner of the two in one step, rapier gets the step in parts: one
//! until the two are close, and then those in which they do not enter each other too far. Velocities change with
//! each contact, so that the length of a part is known when it begins. Only bodies that are fast are cast along
//! their way, and only steps in which they meet something are divided.

use rapier2d_f64::parry::bounding_volume::{Aabb, BoundingVolume};
use rapier2d_f64::parry::query::{self, ShapeCastOptions, Unsupported};
use rapier2d_f64::prelude::*;

use super::bodies::Bodies;
use super::body::{self, BodyInfo, RigidBody};
use super::dispatcher::gap;
use super::neighbours::{Obstacle, Obstacles};
use super::solver::Solver;

/// Part of the thinner body that another can enter in a step.
const SHARE: f64 = 0.5;
/// Gap at which a part ends before a contact, m: rapier sees contacts up to 0.02 m ahead.
const CLOSE: f64 = 5e-3;

/// A shape that moves in a straight line.
struct Swept<'a> {
    pose: Pose,
    shape: &'a dyn Shape,
    velocity: Vector,
    /// Greatest speed of a point by the rotation, m/s.
    rotation: f64,
    width: f64,
}

impl Solver {
    /// Returns the time, s, for which rapier can move the bodies at once, at most `left`, s.
    pub(super) fn reach(&self, bodies: &Bodies, obstacles: &Obstacles, left: f64) -> f64 {
        let thinnest = obstacles.thinnest.min(bodies.thinnest);
        let mut part = left;
        for &number in &self.solved {
            let (body, info) = (&bodies[number], &bodies.infos[number]);
            let way = left * body.state.top_speed(info.lever);
            if way > SHARE * info.width.min(thinnest) {
                part = part.min(self.reach_of(bodies, obstacles, number, left));
            }
        }
        part
    }

    /// Returns the time, s, for which one body can move at once, at most `dt`, s.
    fn reach_of(&self, bodies: &Bodies, obstacles: &Obstacles, number: usize, dt: f64) -> f64 {
        let Bodies { states, infos, heights, .. } = bodies;
        let (own, info) = (&states[number], &infos[number]);
        let swept = swept(own, info, dt);
        let way = dt * own.state.top_speed(info.lever);
        let mut part = dt;
        for &other in self.solved.iter().filter(|other| **other != number) {
            let (its, its_info) = (&states[other], &infos[other]);
            let reach =
                info.radius + its_info.radius + way + dt * its.state.top_speed(its_info.lever);
            let ([x, y], [its_x, its_y]) = (own.centre(), its.centre());
            let (dx, dy) = (its_x - x, its_y - y);
            let both_follow_plans = info.is_kinematic() && its_info.is_kinematic();
            if dx * dx + dy * dy < reach * reach
                && !both_follow_plans
                && heights.overlap(info.span, its_info.span)
            {
                part = part.min(swept.reach_towards(&self::swept(its, its_info, dt), dt));
            }
        }
        if !info.is_kinematic() {
            let bounds = swept.shape.compute_swept_aabb(
                &swept.pose,
                &Pose { translation: swept.pose.translation + swept.velocity * dt, ..swept.pose },
            );
            let bounds = bounds.loosened(swept.rotation * dt + CLOSE);
            for (_, obstacle) in obstacles.near(&bounds) {
                if heights.overlap(info.span, obstacle.span) {
                    part = part.min(swept.reach_to_obstacle(obstacle, &bounds, dt));
                }
            }
        }
        part
    }
}

impl Swept<'_> {
    /// Returns the time, s, for which the shape can move at once, at most `dt`, s, if it meets an obstacle within
    /// `bounds`.
    fn reach_to_obstacle(&self, obstacle: &Obstacle, bounds: &Aabb, dt: f64) -> f64 {
        let still = |pose: Pose, shape: &dyn Shape| {
            let (velocity, rotation, width) = (Vector::ZERO, 0.0, obstacle.width);
            self.reach_towards(&Swept { pose, shape, velocity, rotation, width }, dt)
        };
        let Some((voxels, cell)) = obstacle.shape.as_voxels().zip(obstacle.cell.as_ref()) else {
            return still(obstacle.pose, obstacle.shape.as_ref());
        };
        let bounds = bounds.transform_by(&obstacle.pose.inverse());
        let solid = voxels.voxels_intersecting_local_aabb(&bounds);
        let solid = solid.filter(|cell| !cell.state.is_empty());
        let places = solid.map(|cell| obstacle.pose * Pose::from_translation(cell.center));
        places.map(|pose| still(pose, cell.as_ref())).fold(dt, f64::min)
    }

    /// Returns the time, s, at most `dt`, s, until two shapes are close to each other, or in which neither enters
    /// the other too far.
    fn reach_towards(&self, other: &Swept<'_>, dt: f64) -> f64 {
        let rotation = self.rotation + other.rotation;
        let most = SHARE * self.width.min(other.width);
        let velocity = self.velocity - other.velocity;
        let polygons = self.shape.as_convex_polygon().zip(other.shape.as_convex_polygon());
        let Some((own, its)) = polygons else {
            return dt.min(most / (velocity.length() + rotation));
        };
        // the gap along a normal that separates them closes no faster than they approach along it
        let (gap, normal) = gap(&self.pose.inv_mul(&other.pose), own, its);
        let approach = velocity.dot(self.pose.rotation * normal) + rotation;
        let free = most.max(gap - CLOSE);
        if approach * dt <= free {
            return dt;
        }
        let target = rotation * dt + CLOSE;
        let hit = if gap > target { self.cast(other, target, dt) } else { Ok(Some(0.0)) };
        hit.map_or(0.0, |time| time.unwrap_or(dt)).max(free / approach).min(dt)
    }

    /// Returns the time, s, within `dt`, s, after which two shapes are as near as `target`, m.
    fn cast(&self, other: &Swept<'_>, target: f64, dt: f64) -> Result<Option<f64>, Unsupported> {
        let options = ShapeCastOptions {
            max_time_of_impact: dt,
            target_distance: target,
            stop_at_penetration: false,
            compute_impact_geometry_on_penetration: false,
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
        hit.map(|hit| hit.map(|hit| hit.time_of_impact))
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
