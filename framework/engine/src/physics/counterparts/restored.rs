//! Restores rapier's world from a snapshot.

use rapier2d_f64::prelude::*;

use super::super::bodies::Bodies;
use super::super::dispatcher::Dispatcher;
use super::super::obstacles::Obstacles;
use super::{Counterparts, Original};

impl Counterparts {
    /// Replaces rapier's world by one with counterparts of the originals `present`. Returns false if the bodies differ.
    pub fn set_world(
        &mut self,
        present: &[Original],
        world: PhysicsWorld,
        (bodies, obstacles): (&Bodies, &Obstacles),
        dt: f64,
    ) -> bool {
        if !self.set_present(present, (bodies, obstacles), dt) || !self.has_same_bodies(&world) {
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
        (bodies, obstacles): (&Bodies, &Obstacles),
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
}
