//! Simulations of one world, which share what never changes.

use std::sync::{Arc, Mutex, PoisonError};

use simhost_engine::{Options, Simulation};
use simhost_world::World;

use crate::error::Error;

/// Greatest number of vehicles and blocks of a world whose simulation is kept for copies.
const MOST_ENTITIES: usize = 10_000;

/// How often a world has been built, as a session and as a member of an ensemble. From the third time on, copies take the
/// place of further builds: they share walls, meshes and instances of models. A world that is built once keeps nothing.
#[derive(Clone, Default)]
pub struct Builds {
    of_sessions: Arc<Mutex<Built>>,
    of_members: Arc<Mutex<Built>>,
}

#[derive(Default)]
enum Built {
    #[default]
    Never,
    Once,
    /// A simulation before its first measurement, and its number of threads.
    Again(Box<Simulation>, usize),
}

/// Purpose of a simulation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// A session.
    Session,
    /// A member of an ensemble, whose models can have separate parameters.
    Member,
}

impl Builds {
    /// Returns a simulation of the world, before its first measurement.
    ///
    /// # Errors
    /// The error of `fail`, if the world cannot be simulated.
    pub fn simulation(
        &self,
        world: &World,
        options: Options,
        purpose: Purpose,
        fail: impl Fn(simhost_engine::BuildError) -> Error,
    ) -> Result<Simulation, Error> {
        let build = || {
            let built = match purpose {
                Purpose::Session => Simulation::new(world, options),
                Purpose::Member => Simulation::of_member(world, options.seed),
            };
            built.map_err(&fail)
        };
        let built = match purpose {
            Purpose::Session => &self.of_sessions,
            Purpose::Member => &self.of_members,
        };
        let mut built = built.lock().unwrap_or_else(PoisonError::into_inner);
        match &*built {
            Built::Again(kept, threads) if *threads == options.threads => {
                let mut simulation = kept.duplicate()?;
                simulation.set_seed(options.seed);
                return Ok(simulation);
            }
            Built::Once if can_be_kept(world) => {
                let simulation = build()?;
                *built = Built::Again(Box::new(simulation.duplicate()?), options.threads);
                return Ok(simulation);
            }
            Built::Never => *built = Built::Once,
            Built::Once | Built::Again(..) => {}
        }
        // builds need not wait for each other
        drop(built);
        build()
    }
}

/// Returns whether all simulations of a world start alike, whatever their seed, and are small.
fn can_be_kept(world: &World) -> bool {
    // the first faults of robots depend on the seed
    let has_faults = world.vehicles.iter().any(|vehicle| !vehicle.faults.is_empty());
    !has_faults && world.vehicles.len() + world.blocks.len() <= MOST_ENTITIES
}
