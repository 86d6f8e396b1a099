//! Ensembles of sessions.

use super::options::EnsembleOptions;
use super::variants::Starts;
use super::{Ensemble, check_memory};
use crate::error::{EnsembleError, Error};
use crate::session::Session;
use crate::variation::Differences;

impl Session {
    /// Returns an ensemble whose members start from the present state of this session, with its
    /// seed. Members also have the planned commands. Of the options of sessions, only the number of
    /// threads is used.
    ///
    /// # Errors
    /// As [`Ensemble::open`], and [`Error::Snapshot`] if the state cannot be copied.
    pub fn ensemble(&mut self, options: EnsembleOptions) -> Result<Ensemble, Error> {
        let EnsembleOptions { members, variations, max_memory, session } = options;
        self.check_planned()?;
        check_memory(self, members, max_memory)?;
        let snapshot = self.snapshot()?;
        let (fork, seed) = (self.fork()?, self.world().seed());
        let differences = Differences::new(variations, &fork, members, seed)?;
        let mut starts = Starts::of(&fork, differences)?;
        starts.options.threads = session.threads;
        starts.seeds = vec![Some(seed); members];
        starts.snapshot = Some(snapshot);
        Ensemble::new(fork, starts)
    }
}

impl Ensemble {
    /// Lets all members start from the present state of a session, as in [`Session::ensemble`],
    /// without rebuilding anything. Differences with random distributions are drawn anew. The
    /// planned commands are the commands with which the ensemble was opened.
    ///
    /// # Errors
    /// [`EnsembleError::Edited`] if the world of the session has other edits, [`Error::Restore`] if it is another
    /// world, [`Error::Snapshot`] if the state cannot be copied, and [`Error`] if a drawn value is not accepted.
    pub fn restart(&mut self, session: &mut Session) -> Result<(), Error> {
        let snapshot = session.snapshot()?;
        if snapshot.edits() != self.session.simulation().edits() {
            return Err(EnsembleError::Edited.into());
        }
        self.session.restore(&snapshot)?;
        let starts = self.members.variants_mut();
        starts.seeds.fill(Some(session.world().seed()));
        starts.snapshot = Some(snapshot);
        self.members.forget_starts();
        self.start_again(&vec![true; self.members()])
    }
}
