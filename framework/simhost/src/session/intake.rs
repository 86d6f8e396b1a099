//! The inputs of a session: those that arrive, those that are planned, and commands whose times are known.

use std::collections::VecDeque;
use std::path::{Path, PathBuf};

use simhost_engine::{Clock, Simulation, Snapshot, TimedCommand};
use simhost_streams::Input;

use crate::error::Error;
use crate::inputs::{InputLog, Inputs};

use super::time_out::TimeOut;

/// The inputs of a session: those that arrive, those that are planned, and commands whose times are known.
pub struct Intake {
    /// Sends inputs, from any thread.
    pub(super) sender: Inputs,
    /// Inputs that act when a number of steps is complete.
    planned: VecDeque<(u64, Input)>,
    /// Commands whose times are known, to record them and to repeat them in a simulation that is built again.
    commands: Vec<TimedCommand>,
    /// Folder with the snapshots that planned inputs name.
    snapshot_folder: PathBuf,
    /// Stops vehicles whose drivers fall silent.
    pub(super) time_out: TimeOut,
    /// Takes each input before it acts.
    log: Option<Box<dyn InputLog>>,
    /// Number of inputs that have acted.
    sequence: u64,
    /// Inputs that were accepted on arrival and could not be applied, with the number of completed
    /// steps.
    refused: Vec<(u64, String)>,
}

impl Intake {
    pub(super) fn new(sender: Inputs, time_out: Option<f64>) -> Self {
        Self {
            sender,
            planned: VecDeque::new(),
            commands: Vec::new(),
            snapshot_folder: PathBuf::new(),
            time_out: TimeOut::new(time_out),
            log: None,
            sequence: 0,
            refused: Vec::new(),
        }
    }

    /// Adds an input that acts when `step` steps are complete. Planned inputs act in the order of these
    /// calls, before those that arrive during the run.
    ///
    /// # Errors
    /// [`Error::Input`] as [`Inputs::send`].
    pub fn plan(&mut self, step: u64, input: Input) -> Result<(), Error> {
        let is_edit = matches!(
            input,
            Input::Pose { .. }
                | Input::Velocity { .. }
                | Input::Parameter { .. }
                | Input::Add { .. }
                | Input::Remove { .. }
                | Input::Command { .. }
        );
        // inputs that act before can change what this one names
        let is_later = is_edit && self.planned.iter().any(|(_, input)| changes_names(input));
        if !is_later {
            self.sender.check(&input)?;
        }
        self.planned.push_back((step, input));
        Ok(())
    }

    /// Adds the inputs of a recorded run with their numbers of completed steps. Each acts after the one
    /// before it, and is checked when it acts: it can name an entity that another one adds. Snapshots to
    /// which they return are in `folder`.
    pub(super) fn plan_recorded(
        &mut self,
        inputs: impl IntoIterator<Item = (u64, Input)>,
        folder: impl Into<PathBuf>,
    ) {
        self.planned.extend(inputs);
        self.snapshot_folder = folder.into();
    }

    /// Returns the planned inputs that have not acted yet, in their order, each with the number of completed steps
    /// at which it acts.
    pub fn planned(&self) -> impl ExactSizeIterator<Item = &(u64, Input)> {
        self.planned.iter()
    }

    /// Returns the number of completed steps at which the next planned input acts.
    pub fn next_planned(&self) -> Option<u64> {
        self.planned.front().map(|(step, _)| *step)
    }

    /// Returns the number of steps up to the next planned input, or the next command of a time-out, after `step` completed steps, `u64::MAX` if
    /// there is none.
    pub(super) fn steps_to_planned(&self, step: u64) -> u64 {
        let next = self.next_planned().into_iter().chain(self.time_out.next()).min();
        next.map_or(u64::MAX, |next| next.saturating_sub(step))
    }

    /// Takes the next planned input that acts after `step` completed steps.
    pub(super) fn take_planned(&mut self, step: u64) -> Option<Input> {
        let is_due = self.next_planned().is_some_and(|next| next <= step);
        let input = is_due.then(|| self.planned.pop_front())?;
        input.map(|(_, input)| input)
    }

    /// Returns the folder with the snapshots that planned inputs name.
    pub(super) fn snapshot_folder(&self) -> &Path {
        &self.snapshot_folder
    }

    /// Gives each input to `log` before it acts.
    pub fn set_log(&mut self, log: Box<dyn InputLog>) {
        self.log = Some(log);
    }

    /// Returns the number of inputs that have acted.
    pub(super) fn sequence(&self) -> u64 {
        self.sequence
    }

    /// Writes an input that acts after `step` completed steps to the log.
    pub(super) fn append_to_log(&mut self, step: u64, input: &Input) -> Result<(), Error> {
        match &mut self.log {
            Some(log) => Ok(log.append(step, self.sequence, input)?),
            None => Ok(()),
        }
    }

    /// Writes the return to a snapshot after `step` completed steps to the log.
    pub(super) fn append_restore_to_log(
        &mut self,
        step: u64,
        snapshot: &Snapshot,
    ) -> Result<(), Error> {
        if let Some(log) = &mut self.log {
            let file = log.keep(snapshot)?;
            let input = Input::Restore { state: format!("{:032x}", snapshot.state_hash()), file };
            log.append(step, self.sequence, &input)?;
        }
        Ok(())
    }

    /// Counts an input that acts.
    pub(super) fn count(&mut self) {
        self.sequence += 1;
    }

    /// Notes that an input could not be applied after `step` completed steps.
    pub(super) fn refuse(&mut self, step: u64, error: &Error) {
        self.refused.push((step, error.to_string()));
    }

    /// Returns the inputs that were accepted on arrival and could not be applied, because another
    /// input came first: the number of completed steps, and the reason.
    pub fn refused(&self) -> &[(u64, String)] {
        &self.refused
    }

    /// Gives commands to a simulation, sorted by time.
    ///
    /// # Errors
    /// [`Error::Input`] or [`Error::Commands`] if a command does not fit its vehicle, or they are not sorted.
    pub(super) fn set_commands(
        &mut self,
        commands: Vec<TimedCommand>,
        simulation: &mut Simulation,
    ) -> Result<(), Error> {
        if let Err(error) = simulation.set_commands(&commands) {
            // inputs know the nearest names
            let misfit = commands.iter().filter(|_| error.is_misfit());
            misfit.map(as_input).try_for_each(|input| self.sender.check(&input))?;
            return Err(error.into());
        }
        self.commands = commands;
        Ok(())
    }

    /// Returns the commands whose times are known.
    pub(super) fn commands(&self) -> &[TimedCommand] {
        &self.commands
    }

    /// Drops the commands, if nothing records them and the simulation is not built again.
    pub(super) fn forget_commands(&mut self) {
        self.commands = Vec::new();
    }

    /// Gives the commands to a simulation that has been built again. Those for vehicles that have been
    /// removed are left out.
    pub(super) fn repeat_commands(&self, simulation: &mut Simulation) {
        if !self.commands.is_empty() {
            let set = simulation.set_fitting_commands(&self.commands);
            set.expect("sorted commands of finite numbers");
        }
    }

    /// Returns the commands that act on the next `steps` steps as inputs, with the number of steps that are
    /// complete before.
    pub(super) fn due_commands(
        &self,
        clock: Clock,
        steps: u64,
    ) -> impl Iterator<Item = (u64, Input)> {
        let time = move |steps: u64| Clock { steps, ..clock }.time();
        let is_done =
            |command: &TimedCommand| clock.steps > 0 && command.is_due(time(clock.steps - 1));
        let first = self.commands.partition_point(is_done);
        let (mut step, end) = (clock.steps, clock.steps + steps);
        self.commands[first..].iter().map_while(move |command| {
            while step < end && !command.is_due(time(step)) {
                step += 1;
            }
            (step < end).then(|| (step, as_input(command)))
        })
    }
}

/// Returns a command as an input that acts now.
fn as_input(command: &TimedCommand) -> Input {
    let TimedCommand { vehicle, kind, values, .. } = command.clone();
    Input::Command { vehicle, kind, values }
}

/// Returns whether inputs that follow can name something else because of this one.
fn changes_names(input: &Input) -> bool {
    matches!(
        input,
        Input::Add { .. } | Input::Remove { .. } | Input::Reset { .. } | Input::Restore { .. }
    )
}
