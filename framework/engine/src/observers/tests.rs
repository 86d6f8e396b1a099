//! Runs with observers, as a program that uses the engine as a library makes them.

use simhost_registry::Catalogue;
use simhost_sdk::prelude::*;
use simhost_world::{LoadOptions, World, load_text};

use super::{Observers, RunEnding, Stop};
use crate::build::Options;
use crate::simulation::Simulation;

/// Ends the run after a number of samples.
#[derive(Params)]
pub struct Counter {
    /// Number of samples. A larger value makes the run longer.
    #[param(default = 4, range = 1..)]
    limit: usize,
}

#[model]
impl Observer for Counter {
    type Run = usize;
    const STOPS: bool = true;

    fn select(&self) -> Vec<String> {
        vec!["world/time".into(), "*/pose".into()]
    }

    fn start(&self, run: &RunStart) -> Result<usize, String> {
        run.find("world/time").map(|_| 0)
    }

    fn step(&self, count: &mut usize, sample: &Sample) -> Flow {
        assert_eq!(sample.values.len(), 7, "the time and a pose");
        assert_eq!(sample.values[0], sample.time);
        *count += 1;
        match *count >= self.limit {
            true => Flow::stop(format!("{count} samples")),
            false => Flow::Continue,
        }
    }
}

simhost_sdk::declare_plugin! { vendor: "watcher", observer: { "counter" => Counter } }

fn world(observers: &str) -> World {
    let catalogue = Catalogue::collect(simhost_registry::Options::default()).expect("built-ins");
    let text = format!(
        "<mvsim_world><simul_timestep>0.01</simul_timestep><vehicle name=\"a\">\
         <dynamics class=\"differential\"><controller class=\"raw\"/></dynamics>\
         <init_pose>0 0 0</init_pose><init_vel>1 0 0</init_vel></vehicle>{observers}</mvsim_world>"
    );
    let options = LoadOptions::default();
    let loaded = load_text("world.xml".as_ref(), text.as_bytes(), &options, &catalogue);
    loaded.unwrap_or_else(|error| panic!("{error:?}")).world
}

fn begun(world: &World) -> (Simulation, Observers) {
    let options = Options { seed: 1, threads: 1 };
    let mut simulation = Simulation::new(world, options).expect("the world is right");
    let mut observers = Observers::new(world, &simulation).expect("the observers are right");
    simulation.start().expect("nothing faults");
    assert_eq!(observers.start(&simulation, None).expect("nothing faults"), None);
    (simulation, observers)
}

fn stop(reason: &str) -> Option<Stop> {
    Some(Stop { observer: "c".into(), reason: reason.into() })
}

#[test]
fn an_observer_ends_the_run_at_its_last_sample_and_changes_nothing() {
    let (mut simulation, mut observers) =
        begun(&world("<observer class=\"counter\" name=\"c\" every=\"0.05\"/>"));
    assert!(observers.can_stop());
    let ended = observers.run(&mut simulation, 1000).expect("nothing faults");
    // samples at 0, 0.05, 0.1 and 0.15 s
    assert_eq!(ended, stop("4 samples"));
    assert_eq!(simulation.clock().steps, 15);
    let ending = RunEnding::Stop(ended.expect("compared above"));
    assert!(observers.end(&simulation, &ending).is_empty());
    assert!(observers.faults().is_empty() && !observers.can_stop());

    let (mut plain, mut none) = begun(&world(""));
    assert!(none.is_empty() && none.steps_to_sample(plain.clock()) == u64::MAX);
    assert_eq!(none.run(&mut plain, 15).expect("nothing faults"), None);
    assert_eq!(plain.state_hash().expect("saved"), simulation.state_hash().expect("saved"));
}

#[test]
fn steps_up_to_the_limit_are_made_without_a_stop() {
    let (mut simulation, mut observers) =
        begun(&world("<observer class=\"counter\" name=\"c\" limit=\"100\"/>"));
    assert_eq!(observers.run(&mut simulation, 20).expect("nothing faults"), None);
    assert_eq!(simulation.clock().steps, 20);
}

#[test]
fn an_observer_continues_unless_it_was_replaced() {
    let before = world("<observer class=\"counter\" name=\"c\" limit=\"10\"/>");
    let (mut simulation, mut observers) = begun(&before);
    observers.run(&mut simulation, 5).expect("nothing faults");
    observers.rebind(&before, &simulation).expect("the observers are right");
    let ended = observers.run(&mut simulation, 100).expect("nothing faults");
    assert_eq!((ended, simulation.clock().steps), (stop("10 samples"), 9));

    // with other parameters it begins again
    let (mut simulation, mut observers) = begun(&before);
    observers.run(&mut simulation, 5).expect("nothing faults");
    let after = world("<observer class=\"counter\" name=\"c\" limit=\"3\"/>");
    observers.rebind(&after, &simulation).expect("the observers are right");
    let ended = observers.run(&mut simulation, 100).expect("nothing faults");
    assert_eq!((ended, simulation.clock().steps), (stop("3 samples"), 8));
}
