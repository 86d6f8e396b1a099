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
            let (written, fault) = watcher.end(simulation, (reason, &text), self.folder.as_deref());
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
        let replaced = (end_reason::REPLACED, "the plugin was rebuilt");
        for watcher in &mut self.watchers {
            let (written, fault) = watcher.end(simulation, replaced, self.folder.as_deref());
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
mod tests;
