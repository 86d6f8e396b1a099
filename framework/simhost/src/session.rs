//! Sessions.

mod clock;
mod commands;
mod control;
mod edits;
mod events;
mod feed;
mod logs;
mod open;
mod record;
mod recording;
mod reload;
mod repeat;
mod run;
mod running;
mod sinks;
mod state;
mod tap;

use std::collections::VecDeque;
use std::sync::Arc;

use std::path::PathBuf;

use simhost_engine::{Observers, Simulation, TimedCommand};
use simhost_registry::Catalogue;
use simhost_streams::Input;
use simhost_world::Sources;

use crate::bus::Bus;
use crate::description::Description;
use crate::error::{Error, HookError};
use crate::gpu::Gpu;
use crate::hooks::{Active, Context, Hooks};
use crate::inputs::{InputLog, Inputs, unknown};
use crate::options::Options;
use crate::pace::Pacer;
use crate::streams::Reads;
use crate::tables::SessionTables;
use crate::time::Time;
use crate::vehicle::Vehicle;

use control::Control;
use recording::Recording;
use tap::Tap;

pub use control::WhenPaused;
pub use run::{Ended, Flow};
pub use running::Running;

/// One simulation with its inputs and streams.
///
/// Sessions are independent of each other: several of them can run in one process and on several threads.
pub struct Session {
    simulation: Simulation,
    /// Description of the world, unless it has been forgotten.
    description: Option<Description>,
    catalogue: Catalogue,
    options: Options,
    /// Seed of all random numbers.
    seed: u64,
    /// Duration of the world, s.
    duration: Option<f64>,
    inputs: Inputs,
    /// Inputs that act when a number of steps is complete.
    planned: VecDeque<(u64, Input)>,
    /// Commands of a file with their times, to record them.
    commands: Vec<TimedCommand>,
    /// Number of times that the simulation has been built again.
    revision: u64,
    /// Files that the world refers to.
    files: Vec<PathBuf>,
    /// Record in the output folder.
    record: Recording,
    /// Tables in the output folder.
    tables: Option<Box<SessionTables>>,
    /// Folder with the snapshots that planned inputs name.
    snapshot_folder: PathBuf,
    /// Takes each input before it acts.
    log: Option<Box<dyn InputLog>>,
    /// Number of inputs that have acted.
    sequence: u64,
    control: Control,
    pacer: Pacer,
    /// Number of faults of models in the log.
    logged_faults: usize,
    hooks: Hooks,
    /// Hooks that take part in the present step.
    active: Active,
    bus: Bus,
    observers: Observers,
    /// Whether the session has been finished since its last run.
    is_finished: bool,
    /// Texts of the world for errors of its observers, once its description has been dropped.
    observer_sources: Option<Arc<Sources>>,
    /// Whether the simulation has measured before the first step, or has been restored.
    is_measured: bool,
    /// Whether energy books are kept.
    keeps_books: bool,
    /// Whether the observers and the sinks have begun.
    is_begun: bool,
    taps: Vec<Tap>,
    /// Streams that are read on request.
    reads: Reads,
    /// Inputs that were accepted on arrival and could not be carried out, with the number of completed
    /// steps.
    refused: Vec<(u64, String)>,
}

impl Session {
    /// Returns the catalogue of models, to open further sessions with it.
    pub fn catalogue(&self) -> &Catalogue {
        &self.catalogue
    }

    /// Returns the simulation, to read its state. Everything that changes it goes through inputs.
    pub fn simulation(&self) -> &Simulation {
        &self.simulation
    }

    /// Returns the observers of the world.
    pub fn observers(&self) -> &Observers {
        &self.observers
    }

    /// Returns the GPU that casts the rays of sensors in space.
    pub fn gpu(&self) -> &Gpu {
        &self.options.gpu
    }

    /// Returns the seed of all random numbers.
    pub fn seed(&self) -> u64 {
        self.seed
    }

    /// Returns a sender of inputs, for any thread.
    pub fn inputs(&self) -> Inputs {
        self.inputs.clone()
    }

    /// Returns the hooks, to add and remove some at any time.
    pub fn hooks(&self) -> Hooks {
        self.hooks.clone()
    }

    /// Returns the channels for messages between user code.
    pub fn bus(&self) -> Bus {
        self.bus.clone()
    }

    /// Calls the hooks that take part in the present step.
    fn call_hooks(
        &mut self,
        call: impl FnOnce(&mut Active, &Context<'_>) -> Result<(), HookError>,
    ) -> Result<(), Error> {
        let Self { simulation, inputs, bus, hooks, active, .. } = self;
        let context = Context { simulation, inputs, bus, hooks };
        call(active, &context).map_err(|source| Error::Hook { source })
    }

    /// Returns a vehicle.
    ///
    /// # Errors
    /// [`Error::Input`] with the nearest name if there is no such vehicle.
    pub fn vehicle(&self, name: &str) -> Result<Vehicle, Error> {
        let names = self.simulation.vehicle_names();
        if !names.iter().any(|known| known == name) {
            return Err(unknown("vehicle", name, names.iter().map(String::as_str)).into());
        }
        Ok(Vehicle { name: name.to_owned(), inputs: self.inputs() })
    }

    /// Returns the simulated time.
    pub fn time(&self) -> Time {
        Time(self.simulation.clock().time())
    }

    /// Returns the number of completed steps.
    pub fn steps(&self) -> u64 {
        self.simulation.clock().steps
    }

    /// Keeps energy books from the first step on, or from now on. They cost some time.
    pub fn keep_energy_books(&mut self) {
        self.simulation.keep_energy_books();
        self.keeps_books = true;
    }

    /// Returns the inputs that were accepted on arrival and could not be carried out, because another input
    /// came first: the number of completed steps, and the reason.
    pub fn refused_inputs(&self) -> &[(u64, String)] {
        &self.refused
    }

    /// Gives each input to `log` before it acts.
    pub fn set_input_log(&mut self, log: Box<dyn InputLog>) {
        self.log = Some(log);
    }
}

impl Drop for Session {
    /// Ends the session as [`Session::finish`] does, if that has not been called. Errors are lost.
    fn drop(&mut self) {
        if !std::thread::panicking() {
            drop(self.finish());
        }
        self.inputs.end();
    }
}

#[cfg(test)]
mod tests {
    use super::Session;

    #[test]
    fn sessions_can_be_sent_to_another_thread() {
        fn is_send<T: Send>() {}
        is_send::<Session>();
    }
}
