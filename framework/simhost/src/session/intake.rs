//! The inputs of a session: those that arrive, those that are planned, and commands whose times are known.

use std::collections::VecDeque;
use std::path::{Path, PathBuf};

use simhost_engine::{Clock, Simulation, Snapshot, TimedCommand};
use simhost_streams::Input;

use crate::error::Error;
use crate::inputs::{InputLog, Inputs};

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

/// Kinds of commands that hold a velocity, with the number of the values, from the first on, that are 0 at a stop. An
/// Ackermann car keeps its steering angle.
const HELD: [(&str, usize); 2] = [("twist", usize::MAX), ("ackermann", 1)];

/// Stops vehicles that have got no command for a while.
#[derive(Debug, Default)]
pub(super) struct TimeOut {
    /// Simulated time after the last command, s; `None` for never.
    limit: Option<f64>,
    /// Commands that stop vehicles, with the numbers of completed steps at which they act; one per vehicle at most.
    stops: Vec<(u64, Input)>,
}

impl TimeOut {
    pub fn new(limit: Option<f64>) -> Self {
        Self { limit, stops: Vec::new() }
    }

    /// Notes an input that arrives when the clock shows a time.
    pub fn note(&mut self, input: &Input, clock: Clock) {
        let Some(limit) = self.limit else { return };
        let Input::Command { vehicle, kind, values } = input else { return };
        let is_own =
            |other: &Input| matches!(other, Input::Command { vehicle: own, .. } if own == vehicle);
        self.stops.retain(|(_, stop)| !is_own(stop));
        let Some((_, count)) = HELD.iter().find(|(held, _)| held == kind) else { return };
        if values.iter().take(*count).all(|value| *value == 0.0) {
            return;
        }
        let mut values = values.clone();
        values.iter_mut().take(*count).for_each(|value| *value = 0.0);
        let stop = Input::Command { vehicle: vehicle.clone(), kind: kind.clone(), values };
        let steps = (limit / clock.dt).ceil().max(1.0) as u64;
        self.stops.push((clock.steps.saturating_add(steps), stop));
    }

    /// Returns the number of completed steps at which the next vehicle stops.
    pub fn next(&self) -> Option<u64> {
        self.stops.iter().map(|(step, _)| *step).min()
    }

    /// Takes a command that is due after `step` completed steps, in the order in which the drivers fell silent.
    pub fn take(&mut self, step: u64) -> Option<Input> {
        let due = self.stops.iter().position(|(at, _)| *at <= step)?;
        Some(self.stops.remove(due).1)
    }

    /// Forgets all drivers, because time has gone back.
    pub fn clear(&mut self) {
        self.stops.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn command(vehicle: &str, kind: &str, values: &[f64]) -> Input {
        let (vehicle, kind) = (vehicle.to_owned(), kind.to_owned());
        Input::Command { vehicle, kind, values: values.to_vec() }
    }

    #[test]
    fn a_silent_driver_is_stopped_once() {
        let clock = |steps: u64| Clock { steps, dt: 0.01 };
        let mut time_out = TimeOut::new(Some(0.5));
        time_out.note(&command("a", "twist", &[1.0, 0.5]), clock(0));
        time_out.note(&command("b", "ackermann", &[2.0, 0.3]), clock(10));
        time_out.note(&command("c", "drive", &[1.0, 0.0]), clock(10));
        assert_eq!(time_out.next(), Some(50));
        time_out.note(&command("a", "twist", &[1.0, 0.5]), clock(20));
        assert_eq!((time_out.next(), time_out.take(59)), (Some(60), None));
        assert_eq!(time_out.take(60), Some(command("b", "ackermann", &[0.0, 0.3])));
        assert_eq!(time_out.take(70), Some(command("a", "twist", &[0.0, 0.0])));
        assert_eq!(time_out.next(), None);
        // one that stops by itself needs no help
        time_out.note(&command("a", "twist", &[0.0, 0.0]), clock(80));
        assert_eq!(time_out.next(), None);
        let mut off = TimeOut::new(None);
        off.note(&command("a", "twist", &[1.0, 0.0]), clock(0));
        assert_eq!(off.next(), None);
    }
}
