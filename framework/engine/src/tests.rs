//! Worlds of the unit tests.

use simhost_registry::Catalogue;
use simhost_world::{LoadOptions, World, load_text};

use crate::build::Options;
use crate::simulation::Simulation;

/// Reads the text of a world.
pub fn read(text: &str) -> World {
    let catalogue = Catalogue::collect(simhost_registry::Options::default()).expect("built-ins");
    let loaded =
        load_text("world.xml".as_ref(), text.as_bytes(), &LoadOptions::default(), &catalogue);
    loaded.unwrap_or_else(|error| panic!("{error:?}\n{text}")).world
}

/// Starts a simulation of a world.
pub fn started(world: &World, seed: u64) -> Simulation {
    let mut simulation =
        Simulation::new(world, Options { seed, threads: 1 }).expect("the world is right");
    simulation.start().expect("nothing faults");
    simulation
}
