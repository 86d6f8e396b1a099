//! The impact of two bodies.

use simhost_vectors::Vec2;
use smallvec::SmallVec;

use super::super::body::{BodyState, RigidBody};
use super::super::bounds::{harmless_share, share_of_change};

/// Closing speed below which nothing bounces, m/s.
pub(super) const SLOWEST: f64 = 0.05;
/// Closing speed that counts as none, m/s.
const STILL: f64 = 1e-9;
/// Difference between the gaps of points that meet at once, m.
const AT_ONCE: f64 = 1e-4;
/// Determinant, relative to the diagonal, below which two points count as one.
const DEGENERATE: f64 = 1e-9;
/// Rounds of an impact with friction, which changes the closing speed.
const ROUNDS: usize = 8;

/// A body during the impacts of a step.
pub(super) struct Participant {
    pub number: usize,
    pub body: RigidBody,
    /// Inverse of the mass, 1/kg, and of the moment of inertia, 1/(kg·m²); 0 if impulses do not move it.
    pub lightness: [f64; 2],
}

impl Participant {
    fn velocity_at(&self, at: Vec2) -> Vec2 {
        let arm = self.arm(at);
        let omega = self.body.state.omega;
        Vec2::from(self.body.state.velocity) + Vec2::new(-omega * arm.y, omega * arm.x)
    }

    fn arm(&self, at: Vec2) -> Vec2 {
        at - Vec2::from(self.body.centre())
    }

    fn push(&mut self, impulse: Vec2, at: Vec2) {
        let ([by_mass, by_inertia], arm) = (self.lightness, self.arm(at));
        let state = &mut self.body.state;
        state.velocity = (Vec2::from(state.velocity) + by_mass * impulse).to_array();
        state.omega += by_inertia * arm.cross(impulse);
    }

    /// Returns whether the body follows a plan, so that it adds energy.
    fn is_carried(&self) -> bool {
        let BodyState { velocity, omega, .. } = self.body.state;
        self.lightness == [0.0; 2] && (velocity, omega) != ([0.0; 2], 0.0)
    }
}

/// Two bodies, or a body and an obstacle, that touch with a corner or a side.
pub(super) struct Pair {
    /// Indices of the members; no second one for an obstacle.
    pub first: usize,
    pub second: Option<usize>,
    /// Places of the points on both, in the frame of the body, or of the world for an obstacle, m.
    pub places: SmallVec<[[[f64; 2]; 2]; 2]>,
    /// Direction from the first to the second, world frame.
    pub normal: Vec2,
    pub restitution: f64,
    pub friction: f64,
}

/// A point at which a pair touches or will touch.
#[derive(Clone, Copy)]
pub(super) struct Point {
    /// World frame, m.
    at: Vec2,
    gap: f64,
    /// Speed at which the gap closes, m/s.
    pub closing: f64,
}

impl Pair {
    /// Returns the points as they are now.
    pub fn points(&self, members: &[Participant]) -> SmallVec<[Point; 2]> {
        let second = self.second.map(|index| &members[index]);
        let point = |[own, its]: &[[f64; 2]; 2]| {
            let own = Vec2::from(members[self.first].body.state.transform(*own));
            let its = Vec2::from(second.map_or(*its, |member| member.body.state.transform(*its)));
            let at = 0.5 * (own + its);
            let speed = |member: &Participant| member.velocity_at(at).dot(self.normal);
            let closing = speed(&members[self.first]) - second.map_or(0.0, speed);
            Point { at, gap: (its - own).dot(self.normal), closing }
        };
        self.places.iter().map(point).collect()
    }

    /// Returns the time until the two meet, s, and how fast they do, m/s, unless they part.
    pub fn arrival(&self, members: &[Participant]) -> Option<(f64, f64)> {
        let points = self.points(members).into_iter().filter(|point| point.closing > STILL);
        let arrivals = points.map(|point| (point.gap.max(0.0) / point.closing, point.closing));
        arrivals.min_by(|a, b| a.0.total_cmp(&b.0).then(b.1.total_cmp(&a.1)))
    }

    /// Lets the two bounce off each other.
    pub fn collide(&self, members: &mut [Participant]) {
        let mut points = self.points(members);
        points.retain(|point| point.closing > STILL);
        let nearest = points.iter().map(|point| point.gap).fold(f64::INFINITY, f64::min);
        points.retain(|point| point.gap <= nearest.max(0.0) + AT_ONCE);
        let both = [Some(self.first), self.second].into_iter().flatten();
        let before: SmallVec<[BodyState; 2]> =
            both.map(|index| members[index].body.state).collect();
        let tangent = Vec2::new(-self.normal.y, self.normal.x);
        let (mut impulses, mut along) = ([0.0; 2], 0.0);
        for _ in 0..ROUNDS {
            let wanted = self.impulses(members, &points, impulses);
            for (point, (own, wanted)) in points.iter().zip(impulses.iter_mut().zip(wanted)) {
                self.push(members, (wanted - *own) * self.normal, point.at);
                *own = wanted;
            }
            let sum = impulses[0] + impulses[1];
            if self.friction == 0.0 || sum <= 0.0 {
                break;
            }
            let places = points.iter().zip(impulses).map(|(point, own)| own * point.at);
            let at = places.fold(Vec2::ZERO, |a, b| a + b) / sum;
            let stop =
                self.speed(members, at, tangent) / self.lightness(members, [at, at], tangent);
            let most = self.friction * sum;
            let wanted = (along + stop).clamp(-most, most);
            self.push(members, (wanted - along) * tangent, at);
            along = wanted;
        }
        self.limit_energy(members, &before);
    }

    /// Returns the impulses, N·s, with which the points part as they do after the impact. They have received
    /// some already. No point pulls.
    fn impulses(&self, members: &[Participant], points: &[Point], received: [f64; 2]) -> [f64; 2] {
        let between = |a: &Point, b: &Point| self.lightness(members, [a.at, b.at], self.normal);
        let missing = |point: &Point| {
            let e = if point.closing > SLOWEST { self.restitution } else { 0.0 };
            self.speed(members, point.at, self.normal) + e * point.closing
        };
        let (a, b, c, speeds) = match points {
            [] => return [0.0; 2],
            [one] => (between(one, one), 1.0, 0.0, [missing(one), 0.0]),
            [one, other, ..] => {
                let c = between(one, other);
                (between(one, one), between(other, other), c, [missing(one), missing(other)])
            }
        };
        let [p, q] = received;
        let [u, v] = [
            speeds[0] + a * p + c * q,
            speeds[1] + c * p + if points.len() > 1 { b * q } else { 0.0 },
        ];
        let determinant = a * b - c * c;
        if determinant > DEGENERATE * a * b {
            let both = [(b * u - c * v) / determinant, (a * v - c * u) / determinant];
            if both[0] >= 0.0 && both[1] >= 0.0 {
                return both;
            }
        }
        let first = (u / a).max(0.0);
        if c * first >= v { [first, 0.0] } else { [0.0, (v / b).max(0.0)] }
    }

    /// Returns the change of speed along `direction` at one point by an impulse along it at another, 1/kg.
    fn lightness(&self, members: &[Participant], [a, b]: [Vec2; 2], direction: Vec2) -> f64 {
        let both = [Some(self.first), self.second].into_iter().flatten();
        let of = both.map(|index| {
            let (member, [by_mass, by_inertia]) = (&members[index], members[index].lightness);
            by_mass + by_inertia * member.arm(a).cross(direction) * member.arm(b).cross(direction)
        });
        of.sum()
    }

    /// Returns the speed of the first relative to the second along a direction, m/s.
    fn speed(&self, members: &[Participant], at: Vec2, direction: Vec2) -> f64 {
        let second = self.second.map_or(Vec2::ZERO, |index| members[index].velocity_at(at));
        (members[self.first].velocity_at(at) - second).dot(direction)
    }

    /// Pushes the second by an impulse, N·s, and the first the other way.
    fn push(&self, members: &mut [Participant], impulse: Vec2, at: Vec2) {
        members[self.first].push(-1.0 * impulse, at);
        if let Some(second) = self.second {
            members[second].push(impulse, at);
        }
    }

    /// Scales the impulses since `before` down to those that add no energy.
    fn limit_energy(&self, members: &mut [Participant], before: &[BodyState]) {
        let both: SmallVec<[usize; 2]> =
            [Some(self.first), self.second].into_iter().flatten().collect();
        if both.iter().any(|index| members[*index].is_carried()) {
            return;
        }
        let changes = both.iter().zip(before).map(|(index, before)| {
            let member = &members[*index];
            (before, &member.body.state, member.lightness)
        });
        let share = harmless_share(changes);
        for (index, before) in both.iter().zip(before).filter(|_| share < 1.0) {
            members[*index].body.state =
                share_of_change(before, &members[*index].body.state, share);
        }
    }
}
