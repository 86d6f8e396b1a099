//! Carrying out inputs.

use simhost_streams::Input;

use super::Session;
use crate::error::Error;
use crate::inputs::PreparedInput;

impl Session {
    /// Logs and applies the inputs that are planned for now or have arrived, in order.
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

    /// Logs and applies the inputs that are planned for now.
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
    pub(super) fn log_and_try(&mut self, input: PreparedInput) -> Result<(), Error> {
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
}
