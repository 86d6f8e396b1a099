//! Carrying out inputs.

use simhost_engine::{FaultEntry, Simulation, TimedCommand};
use simhost_streams::{Input, InputError};
use simhost_world::FaultSeverity;

use super::Session;
use crate::error::Error;
use crate::inputs::PreparedInput;

impl Session {
    /// Logs and carries out the inputs that are planned for now or have arrived, in their order.
    pub(super) fn apply_inputs(&mut self) -> Result<(), Error> {
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

    /// Logs and carries out the inputs that are planned for now.
    pub(super) fn apply_planned(&mut self) -> Result<(), Error> {
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

    pub(super) fn log_and_apply(&mut self, prepared: PreparedInput) -> Result<(), Error> {
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
            Input::Command { vehicle, kind, values } => self.command(vehicle, kind, values),
            Input::Pause => self.control.pause(),
            Input::Resume => self.resume(),
            Input::Step { steps } => self.control.step(steps),
            Input::Pace { factor } => self.pacer.set_factor(factor),
            Input::Stop => self.control.stop(),
            Input::AddFault { vehicle, sensor, severity, code, text } => {
                if let Some(severity) = FaultSeverity::from_name(&severity) {
                    let time = self.world.simulation.clock().time();
                    let entry = FaultEntry { sensor, severity, code, time, text };
                    self.with_number(&vehicle, |simulation, number| {
                        simulation.add_fault_entry(number, entry);
                    });
                }
            }
            Input::ClearFaults { vehicle } => {
                self.with_number(&vehicle, Simulation::clear_fault_memory);
            }
            Input::Recording { vehicle, action } => self.outputs.switch_recording(&vehicle, action),
            Input::Reset { seed } => self.reset_now(seed)?,
            Input::Pose { entity, pose } => {
                self.world.simulation.set_pose(&entity, pose).map_err(|error| {
                    InputError::Value {
                        name: "the entity of a pose".to_owned(),
                        found: error.to_string(),
                        expected: "a vehicle or a block that moves".to_owned(),
                    }
                })?;
            }
            edit @ (Input::Parameter { .. } | Input::Add { .. } | Input::Remove { .. }) => {
                self.edit_world(&edit, next)?;
            }
            // [`Session::restore`] logs and carries out those
            Input::Restore { .. } => {}
        }
        Ok(())
    }

    /// Calls `act` with the number of a vehicle, if the world still has it.
    fn with_number(&mut self, vehicle: &str, act: impl FnOnce(&mut Simulation, usize)) {
        let number = self.world.simulation.vehicle_names().iter().position(|name| name == vehicle);
        if let Some(number) = number {
            act(&mut self.world.simulation, number);
        }
    }

    fn resume(&mut self) {
        self.control.resume();
        self.pacer.restart();
    }

    fn command(&mut self, vehicle: String, kind: String, values: Vec<f64>) {
        let time = self.world.simulation.clock().time();
        // a vehicle can have been removed, and a recorded command can have been edited
        let _ = self.world.simulation.command(&TimedCommand { time, vehicle, kind, values });
    }
}
