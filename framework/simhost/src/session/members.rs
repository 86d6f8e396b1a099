//! Requests of an ensemble to the session with its world.

use std::path::PathBuf;

use simhost_engine::{
    Clock, MemberQuantities, Patterns, Quantities, Simulation, TimedCommand, UnknownQuantity,
};
use simhost_record::InputRecord;
use simhost_streams::Input;
use simhost_world::World;

use super::Session;
use crate::description::Description;
use crate::error::{EnsembleError, Error};
use crate::options::Options;
use crate::output::Recorded;

impl Session {
    /// Returns the description of the world.
    ///
    /// # Errors
    /// [`Error::Forgotten`] if it has been dropped.
    pub(crate) fn description(&self) -> Result<&Description, Error> {
        self.world.described()
    }

    /// Returns the options without those that belong to this session alone.
    pub(crate) fn shared_options(&self) -> Options {
        Options { out: None, log: None, ..self.world.options.clone() }
    }

    /// Returns the commands whose times are known.
    pub(crate) fn known_commands(&self) -> &[TimedCommand] {
        self.intake.commands()
    }

    /// Sets the commands of a recorded ensemble, which its members get.
    ///
    /// # Errors
    /// [`Error::Input`] if a vehicle does not accept one.
    pub fn set_recorded_commands(&mut self, recorded: &Recorded) -> Result<(), Error> {
        let clock = self.world.simulation.clock();
        let command = |record: &InputRecord| match &record.input {
            Input::Command { vehicle, kind, values } => {
                let time = Clock { steps: record.step, ..clock }.time();
                let (vehicle, kind) = (vehicle.clone(), kind.clone());
                Some(TimedCommand { time, vehicle, kind, values: values.clone() })
            }
            _ => None,
        };
        let commands: Vec<_> = recorded.inputs.list.iter().filter_map(command).collect();
        self.edit().set_commands(commands)
    }

    /// Checks that nothing is planned which members would not do.
    ///
    /// # Errors
    /// [`EnsembleError::Planned`] with the first value of a parameter that is planned.
    pub(crate) fn check_planned(&self) -> Result<(), EnsembleError> {
        let found = self.intake.planned().find_map(|(step, input)| match input {
            Input::Parameter { name, .. } => Some((*step, name.clone())),
            _ => None,
        });
        found.map_or(Ok(()), |(step, name)| Err(EnsembleError::Planned { name, step }))
    }

    /// Returns the inputs that have changed the state before the first measurement.
    pub(crate) fn early_inputs(&self) -> &[Input] {
        &self.world.early
    }

    /// Returns the duration of the world, s.
    pub(crate) fn duration(&self) -> Option<f64> {
        self.duration
    }

    /// Returns whether the world has observers.
    pub(crate) fn has_observers(&self) -> bool {
        !self.outputs.observers.is_empty()
    }

    /// Opens the world of this session again with another seed, for a member.
    pub(crate) fn opened_again(&self, seed: u64, member: usize) -> Result<Self, Error> {
        let mut session = self.opened_with(self.world.described()?.clone(), seed, member)?;
        for input in &self.world.early {
            // it has been accepted before
            let _ = session.world.act(input.clone());
        }
        Ok(session)
    }

    /// Returns the folder for the files of the observers of a member.
    pub(crate) fn observer_folder(&self, member: usize) -> Option<PathBuf> {
        let folder = self.world.options.observer_folder.as_ref();
        folder.map(|folder| folder.join(format!("member-{member}")))
    }

    /// Opens a description of the world of this session with a seed, for a member.
    pub(crate) fn opened_with(
        &self,
        description: Description,
        seed: u64,
        member: usize,
    ) -> Result<Self, Error> {
        let options = Options {
            seed: Some(seed),
            out: None,
            log: None,
            observer_folder: self.observer_folder(member),
            ..self.world.options.clone()
        };
        let mut session = Self::new(description, self.world.catalogue.clone(), options)?;
        session.edit().set_commands(self.intake.commands().to_vec())?;
        Ok(session)
    }

    /// Selects quantities by patterns.
    ///
    /// # Errors
    /// [`Error::Quantity`] with the nearest name if a pattern selects nothing.
    pub fn quantities<P: AsRef<str>>(
        &self,
        patterns: impl IntoIterator<Item = P>,
    ) -> Result<Quantities, Error> {
        let description = self.world.described()?;
        let patterns = patterns_of(patterns);
        let selected = Quantities::select(&description.world, &self.world.simulation, &patterns);
        selected.map_err(|error| unknown_quantity(error, description))
    }

    /// Selects quantities of the members of an ensemble by patterns, in this world and in the
    /// worlds of the members.
    ///
    /// # Errors
    /// As [`Self::quantities`].
    pub(crate) fn select<'s, P: AsRef<str>>(
        &'s self,
        patterns: impl IntoIterator<Item = P>,
        of_members: impl Iterator<Item = (&'s World, &'s Simulation)>,
    ) -> Result<MemberQuantities, Error> {
        let description = self.world.described()?;
        let own = (&*description.world, &self.world.simulation);
        let worlds: Vec<_> = std::iter::once(own).chain(of_members).collect();
        let selected = MemberQuantities::select(&worlds, &patterns_of(patterns));
        selected.map_err(|error| unknown_quantity(error, description))
    }
}

fn patterns_of<P: AsRef<str>>(texts: impl IntoIterator<Item = P>) -> Patterns {
    let texts: Vec<String> = texts.into_iter().map(|one| one.as_ref().to_owned()).collect();
    Patterns::new(texts.iter().map(String::as_str))
}

fn unknown_quantity(error: UnknownQuantity, description: &Description) -> Error {
    let sources = Box::new((*description.sources).clone());
    Error::Quantity { error: Box::new(error), span: None, sources }
}
