//! Observers of a run: models that read quantities, change nothing, and can end the run.
//!
//! They are outside of the simulation, which does not know of them: its state, snapshots and hashes are the
//! same with and without observers.

mod error;
mod watcher;

use std::path::{Path, PathBuf};

use simhost_abi::end_reason;
use simhost_world::World;

use crate::clock::Clock;
use crate::fault::FaultReport;
use crate::simulation::Simulation;
use crate::step::StepError;

pub use error::ObserverError;
use watcher::Watcher;

/// The observers of a world during a run.
///
/// ```no_run
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let world: simhost_world::World = todo!();
/// use simhost_engine::{Observers, Options, RunEnding, Simulation};
///
/// let mut simulation = Simulation::new(&world, Options { seed: 1, threads: 1 })?;
/// let mut observers = Observers::new(&world, &simulation)?;
/// simulation.start()?;
/// let mut stop = observers.start(&simulation, Some("out".as_ref()))?;
/// if stop.is_none() {
///     stop = observers.run(&mut simulation, 1000)?;
/// }
/// for file in observers.end(&simulation, &stop.map_or(RunEnding::Duration, RunEnding::Stop)) {
///     println!("{}", file.display());
/// }
/// # Ok(())
/// # }
/// ```
pub struct Observers {
    watchers: Vec<Watcher>,
    /// Absolute path of the folder for files.
    folder: Option<PathBuf>,
    faults: Vec<FaultReport>,
    /// Files that replaced observers have written.
    files: Vec<PathBuf>,
}

/// The request of an observer to end the run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stop {
    /// Name of the observer.
    pub observer: String,
    /// Reason of the observer.
    pub reason: String,
}

impl std::fmt::Display for Stop {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "observer '{}': {}", self.observer, self.reason)
    }
}

/// The end of a run, as observers learn it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RunEnding {
    /// The duration is over.
    Duration,
    /// An observer has asked for it.
    Stop(Stop),
    /// A step failed, for this reason. The state after it is not complete.
    Fault(String),
    /// The user has interrupted the run.
    Interrupt,
}

impl RunEnding {
    /// Returns the reason as one of [`end_reason`], and in words.
    fn parts(&self) -> (u32, String) {
        match self {
            Self::Duration => (end_reason::DURATION, String::new()),
            Self::Stop(stop) => (end_reason::STOP, stop.to_string()),
            Self::Fault(text) => (end_reason::FAULT, text.clone()),
            Self::Interrupt => (end_reason::INTERRUPT, "interrupted".to_owned()),
        }
    }
}

impl Observers {
    /// Creates the observers of a world and selects their quantities. `world` is the description from
    /// which `simulation` was built.
    ///
    /// # Errors
    /// [`ObserverError`] if an observer rejects its parameters, fails, or selects a quantity that the
    /// world does not have.
    pub fn new(world: &World, simulation: &Simulation) -> Result<Self, ObserverError> {
        let new = |wanted| Watcher::new(wanted, world, simulation);
        let watchers = world.observers.iter().map(new).collect::<Result<_, _>>()?;
        Ok(Self { watchers, folder: None, faults: Vec::new(), files: Vec::new() })
    }

    /// Returns whether the world has no observers.
    pub fn is_empty(&self) -> bool {
        self.watchers.is_empty()
    }

    /// Returns whether there is an observer that can end the run, and has not failed.
    pub fn can_stop(&self) -> bool {
        self.watchers.iter().any(Watcher::can_stop)
    }

    /// Begins the run and takes the first sample. Call after [`Simulation::start`], or after a snapshot
    /// was restored. `folder` is the folder for the files of observers; without one, they write none.
    ///
    /// # Errors
    /// [`ObserverError`] if the folder cannot be created, or if an observer fails.
    pub fn start(
        &mut self,
        simulation: &Simulation,
        folder: Option<&Path>,
    ) -> Result<Option<Stop>, ObserverError> {
        if self.is_empty() {
            return Ok(None);
        }
        self.folder = folder.map(error::usable_folder).transpose()?;
        for watcher in &mut self.watchers {
            watcher.start(simulation, self.folder.as_deref())?;
        }
        Ok(self.sample(simulation, |_| true))
    }

    /// Returns the number of steps, at least 1, after which the next sample is due; `u64::MAX` if none
    /// will be.
    pub fn steps_to_sample(&self, clock: Clock) -> u64 {
        let steps = self.watchers.iter().map(|watcher| watcher.steps_to_sample(clock));
        steps.min().unwrap_or(u64::MAX)
    }

    /// Takes the samples that are due after a step. All observers take theirs; the first one in the
    /// order of the world file that asks for the end of the run is returned.
    pub fn observe(&mut self, simulation: &Simulation) -> Option<Stop> {
        if self.is_empty() {
            return None;
        }
        let clock = simulation.clock();
        self.sample(simulation, |watcher| watcher.is_due(clock))
    }

    fn sample(
        &mut self,
        simulation: &Simulation,
        mut is_due: impl FnMut(&mut Watcher) -> bool,
    ) -> Option<Stop> {
        let mut first = None;
        for watcher in &mut self.watchers {
            if !is_due(watcher) {
                continue;
            }
            match watcher.sample(simulation) {
                Ok(None) => {}
                Ok(Some(reason)) => {
                    let observer = watcher.name().to_owned();
                    first.get_or_insert(Stop { observer, reason });
                }
                Err(fault) => self.faults.push(*fault),
            }
        }
        first
    }

    /// Ends the run of all observers, and returns the paths of the files that they have written.
    pub fn end(&mut self, simulation: &Simulation, ending: &RunEnding) -> Vec<PathBuf> {
        let (reason, text) = ending.parts();
        let mut files = std::mem::take(&mut self.files);
        for watcher in &mut self.watchers {
            let (written, fault) = watcher.end(simulation, reason, &text, self.folder.as_deref());
            self.faults.extend(fault);
            for path in written {
                if files.contains(&path) {
                    self.faults.push(watcher.overwrites(&path));
                } else {
                    files.push(path);
                }
            }
        }
        files
    }

    /// Returns the faults of observers, after which the run has continued without them.
    pub fn faults(&self) -> &[FaultReport] {
        &self.faults
    }

    /// Continues with a simulation of the same world whose models have been replaced. Observers that
    /// have been replaced end, and the new ones begin.
    ///
    /// # Errors
    /// As for [`Self::new`] and [`Self::start`]; the observers then do not change, but some new ones may
    /// have begun.
    pub fn rebind(&mut self, world: &World, simulation: &Simulation) -> Result<(), ObserverError> {
        let mut next = Self::new(world, simulation)?;
        let begun = self.watchers.iter().any(Watcher::is_running);
        for watcher in &mut next.watchers {
            let is_kept = self.watchers.iter().any(|old| watcher.continues(old));
            if begun && !is_kept {
                watcher.start(simulation, self.folder.as_deref())?;
            }
        }
        for watcher in &mut next.watchers {
            if let Some(old) = self.watchers.iter_mut().find(|old| watcher.continues(old)) {
                watcher.take_over(old);
            }
        }
        for watcher in &mut self.watchers {
            let (written, fault) = watcher.end(
                simulation,
                end_reason::REPLACED,
                "the plugin was rebuilt",
                self.folder.as_deref(),
            );
            self.files.extend(written);
            self.faults.extend(fault);
        }
        self.watchers = next.watchers;
        Ok(())
    }

    /// Advances the world by `steps` steps with its observers, or until one of them asks for the end of
    /// the run. Call [`Self::start`] before.
    ///
    /// # Errors
    /// As for [`Simulation::step`].
    pub fn run(
        &mut self,
        simulation: &mut Simulation,
        steps: u64,
    ) -> Result<Option<Stop>, StepError> {
        let end = simulation.clock().steps + steps;
        while simulation.clock().steps < end {
            let left = end - simulation.clock().steps;
            simulation.run(self.steps_to_sample(simulation.clock()).min(left))?;
            if let Some(stop) = self.observe(simulation) {
                return Ok(Some(stop));
            }
        }
        Ok(None)
    }
}

#[cfg(test)]
mod tests {
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
        let catalogue =
            Catalogue::collect(simhost_registry::Options::default()).expect("built-ins");
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
}
