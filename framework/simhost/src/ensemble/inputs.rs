//! Commands of all members.

use simhost_engine::{Patterns, Quantities, Variants};

use super::{Ensemble, check_length};
use crate::error::{EnsembleError, Error};
use crate::session::set_state;

impl Ensemble {
    /// Sets a command of all members, which acts from the next step on. `input` is an input stream such as
    /// `robot/cmd_vel`; `values` has one row per member, with the values of the command in its order and units.
    ///
    /// # Errors
    /// [`Error::Input`] with the nearest name if there is no such command; [`EnsembleError::Shape`] with the expected
    /// shape, and [`EnsembleError::NotFinite`] with member and index. Nothing then changes.
    pub fn set(&mut self, input: &str, values: &[f64]) -> Result<(), Error> {
        let command = self.checked_command(input, values)?;
        let command = &self.commands.found[command];
        self.members.command(command.number, &command.kind, values);
        command.send(&self.sessions, values)
    }

    /// Returns the index of a command among those that have been found, and checks its values.
    pub(super) fn checked_command(&mut self, input: &str, values: &[f64]) -> Result<usize, Error> {
        let place = self.commands.find(&self.session, input)?;
        let width = &self.commands.found[place].width;
        check_length(self.members(), format_args!("'{input}'"), values.len(), *width)?;
        // without a branch per number
        let is_finite = values.iter().fold(true, |all, value| all & value.is_finite());
        if !is_finite && let Some(at) = values.iter().position(|value| !value.is_finite()) {
            let (member, index) = (at / width, at % width);
            let what = format!("'{input}'");
            return Err(EnsembleError::NotFinite { what, member, index, found: values[at] }.into());
        }
        Ok(place)
    }

    /// Sets a state slot of a model or the spin of a wheel of all members, by the name of its quantity, as
    /// [`Edits::set_state`](crate::Edits::set_state) does. `values` has one number per member.
    ///
    /// # Errors
    /// [`Error::Quantity`] if there is no such quantity, [`EnsembleError::Shape`] with the expected shape, and
    /// [`Error::Input`] if it is not a state that can be set, or a value is not finite.
    pub fn set_state(&mut self, name: &str, values: &[f64]) -> Result<(), Error> {
        check_length(self.members(), format_args!("'{name}'"), values.len(), 1)?;
        let (world, pattern) = (self.session.description()?.world.clone(), Patterns::new([name]));
        let mut of_variant: Option<(usize, Quantities)> = None;
        for (member, value) in values.iter().enumerate() {
            if let Some(session) = self.sessions.get_mut(&member) {
                session.edit().set_state(name, *value)?;
                continue;
            }
            // the columns of a member are those of its variant
            let variant = self.members.variants().variant_of(member);
            let quantities = match of_variant.take().filter(|(known, _)| *known == variant) {
                Some((_, quantities)) => quantities,
                None => self.members.look(member, |simulation| {
                    Quantities::new(&world, simulation, |known| pattern.select(known))
                }),
            };
            if quantities.infos().is_empty() {
                self.session.quantities([name])?;
            }
            let set = |simulation: &mut _| set_state(&quantities, simulation, (name, *value));
            self.members.edit(member, set)??;
            of_variant = Some((variant, quantities));
        }
        Ok(())
    }

    /// Returns the number of values that [`Self::set`] expects of each member.
    ///
    /// # Errors
    /// [`Error::Input`] with the nearest name if there is no such command.
    pub fn command_width(&mut self, input: &str) -> Result<usize, Error> {
        let place = self.commands.find(&self.session, input)?;
        Ok(self.commands.found[place].width)
    }
}
