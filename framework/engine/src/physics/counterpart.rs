//! Counterparts of bodies and obstacles in rapier.
//!
//! Bodies that touch nothing need none. rapier gets the counterparts of all bodies and obstacles at
//! once, in the order in which they were added, as soon as it has to move a body. The order in which
//! rapier solves contacts, and therefore the result, does not depend on that moment.

use rapier2d_f64::prelude::*;

use super::body::{self, BodyInfo, Motion, PLASTIC, RigidBody, Surface};
use super::neighbours::Obstacle;
use super::world::{PUSH_SPEED, Physics};

/// A body or an obstacle, by its number.
#[derive(Clone, Copy, Debug)]
pub(super) enum Original {
    Body(usize),
    Obstacle(usize),
}

/// The originals in the order in which they were added.
#[derive(Default)]
pub(super) struct Counterparts {
    originals: Vec<Original>,
    /// Whether rapier has a counterpart of each.
    pub exist: bool,
}

impl Physics {
    /// Adds the counterpart of a body or an obstacle now or later.
    pub(super) fn add_counterpart(&mut self, original: Original) {
        self.counterparts.originals.push(original);
        if self.counterparts.exist {
            self.insert(original);
        }
    }

    /// Adds the counterparts of all bodies and obstacles, unless they exist. Those of bodies that
    /// are not solved are disabled.
    pub(super) fn add_counterparts(&mut self) {
        if self.counterparts.exist {
            return;
        }
        self.counterparts.exist = true;
        // steps do not allocate
        self.solved.reserve(self.bodies.len());
        self.before.reserve(self.bodies.len());
        self.yielded.reserve(self.bodies.len());
        self.connections.reserve(self.bodies.len());
        for index in 0..self.counterparts.originals.len() {
            self.insert(self.counterparts.originals[index]);
        }
        for (body, info) in self.bodies.iter().zip(&self.infos).filter(|(body, _)| !body.solved) {
            info.set_solved(&body.state, &mut self.world.bodies, false);
        }
    }

    /// Removes all counterparts, for the state before rapier has moved a body.
    pub(super) fn remove_counterparts(&mut self) {
        self.counterparts.exist = false;
        self.world = empty_world(self.dt);
    }

    fn insert(&mut self, original: Original) {
        match original {
            Original::Body(number) => {
                let (body, info) = (&self.bodies[number], &mut self.infos[number]);
                let collider = collider(&info.shape, info.surface, info.span)
                    .density(0.0)
                    .active_hooks(self.heights.hooks());
                let handles = self.world.insert(builder(body, info), collider);
                (info.handle, info.collider) = handles;
                let colliders = &self.world.colliders;
                self.world.bodies[info.handle].recompute_mass_properties_from_colliders(colliders);
            }
            Original::Obstacle(number) => {
                let Obstacle { pose, shape, surface, span, .. } =
                    &self.neighbours.obstacles[number];
                let collider = collider(shape, *surface, *span).active_hooks(self.heights.hooks());
                let (handle, _) =
                    self.world.insert(RigidBodyBuilder::fixed().pose(*pose), collider);
                self.neighbours.obstacles[number].handle = handle;
            }
        }
    }
}

/// Returns rapier's world without bodies, for steps of `dt` seconds.
pub(super) fn empty_world(dt: f64) -> PhysicsWorld {
    let mut world = PhysicsWorld::new();
    world.gravity = Vector::ZERO;
    let parameters = &mut world.integration_parameters;
    parameters.dt = dt;
    // a runaway body is reported as divergence, not clamped silently
    parameters.normalized_max_linear_velocity = Real::MAX;
    parameters.normalized_max_corrective_velocity = PUSH_SPEED;
    world
}

fn builder(body: &RigidBody, info: &BodyInfo) -> RigidBodyBuilder {
    let (state, [x, y], [mass, inertia]) = (&body.state, body.centre, info.mass);
    let builder = match info.motion {
        Motion::Kinematic => RigidBodyBuilder::kinematic_position_based(),
        _ => RigidBodyBuilder::dynamic().additional_mass_properties(MassProperties::new(
            Vector::new(x, y),
            mass,
            inertia,
        )),
    };
    builder
        .pose(body::pose(state))
        .linvel(Vector::new(state.velocity[0], state.velocity[1]))
        .angvel(state.omega)
        .can_sleep(info.motion == Motion::Block)
}

fn collider(shape: &SharedShape, surface: Surface, span: usize) -> ColliderBuilder {
    ColliderBuilder::new(shape.clone())
        .friction(surface.friction)
        .friction_combine_rule(CoefficientCombineRule::GeometricMean)
        // other impacts are solved as plastic ones and then scaled
        .restitution(if surface.restitution > PLASTIC { 0.0 } else { surface.restitution })
        .restitution_combine_rule(CoefficientCombineRule::Max)
        .user_data(span as u128 | u128::from(surface.restitution.to_bits()) << 64)
}

/// Returns the coefficient of restitution of what a collider stands for.
pub(super) fn restitution(collider: &Collider) -> f64 {
    f64::from_bits((collider.user_data >> 64) as u64)
}
