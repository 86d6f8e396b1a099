//! Ground that is too high to be climbed stops a vehicle like a wall.
//!
//! A wheel of radius r that is pulled against a step of height h needs the force F = W √(r² − (r − h)²)/(r − h)
//! at its axle (moments about the edge of the step; any book of statics), which has no bound as h nears r.
//! So a step as high as the radius is a wall, whatever the grip. The same holds for the body where the ground
//! reaches its underside. MVSim stops a corner of the body where the ground there is more than
//! 0.55 diameters of the first wheel above the mean of the wheels; that is the rule of its profile.
//!
//! Simplification: the contact keeps no speed towards the step and does not rub. Points of the border are
//! asked, so what is thinner than their distance may come between.

use simhost_scene::Pose3;
use simhost_world::{Chassis, Profile};

use super::Table;
use crate::ground::{Ground, Patch};
use crate::physics::{BodyState, Physics};

/// Greatest distance between points of the border, m.
const SPACING: f64 = 0.2;
/// Radius of the circle on which the direction of an edge is felt, m, and its points.
const FEELER: f64 = 0.1;
const FEELERS: usize = 32;
/// Rounds over all points, for what the impulses of a round turn into a step.
const ROUNDS: usize = 4;
/// Sweeps over the contacts of a round.
const SWEEPS: usize = 100;

/// What of a vehicle meets steps.
#[derive(Clone, Debug, Default)]
pub(crate) struct Border {
    /// Vehicle frame, m, and how high the ground may rise there.
    points: Vec<([f64; 2], f64)>,
    /// Where the rise is measured from: the vehicle's own plane there, or its plane at this point.
    from: Option<[f64; 2]>,
    /// Lowest and highest of the body: ground above that is another storey, m.
    span: [f64; 2],
    /// Of a circle about the reference point that holds all points, m.
    pub radius: f64,
}

impl Border {
    /// The border of a vehicle with wheels at `wheels`, of radii `radii`, within `outline`.
    pub fn new(
        wheels: &[[f64; 2]],
        radii: &[f64],
        outline: &[[f64; 2]],
        chassis: &Chassis,
        profile: &Profile,
    ) -> Self {
        let span = [chassis.z_min, chassis.z_max];
        let least = radii.iter().copied().fold(f64::INFINITY, f64::min);
        if radii.is_empty() {
            return Self::default();
        }
        let (points, from, span) = if profile.steps_at_corners {
            let count = wheels.len() as f64;
            let mean = [0, 1].map(|axis| wheels.iter().map(|at| at[axis]).sum::<f64>() / count);
            let limit = 0.55 * 2.0 * radii[0];
            let corners = chassis.polygon.iter().map(|at| (*at, limit)).collect();
            (corners, Some(mean), [f64::NEG_INFINITY, 1.05 * span[1]])
        } else {
            let limit = least.max(span[0]);
            let mut points: Vec<_> = along(outline).map(|at| (at, limit)).collect();
            for ([x, y], radius) in wheels.iter().zip(radii) {
                points.extend([([x + radius, *y], *radius), ([x - radius, *y], *radius)]);
            }
            (points, None, span)
        };
        let far = |([x, y], _): &([f64; 2], f64)| (x * x + y * y).sqrt();
        let radius = points.iter().map(far).fold(0.0, f64::max) + 0.1;
        Self { points, from, span, radius }
    }

    /// Whether the ground at a place of the world is too high for a point.
    fn is_blocked(&self, patch: &Patch<'_>, base: f64, limit: f64, at: [f64; 2]) -> bool {
        let [low, high] = self.span.map(|height| base + height);
        // what stands in the way of the body touches it as a body
        patch.height_below(at, high, low) - base > limit
    }
}

/// The corners of an outline, and points between those that are far apart.
fn along(outline: &[[f64; 2]]) -> impl Iterator<Item = [f64; 2]> {
    let next = outline.iter().cycle().skip(1);
    outline.iter().zip(next).flat_map(|(a, b)| {
        let [dx, dy] = [b[0] - a[0], b[1] - a[1]];
        let pieces = ((dx * dx + dy * dy).sqrt() / SPACING).ceil().clamp(1.0, 100.0);
        (0..pieces as usize).map(move |piece| {
            let part = piece as f64 / pieces;
            [a[0] + part * dx, a[1] + part * dy]
        })
    })
}

impl Table {
    /// Takes from every vehicle the speed that would carry it into a step within `dt`, s.
    pub fn stop_at_steps(&mut self, ground: &Ground, physics: &mut Physics, dt: f64) {
        for lane in 0..self.lanes.len() {
            let body = self.lanes[lane].body;
            let state = *physics.state(body);
            if state.velocity == [0.0; 2] && state.omega == 0.0 {
                continue;
            }
            let pose = self.pose3(lane);
            let patch = ground.near([pose.x, pose.y], self.lanes[lane].border.radius);
            if patch.is_level() {
                continue;
            }
            let slower = self.stopped(lane, &patch, &pose, state, dt);
            if slower != state {
                physics.set_velocity(body, slower.velocity, slower.omega);
            }
        }
    }

    fn stopped(
        &self,
        lane: usize,
        patch: &Patch<'_>,
        pose: &Pose3,
        mut state: BodyState,
        dt: f64,
    ) -> BodyState {
        let owner = &self.lanes[lane];
        let lightness = [1.0 / owner.mass, 1.0 / owner.inertia];
        let centre = state.transform(owner.centre);
        let mut contacts: Vec<Contact> = Vec::new();
        for _ in 0..ROUNDS {
            let before = contacts.len();
            for (number, (point, limit)) in owner.border.points.iter().enumerate() {
                let place = state.transform(*point);
                let arm = [place[0] - centre[0], place[1] - centre[1]];
                let velocity = velocity_at(&state, arm);
                // what moves inwards meets nothing new
                if velocity[0] * arm[0] + velocity[1] * arm[1] <= 0.0
                    || contacts.iter().any(|contact| contact.number == number)
                {
                    continue;
                }
                let [x, y] = owner.border.from.unwrap_or(*point);
                let base = pose.transform([x, y, 0.0])[2];
                let blocked = |at| owner.border.is_blocked(patch, base, *limit, at);
                let next = [place[0] + dt * velocity[0], place[1] + dt * velocity[1]];
                if blocked(next)
                    && let Some(normal) = away_from(next, blocked)
                {
                    contacts.push(Contact { number, arm, normal, impulse: 0.0 });
                }
            }
            if contacts.len() == before {
                break;
            }
            solve(&mut contacts, &mut state, lightness);
        }
        state
    }
}

/// A point that would get into a step.
struct Contact {
    /// Of the point.
    number: usize,
    /// From the centre of mass, and the direction away from the step, world frame.
    arm: [f64; 2],
    normal: [f64; 2],
    /// N·s.
    impulse: f64,
}

fn velocity_at(state: &BodyState, arm: [f64; 2]) -> [f64; 2] {
    let [vx, vy] = state.velocity;
    [vx - state.omega * arm[1], vy + state.omega * arm[0]]
}

/// Impulses that push and never pull, so that no contact closes: projected Gauss-Seidel.
fn solve(contacts: &mut [Contact], state: &mut BodyState, [by_mass, by_inertia]: [f64; 2]) {
    for _ in 0..SWEEPS {
        for contact in contacts.iter_mut() {
            let ([x, y], normal) = (contact.arm, contact.normal);
            let velocity = velocity_at(state, contact.arm);
            let closing = velocity[0] * normal[0] + velocity[1] * normal[1];
            let lever = x * normal[1] - y * normal[0];
            let wanted = contact.impulse - closing / (by_mass + lever * lever * by_inertia);
            let change = wanted.max(0.0) - contact.impulse;
            contact.impulse += change;
            state.velocity[0] += change * by_mass * normal[0];
            state.velocity[1] += change * by_mass * normal[1];
            state.omega += change * by_inertia * lever;
        }
    }
}

/// The horizontal direction away from a step, felt around a place on it; none deep within, from where a
/// vehicle may leave in any direction.
fn away_from(place: [f64; 2], is_blocked: impl Fn([f64; 2]) -> bool) -> Option<[f64; 2]> {
    let mut free = [0.0; 2];
    for feeler in 0..FEELERS {
        let angle = std::f64::consts::TAU * feeler as f64 / FEELERS as f64;
        let (sin, cos) = simhost_sdk::math::sin_cos(angle);
        if !is_blocked([place[0] + FEELER * cos, place[1] + FEELER * sin]) {
            free = [free[0] + cos, free[1] + sin];
        }
    }
    let [x, y] = free;
    let length = (x * x + y * y).sqrt();
    (length > 0.1).then(|| [x / length, y / length])
}
