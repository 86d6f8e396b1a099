//! Counterparts of bodies and obstacles in rapier.
//!
//! Bodies that touch nothing need none. As soon as rapier has to move a body, it gets the counterparts of all bodies and of
//! the obstacles within their reach, in the order in which they were added to the world, and later those of the obstacles
//! that come within reach. When nothing is near any more, it forgets them, so that an encounter does not depend on those
//! before. In worlds in which it always moves a body it gets all of them at once, and keeps them.

use rapier2d_f64::prelude::*;
use serde::{Deserialize, Serialize};

use super::body::{self, BodyInfo, BodyMotion, PLASTIC, RigidBody, Surface};
use super::dispatcher::Dispatcher;

/// A body or an obstacle, by its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum Original {
    Body(usize),
    Obstacle(usize),
}

/// The originals, and what has a counterpart.
#[derive(Clone, Default)]
pub(super) struct Counterparts {
    /// All originals in the order in which they were added.
    pub originals: Vec<Original>,
    /// Whether rapier has a counterpart of each body.
    pub exist: bool,
    /// The originals of all counterparts in the order in which rapier got these.
    pub present: Vec<Original>,
}

/// Greatest speed at which overlapping bodies are pushed apart, m/s.
pub(super) const PUSH_SPEED: f64 = 0.5;

/// Returns rapier's world without bodies, for steps of `dt` seconds.
pub(super) fn empty_world(dt: f64) -> PhysicsWorld {
    let mut world = PhysicsWorld::new();
    world.gravity = Vector::ZERO;
    world.narrow_phase.set_query_dispatcher(Dispatcher);
    let parameters = &mut world.integration_parameters;
    parameters.dt = dt;
    // a runaway body is reported as divergence, not clamped silently
    parameters.normalized_max_linear_velocity = Real::MAX;
    parameters.normalized_max_corrective_velocity = PUSH_SPEED;
    world
}

pub(super) fn builder(body: &RigidBody, info: &BodyInfo) -> RigidBodyBuilder {
    let (state, [x, y], [mass, inertia]) = (&body.state, body.centre, info.mass);
    let builder = match info.motion {
        BodyMotion::Kinematic => RigidBodyBuilder::kinematic_position_based(),
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
        .can_sleep(info.motion == BodyMotion::Block)
}

pub(super) fn collider(shape: &SharedShape, surface: Surface, span: usize) -> ColliderBuilder {
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
