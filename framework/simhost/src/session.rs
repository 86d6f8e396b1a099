//! Sessions.

mod clock;
mod control;
mod editable_world;
mod edits;
mod events;
mod feed;
mod intake;
mod open;
mod outputs;
mod record;
mod reload;
mod repeat;
mod run;
mod running;
mod session_record;
mod sinks;
mod state;
mod tap;

use simhost_engine::{Observers, Simulation};
use simhost_registry::Catalogue;

use crate::bus::Bus;
use crate::error::{Error, HookError};
use crate::gpu::Gpu;
use crate::hooks::{Active, Context, Hooks};
use crate::inputs::{InputLog, Inputs, unknown};
use crate::pace::Pacer;
use crate::time::Time;
use crate::vehicle::Vehicle;

use control::Control;
use editable_world::EditableWorld;
use intake::Intake;
use outputs::Outputs;
use session_record::SessionRecord;

pub use control::WhenPaused;
pub use run::{Ended, Flow};
pub use running::Running;

/// One simulation with its inputs and streams.
///
/// Sessions are independent of each other: several of them can run in one process and on several threads.
pub struct Session {
    /// The world and its edits.
    world: EditableWorld,
    /// The inputs.
    intake: Intake,
    /// Sinks and observers.
    outputs: Outputs,
    /// Record and tables in the output folder.
    record: SessionRecord,
    /// Duration of the world, s.
    duration: Option<f64>,
    control: Control,
    pacer: Pacer,
    /// Number of faults of models in the log.
    logged_faults: usize,
    hooks: Hooks,
    /// Hooks that take part in the present step.
    active: Active,
    bus: Bus,
    /// Whether the session has been finished since its last run.
    is_finished: bool,
}

impl Session {
    /// Returns the catalogue of models, to open further sessions with it.
    pub fn catalogue(&self) -> &Catalogue {
        &self.world.catalogue
    }

    /// Returns the simulation, to read its state. Everything that changes it goes through inputs.
    pub fn simulation(&self) -> &Simulation {
        &self.world.simulation
    }

    /// Returns the observers of the world.
    pub fn observers(&self) -> &Observers {
        &self.outputs.observers
    }

    /// Returns the GPU that casts the rays of sensors in space.
    pub fn gpu(&self) -> &Gpu {
        &self.world.options.gpu
    }

    /// Returns the seed of all random numbers.
    pub fn seed(&self) -> u64 {
        self.world.seed
    }

    /// Returns a sender of inputs, for any thread.
    pub fn inputs(&self) -> Inputs {
        self.intake.sender.clone()
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
        let Self { world, intake, bus, hooks, active, .. } = self;
        let context = Context { simulation: &world.simulation, inputs: &intake.sender, bus, hooks };
        call(active, &context).map_err(|source| Error::Hook { source })
    }

    /// Returns a vehicle.
    ///
    /// # Errors
    /// [`Error::Input`] with the nearest name if there is no such vehicle.
    pub fn vehicle(&self, name: &str) -> Result<Vehicle, Error> {
        let names = self.world.simulation.vehicle_names();
        if !names.iter().any(|known| known == name) {
            return Err(unknown("vehicle", name, names.iter().map(String::as_str)).into());
        }
        Ok(Vehicle { name: name.to_owned(), inputs: self.inputs() })
    }

    /// Returns the simulated time.
    pub fn time(&self) -> Time {
        Time(self.world.simulation.clock().time())
    }

    /// Returns the number of completed steps.
    pub fn steps(&self) -> u64 {
        self.world.steps()
    }

    /// Keeps energy books from the first step on, or from now on. They cost some time.
    pub fn keep_energy_books(&mut self) {
        self.world.simulation.keep_energy_books();
        self.world.keeps_books = true;
    }

    /// Returns the inputs that were accepted on arrival and could not be carried out, because another input
    /// came first: the number of completed steps, and the reason.
    pub fn refused_inputs(&self) -> &[(u64, String)] {
        self.intake.refused()
    }

    /// Gives each input to `log` before it acts.
    pub fn set_input_log(&mut self, log: Box<dyn InputLog>) {
        self.intake.set_log(log);
    }
}

impl Drop for Session {
    /// Ends the session as [`Session::finish`] does, if that has not been called. Errors are lost.
    fn drop(&mut self) {
        if !std::thread::panicking() {
            drop(self.finish());
        }
        self.intake.sender.end();
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
