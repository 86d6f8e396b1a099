//! Ends of members.

use std::collections::BTreeMap;

use simhost_engine::{RunEnding, StepError, Stop, WorldBatch};

use super::variants::Starts;
use crate::error::Error;
use crate::session::{Ended, Session};

/// The reason why a member stands still.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum MemberEnd {
    /// It has reached the duration of the world.
    Duration,
    /// A model has faulted, and the world file requests that this ends the run.
    Fault(String),
    /// A body or a state has diverged.
    Diverged(String),
    /// The engine that casts rays has failed.
    Scan(String),
    /// An observer has ended the run.
    Observer(Stop),
}

/// Why each member stands still, if it does.
pub(super) struct MemberEnds {
    all: Vec<Option<MemberEnd>>,
    /// Number of members that stand still.
    count: usize,
}

impl MemberEnds {
    /// Returns the values for members that are all running.
    pub fn none(members: usize) -> Self {
        Self { all: vec![None; members], count: 0 }
    }

    pub fn all(&self) -> &[Option<MemberEnd>] {
        &self.all
    }

    /// Returns whether any member stands still.
    pub fn has_any(&self) -> bool {
        self.count > 0
    }

    /// Returns whether a member stands still.
    #[inline]
    pub fn has(&self, member: usize) -> bool {
        self.count > 0 && self.all[member].is_some()
    }

    pub fn set(&mut self, member: usize, end: Option<MemberEnd>) {
        let before = std::mem::replace(&mut self.all[member], end);
        self.count -= usize::from(before.is_some());
        self.count += usize::from(self.all[member].is_some());
    }

    /// Notes which members have ended, those that have reached the step `last` among them.
    pub fn note(
        &mut self,
        members: &WorldBatch<Starts>,
        sessions: &BTreeMap<usize, Session>,
        last: u64,
    ) {
        for member in 0..self.all.len() {
            if self.has(member) {
                continue;
            }
            let session = sessions.get(&member);
            let steps = session.map_or_else(|| members.steps(member), Session::steps);
            let end = match members.failure(member) {
                Some(error) if session.is_none() => Some(MemberEnd::of(error)),
                _ if steps >= last => Some(MemberEnd::Duration),
                _ => None,
            };
            self.set(member, end);
        }
    }

    /// Lets the members of a mask continue.
    pub fn resume(&mut self, mask: &[bool]) {
        let members = (0..mask.len()).filter(|member| mask[*member]);
        members.for_each(|member| self.set(member, None));
    }
}

impl MemberEnd {
    /// Returns the end after a failed step.
    pub(super) fn of(error: &StepError) -> Self {
        let text = error.to_string();
        match error {
            StepError::Fault(_) => Self::Fault(text),
            StepError::Diverged(_) => Self::Diverged(text),
            _ => Self::Scan(text),
        }
    }

    /// Returns the end after a run of a session, if it is one.
    pub(super) fn of_run(ended: Result<Ended, Error>) -> Result<Option<Self>, Error> {
        match ended {
            Ok(Ended::Observer(stop)) => Ok(Some(Self::Observer(stop))),
            Ok(_) => Ok(None),
            Err(Error::Step(error)) => Ok(Some(Self::of(&error))),
            Err(error) => Err(error),
        }
    }

    /// Returns the end, as observers learn it.
    pub(super) fn ending(&self) -> RunEnding {
        match self {
            Self::Duration => RunEnding::Duration,
            Self::Observer(stop) => RunEnding::Stop(stop.clone()),
            Self::Fault(text) | Self::Diverged(text) | Self::Scan(text) => {
                RunEnding::Fault(text.clone())
            }
        }
    }

    /// Returns a short name: `duration`, `fault`, `diverged`, `scan` or `observer`.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Duration => "duration",
            Self::Fault(_) => "fault",
            Self::Diverged(_) => "diverged",
            Self::Scan(_) => "scan",
            Self::Observer(_) => "observer",
        }
    }
}

impl std::fmt::Display for MemberEnd {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Duration => f.write_str("it has reached the duration of the world"),
            Self::Fault(text) | Self::Diverged(text) | Self::Scan(text) => f.write_str(text),
            Self::Observer(stop) => write!(f, "{stop}"),
        }
    }
}
