//! Counterparts of bodies and obstacles in rapier.
//!
//! Bodies that touch nothing need none. As soon as rapier has to move a body, it gets the counterparts of all bodies and of
//! the obstacles within their reach, in the order in which they were added to the world, and later those of the obstacles
//! that come within reach. When nothing is near any more, it forgets them, so that an encounter does not depend on those
//! before. In worlds in which it always moves a body it gets all of them at once, and keeps them.

use std::sync::Arc;

use rapier2d_f64::prelude::*;
use serde::{Deserialize, Serialize};
use simhost_sdk::math;

use super::bodies::Bodies;
use super::body;
use super::body::{
    BodyInfo, BodyMotion, BodyState, PLASTIC, RigidBody, Surface, pose, rotate_heading,
};
use super::dispatcher::Dispatcher;
use super::neighbours::{Obstacle, Obstacles};
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

    /// Returns the number of the body with a collider, or `None` for an obstacle.
    pub fn body_of(&self, collider: ColliderHandle) -> Option<usize> {
        let index = |collider: ColliderHandle| collider.into_raw_parts().0;
        // rapier's colliders are in the order of the bodies, and are removed only all at once
        let found = self.bodies.binary_search_by_key(&index(collider), |own| index(own.collider));
        found.ok().filter(|number| self.bodies[*number].collider == collider)
    }

    /// Returns rapier's records of the colliders that are close to a body.
    pub fn pairs(&self, number: usize) -> impl Iterator<Item = &ContactPair> {
        self.world.narrow_phase.contact_pairs_with(self.collider(number))
    }

    /// Returns the other collider of a pair in which a body has one.
    pub fn partner(&self, pair: &ContactPair, number: usize) -> ColliderHandle {
        if pair.collider1 == self.collider(number) { pair.collider2 } else { pair.collider1 }
    }

    /// Returns the numbers of the bodies that a body touches, `None` for an obstacle.
    pub fn touched(&self, number: usize) -> impl Iterator<Item = Option<usize>> {
        let pairs = self.pairs(number).filter(|pair| pair.has_any_active_contact());
        pairs.map(move |pair| self.body_of(self.partner(pair, number)))
    }

    /// Returns whether a body has a joint.
    pub fn has_joint(&self, number: usize) -> bool {
        self.world.impulse_joints.attached_joints(self.body(number)).next().is_some()
    }

    /// Returns whether a joint links a body to the body or obstacle with the handle `other`. The two do not collide then.
    pub fn are_joined(&self, number: usize, other: RigidBodyHandle) -> bool {
        let mut attached = self.world.impulse_joints.attached_joints(self.body(number));
        attached.any(|(a, b, ..)| a == other || b == other)
    }

    /// Replaces rapier's world by one with counterparts of the originals `present`. Returns false if the bodies differ.
    pub fn set_world(
        &mut self,
        present: &[Original],
        world: PhysicsWorld,
        bodies: &Bodies,
        obstacles: &Obstacles,
        dt: f64,
    ) -> bool {
        if !self.set_present(present, bodies, obstacles, dt) || !self.has_same_bodies(&world) {
            return false;
        }
        self.world = world;
        // not written
        self.world.narrow_phase.set_query_dispatcher(Dispatcher);
        true
    }

    /// Gives these originals counterparts in this order, and removes all others. Returns false unless they are all bodies, in
    /// order, and some obstacles, each once.
    fn set_present(
        &mut self,
        present: &[Original],
        bodies: &Bodies,
        obstacles: &Obstacles,
        dt: f64,
    ) -> bool {
        if self.exist && self.present == present {
            return true;
        }
        self.remove(dt);
        let mut numbers = 0..bodies.len();
        let mut is_new = vec![true; obstacles.all.len()];
        let is_known = |original: &Original| match *original {
            Original::Body(number) => numbers.next() == Some(number),
            Original::Obstacle(number) => is_new.get_mut(number).is_some_and(std::mem::take),
        };
        if !present.iter().all(is_known) || numbers.next().is_some() {
            return false;
        }
        self.exist = true;
        present.iter().for_each(|original| self.insert(*original, bodies, obstacles));
        true
    }

    fn has_same_bodies(&self, world: &PhysicsWorld) -> bool {
        let own = &self.world;
        let sizes = |world: &PhysicsWorld| {
            (world.bodies.len(), world.colliders.len(), world.impulse_joints.len())
        };
        sizes(own) == sizes(world)
            && own.bodies.iter().all(|(handle, _)| world.bodies.contains(handle))
            && own.colliders.iter().all(|(handle, collider)| {
                let known = world.colliders.get(handle);
                known.is_some_and(|other| {
                    (other.user_data, other.parent()) == (collider.user_data, collider.parent())
                })
            })
    }

    /// Writes the velocity of a body to rapier, unless the body is kinematic.
    pub fn write(&mut self, number: usize, info: &BodyInfo, state: &BodyState) {
        if info.is_kinematic() {
            return;
        }
        let BodyState { velocity: [vx, vy], omega, .. } = *state;
        let body = &mut self.world.bodies[self.bodies[number].body];
        if body.linvel() != Vector::new(vx, vy) || body.angvel() != omega {
            body.set_linvel(Vector::new(vx, vy), false);
            body.set_angvel(omega, false);
        }
    }

    /// Writes the pose that a kinematic body reaches at the end of the next part of a step, which is a `share` of what is
    /// left of the step and whose last part ends at `state`.
    pub fn lead(&mut self, number: usize, info: &BodyInfo, state: &BodyState, share: f64) {
        if !info.is_kinematic() {
            return;
        }
        let (body, end) = (&mut self.world.bodies[self.bodies[number].body], pose(state));
        let next = if info.lever == 0.0 {
            // rapier need not turn a round body
            let start = *body.position();
            let translation = start.translation + (end.translation - start.translation) * share;
            Pose { translation, ..start }
        } else if share >= 1.0 {
            end
        } else {
            let start = *body.position();
            let turn = start.rotation.inverse() * end.rotation;
            let (sin, cos) = math::sin_cos(share * math::atan2(turn.im, turn.re));
            let rotation = rotate_heading([start.rotation.re, start.rotation.im], [cos, sin]);
            Pose {
                rotation: Rotation::from_cos_sin_unchecked(rotation[0], rotation[1]),
                translation: start.translation + (end.translation - start.translation) * share,
            }
        };
        body.set_next_kinematic_position(next);
    }

    /// Reads the state of a body from rapier, unless the body is kinematic.
    pub fn read(&self, number: usize, info: &BodyInfo, state: &mut BodyState) {
        if info.is_kinematic() {
            return;
        }
        let body = &self.world.bodies[self.bodies[number].body];
        let (position, velocity) = (body.translation(), body.linvel());
        let heading = body.position().rotation;
        *state = BodyState {
            position: [position.x, position.y],
            heading: [heading.re, heading.im],
            velocity: [velocity.x, velocity.y],
            omega: body.angvel(),
        };
    }

    /// Enables a body in rapier at its present pose, or disables it.
    pub fn set_enabled(&mut self, number: usize, state: &BodyState, enabled: bool) {
        let body = &mut self.world.bodies[self.bodies[number].body];
        if enabled {
            body.set_position(pose(state), false);
        }
        body.set_enabled(enabled);
    }

    /// Moves a body in rapier to its present pose.
    pub fn place(&mut self, number: usize, state: &BodyState) {
        self.set_enabled(number, state, true);
    }

    /// Wakes a body up. rapier lets bodies sleep that are at rest, although they overlap.
    pub fn wake_up(&mut self, number: usize) {
        self.world.bodies[self.bodies[number].body].wake_up(true);
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
