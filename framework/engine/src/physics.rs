//! rapier2d: bodies that move and touch.
//!
//! Velocities are given to rapier before a step, with what wheels, damping and ground friction make
//! of them; rapier solves contacts and advances poses. No force is left with it, so none persists.

use rapier2d_f64::prelude::*;
use simhost_scene::{MassProperties as Mass, polygon};

use crate::error::BuildError;
use simhost_world::{Block, Span, Wall};

/// A pose and the velocity of the centre of mass, world frame.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
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

/// Handle of a body.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Body(RigidBodyHandle);

/// What a collider is made of.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Surface {
    /// Friction coefficient of the sides.
    pub friction: f64,
    /// Part of the closing speed that is kept.
    pub restitution: f64,
}

/// A movable block and its friction on the ground.
struct Sliding {
    body: Body,
    name: String,
    mass: f64,
    inertia: f64,
    /// Largest friction force, N, and the lever that gives the largest friction moment, m.
    grip: f64,
    lever: f64,
    damping: [f64; 2],
}

/// All bodies.
pub(crate) struct Physics {
    world: PhysicsWorld,
    sliding: Vec<Sliding>,
}

/// Above this a body has diverged, m/s.
pub(crate) const GREATEST_SPEED: f64 = 1e4;

impl Physics {
    /// An empty world with steps of `dt`, s.
    pub fn new(dt: f64) -> Self {
        let mut world = PhysicsWorld::new();
        world.gravity = Vector::ZERO;
        world.integration_parameters.dt = dt;
        // a body that runs away is reported, not held back silently
        world.integration_parameters.normalized_max_linear_velocity = Real::MAX;
        Self { world, sliding: Vec::new() }
    }

    /// Adds a body that moves, with the convex hull of `outline` (body frame, m).
    pub fn add_body(
        &mut self,
        state: &BodyState,
        mass: &Mass,
        outline: &[[f64; 2]],
        surface: Surface,
        sleeps: bool,
    ) -> Option<Body> {
        let centre = mass.centre;
        let about_centre = mass.inertia_about_centre();
        let properties =
            MassProperties::new(Vector::new(centre[0], centre[1]), mass.mass, about_centre);
        let collider = hull(outline)?
            .density(0.0)
            .friction(surface.friction)
            .friction_combine_rule(CoefficientCombineRule::GeometricMean)
            .restitution(surface.restitution)
            .restitution_combine_rule(CoefficientCombineRule::Max);
        let body = RigidBodyBuilder::dynamic()
            .pose(pose(state))
            .linvel(Vector::new(state.velocity[0], state.velocity[1]))
            .angvel(state.omega)
            .additional_mass_properties(properties)
            .can_sleep(sleeps);
        let (handle, _) = self.world.insert(body, collider);
        self.world.bodies[handle].recompute_mass_properties_from_colliders(&self.world.colliders);
        Some(Body(handle))
    }

    /// Adds an obstacle that never moves.
    fn add_fixed(&mut self, state: &BodyState, outline: &[[f64; 2]], surface: Surface) -> bool {
        let Some(collider) = hull(outline) else { return false };
        let collider = collider
            .friction(surface.friction)
            .friction_combine_rule(CoefficientCombineRule::GeometricMean)
            .restitution(surface.restitution)
            .restitution_combine_rule(CoefficientCombineRule::Max);
        self.world.insert(RigidBodyBuilder::fixed().pose(pose(state)), collider);
        true
    }

    /// Adds a block; the handle of one that moves comes back.
    pub fn add_block(
        &mut self,
        block: &Block,
        state: &BodyState,
        gravity: f64,
        damping: [f64; 2],
    ) -> Result<Option<Body>, BuildError> {
        let degenerate = || no_area(&format!("block '{}'", block.name), block.span);
        if block.intangible {
            return Ok(None);
        }
        let surface = Surface { friction: block.lateral_friction, restitution: block.restitution };
        if block.is_static {
            let added = self.add_fixed(state, &block.polygon, surface);
            return if added { Ok(None) } else { Err(degenerate()) };
        }
        let mass = Mass::polygon(block.mass, &polygon::convex_hull(&block.polygon));
        let body =
            self.add_body(state, &mass, &block.polygon, surface, true).ok_or_else(degenerate)?;
        self.sliding.push(Sliding {
            body,
            name: block.name.clone(),
            mass: block.mass,
            inertia: mass.inertia_about_centre(),
            grip: block.ground_friction * block.mass * gravity,
            lever: polygon::bounding_radius(&block.polygon, mass.centre),
            damping,
        });
        Ok(Some(body))
    }

    /// Adds a wall.
    pub fn add_wall(&mut self, wall: &Wall) -> Result<(), BuildError> {
        let (outline, state) = wall_outline(wall);
        let surface = Surface { friction: 0.5, restitution: 0.01 };
        if self.add_fixed(&state, &outline, surface) {
            Ok(())
        } else {
            Err(BuildError::Body { text: "this wall has no length".into(), span: wall.span })
        }
    }

    /// Pose and velocity of a body.
    pub fn state(&self, body: Body) -> BodyState {
        let body = &self.world.bodies[body.0];
        let (position, velocity) = (body.translation(), body.linvel());
        let heading = body.position().rotation;
        BodyState {
            position: [position.x, position.y],
            heading: [heading.re, heading.im],
            velocity: [velocity.x, velocity.y],
            omega: body.angvel(),
        }
    }

    /// Sets the velocity of a body's centre of mass, m/s, and its yaw rate, rad/s.
    pub fn set_velocity(&mut self, body: Body, velocity: [f64; 2], omega: f64) {
        let body = &mut self.world.bodies[body.0];
        body.set_linvel(Vector::new(velocity[0], velocity[1]), false);
        body.set_angvel(omega, false);
    }

    /// Advances all bodies by one step.
    pub fn step(&mut self) {
        let dt = self.world.integration_parameters.dt;
        for index in 0..self.sliding.len() {
            self.slow_down(index, dt);
        }
        self.world.step();
    }

    /// Damping and Coulomb friction of a block on the ground, which stop it but do not push it.
    fn slow_down(&mut self, index: usize, dt: f64) {
        let sliding = &self.sliding[index];
        let body = &mut self.world.bodies[sliding.body.0];
        if body.is_sleeping() {
            return;
        }
        let velocity = body.linvel() / (1.0 + dt * sliding.damping[0]);
        let omega = body.angvel() / (1.0 + dt * sliding.damping[1]);
        let speed = velocity.length();
        let slower = (speed - sliding.grip / sliding.mass * dt).max(0.0);
        let velocity = if speed > 0.0 { velocity * (slower / speed) } else { velocity };
        let slower = omega.abs() - sliding.grip * sliding.lever / sliding.inertia * dt;
        let omega = slower.max(0.0).copysign(omega);
        body.set_linvel(velocity, false);
        body.set_angvel(omega, false);
    }

    /// Name and state of a block that diverged.
    pub fn diverged_block(&self) -> Option<(String, BodyState)> {
        self.sliding.iter().find_map(|sliding| {
            let state = self.state(sliding.body);
            (!state.is_reasonable()).then(|| (format!("block '{}'", sliding.name), state))
        })
    }
}

impl BodyState {
    /// Pose of the reference point.
    pub fn pose(&self) -> simhost_scene::Pose2 {
        let [cos, sin] = self.heading;
        let [x, y] = self.position;
        simhost_scene::Pose2 { x, y, yaw: simhost_sdk::math::atan2(sin, cos) }
    }

    /// Whether all numbers are finite and the speed is within reason.
    pub fn is_reasonable(&self) -> bool {
        let [vx, vy] = self.velocity;
        let finite = (self.position[0] + self.position[1] + self.omega).is_finite();
        finite && vx * vx + vy * vy < GREATEST_SPEED * GREATEST_SPEED
    }
}

/// A wall as an outline about its middle.
pub(crate) fn wall_outline(wall: &Wall) -> (Vec<[f64; 2]>, BodyState) {
    let along = [wall.to[0] - wall.from[0], wall.to[1] - wall.from[1]];
    let length = (along[0] * along[0] + along[1] * along[1]).sqrt();
    let (half_length, half_width) = (0.5 * length, 0.5 * wall.thickness);
    let outline = vec![
        [-half_length, -half_width],
        [half_length, -half_width],
        [half_length, half_width],
        [-half_length, half_width],
    ];
    let middle = [0.5 * (wall.from[0] + wall.to[0]), 0.5 * (wall.from[1] + wall.to[1])];
    let heading = if length > 0.0 { [along[0] / length, along[1] / length] } else { [1.0, 0.0] };
    (outline, BodyState { position: middle, heading, ..BodyState::default() })
}

fn pose(state: &BodyState) -> Pose {
    let rotation = Rotation::from_cos_sin_unchecked(state.heading[0], state.heading[1]);
    Pose { rotation, translation: Vector::new(state.position[0], state.position[1]) }
}

fn hull(outline: &[[f64; 2]]) -> Option<ColliderBuilder> {
    let corners: Vec<Vector> =
        polygon::convex_hull(outline).iter().map(|[x, y]| Vector::new(*x, *y)).collect();
    ColliderBuilder::convex_polyline(corners)
}

/// The error for an outline that is no polygon.
pub(crate) fn no_area(what: &str, span: Span) -> BuildError {
    BuildError::Body { text: format!("{what} has an outline without area"), span }
}
