//! The live state of bodies.
//!
//! rapier's world is written as a whole: contacts and joints keep the impulses of the last step,
//! islands sleep, and bounding volume trees have a history. All of these influence the next step.

use rapier2d_f64::prelude::*;

use super::body::{BodyState, Circle, RigidBody, Searched};
use super::counterpart::{Counterparts, Original};
use super::dispatcher::Dispatcher;
use super::height_filter::HeightFilter;
use super::sliding::SlidingBlock;
use super::world::Physics;
use crate::encoding::{DecodeError, Reader, SnapshotError, Writer};
use crate::live_state::{LiveState, live_state};

impl LiveState for Physics {
    fn write(&self, to: &mut Writer) -> Result<(), SnapshotError> {
        let Self {
            world,
            counterparts: Counterparts { exist, present, originals: _ },
            bodies,
            heights,
            sliding,
            // determined by the world file
            dt: _,
            part_dt: _,
            thinnest: _,
            last_shape: _,
            infos: _,
            neighbours: _,
            min_distances: _,
            elastic: _,
            // follows from the bodies
            solved: _,
            // used within a step
            before: _,
            yielded: _,
            connections: _,
            separation: _,
            is_stuck: _,
            crowd: _,
        } = self;
        bodies.write(to)?;
        heights.write(to)?;
        sliding.write(to)?;
        exist.write(to)?;
        if *exist { to.put(&(present, world)) } else { Ok(()) }
    }

    fn read(&mut self, from: &mut Reader<'_>) -> Result<(), DecodeError> {
        self.bodies.read(from)?;
        self.heights.read(from)?;
        self.sliding.read(from)?;
        let exist: bool = from.take()?;
        if exist {
            let (present, world): (Vec<Original>, PhysicsWorld) = from.take()?;
            if !self.set_counterparts(&present) || !self.has_same_bodies(&world) {
                return Err(DecodeError::damaged("the bodies differ"));
            }
            self.world = world;
            // not written
            self.world.narrow_phase.set_query_dispatcher(Dispatcher);
        } else if self.counterparts.exist {
            self.remove_counterparts();
        }
        self.update_solved();
        self.before.clear();
        Ok(())
    }
}

impl Physics {
    /// Gives these originals counterparts in this order, and no others. Returns false if they are not all bodies in their order
    /// and different obstacles.
    pub(super) fn set_counterparts(&mut self, present: &[Original]) -> bool {
        if self.counterparts.exist && self.counterparts.present == present {
            return true;
        }
        self.remove_counterparts();
        let mut bodies = 0..self.bodies.len();
        let obstacles = &self.neighbours.obstacles;
        let mut is_new = vec![true; obstacles.len()];
        let is_known = |original: &Original| match *original {
            Original::Body(number) => bodies.next() == Some(number),
            Original::Obstacle(number) => is_new.get_mut(number).is_some_and(std::mem::take),
        };
        if !present.iter().all(is_known) || bodies.next().is_some() {
            return false;
        }
        self.expect_counterparts();
        present.iter().for_each(|original| self.insert(*original));
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
}

live_state! { BodyState { state { position, heading, velocity, omega } } }

live_state! { Circle { state { centre, radius } } }

live_state! { Searched { state { circle, heading, turn } } }

live_state! {
    RigidBody {
        state { state, searched, wide, has_company, solved }
        world { centre }
        step { placed }
    }
}

live_state! {
    SlidingBlock {
        state { falling, is_lifted }
        world { body, mass, inertia, grip, friction, lever, damping, keeps_height }
    }
}

impl LiveState for HeightFilter {
    fn write(&self, to: &mut Writer) -> Result<(), SnapshotError> {
        let Self { now, own: _, enabled: _ } = self;
        to.put(now)
    }

    fn read(&mut self, from: &mut Reader<'_>) -> Result<(), DecodeError> {
        from.fill(&mut self.now)
    }
}

#[cfg(test)]
mod tests;
