//! One rigid body: its state, and its motion without contacts.

use rapier2d_f64::prelude::*;
use simhost_sdk::math;

/// Handle of a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Body(pub(super) usize);

impl Body {
    /// Returns the number of a body.
    pub fn number(self) -> usize {
        self.0
    }

    /// Returns the handle of a body by its number.
    #[cfg(test)]
    pub fn numbered(number: usize) -> Self {
        Self(number)
    }
}

/// One end of a joint.
#[derive(Clone, Copy, Debug)]
pub(crate) enum JointEnd {
    /// A body that moves.
    Body(Body),
    /// A fixed place in the world frame.
    Fixed(simhost_scene::Pose2),
}

/// Pose of a body and velocity of its centre of mass, world frame.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct BodyState {
    /// Position of the reference point, m.
    pub position: [f64; 2],
    /// Cosine and sine of the heading.
    pub heading: [f64; 2],
    /// Velocity of the centre of mass, m/s.
    pub velocity: [f64; 2],
    /// Yaw rate, rad/s.
    pub omega: f64,
}

impl BodyState {
    /// Returns the pose of the reference point.
    pub fn pose(&self) -> simhost_scene::Pose2 {
        let [cos, sin] = self.heading;
        let [x, y] = self.position;
        simhost_scene::Pose2 { x, y, yaw: math::atan2(sin, cos) }
    }

    /// Sets the velocity from that of the reference point, m/s, and the yaw rate, rad/s, in the frame of the
    /// body, with the centre of mass at `centre`, m; or, `in_world`, from that of the centre of mass in the world
    /// frame.
    pub fn set_motion(&mut self, [vx, vy, omega]: [f64; 3], centre: [f64; 2], in_world: bool) {
        let [cos, sin] = self.heading;
        self.velocity = if in_world {
            [vx, vy]
        } else {
            let (vx, vy) = (vx - omega * centre[1], vy + omega * centre[0]);
            [cos * vx - sin * vy, sin * vx + cos * vy]
        };
        self.omega = omega;
    }

    /// Returns the velocity and the yaw rate that [`Self::set_motion`] would set.
    pub fn motion(&self, centre: [f64; 2], in_world: bool) -> [f64; 3] {
        let ([cos, sin], [vx, vy], omega) = (self.heading, self.velocity, self.omega);
        if in_world {
            return [vx, vy, omega];
        }
        let (ahead, left) = (cos * vx + sin * vy, cos * vy - sin * vx);
        [ahead + omega * centre[1], left - omega * centre[0], omega]
    }

    /// Returns the speed of the centre of mass, m/s.
    pub fn speed(&self) -> f64 {
        let [vx, vy] = self.velocity;
        (vx * vx + vy * vy).sqrt()
    }

    /// Returns a bound of the speed of all points up to `arm`, m, from the centre of mass, m/s.
    pub fn top_speed(&self, arm: f64) -> f64 {
        self.speed() + self.omega.abs() * arm
    }

    /// Transforms a point from the body frame to the world frame.
    pub fn transform(&self, point: [f64; 2]) -> [f64; 2] {
        transform(self.position, self.heading, point)
    }

    /// Returns whether all numbers are finite, the speed is below `speed`, m/s, and the yaw rate is
    /// below `yaw_rate`, rad/s.
    pub fn is_within(&self, speed: f64, yaw_rate: f64) -> bool {
        let ([x, y], [cos, sin], [vx, vy]) = (self.position, self.heading, self.velocity);
        let finite = (x + y + cos + sin).is_finite();
        finite && vx * vx + vy * vy < speed * speed && self.omega.abs() < yaw_rate
    }
}

/// State of a body that moves, either on its own or by rapier: all that each step needs of a body
/// without neighbours.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RigidBody {
    pub state: BodyState,
    /// Centre of mass in the body frame, m.
    pub centre: [f64; 2],
    /// Where the neighbours are those of the last search.
    pub searched: Searched,
    /// Circle of the last search of what is around, and whether something was within reach.
    pub wide: Circle,
    pub has_company: bool,
    /// Whether rapier moves it at present.
    pub solved: bool,
    /// Whether rapier has another state of the body, which [`Self::place`] has set.
    pub placed: bool,
}

/// Constants of a body that only contacts, joints and messages need. They do not change after the build.
#[derive(Clone)]
pub(super) struct BodyInfo {
    pub name: String,
    /// Collision shape.
    pub shape: SharedShape,
    /// Material of the outline.
    pub surface: Surface,
    /// Index of its height span.
    pub span: usize,
    /// Radius of a circle about the centre of mass that contains the outline, m.
    pub radius: f64,
    /// Greatest distance of a point that moves when the body turns from the centre of mass, m: the
    /// radius, or 0 for a round body.
    pub lever: f64,
    /// Width of the outline at its thinnest, m.
    pub width: f64,
    /// Mass, kg, and moment of inertia about the centre of mass, kg·m².
    pub mass: [f64; 2],
    pub motion: BodyMotion,
    /// Whether rapier moves it even without neighbours.
    pub always_solved: bool,
    /// Whether its velocity is prescribed in every step.
    pub is_prescribed: bool,
}

/// Coefficient of restitution up to which impacts count as plastic.
pub(super) const PLASTIC: f64 = 0.1;

/// A circle about the place where a centre of mass was, world frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Circle {
    /// m.
    pub centre: [f64; 2],
    /// Allowance of the body, m; negative before the first search.
    pub radius: f64,
}

impl Circle {
    /// The circle before the first neighbour search.
    pub const NONE: Self = Self { centre: [0.0; 2], radius: -1.0 };
}

/// Where a body has the neighbours of the last search: as long as its centre of mass is within a circle, and it has not
/// turned far.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Searched {
    pub circle: Circle,
    /// Cosine and sine of the heading at the search.
    pub heading: [f64; 2],
    /// Sine of the angle by which it may turn; infinite if it may turn at will.
    pub turn: f64,
}

impl Searched {
    /// Before the first search.
    pub const NONE: Self = Self::at_will(Circle::NONE);

    /// A circle in which the body may turn at will.
    pub const fn at_will(circle: Circle) -> Self {
        Self { circle, heading: [1.0, 0.0], turn: f64::INFINITY }
    }
}

/// Material of a collider.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Surface {
    /// Friction coefficient of the sides.
    pub friction: f64,
    /// Ratio of the separation speed to the closing speed, 0 to 1.
    pub restitution: f64,
}

/// Cause of a body's motion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum BodyMotion {
    /// Wheel forces or a dynamics class; rapier moves the body only near other bodies.
    Vehicle,
    /// Contacts and joints.
    Block,
    /// A plan that contacts do not change.
    Kinematic,
}

impl RigidBody {
    /// Returns a body at rest at the origin, in the place of one that does not exist.
    pub fn absent() -> Self {
        let mut body = Self {
            state: BodyState::default(),
            centre: [0.0; 2],
            searched: Searched::NONE,
            wide: Circle::NONE,
            has_company: false,
            solved: false,
            placed: false,
        };
        body.silence();
        body
    }

    /// Makes a body that nothing looks at need no neighbour search.
    pub fn silence(&mut self) {
        self.searched = Searched::at_will(Circle { radius: f64::INFINITY, ..Circle::NONE });
        self.solved = false;
    }

    /// Returns the centre of mass in the world frame, m.
    pub fn centre(&self) -> [f64; 2] {
        self.state.transform(self.centre)
    }

    /// Returns the velocity of the reference point, m/s, world frame.
    pub fn reference_velocity(&self) -> [f64; 2] {
        let (centre, BodyState { position, velocity, omega, .. }) = (self.centre(), self.state);
        let [x, y] = [position[0] - centre[0], position[1] - centre[1]];
        [velocity[0] - omega * y, velocity[1] + omega * x]
    }

    /// Moves the body without contacts: the centre of mass in a straight line, the body about it.
    pub fn advance(&mut self, dt: f64) {
        let [x, y] = self.centre();
        let BodyState { velocity: [vx, vy], omega, heading, .. } = self.state;
        if omega != 0.0 {
            let (turn_sin, turn_cos) = math::sin_cos(omega * dt);
            self.state.heading = rotate_heading(heading, [turn_cos, turn_sin]);
        }
        self.state.position = [x + vx * dt, y + vy * dt];
        let [cx, cy] = self.centre;
        self.state.position = self.state.transform([-cx, -cy]);
    }

    /// Moves `N` bodies as [`Self::advance`] does.
    #[inline(always)]
    pub fn advance_all<const N: usize>(bodies: &mut [Self], dt: f64) {
        let [mut x, mut y, mut cos, mut sin] = [[0.0; N]; 4];
        let [mut vx, mut vy, mut omega, mut cx, mut cy] = [[0.0; N]; 5];
        for (i, Self { state, centre, .. }) in bodies[..N].iter().enumerate() {
            [x[i], y[i]] = state.position;
            [cos[i], sin[i]] = state.heading;
            [vx[i], vy[i]] = state.velocity;
            omega[i] = state.omega;
            [cx[i], cy[i]] = *centre;
        }
        for i in 0..N {
            let heading = [cos[i], sin[i]];
            let [centre_x, centre_y] = transform([x[i], y[i]], heading, [cx[i], cy[i]]);
            let (turn_sin, turn_cos) = math::sin_cos(omega[i] * dt);
            let turned = rotate_heading(heading, [turn_cos, turn_sin]);
            cos[i] = if omega[i] == 0.0 { cos[i] } else { turned[0] };
            sin[i] = if omega[i] == 0.0 { sin[i] } else { turned[1] };
            let moved = [centre_x + vx[i] * dt, centre_y + vy[i] * dt];
            [x[i], y[i]] = transform(moved, [cos[i], sin[i]], [-cx[i], -cy[i]]);
        }
        for (i, Self { state, .. }) in bodies[..N].iter_mut().enumerate() {
            state.position = [x[i], y[i]];
            state.heading = [cos[i], sin[i]];
        }
    }

    /// Sets the velocity of the centre of mass, m/s, world frame, and the yaw rate, rad/s.
    #[inline(always)]
    pub fn set_velocity(&mut self, velocity: [f64; 2], omega: f64) {
        self.state.velocity = velocity;
        self.state.omega = omega;
    }

    /// Sets the state after rapier has moved the body; [`Physics::settle_placed`] informs rapier.
    ///
    /// [`Physics::settle_placed`]: super::Physics::settle_placed
    pub fn place(&mut self, state: BodyState) {
        self.state = state;
        self.placed = self.solved;
    }

    /// Returns the number of steps of `dt` seconds after which the body needs a neighbour search at its present velocity.
    pub fn steps_to_search(&self, dt: f64) -> f64 {
        let Searched { circle: Circle { centre: [x, y], radius }, turn, .. } = self.searched;
        let [now_x, now_y] = self.centre();
        let [vx, vy] = self.state.velocity;
        let [dx, dy] = [now_x - x, now_y - y];
        let left = radius - (dx * dx + dy * dy).sqrt();
        let steps = left / (dt * (vx * vx + vy * vy).sqrt());
        let to_turn = turn - self.turned()[1].abs();
        let turning = to_turn / (dt * self.state.omega.abs());
        // false for a body that does not turn
        if turning < steps { turning } else { steps }
    }

    /// Returns cosine and sine of the angle by which the body has turned since the last search.
    #[inline(always)]
    fn turned(&self) -> [f64; 2] {
        let ([cos, sin], [was_cos, was_sin]) = (self.state.heading, self.searched.heading);
        [was_cos * cos + was_sin * sin, was_cos * sin - was_sin * cos]
    }

    /// Returns whether the neighbours of the last search are those of a step of `dt` seconds.
    #[inline(always)]
    pub fn stays_within_search(&self, dt: f64) -> bool {
        let Searched { circle, turn, .. } = &self.searched;
        let [cos, sin] = self.turned();
        let turns = sin.abs() + dt * self.state.omega.abs();
        let is_at_will = *turn == f64::INFINITY;
        self.stays_within(circle, dt) & (is_at_will | ((turns <= *turn) & (cos > 0.0)))
    }

    /// Returns whether the centre of mass stays within a circle in a step of `dt` seconds.
    #[inline(always)]
    pub fn stays_within(&self, circle: &Circle, dt: f64) -> bool {
        let Circle { centre: [x, y], radius } = *circle;
        let [now_x, now_y] = self.centre();
        let [vx, vy] = self.state.velocity;
        let [dx, dy] = [now_x + dt * vx - x, now_y + dt * vy - y];
        // NaN does not stay
        dx * dx + dy * dy <= radius * radius && radius >= 0.0
    }
}

impl BodyInfo {
    /// Returns whether the body follows a plan that contacts do not change.
    pub fn is_kinematic(&self) -> bool {
        self.motion == BodyMotion::Kinematic
    }
}

/// Transforms a point from the frame of a body to the world frame.
#[inline(always)]
fn transform([x, y]: [f64; 2], [cos, sin]: [f64; 2], point: [f64; 2]) -> [f64; 2] {
    [x + cos * point[0] - sin * point[1], y + sin * point[0] + cos * point[1]]
}

/// Rotates a heading by an angle; both are given as cosine and sine.
#[inline(always)]
pub(crate) fn rotate_heading([cos, sin]: [f64; 2], [turn_cos, turn_sin]: [f64; 2]) -> [f64; 2] {
    let turned = [cos * turn_cos - sin * turn_sin, sin * turn_cos + cos * turn_sin];
    // one Newton step keeps the length at one
    let stretch = 1.5 - 0.5 * (turned[0] * turned[0] + turned[1] * turned[1]);
    [stretch * turned[0], stretch * turned[1]]
}

/// Converts the pose of a state to rapier's type.
pub(super) fn pose(state: &BodyState) -> Pose {
    let rotation = Rotation::from_cos_sin_unchecked(state.heading[0], state.heading[1]);
    Pose { rotation, translation: Vector::new(state.position[0], state.position[1]) }
}
