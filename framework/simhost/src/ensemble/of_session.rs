//! Ensembles of sessions.

use super::Ensemble;
use super::options::EnsembleOptions;
use super::variants::Starts;
use crate::error::Error;
use crate::session::Session;
use crate::variation::Differences;

impl Session {
    /// Returns an ensemble whose members start from the present state of this session, with its seed. Commands that
    /// are planned are those of the members, too. Of the options of sessions, only the number of threads is used.
    ///
    /// # Errors
    /// As [`Ensemble::open`], and [`Error::Snapshot`] if the state cannot be copied.
    pub fn ensemble(&mut self, options: EnsembleOptions) -> Result<Ensemble, Error> {
        let EnsembleOptions { members, variations, max_memory, session } = options;
        let snapshot = self.snapshot()?;
        let (fork, seed) = (self.fork()?, self.world().seed());
        let differences = Differences::new(variations, &fork, members, seed)?;
        let mut starts = Starts::of(&fork, differences)?;
        starts.options.threads = session.threads;
        starts.seeds = vec![Some(seed); members];
        starts.snapshot = Some(snapshot);
        Ensemble::new(fork, starts, max_memory)
    }
}
