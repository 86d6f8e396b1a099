//! Allocations of a step in steady state, on one thread and without output.
//!
//! Allocations by the code of the project are errors. Those within rapier and parry are allowed.

#![allow(clippy::unwrap_used)]

mod counter;
#[path = "../support/world_files.rs"]
mod world_files;

use std::sync::Mutex;

use counter::{Owner, Stacks, count, stacks};
use simhost_engine::Simulation;
use simhost_registry::Catalogue;
use simhost_world::{LoadOptions, load};
use world_files::WorldFile;

// the families register themselves
use simhost_families as _;

/// Steps after which buffers have reached their size.
const WARM_UP: usize = 200;
/// Steps whose allocations are counted. Every sensor of the worlds is sampled in them.
const STEPS: usize = 100;
/// Worlds that need plugins, which tests of their own build.
const WITH_PLUGINS: [&str; 2] = ["c_plugin", "third_party"];

/// Returns the simulation of a world after its warm-up.
fn warm(world: &WorldFile, catalogue: &Catalogue) -> Simulation {
    let loaded = load(&world.path, &LoadOptions::default(), catalogue).unwrap();
    let mut simulation = world.simulation(&loaded.world);
    steps(&mut simulation, WARM_UP);
    simulation
}

/// Runs some steps, half of them one by one and half as a run.
fn steps(simulation: &mut Simulation, count: usize) {
    for _ in 0..count / 2 {
        simulation.step().unwrap();
    }
    simulation.run(count as u64 / 2).unwrap();
}

/// Returns the stacks of the allocations of a world in [`STEPS`] steps.
fn allocations(world: &WorldFile, catalogue: &Catalogue) -> Stacks {
    let mut simulation = warm(world, catalogue);
    let counted = count(|| steps(&mut simulation, STEPS));
    if counted == 0 {
        return Stacks::default();
    }
    // backtraces take long; the second run repeats the first
    let mut simulation = warm(world, catalogue);
    let stacks = stacks(|| steps(&mut simulation, STEPS));
    assert_eq!(stacks.values().sum::<usize>(), counted, "{} repeats itself", world.name);
    stacks
}

#[test]
fn only_rapier_allocates_in_steady_state() {
    let catalogue = Catalogue::collect(simhost_registry::Options::default()).unwrap();
    // the onset of a fault allocates its entry in the memory of the vehicle
    let is_counted = |world: &WorldFile| {
        world.name != "breakdowns" && !WITH_PLUGINS.contains(&world.name.as_str())
    };
    let worlds = Mutex::new(world_files::all().into_iter().filter(is_counted));
    let ours = Mutex::new(Vec::new());
    // allocations are counted per thread
    let examine = || {
        loop {
            let Some(world) = worlds.lock().unwrap().next() else { return };
            for ((owner, stack), count) in allocations(&world, &catalogue) {
                if owner == Owner::Project {
                    let name = &world.name;
                    let text = format!("{name}: {count} allocations in {STEPS} steps\n{stack}");
                    ours.lock().unwrap().push(text);
                }
            }
        }
    };
    std::thread::scope(|scope| {
        scope.spawn(examine);
        examine();
    });
    let ours = ours.into_inner().unwrap();
    assert!(ours.is_empty(), "a step allocates:\n{}", ours.join("\n"));
}
