//! Carrying out inputs.

use std::path::PathBuf;

use simhost_engine::{FaultEntry, Simulation, TimedCommand};
use simhost_streams::{Input, InputError};
use simhost_world::FaultSeverity;

use super::Session;
use crate::error::Error;

impl Session {
    /// Adds an input that acts when `step` steps are complete. Planned inputs act in the order of these
    /// calls, before those that arrive during the run.
    ///
    /// # Errors
    /// [`Error::Input`] as [`Inputs::send`](crate::Inputs::send).
    pub fn plan(&mut self, step: u64, input: Input) -> Result<(), Error> {
        let is_edit = matches!(
            input,
            Input::Pose { .. }
                | Input::Parameter { .. }
                | Input::Add { .. }
                | Input::Remove { .. }
                | Input::Command { .. }
        );
        // inputs that act before can change what this one names
        let is_later = is_edit && self.planned.iter().any(|(_, input)| changes_names(input));
        if !is_later {
            self.inputs.check(&input)?;
        }
        self.planned.push_back((step, input));
        Ok(())
    }

    /// Adds the inputs of a recorded run with their numbers of completed steps. Each acts after the one
    /// before it, and is checked when it acts: it can name an entity that another one adds. Snapshots to
    /// which they return are in `folder`.
    pub fn plan_recorded(
        &mut self,
        inputs: impl IntoIterator<Item = (u64, Input)>,
        folder: impl Into<PathBuf>,
    ) {
        self.planned.extend(inputs);
        self.snapshot_folder = folder.into();
    }

    /// Returns whether planned inputs have not acted yet.
    pub fn has_planned(&self) -> bool {
        !self.planned.is_empty()
    }

    /// Returns the planned inputs that have not acted yet, in their order.
    pub fn planned(&self) -> impl Iterator<Item = &Input> {
        self.planned.iter().map(|(_, input)| input)
    }

    /// Returns the number of completed steps at which the next planned input acts.
    pub fn next_planned(&self) -> Option<u64> {
        self.planned.front().map(|(step, _)| *step)
    }

    /// Returns the number of steps up to the next planned input, `u64::MAX` if there is none.
    pub(super) fn steps_to_input(&self) -> u64 {
        self.next_planned().map_or(u64::MAX, |step| step.saturating_sub(self.steps()))
    }

    /// Logs and carries out the inputs that are planned for now or have arrived, in their order.
    pub(super) fn apply_inputs(&mut self) -> Result<(), Error> {
        self.apply_planned()?;
        for input in self.inputs.take() {
            self.log_and_try(input)?;
        }
        Ok(())
    }

    /// Logs and carries out the inputs that are planned for now.
    pub(super) fn apply_planned(&mut self) -> Result<(), Error> {
        while self.steps_to_input() == 0 {
            let Some((_, input)) = self.planned.pop_front() else { break };
            match input {
                // a restored snapshot is logged with its file
                Input::Restore { state, file } => self.restore_file(&state, &file)?,
                input => self.log_and_try(input)?,
            }
        }
        Ok(())
    }

    /// Logs an input and carries it out, if that is still possible.
    fn log_and_try(&mut self, input: Input) -> Result<(), Error> {
        match self.log_and_apply(input) {
            Err(
                error @ (Error::Input(_)
                | Error::Load(_)
                | Error::Build { .. }
                | Error::TakeOver(_)
                | Error::NoTree
                | Error::Forgotten),
            ) => {
                self.refused.push((self.steps(), error.to_string()));
                Ok(())
            }
            result => result,
        }
    }

    pub(super) fn log_and_apply(&mut self, input: Input) -> Result<(), Error> {
        if let Some(log) = &mut self.log {
            log.append(self.simulation.clock().steps, self.sequence, &input)?;
        }
        self.record_input(&input)?;
        self.log_input(&input);
        self.sequence += 1;
        self.apply(input)
    }

    fn apply(&mut self, input: Input) -> Result<(), Error> {
        match input {
            Input::Command { vehicle, kind, values } => self.command(vehicle, kind, values),
            Input::Pause => self.control.pause(),
            Input::Resume => self.resume(),
            Input::Step { steps } => self.control.step(steps),
            Input::Pace { factor } => self.pacer.set_factor(factor),
            Input::Stop => self.control.stop(),
            Input::AddFault { vehicle, sensor, severity, code, text } => {
                if let Some(severity) = FaultSeverity::from_name(&severity) {
                    let time = self.simulation.clock().time();
                    let entry = FaultEntry { sensor, severity, code, time, text };
                    self.with_number(&vehicle, |simulation, number| {
                        simulation.add_fault_entry(number, entry);
                    });
                }
            }
            Input::ClearFaults { vehicle } => {
                self.with_number(&vehicle, Simulation::clear_fault_memory);
            }
            Input::Recording { vehicle, action } => self.switch_recording(&vehicle, action),
            Input::Reset { seed } => self.reset_now(seed)?,
            Input::Pose { entity, pose } => {
                self.simulation.set_pose(&entity, pose).map_err(|error| InputError::Value {
                    name: "the entity of a pose".to_owned(),
                    found: error.to_string(),
                    expected: "a vehicle or a block that moves".to_owned(),
                })?;
            }
            edit @ (Input::Parameter { .. } | Input::Add { .. } | Input::Remove { .. }) => {
                self.edit(&edit)?;
            }
            // [`Session::restore`] logs and carries out those
            Input::Restore { .. } => {}
        }
        Ok(())
    }

    /// Calls `act` with the number of a vehicle, if the world still has it.
    fn with_number(&mut self, vehicle: &str, act: impl FnOnce(&mut Simulation, usize)) {
        let number = self.simulation.vehicle_names().iter().position(|name| name == vehicle);
        if let Some(number) = number {
            act(&mut self.simulation, number);
        }
    }

    fn resume(&mut self) {
        self.control.resume();
        self.pacer.restart();
    }

    fn command(&mut self, vehicle: String, kind: String, values: Vec<f64>) {
        let time = self.simulation.clock().time();
        // a vehicle can have been removed, and a recorded command can have been edited
        let _ = self.simulation.command(&TimedCommand { time, vehicle, kind, values });
    }
}

/// Returns whether inputs that follow can name something else because of this one.
fn changes_names(input: &Input) -> bool {
    matches!(
        input,
        Input::Add { .. } | Input::Remove { .. } | Input::Reset { .. } | Input::Restore { .. }
    )
}
