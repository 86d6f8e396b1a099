//! The live state of bodies.
//!
//! rapier's world is written as a whole: contacts and joints keep the impulses of the last step,
//! islands sleep, and bounding volume trees have a history. All of these influence the next step.

use rapier2d_f64::prelude::*;

use super::blocks::MovableBlocks;
use super::bodies::Bodies;
use super::body::{BodyState, Circle, RigidBody, Searched};
use super::counterparts::{Counterparts, Original};
use super::height_filter::HeightFilter;
use super::obstacles::Obstacles;
use super::sliding::SlidingBlock;
use super::solver::Solver;
use super::world::Physics;
use crate::encoding::{DecodeError, Reader, SnapshotError, Writer};
use crate::live_state::{LiveState, live_state};

impl LiveState for Physics {
    fn write(&self, to: &mut Writer) -> Result<(), SnapshotError> {
        let Self {
            bodies,
            blocks,
            solver,
            // determined by the world file
            dt: _,
            obstacles: _,
            min_distances: _,
            last_hull: _,
            // used within a step
            neighbours: _,
            is_stuck: _,
            crowd: _,
        } = self;
        bodies.write(to)?;
        blocks.write(to)?;
        solver.write(to)
    }

    fn read(&mut self, from: &mut Reader<'_>) -> Result<(), DecodeError> {
        self.bodies.read(from)?;
        self.blocks.read(from)?;
        self.solver.read(&self.bodies, &self.obstacles, self.dt, from)
    }
}

impl Solver {
    /// Appends the state of rapier's world.
    fn write(&self, to: &mut Writer) -> Result<(), SnapshotError> {
        let Self {
            counterparts: Counterparts { exist, present, world, .. },
            // determined by the world file
            elastic: _,
            // follows from the bodies
            solved: _,
            // used within a step
            part_dt: _,
            before: _,
            yielded: _,
            connections: _,
            separation: _,
        } = self;
        exist.write(to)?;
        if *exist { to.put(&(present, world)) } else { Ok(()) }
    }

    /// Reads what [`Self::write`] has appended, for bodies that have been read.
    fn read(
        &mut self,
        bodies: &Bodies,
        obstacles: &Obstacles,
        dt: f64,
        from: &mut Reader<'_>,
    ) -> Result<(), DecodeError> {
        if from.take()? {
            let (present, world): (Vec<Original>, PhysicsWorld) = from.take()?;
            self.reserve(bodies.len());
            if !self.counterparts.set_world(&present, world, (bodies, obstacles), dt) {
                return Err(DecodeError::damaged("the bodies differ"));
            }
        } else if self.counterparts.exist {
            self.counterparts.remove(dt);
        }
        self.update_solved(bodies);
        self.before.clear();
        Ok(())
    }
}

live_state! {
    Bodies {
        state { states, heights }
        world { infos, thinnest }
    }
}

live_state! { MovableBlocks { state { all } } }

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
