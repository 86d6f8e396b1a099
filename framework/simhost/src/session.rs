//! Sessions.

mod control;
mod editable_world;
mod edits;
mod events;
mod intake;
mod live_quantities;
mod members;
mod open;
mod outputs;
mod record;
mod run;
mod running;
mod state_inputs;
mod tap;

use std::path::PathBuf;
use std::sync::Arc;

use simhost_engine::{Capture, Fit, RunEnding, Simulation, Snapshot, UnknownCall};
use simhost_streams::{Input, Sink};

use crate::bus::Bus;
use crate::description::Description;
use crate::error::{Error, HookError};
use crate::hooks::{Active, Context, Hooks, Time};
use crate::inputs::{Inputs, PreparedInput, vehicle_number};
use crate::pace::Pacer;
use crate::records::Record;
use crate::streams::Selection;
use crate::vehicle::Vehicle;
use control::Control;
use record::Recording;

pub use control::{RunControl, StepsMade, WhenPaused};
pub use editable_world::EditableWorld;
pub use edits::Edits;
pub use intake::Intake;
pub use live_quantities::LiveQuantities;
pub use outputs::{Outputs, SinkId};
pub use record::SessionRecord;
pub use run::{Ended, Flow};
pub use running::Running;
pub(crate) use state_inputs::{carry_out, set_state};

/// One simulation that runs, with its inputs and outputs.
///
/// Its own methods open it, run it and return to snapshots. The rest is in a type for each purpose:
///
/// | Call | Purpose |
/// |---|---|
/// | [`Self::control`] | pauses, the end and the clock of runs |
/// | [`Self::world`] | the world with its edits: description, texts, models, streams |
/// | [`Self::edit`] | edits of the world, and everything else that is set between two runs |
/// | [`Self::intake`] | inputs that are planned, were refused or are logged |
/// | [`Self::outputs`] | sinks, observers and tables |
/// | [`Self::record`] | the record in the output folder, from which the session can be repeated |
///
/// Sessions are independent of each other: several of them can run in one process and on several threads.
pub struct Session {
    world: EditableWorld,
    intake: Intake,
    outputs: Outputs,
    record: Recording,
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
    /// Returns the simulation, to read its state. Everything that changes it goes through inputs.
    pub fn simulation(&self) -> &Simulation {
        &self.world.simulation
    }

    /// Returns the world with its edits.
    pub fn world(&self) -> &EditableWorld {
        &self.world
    }

    /// Returns access to pauses, the end and the clock of runs.
    pub fn control(&mut self) -> RunControl<'_> {
        let now = self.world.simulation.clock();
        RunControl { control: &mut self.control, pacer: &mut self.pacer, now }
    }

    /// Returns access to edits of the world, which act now.
    pub fn edit(&mut self) -> Edits<'_> {
        Edits { session: self }
    }

    /// Returns the inputs that are planned or were refused.
    pub fn intake(&self) -> &Intake {
        &self.intake
    }

    /// Returns the inputs, to plan and log some.
    pub fn intake_mut(&mut self) -> &mut Intake {
        &mut self.intake
    }

    /// Returns the outputs.
    pub fn outputs(&self) -> &Outputs {
        &self.outputs
    }

    /// Returns the outputs, to complete some.
    pub fn outputs_mut(&mut self) -> &mut Outputs {
        &mut self.outputs
    }

    /// Returns access to the record in the output folder.
    pub fn record(&mut self) -> SessionRecord<'_> {
        let Self { record, outputs, world, .. } = self;
        SessionRecord { recording: record, outputs, world }
    }

    /// Returns a sender of inputs, for any thread. It lists no input streams before [`Self::client_inputs`] has been
    /// called, because they take time and memory in proportion to the size of the world.
    pub fn inputs(&self) -> Inputs {
        self.intake.sender.clone()
    }

    /// Returns a sender of inputs for a server, whose clients see the input streams.
    ///
    /// # Errors
    /// [`Error::Forgotten`] if the description of the world has been dropped.
    pub fn client_inputs(&self) -> Result<Inputs, Error> {
        let sender = self.inputs();
        if !sender.has_streams() {
            let world = &self.world.described()?.world;
            sender.set_streams(crate::streams::inputs(world, &self.world.simulation));
        }
        Ok(sender)
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
        vehicle_number(self.world.simulation.vehicle_names(), name)?;
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

    /// Sends samples of the selected streams to a sink from now on, until [`Outputs::detach`] or the end of the session.
    ///
    /// # Errors
    /// [`Error::Sink`] if the sink cannot take them, [`Error::Input`] if a pattern selects no stream.
    pub fn attach(&mut self, sink: Box<dyn Sink>, selection: &Selection) -> Result<SinkId, Error> {
        self.outputs.attach(sink, selection, &mut self.world)
    }

    /// Returns a sample of a stream, taken now. Reading a stream again costs no search.
    ///
    /// # Errors
    /// [`Error::Input`] with the nearest name if there is no such stream, and [`Error::Type`] if its type
    /// is another one.
    pub fn latest<R: Record>(&mut self, stream: &str) -> Result<R, Error> {
        self.measure()?;
        self.outputs.latest(stream, &self.world)
    }

    /// Ends the run of the observers and completes the output of all sinks. Returns the paths of the
    /// files that were written. If no run has followed the last call, this does nothing.
    ///
    /// # Errors
    /// [`Error::Sink`] if the output of a sink cannot be completed; the others are completed nevertheless.
    pub fn finish(&mut self) -> Result<Vec<PathBuf>, Error> {
        self.finish_with(&RunEnding::Duration)
    }

    /// Does the same as [`Self::finish`], for a run that has ended as `ending` describes to observers.
    ///
    /// # Errors
    /// As [`Self::finish`].
    pub fn finish_with(&mut self, ending: &RunEnding) -> Result<Vec<PathBuf>, Error> {
        if std::mem::replace(&mut self.is_finished, true) {
            return Ok(Vec::new());
        }
        let _log = self.enter_log();
        self.call_hooks(|active, context| {
            active.end(context);
            Ok(())
        })?;
        let (mut files, failed) = self.outputs.finish(&self.world.simulation, ending);
        files.extend(self.record.finish(&self.world.simulation, ending, &files)?);
        self.log_finished(files.len());
        failed.map_or(Ok(files), Err)
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

impl Session {
    /// Logs and applies the inputs that are planned for now or have arrived, in order.
    fn apply_inputs(&mut self) -> Result<(), Error> {
        self.apply_planned()?;
        for input in self.intake.sender.take() {
            self.intake.time_out.note(&input.input, self.world.simulation.clock());
            self.log_and_try(input)?;
        }
        while let Some(stop) = self.intake.time_out.take(self.steps()) {
            self.log_and_try(stop.into())?;
        }
        Ok(())
    }

    /// Logs and applies the inputs that are planned for now.
    fn apply_planned(&mut self) -> Result<(), Error> {
        while let Some(input) = self.intake.take_planned(self.steps()) {
            match input {
                // a restored snapshot is logged with its file
                Input::Restore { state, file } => self.restore_file(&state, &file)?,
                input => self.log_and_try(input.into())?,
            }
        }
        Ok(())
    }

    /// Logs an input and carries it out, if that is still possible.
    fn log_and_try(&mut self, input: PreparedInput) -> Result<(), Error> {
        match self.log_and_apply(input) {
            Err(
                error @ (Error::Input(_)
                | Error::Load(_)
                | Error::Build { .. }
                | Error::TakeOver(_)
                | Error::NoTree
                | Error::Forgotten),
            ) => {
                self.intake.refuse(self.world.steps(), &error);
                Ok(())
            }
            result => result,
        }
    }

    fn log_and_apply(&mut self, prepared: PreparedInput) -> Result<(), Error> {
        let input = &prepared.input;
        self.intake.append_to_log(self.world.steps(), input)?;
        self.record().write_input(input)?;
        self.log_input(input);
        self.intake.count();
        self.apply(prepared)
    }

    fn apply(&mut self, mut prepared: PreparedInput) -> Result<(), Error> {
        let next = self.world.description.as_ref();
        let next = next.and_then(|before| prepared.take_edited(before));
        match prepared.input {
            Input::Pause => self.control.pause(),
            Input::Resume => self.resume(),
            Input::Step { steps } => self.control.step(steps),
            Input::Pace { factor } => self.pacer.set_factor(factor),
            Input::Stop => self.control.stop(),
            Input::Recording { vehicle, action } => self.outputs.switch_recording(&vehicle, action),
            Input::Reset { seed } => self.reset_now(seed)?,
            state @ (Input::Command { .. }
            | Input::Pose { .. }
            | Input::Velocity { .. }
            | Input::AddFault { .. }
            | Input::ClearFaults { .. }) => self.world.act(state)?,
            edit @ (Input::Parameter { .. } | Input::Add { .. } | Input::Remove { .. }) => {
                self.edit_world(&edit, next)?;
            }
            // [`Session::restore`] logs and carries out those
            Input::Restore { .. } => {}
        }
        Ok(())
    }

    fn resume(&mut self) {
        self.control.resume();
        self.pacer.restart();
    }

    /// Keeps the evidence of a call, see [`Simulation::capture`](simhost_engine::Simulation::capture).
    ///
    /// # Errors
    /// [`UnknownCall`] if no model has this phase.
    pub fn capture(&mut self, name: &str, time: f64) -> Result<Arc<Capture>, UnknownCall> {
        self.world.simulation.capture(name, time)
    }

    /// Takes a snapshot of the state after the completed steps.
    ///
    /// # Errors
    /// [`Error::Snapshot`] if a model fails to save its memory.
    pub fn snapshot(&mut self) -> Result<Snapshot, Error> {
        self.measure()?;
        Ok(self.world.simulation.snapshot()?)
    }

    /// Returns to a snapshot of the same world.
    ///
    /// # Errors
    /// [`Error::Restore`] if the snapshot does not fit; the session then does not change.
    pub fn restore(&mut self, snapshot: &Snapshot) -> Result<(), Error> {
        self.restore_with(snapshot, Fit::Exact)
    }

    /// Returns to a snapshot that agrees with the world to the degree that `fit` requires.
    ///
    /// # Errors
    /// As [`Self::restore`].
    pub fn restore_with(&mut self, snapshot: &Snapshot, fit: Fit) -> Result<(), Error> {
        let step = self.steps();
        let (simulation, description) = self.fitting(snapshot)?;
        match simulation {
            Some(mut simulation) => {
                simulation.restore(snapshot, fit)?;
                self.world.simulation = simulation;
            }
            None => self.world.simulation.restore(snapshot, fit)?,
        }
        if let Some(description) = description {
            self.outputs.rebind(&description, &self.world.simulation)?;
            self.replace_description(description);
        }
        self.intake.append_restore_to_log(step, snapshot)?;
        self.record().begin_from(true)?;
        self.record.add_restore(step, snapshot)?;
        self.intake.count();
        self.intake.time_out.clear();
        self.world.is_measured = true;
        self.world.early.clear();
        self.outputs.begin_again(&self.world)
    }

    /// Returns to the snapshot that a recorded input names.
    fn restore_file(&mut self, state: &str, file: &str) -> Result<(), Error> {
        let snapshot = crate::output::snapshot(self.intake.snapshot_folder(), file, state)?;
        // the recorded world names other paths than the original one
        self.restore_with(&snapshot, Fit::Slots)
    }

    /// Returns a simulation and a description with the changes of the world that a snapshot has, unless
    /// these are the present ones.
    fn fitting(
        &self,
        snapshot: &Snapshot,
    ) -> Result<(Option<Simulation>, Option<Description>), Error> {
        if snapshot.edits() == self.world.simulation.edits() {
            return Ok((None, None));
        }
        let description = self.world.described()?.with_edits(snapshot.edits())?;
        let simulation = self.world.build(&description)?;
        Ok((Some(simulation), Some(description)))
    }

    /// Returns to the start of the world as it was opened, with a seed for all random numbers.
    fn reset_now(&mut self, seed: u64) -> Result<(), Error> {
        let original = self.world.described()?.original();
        let before = std::mem::replace(&mut self.world.seed, seed);
        self.world.simulation = match self.world.build(&original) {
            Ok(simulation) => simulation,
            Err(error) => {
                self.world.seed = before;
                return Err(error);
            }
        };
        self.outputs.rebind(&original, &self.world.simulation)?;
        self.replace_description(original);
        self.intake.sender.set_seed(seed);
        self.intake.time_out.clear();
        self.world.is_measured = false;
        self.world.early.clear();
        self.active.reset();
        self.outputs.begin_again(&self.world)?;
        self.measure()
    }

    /// Returns a second session that continues from the present state, without the sinks, the log and the
    /// output folder of this one. The two share what never changes, such as walls, meshes and instances of models.
    ///
    /// # Errors
    /// [`Error`] if the state cannot be copied.
    pub fn fork(&mut self) -> Result<Self, Error> {
        self.measure()?;
        let mut fork = Self::of_world(self.world.duplicate()?)?;
        fork.edit().set_commands(self.intake.commands().to_vec())?;
        fork.intake.count();
        Ok(fork)
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
