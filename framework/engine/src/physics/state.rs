//! The live state of bodies.
//!
//! rapier's world is written as a whole: contacts and joints keep the impulses of the last step,
//! islands sleep, and bounding volume trees have a history. All of these influence the next step.

use rapier2d_f64::prelude::*;

use super::bodies::Bodies;
use super::body::{BodyState, Circle, RigidBody, Searched};
use super::counterparts::{Counterparts, Original};
use super::height_filter::HeightFilter;
use super::neighbours::Obstacles;
use super::solver::Solver;
use super::world::Physics;
use super::{MovableBlocks, SlidingBlock};
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
            if !self.counterparts.set_world(&present, world, bodies, obstacles, dt) {
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
mod tests {
    use simhost_scene::MassProperties as Mass;
    use simhost_sdk::Random;

    use super::super::*;
    use crate::encoding::{Reader, Writer};
    use crate::live_state::LiveState;

    const SQUARE: [[f64; 2]; 4] = [[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]];

    /// Returns a heavy body that runs into a row of light ones in front of a wall.
    fn row() -> Physics {
        let mut physics = Physics::new(0.005, true);
        for number in 0..6 {
            let surface = Surface { friction: 0.3, restitution: 0.1 };
            let mass = Mass::polygon(if number == 0 { 100.0 } else { 5.0 }, &SQUARE);
            let name = format!("body {number}");
            let spec = BodySpec { name, mass, outline: &SQUARE, span: [0.0, 1.0], surface };
            let x = 1.2 * f64::from(number);
            let state = BodyState {
                position: [x, 0.1 * f64::from(number % 3)],
                heading: [1.0, 0.0],
                velocity: [if number == 0 { 5.0 } else { 0.0 }, 0.0],
                omega: 0.0,
            };
            physics.add_body(spec, &state, 0.0).expect("a square has an area");
        }
        let at = BodyState { position: [9.0, 0.0], heading: [1.0, 0.0], ..BodyState::default() };
        let wall = [[-0.5, -5.0], [0.5, -5.0], [0.5, 5.0], [-0.5, 5.0]];
        let surface = Surface { friction: 0.5, restitution: 0.0 };
        assert!(physics.add_fixed("wall", &at, &wall, [0.0, 1.0], surface));
        physics
    }

    fn state(physics: &Physics) -> Vec<u8> {
        let mut writer = Writer::default();
        physics.write(&mut writer).expect("bodies can be encoded");
        writer.bytes
    }

    #[test]
    fn restored_contacts_continue_bit_for_bit() {
        let mut whole = row();
        let mut resumed: Vec<Physics> = Vec::new();
        for step in 0..600 {
            if step % 60 == 0 {
                let mut other = row();
                let bytes = state(&whole);
                let mut reader = Reader::new(&bytes);
                other.read(&mut reader).expect("it was built the same");
                reader.finish().expect("nothing is left");
                resumed.push(other);
            }
            whole.step();
            for other in &mut resumed {
                other.step();
                assert!(state(other) == state(&whole), "step {step}");
            }
        }
        let last = whole.bodies[5].state.position[0];
        assert!(last > 7.9, "nothing was pushed to the wall: {last}");
    }

    /// A state with a few changed bytes is rejected or read: nothing panics, and no memory is allocated
    /// for data that is missing.
    #[test]
    fn forged_states_do_no_harm() {
        let mut physics = row();
        (0..150).for_each(|_| physics.step());
        let good = state(&physics);
        let mut draws = Random::new(3);
        let mut refused = 0;
        for _ in 0..5000 {
            let mut forged = good.clone();
            for _ in 0..1 + draws.bits() % 3 {
                let at = draws.bits() as usize % forged.len();
                forged[at] = draws.bits() as u8;
            }
            refused += usize::from(row().read(&mut Reader::new(&forged)).is_err());
        }
        assert!(refused > 500, "{refused}");
    }

    #[test]
    fn a_contact_that_creates_speed_is_found() {
        let ejection = |restitution: f64, masses: [f64; 2], created: f64| {
            let mut physics = Physics::new(0.005, true);
            for (number, mass) in masses.into_iter().enumerate() {
                let surface = Surface { friction: 0.0, restitution };
                let mass = Mass::polygon(mass, &SQUARE);
                let name = format!("body {number}");
                let spec = BodySpec { name, mass, outline: &SQUARE, span: [0.0, 1.0], surface };
                let (x, vx) = if number == 0 { (0.0, 10.0) } else { (3.0, 0.0) };
                let state = BodyState {
                    position: [x, 0.0],
                    heading: [1.0, 0.0],
                    velocity: [vx, 0.0],
                    omega: 0.0,
                };
                physics.add_body(spec, &state, 0.0).expect("a square has an area");
            }
            (0..100).find_map(|_| {
                physics.step();
                let [vx, _] = &mut physics.bodies[1].state.velocity;
                *vx += if *vx > 0.0 { created } else { 0.0 };
                physics.ejection(4.0, 5.0)
            })
        };
        // a heavy body can give a light one at most twice its speed
        assert_eq!(ejection(1.0, [1e4, 1.0], 0.0), None);
        assert_eq!(ejection(0.0, [1.0, 1.0], 0.0), None);
        let found = ejection(1.0, [1e4, 1.0], 30.0).expect("30 m/s are created");
        assert_eq!(found.entity, "body 1");
        assert!(
            found.after > 45.0 && found.before == 0.0 && (found.group - 10.0).abs() < 1e-9,
            "{found:?}"
        );
    }
}
