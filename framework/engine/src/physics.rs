//! Bodies that move and touch.
//!
//! Velocities are given to a body before a step, with what wheels, damping and ground friction make
//! of them. A body with nothing in reach moves on its own; one that may touch or that is linked is
//! held by rapier2d, which solves contacts and joints. No force is left with rapier, so none
//! persists.

mod blast;
mod body;
mod fixed;
mod heights;
mod joints;
mod overlap;
mod reach;
mod sliding;
mod spacer;
mod state;

use rapier2d_f64::prelude::*;
use simhost_scene::{MassProperties as Mass, polygon};

pub(crate) use blast::Blast;
pub(crate) use body::{Body, BodyState, turned_on};
pub(crate) use fixed::{straight_wall, wall_outline};
pub(crate) use joints::End;

use crate::error::BuildError;
use body::Movable;
use heights::Heights;
use reach::Reach;
use simhost_world::Span;
use sliding::Sliding;
use spacer::Spacer;

/// Most that an overlap is pushed apart, m/s.
const PUSH_SPEED: f64 = 0.5;

/// What a collider is made of.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Surface {
    /// Friction coefficient of the sides.
    pub friction: f64,
    /// Part of the closing speed that is kept.
    pub restitution: f64,
}

/// What a body is, beside its state.
pub(crate) struct BodySpec<'a> {
    /// As messages name it.
    pub name: String,
    /// Mass and where it lies.
    pub mass: Mass,
    /// Its convex hull is what touches; body frame, m.
    pub outline: &'a [[f64; 2]],
    /// Lowest and highest point above the body's origin, m.
    pub span: [f64; 2],
    /// What it is made of.
    pub surface: Surface,
}

/// All bodies.
pub(crate) struct Physics {
    world: PhysicsWorld,
    bodies: Vec<Movable>,
    sliding: Vec<Sliding>,
    spacers: Vec<Spacer>,
    reach: Reach,
    heights: Heights,
    /// The bodies before rapier moved them, to see what contacts did.
    before: Vec<BodyState>,
}

impl Physics {
    /// An empty world with steps of `dt`, s. Where height does not count, whatever overlaps in the
    /// plane touches.
    pub fn new(dt: f64, height_counts: bool) -> Self {
        let mut world = PhysicsWorld::new();
        world.gravity = Vector::ZERO;
        let parameters = &mut world.integration_parameters;
        parameters.dt = dt;
        // a body that runs away is reported, not held back silently
        parameters.normalized_max_linear_velocity = Real::MAX;
        parameters.normalized_max_corrective_velocity = PUSH_SPEED;
        Self {
            world,
            bodies: Vec::new(),
            sliding: Vec::new(),
            spacers: Vec::new(),
            reach: Reach::default(),
            heights: Heights::new(height_counts),
            before: Vec::new(),
        }
    }

    /// Adds a body that moves by forces; none when its outline has no area.
    pub fn add_body(&mut self, spec: BodySpec<'_>, state: &BodyState, z: f64) -> Option<Body> {
        self.add_movable(spec, state, z, Control::Vehicle)
    }

    /// Adds a body that moves by a plan whatever it meets; none when its outline has no area.
    pub fn add_driven(&mut self, spec: BodySpec<'_>, state: &BodyState, z: f64) -> Option<Body> {
        self.add_movable(spec, state, z, Control::Driven)
    }

    fn add_movable(
        &mut self,
        spec: BodySpec<'_>,
        state: &BodyState,
        z: f64,
        control: Control,
    ) -> Option<Body> {
        let Mass { mass, centre, .. } = spec.mass;
        let inertia = spec.mass.inertia_about_centre();
        let properties = MassProperties::new(Vector::new(centre[0], centre[1]), mass, inertia);
        let number = self.heights.add(spec.span, z);
        let collider = surfaced(hull(spec.outline)?, spec.surface)
            .density(0.0)
            .active_hooks(self.heights.hooks())
            .user_data(number as u128);
        let builder = match control {
            Control::Driven => RigidBodyBuilder::kinematic_position_based(),
            _ => RigidBodyBuilder::dynamic().additional_mass_properties(properties),
        };
        let builder = builder
            .pose(body::pose(state))
            .linvel(Vector::new(state.velocity[0], state.velocity[1]))
            .angvel(state.omega)
            .can_sleep(control == Control::Block);
        let (handle, collider) = self.world.insert(builder, collider);
        self.world.bodies[handle].recompute_mass_properties_from_colliders(&self.world.colliders);
        self.bodies.push(Movable {
            name: spec.name,
            handle,
            collider,
            span: number,
            state: *state,
            centre,
            radius: polygon::bounding_radius(spec.outline, centre),
            lightness: [1.0 / mass, 1.0 / inertia],
            driven: control == Control::Driven,
            always_held: control != Control::Vehicle,
            held: true,
        });
        Some(Body(self.bodies.len() - 1))
    }

    /// Pose and velocity of a body.
    pub fn state(&self, body: Body) -> &BodyState {
        &self.bodies[body.0].state
    }

    /// Sets the velocity of a body's centre of mass, m/s, and its yaw rate, rad/s.
    pub fn set_velocity(&mut self, body: Body, velocity: [f64; 2], omega: f64) {
        let movable = &mut self.bodies[body.0];
        movable.state.velocity = velocity;
        movable.state.omega = omega;
    }

    /// Puts a body where its own arithmetic says that it is, unless contacts hold it elsewhere.
    pub fn put(&mut self, body: Body, state: BodyState) {
        let movable = &mut self.bodies[body.0];
        movable.state = state;
        if movable.held {
            movable.set_held(&mut self.world.bodies, true);
        }
    }

    /// Whether contacts or joints may have a say in how a body moves, as of the last step.
    pub fn is_held(&self, body: Body) -> bool {
        self.bodies[body.0].held
    }

    /// Moves a body alone, as if there were nothing in reach.
    pub fn rehearse(&mut self, body: Body, dt: f64) {
        self.bodies[body.0].advance(dt);
    }

    /// Puts a body back after it has been moved alone.
    pub fn put_back(&mut self, body: Body, state: BodyState) {
        self.bodies[body.0].state = state;
    }

    /// Puts all bodies where those of another world are.
    ///
    /// # Errors
    /// In what the bodies differ.
    pub fn carry(&mut self, old: &Self) -> Result<(), String> {
        let names = |physics: &Self| -> Vec<String> {
            physics.bodies.iter().map(|movable| movable.name.clone()).collect()
        };
        if names(self) != names(old) {
            return Err("the bodies are others".to_owned());
        }
        for index in 0..old.bodies.len() {
            self.put(Body(index), old.bodies[index].state);
            self.heights.carry(&old.heights, self.bodies[index].span, old.bodies[index].span);
        }
        Ok(())
    }

    /// Moves a body that follows a plan: it arrives at the end of the step.
    pub fn drive_to(&mut self, body: Body, position: [f64; 2], heading: [f64; 2]) {
        let dt = self.world.integration_parameters.dt;
        let state = &mut self.bodies[body.0].state;
        let [dx, dy] = [position[0] - state.position[0], position[1] - state.position[1]];
        let turn = simhost_sdk::math::atan2(
            heading[1] * state.heading[0] - heading[0] * state.heading[1],
            heading[0] * state.heading[0] + heading[1] * state.heading[1],
        );
        *state = BodyState { position, heading, velocity: [dx / dt, dy / dt], omega: turn / dt };
    }

    /// Sets the height of a body's origin, m.
    pub fn set_height(&mut self, body: Body, z: f64) {
        self.heights.place(self.bodies[body.0].span, z);
    }

    /// Lowest and highest point of a body, m.
    pub fn heights(&self, body: Body) -> [f64; 2] {
        self.heights.now(self.bodies[body.0].span)
    }

    /// Advances all bodies by one step.
    pub fn step(&mut self) {
        let dt = self.world.integration_parameters.dt;
        for sliding in &self.sliding {
            sliding.slow_down(&mut self.bodies[sliding.body.0], dt);
        }
        for spacer in &self.spacers {
            spacer.act(&mut self.bodies, dt);
        }
        if self.reach.is_stale(&self.bodies, dt) {
            self.hold_what_may_touch();
        }
        let mut any_held = false;
        for movable in &mut self.bodies {
            if movable.held {
                any_held = true;
                movable.hand_over(&mut self.world.bodies);
            } else {
                movable.advance(dt);
            }
        }
        self.before.clear();
        if any_held {
            self.before.extend(self.bodies.iter().map(|movable| movable.state));
            self.world.step_with_events(&self.heights, &());
            for movable in self.bodies.iter_mut().filter(|movable| movable.held) {
                movable.read_back(&self.world.bodies);
            }
        }
    }

    fn hold_what_may_touch(&mut self) {
        let near = self.reach.sort(&self.bodies);
        self.hold(&near);
    }

    /// Gives rapier the bodies that have something in reach, and lets the others go.
    fn hold(&mut self, near: &[bool]) {
        for (movable, near) in self.bodies.iter_mut().zip(near) {
            let wanted = *near || movable.always_held;
            if wanted != movable.held {
                movable.held = wanted;
                movable.set_held(&mut self.world.bodies, wanted);
            }
        }
    }

    /// Name and state of a body with a number that is none, or faster than `speed`, m/s, or
    /// `yaw_rate`, rad/s.
    pub fn first_astray(&self, speed: f64, yaw_rate: f64) -> Option<(&str, &BodyState)> {
        let sane = |movable: &Movable| movable.state.is_within(speed, yaw_rate);
        let astray = self.bodies.iter().find(|movable| !sane(movable))?;
        Some((&astray.name, &astray.state))
    }
}

/// Who decides where a body goes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Control {
    /// The wheels.
    Vehicle,
    /// What pushes it.
    Block,
    /// A plan.
    Driven,
}

fn surfaced(collider: ColliderBuilder, surface: Surface) -> ColliderBuilder {
    collider
        .friction(surface.friction)
        .friction_combine_rule(CoefficientCombineRule::GeometricMean)
        .restitution(surface.restitution)
        .restitution_combine_rule(CoefficientCombineRule::Max)
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

#[cfg(test)]
mod tests;
