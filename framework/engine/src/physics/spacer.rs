//! The least length of a rope: its ends do not come closer.

use super::body::{Body, Movable};
use super::joints::End;
use super::{PUSH_SPEED, Physics};

/// Two anchors that stay at least so far apart.
pub(super) struct Spacer {
    ends: [End; 2],
    anchors: [[f64; 2]; 2],
    least: f64,
}

/// An anchor now: where it is, how fast, and what an impulse along a line does to it.
struct Anchor {
    position: [f64; 2],
    velocity: [f64; 2],
    lever: [f64; 2],
    /// 1/kg and 1/(kg·m²); 0 for what never moves.
    lightness: [f64; 2],
}

impl Spacer {
    /// Keeps the anchors of two ends `least` apart, m.
    pub fn new(ends: [End; 2], anchors: [[f64; 2]; 2], least: f64) -> Self {
        Self { ends, anchors, least }
    }

    /// Gives both ends the impulse that keeps them apart for a step of `dt`, s. What is too close
    /// already is pushed apart slowly.
    pub fn act(&self, bodies: &mut [Movable], dt: f64) {
        let [a, b] = [0, 1].map(|k| anchor(self.ends[k], self.anchors[k], bodies));
        let apart = [0, 1].map(|k| b.position[k] - a.position[k]);
        let distance = dot(apart, apart).sqrt();
        if distance < 1e-9 {
            return;
        }
        let line = apart.map(|part| part / distance);
        let speed = dot(line, [0, 1].map(|k| b.velocity[k] - a.velocity[k]));
        let wanted = ((self.least - distance) / dt).min(PUSH_SPEED);
        let lightness = a.lightness_along(line) + b.lightness_along(line);
        if speed >= wanted || lightness <= 0.0 {
            return;
        }
        let impulse = (wanted - speed) / lightness;
        for (end, anchor, sign) in [(self.ends[0], &a, -1.0), (self.ends[1], &b, 1.0)] {
            let End::Body(Body(number)) = end else { continue };
            let state = &mut bodies[number].state;
            for (velocity, part) in state.velocity.iter_mut().zip(line) {
                *velocity += sign * impulse * anchor.lightness[0] * part;
            }
            state.omega += sign * impulse * anchor.lightness[1] * cross(anchor.lever, line);
        }
    }
}

impl Anchor {
    fn lightness_along(&self, line: [f64; 2]) -> f64 {
        let lever = cross(self.lever, line);
        self.lightness[0] + self.lightness[1] * lever * lever
    }
}

fn anchor(end: End, at: [f64; 2], bodies: &[Movable]) -> Anchor {
    match end {
        End::Body(Body(number)) => {
            let movable = &bodies[number];
            let position = movable.state.transform(at);
            let centre = movable.centre();
            let lever = [position[0] - centre[0], position[1] - centre[1]];
            let omega = movable.state.omega;
            let [vx, vy] = movable.state.velocity;
            let velocity = [vx - omega * lever[1], vy + omega * lever[0]];
            let lightness = if movable.driven { [0.0; 2] } else { movable.lightness };
            Anchor { position, velocity, lever, lightness }
        }
        End::Fixed(pose) => Anchor {
            position: pose.transform(at),
            velocity: [0.0; 2],
            lever: [0.0; 2],
            lightness: [0.0; 2],
        },
    }
}

fn dot(a: [f64; 2], b: [f64; 2]) -> f64 {
    a[0] * b[0] + a[1] * b[1]
}

fn cross(a: [f64; 2], b: [f64; 2]) -> f64 {
    a[0] * b[1] - a[1] * b[0]
}

impl Physics {
    /// Keeps the anchors of two ends `least` apart, m.
    pub(super) fn keep_apart(&mut self, ends: [End; 2], anchors: [[f64; 2]; 2], least: f64) {
        if least > 0.0 {
            self.spacers.push(Spacer::new(ends, anchors, least));
        }
    }
}
