//! Members that are separate sessions.

use std::path::PathBuf;

use simhost_engine::{RunEnding, Simulation};

use super::status::MemberEnd;
use super::{Ensemble, check_member};
use crate::error::Error;
use crate::session::Session;
use crate::variation::Difference;

impl Ensemble {
    /// Turns a member into a session that continues with the ensemble: it can have sinks, hooks and
    /// inputs. The output of its observers goes to `member-K` in the folder of the options.
    ///
    /// # Errors
    /// [`EnsembleError::Member`](crate::EnsembleError::Member) if there is no such member, and [`Error`] if its state cannot be copied.
    pub fn session_of(&mut self, member: usize) -> Result<&mut Session, Error> {
        check_member(member, self.members())?;
        if !self.sessions.contains_key(&member) {
            let is_at_start = self.members.variants().snapshot.is_none()
                && self.members.steps(member) == 0
                && self.members.failure(member).is_none();
            let session = match is_at_start {
                true => self.members.variants().session(&self.session, member)?,
                _ => self.member(member)?.to_session()?,
            };
            self.sessions.insert(member, session);
        }
        self.sessions.get_mut(&member).ok_or(Error::Forgotten)
    }

    /// Returns the folder for the files that the observers of a member write; `None` if they write none.
    pub fn observer_folder(&self, member: usize) -> Option<PathBuf> {
        self.session.observer_folder(member)
    }

    /// Completes the output of the members that are sessions. Returns the paths of their files.
    ///
    /// # Errors
    /// [`Error::Sink`] if an output cannot be completed.
    pub fn finish(&mut self) -> Result<Vec<PathBuf>, Error> {
        let mut files = Vec::new();
        for (member, session) in &mut self.sessions {
            let end = self.ends.all()[*member].as_ref();
            files.extend(session.finish_with(&end.map_or(RunEnding::Duration, MemberEnd::ending))?);
        }
        Ok(files)
    }
}

/// Puts a member that is a session back to its start, to which the other members have returned.
pub(super) fn restart(of: &mut Ensemble, member: usize) -> Result<(), Error> {
    let starts = of.members.variants();
    let (seed, differences) = (starts.seed(member), starts.of_member(member));
    let start = match starts.snapshot.is_some() {
        true => {
            let edits = starts.edits(member);
            let mut snapshot = of.members.look(member, Simulation::snapshot)?;
            snapshot.set_edits(edits);
            Some(snapshot)
        }
        false => None,
    };
    let Some(session) = of.sessions.get_mut(&member) else { return Ok(()) };
    match start {
        Some(snapshot) => session.restore(&snapshot),
        None => {
            session.edit().reset(seed)?;
            Difference::apply_all(differences, session)
        }
    }
}
