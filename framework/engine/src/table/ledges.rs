//! Ledges: ground that is too high to be climbed stops a vehicle like a wall.
//!
//! A wheel of radius r that is pulled against a ledge of height h needs the force
//! F = W √(r² − (r − h)²)/(r − h) at its axle (moments about the edge; see any book on statics), which
//! is unbounded as h approaches r. A ledge as high as the radius is therefore a wall, whatever the
//! friction. The same holds for the body where the ground reaches its underside. MVSim stops a corner
//! of the body where the ground there is more than 0.55 diameters of the first wheel above the mean of
//! the wheels; the profile `mvsim-1.2` uses that rule.
//!
//! Simplification: the contact is inelastic and frictionless. Only points of the border are checked, so
//! that an object narrower than their distance can pass between them.

use simhost_scene::Pose3;
use smallvec::SmallVec;

use super::vehicles::Vehicles;
use crate::ground::{Ground, Patch};
use crate::physics::{BodyState, Physics};

/// Radius of the circle on which the ground is sampled for the direction of an edge, m.
const PROBE_RADIUS: f64 = 0.1;
/// Number of samples on that circle.
const PROBES: usize = 32;
/// Rounds over all points, because the impulses of one round can turn other points into a ledge.
const ROUNDS: usize = 4;
/// Sweeps over the contacts of a round.
const SWEEPS: usize = 100;

impl Vehicles {
    /// Removes from every vehicle the speed at which it would enter a ledge within `dt` seconds.
    pub fn stop_at_ledges(&mut self, ground: &Ground, physics: &mut Physics, dt: f64) {
        for lane in 0..self.lanes.len() {
            let body = self.lanes[lane].body;
            let state = *physics.bodies.state(body);
            if state.velocity == [0.0; 2] && state.omega == 0.0 {
                continue;
            }
            let pose = self.pose3(lane);
            let patch =
                ground.near([pose.x, pose.y], self.lanes[lane].fixed.contacts.border.radius);
            if patch.is_level() {
                continue;
            }
            let slower = self.stopped(lane, &patch, &pose, state, dt);
            if slower != state {
                physics.bodies.set_velocity(body, slower.velocity, slower.omega);
            }
        }
    }

    /// Returns the state of a vehicle after the impulses of all ledges.
    fn stopped(
        &self,
        lane: usize,
        patch: &Patch<'_>,
        pose: &Pose3,
        mut state: BodyState,
        dt: f64,
    ) -> BodyState {
        let owner = &self.lanes[lane];
        let lightness = self.mass(lane).map(|inertia| 1.0 / inertia);
        let [centre_x, centre_y] = self.centre(lane);
        // seen from above, a vehicle is shorter on a slope
        let is_inclined = [pose.pitch, pose.roll] != [0.0; 2];
        let follows_plane = is_inclined && owner.fixed.contacts.border.reference.is_none();
        let centre = match follows_plane {
            true => level(pose.transform([centre_x, centre_y, 0.0])),
            false => state.transform([centre_x, centre_y]),
        };
        let [nx, ny, nz] = owner.normal;
        // the ground below the nose of a vehicle that falls is no ledge ahead of it
        let lies_on_plane = follows_plane && !owner.fall.is_lifted();
        let slope = if lies_on_plane { [-nx / nz, -ny / nz] } else { [0.0; 2] };
        let mut contacts: SmallVec<[LedgeContact; 16]> = SmallVec::new();
        for _ in 0..ROUNDS {
            let before = contacts.len();
            for (number, (point, limit)) in owner.fixed.contacts.border.points.iter().enumerate() {
                let place = match follows_plane {
                    true => level(pose.transform([point[0], point[1], 0.0])),
                    false => state.transform(*point),
                };
                let arm = [place[0] - centre[0], place[1] - centre[1]];
                let velocity = velocity_at(&state, arm);
                // a point that moves inwards reaches nothing new
                if velocity[0] * arm[0] + velocity[1] * arm[1] <= 0.0
                    || contacts.iter().any(|contact| contact.number == number)
                {
                    continue;
                }
                let [x, y] = owner.fixed.contacts.border.reference.unwrap_or(*point);
                let base = pose.transform([x, y, 0.0])[2];
                let blocked = |at: [f64; 2]| {
                    let plane =
                        base + slope[0] * (at[0] - place[0]) + slope[1] * (at[1] - place[1]);
                    owner.fixed.contacts.border.is_blocked(patch, plane, *limit, at)
                };
                let next = [place[0] + dt * velocity[0], place[1] + dt * velocity[1]];
                if blocked(next)
                    && let Some(normal) = away_from(next, blocked)
                {
                    contacts.push(LedgeContact { number, arm, normal, impulse: 0.0 });
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

/// Returns the horizontal coordinates of a point.
fn level([x, y, _]: [f64; 3]) -> [f64; 2] {
    [x, y]
}

/// A point that would enter a ledge.
struct LedgeContact {
    /// Index of the point.
    number: usize,
    /// Position relative to the centre of mass, world frame, m.
    arm: [f64; 2],
    /// Direction away from the ledge, world frame.
    normal: [f64; 2],
    /// Impulse along the normal, N·s.
    impulse: f64,
}

fn velocity_at(state: &BodyState, arm: [f64; 2]) -> [f64; 2] {
    let [vx, vy] = state.velocity;
    [vx - state.omega * arm[1], vy + state.omega * arm[0]]
}

/// Computes non-negative impulses that stop all contacts from closing, by projected Gauss-Seidel.
fn solve(contacts: &mut [LedgeContact], state: &mut BodyState, [by_mass, by_inertia]: [f64; 2]) {
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

/// Returns the horizontal direction away from a ledge, sampled around a point on it, or `None` deep
/// within a ledge, which a vehicle can leave in any direction.
fn away_from(place: [f64; 2], is_blocked: impl Fn([f64; 2]) -> bool) -> Option<[f64; 2]> {
    let mut free = [0.0; 2];
    for probe in 0..PROBES {
        let angle = std::f64::consts::TAU * probe as f64 / PROBES as f64;
        let (sin, cos) = simhost_sdk::math::sin_cos(angle);
        if !is_blocked([place[0] + PROBE_RADIUS * cos, place[1] + PROBE_RADIUS * sin]) {
            free = [free[0] + cos, free[1] + sin];
        }
    }
    let [x, y] = free;
    let length = (x * x + y * y).sqrt();
    (length > 0.1).then(|| [x / length, y / length])
}
