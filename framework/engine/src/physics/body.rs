//! A body that moves: its state, and how it moves with nothing in reach.

use rapier2d_f64::prelude::*;
use simhost_sdk::math;

/// Handle of a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Body(pub(super) usize);

/// A pose and the velocity of the centre of mass, world frame.
#[derive(Clone, Copy, Debug, Default, PartialEq, serde::Serialize, serde::Deserialize)]
pub(crate) struct BodyState {
    /// Reference point, m.
    pub position: [f64; 2],
    /// Cosine and sine of the heading.
    pub heading: [f64; 2],
    /// Velocity of the centre of mass, m/s.
    pub velocity: [f64; 2],
    /// Yaw rate, rad/s.
    pub omega: f64,
}

impl BodyState {
    /// Pose of the reference point.
    pub fn pose(&self) -> simhost_scene::Pose2 {
        let [cos, sin] = self.heading;
        let [x, y] = self.position;
        simhost_scene::Pose2 { x, y, yaw: math::atan2(sin, cos) }
    }

    /// A point of the body frame in the world frame.
    pub fn transform(&self, point: [f64; 2]) -> [f64; 2] {
        let [cos, sin] = self.heading;
        let [x, y] = self.position;
        [x + cos * point[0] - sin * point[1], y + sin * point[0] + cos * point[1]]
    }

    /// Whether all numbers are finite, and speed and yaw rate below `speed`, m/s, and `yaw_rate`, rad/s.
    pub fn is_within(&self, speed: f64, yaw_rate: f64) -> bool {
        let ([x, y], [cos, sin], [vx, vy]) = (self.position, self.heading, self.velocity);
        let finite = (x + y + cos + sin).is_finite();
        finite && vx * vx + vy * vy < speed * speed && self.omega.abs() < yaw_rate
    }
}

/// A body and who moves it.
pub(super) struct Movable {
    pub name: String,
    pub handle: RigidBodyHandle,
    pub collider: ColliderHandle,
    /// Number of its span of heights.
    pub span: usize,
    pub state: BodyState,
    /// Centre of mass in the body frame, m.
    pub centre: [f64; 2],
    /// Of a circle about the centre of mass that holds the outline, m.
    pub radius: f64,
    /// 1/kg and, about the centre of mass, 1/(kg·m²).
    pub lightness: [f64; 2],
    /// Follows a plan.
    pub driven: bool,
    /// Never left to move on its own.
    pub always_held: bool,
    /// rapier moves it.
    pub held: bool,
}

impl Movable {
    /// Centre of mass in the world frame.
    pub fn centre(&self) -> [f64; 2] {
        self.state.transform(self.centre)
    }

    /// Moves on with nothing in reach: the centre of mass straight, the body about it.
    pub fn advance(&mut self, dt: f64) {
        let [x, y] = self.centre();
        let BodyState { velocity: [vx, vy], omega, heading, .. } = self.state;
        if omega != 0.0 {
            let (turn_sin, turn_cos) = math::sin_cos(omega * dt);
            self.state.heading = turned_on(heading, [turn_cos, turn_sin]);
        }
        self.state.position = [x + vx * dt, y + vy * dt];
        let [cx, cy] = self.centre;
        self.state.position = self.state.transform([-cx, -cy]);
    }

    /// Tells rapier the velocity that the body has been given.
    pub fn hand_over(&self, bodies: &mut RigidBodySet) {
        let BodyState { velocity: [vx, vy], omega, .. } = self.state;
        let body = &mut bodies[self.handle];
        if self.driven {
            body.set_next_kinematic_position(pose(&self.state));
        } else if body.linvel() != Vector::new(vx, vy) || body.angvel() != omega {
            body.set_linvel(Vector::new(vx, vy), false);
            body.set_angvel(omega, false);
        }
    }

    /// Takes the state from rapier.
    pub fn read_back(&mut self, bodies: &RigidBodySet) {
        if self.driven {
            return;
        }
        let body = &bodies[self.handle];
        let (position, velocity) = (body.translation(), body.linvel());
        let heading = body.position().rotation;
        self.state = BodyState {
            position: [position.x, position.y],
            heading: [heading.re, heading.im],
            velocity: [velocity.x, velocity.y],
            omega: body.angvel(),
        };
    }

    /// Gives the body to rapier where it is now, or takes it away.
    pub fn set_held(&self, bodies: &mut RigidBodySet, held: bool) {
        let body = &mut bodies[self.handle];
        if held {
            body.set_position(pose(&self.state), false);
        }
        body.set_enabled(held);
    }
}

/// A heading turned by an angle, each as cosine and sine.
#[inline]
pub(crate) fn turned_on([cos, sin]: [f64; 2], [turn_cos, turn_sin]: [f64; 2]) -> [f64; 2] {
    let turned = [cos * turn_cos - sin * turn_sin, sin * turn_cos + cos * turn_sin];
    // one Newton step keeps the length at one
    let stretch = 1.5 - 0.5 * (turned[0] * turned[0] + turned[1] * turned[1]);
    [stretch * turned[0], stretch * turned[1]]
}

/// A pose as rapier has it.
pub(super) fn pose(state: &BodyState) -> Pose {
    let rotation = Rotation::from_cos_sin_unchecked(state.heading[0], state.heading[1]);
    Pose { rotation, translation: Vector::new(state.position[0], state.position[1]) }
}
