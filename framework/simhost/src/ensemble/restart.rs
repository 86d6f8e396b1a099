//! Ensembles whose members start again from the state of a session.

use simhost_engine::Simulation;

use super::Ensemble;
use crate::error::{EnsembleError, Error};
use crate::session::Session;

impl Ensemble {
    /// Lets all members start from the present state of a session, as those of [`Session::ensemble`] do, without
    /// building anything anew. Differences with random distributions are drawn anew. Commands that are planned are
    /// those that the ensemble was opened with.
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

    /// Puts a member that is a session back to its start, to which the other members have returned.
    pub(super) fn restart_session(&mut self, member: usize) -> Result<(), Error> {
        let starts = self.members.variants();
        let (seed, differences) = (starts.seed(member), starts.of_member(member));
        let start = match starts.snapshot.is_some() {
            true => {
                let edits = starts.edits(member);
                let mut snapshot = self.members.look(member, Simulation::snapshot)??;
                snapshot.set_edits(edits);
                Some(snapshot)
            }
            false => None,
        };
        let Some(session) = self.sessions.get_mut(&member) else { return Ok(()) };
        match start {
            Some(snapshot) => session.restore(&snapshot),
            None => {
                session.edit().reset(seed)?;
                differences.iter().try_for_each(|one| one.apply(session))
            }
        }
    }
}
