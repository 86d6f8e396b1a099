//! Sessions and ensembles.

use simhost_engine::{Patterns, Quantities};

use super::Session;
use crate::description::Description;
use crate::ensemble::{Ensemble, EnsembleOptions, Starts};
use crate::error::Error;
use crate::options::Options;
use crate::variation::Differences;

impl Session {
    /// Returns an ensemble whose members start from the present state of this session, with its seed. Commands that
    /// are planned are those of the members, too. Of the options, those of the session are not used.
    ///
    /// # Errors
    /// As [`Ensemble::open`], and [`Error::Snapshot`] if the state cannot be copied.
    pub fn ensemble(&mut self, options: EnsembleOptions) -> Result<Ensemble, Error> {
        let EnsembleOptions { members, variations, max_memory, session: Options { threads, .. } } =
            options;
        let snapshot = self.snapshot()?;
        let fork = self.fork()?;
        let differences = Differences::new(variations, &fork, members, self.world.seed)?;
        let mut starts = fork.starts(differences)?;
        starts.options.threads = threads;
        starts.seeds = vec![Some(self.world.seed); members];
        starts.snapshot = Some(snapshot);
        Ensemble::new(fork, starts, max_memory)
    }

    /// Returns what the members of an ensemble start from.
    pub(crate) fn starts(&self, differences: Differences) -> Result<Starts, Error> {
        let world = &self.world;
        let description = world.described()?.clone();
        let options = Options { out: None, log: None, ..world.options.clone() };
        let mut starts = Starts::new(description, options, differences)?;
        starts.commands = self.intake.commands().to_vec();
        starts.early.clone_from(&world.early);
        Ok(starts)
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

    /// Opens a description of the world of this session with a seed, for a member.
    pub(crate) fn opened_with(
        &self,
        description: Description,
        seed: u64,
        member: usize,
    ) -> Result<Self, Error> {
        let folder = self.world.options.observer_folder.as_ref();
        let options = Options {
            seed: Some(seed),
            out: None,
            log: None,
            observer_folder: folder.map(|folder| folder.join(format!("member-{member}"))),
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
    pub(crate) fn quantities<P: AsRef<str>>(
        &self,
        patterns: impl IntoIterator<Item = P>,
    ) -> Result<Quantities, Error> {
        let texts: Vec<String> = patterns.into_iter().map(|one| one.as_ref().to_owned()).collect();
        let patterns = Patterns::new(texts.iter().map(String::as_str));
        let description = self.world.described()?;
        let selected = Quantities::select(&description.world, &self.world.simulation, &patterns);
        selected.map_err(|error| Error::Quantity {
            error: Box::new(error),
            span: None,
            sources: Box::new((*description.sources).clone()),
        })
    }
}
