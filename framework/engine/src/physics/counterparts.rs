//! Counterparts of bodies and obstacles in rapier.
//!
//! Bodies that touch nothing need none. As soon as rapier has to move a body, it gets the counterparts of all bodies and of
//! the obstacles within their reach, in the order in which they were added to the world, and later those of the obstacles
//! that come within reach. When nothing is near any more, it forgets them, so that an encounter does not depend on those
//! before. In worlds in which it always moves a body it gets all of them at once, and keeps them.

mod contacts;
mod motion;
mod restored;

use std::sync::Arc;

use rapier2d_f64::prelude::*;
use serde::{Deserialize, Serialize};

use super::bodies::Bodies;
use super::body::{self, BodyInfo, BodyMotion, PLASTIC, RigidBody, Surface};
use super::dispatcher::Dispatcher;
use super::obstacles::{Obstacle, Obstacles};
use crate::encoding::{Reader, SnapshotError, Writer};

/// A body or an obstacle, by its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum Original {
    Body(usize),
    Obstacle(usize),
}

/// rapier's handles of the counterpart of a body.
#[derive(Clone, Copy)]
struct Handles {
    body: RigidBodyHandle,
    collider: ColliderHandle,
}

/// rapier's world: the counterparts of bodies and obstacles, with their contacts and joints.
pub(super) struct Counterparts {
    /// rapier's world, empty before rapier has to move a body.
    pub world: PhysicsWorld,
    /// Whether rapier has a counterpart of each body.
    pub exist: bool,
    /// All originals in the order in which they were added. Copies share them.
    originals: Arc<Vec<Original>>,
    /// The originals of all counterparts in the order in which rapier got these.
    pub present: Vec<Original>,
    /// Handles of the bodies, valid while the counterparts exist.
    bodies: Vec<Handles>,
    /// Handles of the obstacles; invalid without a counterpart.
    obstacles: Vec<RigidBodyHandle>,
}

/// Greatest speed at which overlapping bodies are pushed apart, m/s.
pub(super) const PUSH_SPEED: f64 = 0.5;

/// Half of the speed below which rapier lets a block sleep, m/s: that of a block that friction has stopped.
const AT_REST: f64 = 1e-9;

/// Returns rapier's world without bodies, for steps of `dt` seconds.
fn empty_world(dt: f64) -> PhysicsWorld {
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

impl Counterparts {
    /// Returns no counterparts, for steps of `dt` seconds.
    pub fn new(dt: f64) -> Self {
        Self {
            world: empty_world(dt),
            exist: false,
            originals: Arc::default(),
            present: Vec::new(),
            bodies: Vec::new(),
            obstacles: Vec::new(),
        }
    }

    /// Returns the same counterparts in the same state, for steps of `dt` seconds.
    ///
    /// # Errors
    /// [`SnapshotError`] if a joint cannot be encoded.
    pub fn duplicate(&self, dt: f64) -> Result<Self, SnapshotError> {
        Ok(Self {
            world: if self.exist { copy_of(&self.world, dt)? } else { empty_world(dt) },
            exist: self.exist,
            originals: Arc::clone(&self.originals),
            present: self.present.clone(),
            bodies: self.bodies.clone(),
            obstacles: self.obstacles.clone(),
        })
    }

    /// Adds the counterpart of a body or an obstacle that has just been added, now or later.
    pub fn add(&mut self, original: Original, bodies: &Bodies, obstacles: &Obstacles) {
        Arc::make_mut(&mut self.originals).push(original);
        match original {
            Original::Body(_) => {
                let (body, collider) = (RigidBodyHandle::invalid(), ColliderHandle::invalid());
                self.bodies.push(Handles { body, collider });
            }
            Original::Obstacle(_) => self.obstacles.push(RigidBodyHandle::invalid()),
        }
        if self.exist {
            self.insert(original, bodies, obstacles);
        }
    }

    /// Adds the counterparts of all bodies and of some obstacles. Disables the bodies that are not solved.
    pub fn insert_bodies_and(
        &mut self,
        bodies: &Bodies,
        obstacles: &Obstacles,
        is_reached: impl Fn(usize) -> bool,
    ) {
        self.exist = true;
        for &original in Arc::clone(&self.originals).iter() {
            match original {
                Original::Obstacle(number) if !is_reached(number) => {}
                original => self.insert(original, bodies, obstacles),
            }
        }
        for (number, body) in bodies.states.iter().enumerate().filter(|(_, body)| !body.solved) {
            self.set_enabled(number, &body.state, false);
        }
    }

    /// Adds a counterpart.
    pub fn insert(&mut self, original: Original, bodies: &Bodies, obstacles: &Obstacles) {
        self.present.push(original);
        let hooks = bodies.heights.hooks();
        match original {
            Original::Body(number) => {
                let info = &bodies.infos[number];
                let collider =
                    collider(&info.shape, info.surface, info.span).density(0.0).active_hooks(hooks);
                let (body, collider) = self.world.insert(builder(&bodies[number], info), collider);
                self.bodies[number] = Handles { body, collider };
                let counterpart = &mut self.world.bodies[body];
                counterpart.recompute_mass_properties_from_colliders(&self.world.colliders);
                if info.motion == BodyMotion::Block {
                    counterpart.activation_mut().normalized_linear_threshold = AT_REST;
                }
            }
            Original::Obstacle(number) => {
                let Obstacle { pose, shape, surface, span, .. } = &obstacles.all[number];
                let collider = collider(shape, *surface, *span).active_hooks(hooks);
                let fixed = RigidBodyBuilder::fixed().pose(*pose);
                (self.obstacles[number], _) = self.world.insert(fixed, collider);
            }
        }
    }

    /// Removes all counterparts, for the state before rapier has moved a body in steps of `dt` seconds.
    pub fn remove(&mut self, dt: f64) {
        self.exist = false;
        for original in self.present.drain(..) {
            if let Original::Obstacle(number) = original {
                self.obstacles[number] = RigidBodyHandle::invalid();
            }
        }
        let pipeline = std::mem::take(&mut self.world.physics_pipeline);
        self.world = PhysicsWorld { physics_pipeline: pipeline, ..empty_world(dt) };
    }

    /// Returns rapier's handle of a body.
    pub fn body(&self, number: usize) -> RigidBodyHandle {
        self.bodies[number].body
    }

    /// Returns rapier's handle of the outline of a body.
    pub fn collider(&self, number: usize) -> ColliderHandle {
        self.bodies[number].collider
    }

    /// Returns whether an obstacle has a counterpart.
    pub fn has_obstacle(&self, number: usize) -> bool {
        self.obstacles[number] != RigidBodyHandle::invalid()
    }

    /// Returns rapier's handle of an obstacle, which is invalid if it has no counterpart.
    pub fn obstacle(&self, number: usize) -> RigidBodyHandle {
        self.obstacles[number]
    }
}

/// Returns a copy of rapier's world.
///
/// # Errors
/// [`SnapshotError`] if a joint cannot be encoded.
fn copy_of(world: &PhysicsWorld, dt: f64) -> Result<PhysicsWorld, SnapshotError> {
    if !world.impulse_joints.is_empty() {
        // rapier offers no other copy of joints
        let mut to = Writer::default();
        to.put(world)?;
        let copy = Reader::new(&to.bytes).take();
        let mut copy: PhysicsWorld =
            copy.map_err(|_| SnapshotError::encoding("the joints cannot be copied"))?;
        copy.narrow_phase.set_query_dispatcher(Dispatcher);
        return Ok(copy);
    }
    let mut copy = empty_world(dt);
    copy.integration_parameters = world.integration_parameters;
    copy.islands = world.islands.clone();
    copy.broad_phase = world.broad_phase.clone();
    copy.narrow_phase = world.narrow_phase.clone();
    copy.bodies = world.bodies.clone();
    copy.colliders = world.colliders.clone();
    Ok(copy)
}
fn builder(body: &RigidBody, info: &BodyInfo) -> RigidBodyBuilder {
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
