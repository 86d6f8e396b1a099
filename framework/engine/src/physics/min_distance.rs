//! Minimum length of a rope, as an impulse before the step: rapier's ropes have a maximum length
//! only.

use simhost_vectors::Vec2;

use super::bodies::Bodies;
use super::body::{Body, JointEnd};

/// Two anchors that keep a minimum distance.
#[derive(Clone)]
pub(super) struct MinDistance {
    ends: [JointEnd; 2],
    anchors: [[f64; 2]; 2],
    /// Minimum distance, m.
    distance: f64,
}

/// Present state of an anchor.
#[derive(Clone)]
struct Anchor {
    /// World frame, m and m/s.
    position: Vec2,
    velocity: Vec2,
    /// Position relative to the centre of mass, world frame, m.
    lever: Vec2,
    /// Inverse mass, 1/kg, and inverse moment of inertia, 1/(kg·m²); 0 for a fixed anchor.
    inverse_mass: [f64; 2],
}

impl MinDistance {
    /// Keeps the anchors of two ends at least `distance` apart, m.
    pub fn new(ends: [JointEnd; 2], anchors: [[f64; 2]; 2], distance: f64) -> Self {
        Self { ends, anchors, distance }
    }

    /// Gives both ends the impulse that keeps their distance during a step of `dt` seconds. Anchors
    /// that are too close already part at no more than `push_speed`, m/s.
    pub fn apply(&self, bodies: &mut Bodies, dt: f64, push_speed: f64) {
        let [a, b] = [0, 1].map(|k| anchor(self.ends[k], self.anchors[k], bodies));
        let apart = b.position - a.position;
        let distance = apart.length();
        if distance < 1e-9 {
            return;
        }
        let line = apart / distance;
        let speed = line.dot(b.velocity - a.velocity);
        let wanted = ((self.distance - distance) / dt).min(push_speed);
        let inverse_mass = a.inverse_mass_along(line) + b.inverse_mass_along(line);
        if speed >= wanted || inverse_mass <= 0.0 {
            return;
        }
        let impulse = (wanted - speed) / inverse_mass;
        for (end, anchor, sign) in [(self.ends[0], &a, -1.0), (self.ends[1], &b, 1.0)] {
            let JointEnd::Body(Body(number)) = end else { continue };
            let state = &mut bodies[number].state;
            for (velocity, part) in state.velocity.iter_mut().zip(line.to_array()) {
                *velocity += sign * impulse * anchor.inverse_mass[0] * part;
            }
            state.omega += sign * impulse * anchor.inverse_mass[1] * anchor.lever.cross(line);
        }
    }
}

impl Anchor {
    /// Returns the change of velocity along a unit vector per impulse along it, 1/kg.
    fn inverse_mass_along(&self, line: Vec2) -> f64 {
        let lever = self.lever.cross(line);
        self.inverse_mass[0] + self.inverse_mass[1] * lever * lever
    }
}

fn anchor(end: JointEnd, at: [f64; 2], bodies: &Bodies) -> Anchor {
    match end {
        JointEnd::Body(Body(number)) => {
            let body = &bodies[number];
            let position = Vec2::from(body.state.transform(at));
            let lever = position - body.centre().into();
            let omega = body.state.omega;
            let [vx, vy] = body.state.velocity;
            let velocity = Vec2::new(vx - omega * lever.y, vy + omega * lever.x);
            let info = &bodies.infos[number];
            let inverse_mass =
                if info.is_kinematic() { [0.0; 2] } else { info.mass.map(|inertia| 1.0 / inertia) };
            Anchor { position, velocity, lever, inverse_mass }
        }
        JointEnd::Fixed(pose) => Anchor {
            position: pose.transform(at).into(),
            velocity: Vec2::ZERO,
            lever: Vec2::ZERO,
            inverse_mass: [0.0; 2],
        },
    }
}
