//! One member of an ensemble.

use simhost_engine::{Fit, Snapshot};
use simhost_streams::Input;

use super::Ensemble;
use super::selection::Selected;
use super::status::MemberEnd;
use crate::error::Error;
use crate::hooks::Time;
use crate::records::CommandRecord;
use crate::session::{Session, carry_out};

/// One member of an ensemble.
pub struct Member<'e> {
    pub(super) ensemble: &'e mut Ensemble,
    pub(super) number: usize,
}

impl Member<'_> {
    /// Returns the number of completed steps.
    pub fn steps(&self) -> u64 {
        self.ensemble.steps_of(self.number)
    }

    /// Returns the simulated time.
    pub fn time(&self) -> Time {
        let clock = self.ensemble.session.simulation().clock();
        Time(simhost_engine::Clock { steps: self.steps(), ..clock }.time())
    }

    /// Returns the seed.
    pub fn seed(&self) -> u64 {
        self.ensemble.members.variants().seed(self.number)
    }

    /// Returns why the member stands still, if it does.
    pub fn end(&self) -> Option<&MemberEnd> {
        self.ensemble.ends.all()[self.number].as_ref()
    }

    /// Returns 128 bits over the results, see [`Simulation::result_hash`](simhost_engine::Simulation::result_hash).
    ///
    /// # Errors
    /// [`Error`] if the state of the member cannot be looked at.
    pub fn result_hash(&mut self) -> Result<u128, Error> {
        Ok(self.look(simhost_engine::Simulation::result_hash))
    }

    /// Returns the state hash of a session in the state of the member.
    ///
    /// # Errors
    /// [`Error::Snapshot`] if a model fails to save its memory.
    pub fn state_hash(&mut self) -> Result<u128, Error> {
        Ok(self.snapshot()?.state_hash())
    }

    /// Takes a snapshot, as a session in the state of the member does.
    ///
    /// # Errors
    /// [`Error::Snapshot`] if a model fails to save its memory.
    pub fn snapshot(&mut self) -> Result<Snapshot, Error> {
        if let Some(session) = self.ensemble.sessions.get_mut(&self.number) {
            return session.snapshot();
        }
        let edits = self.ensemble.members.variants().edits(self.number);
        let mut snapshot = self.look(simhost_engine::Simulation::snapshot)?;
        snapshot.set_edits(edits);
        Ok(snapshot)
    }

    /// Returns to a snapshot of this member, or of another one with the same parameters. A member that has ended is
    /// stepped again.
    ///
    /// # Errors
    /// [`Error::Restore`] if the snapshot does not fit; the member then does not change.
    pub fn restore(&mut self, snapshot: &Snapshot) -> Result<(), Error> {
        let Self { ensemble, number } = self;
        if let Some(session) = ensemble.sessions.get_mut(number) {
            session.restore(snapshot)?;
        } else {
            let edits = ensemble.members.variants().edits(*number);
            let mut own = snapshot.clone();
            ensemble.members.edit(*number, |simulation| {
                // the parameters are those of the member
                if snapshot.edits() == edits {
                    own.set_edits(simulation.edits().to_owned());
                }
                simulation.restore(&own, Fit::Exact)
            })??;
        }
        ensemble.ends.set(*number, None);
        Ok(())
    }

    /// Returns a session that continues from the state of the member, so that it can be looked at, plotted and stepped
    /// alone.
    ///
    /// # Errors
    /// [`Error`] if the state cannot be copied.
    pub fn to_session(&mut self) -> Result<Session, Error> {
        let snapshot = self.snapshot()?;
        let starts = self.ensemble.members.variants();
        let description = starts.description_of(self.number)?;
        let (seed, number) = (starts.seed(self.number), self.number);
        let session = &self.ensemble.session;
        let mut session = session.opened_with(description, seed, number)?;
        session.restore(&snapshot)?;
        Ok(session)
    }

    /// Moves a vehicle or a block to another pose, as [`Edits::set_pose`](crate::Edits::set_pose) does.
    ///
    /// # Errors
    /// [`Error::Input`] if there is no such entity, it cannot be moved, or a number is not finite.
    pub fn set_pose(&mut self, entity: &str, pose: [f64; 3]) -> Result<(), Error> {
        self.act(Input::Pose { entity: entity.to_owned(), pose })
    }

    /// Sets the velocity of a vehicle or a block, as [`Edits::set_velocity`](crate::Edits::set_velocity) does.
    ///
    /// # Errors
    /// As [`Self::set_pose`].
    pub fn set_velocity(&mut self, entity: &str, velocity: [f64; 3]) -> Result<(), Error> {
        self.act(Input::Velocity { entity: entity.to_owned(), velocity })
    }

    /// Sets a command of a vehicle from the next step on, as [`Vehicle::command`](crate::Vehicle::command) does.
    ///
    /// # Errors
    /// [`Error::Input`] if the controller does not accept the kind of command, or a number is not finite.
    pub fn command(&mut self, vehicle: &str, command: impl CommandRecord) -> Result<(), Error> {
        let (kind, values) = (command.kind().to_owned(), command.values());
        self.act(Input::Command { vehicle: vehicle.to_owned(), kind, values })
    }

    /// Returns pose and velocity of an entity, as [`Self::set_pose`] and [`Self::set_velocity`] take them; `None` for one
    /// that cannot be moved.
    ///
    /// # Errors
    /// [`Error`] if the state of the member cannot be looked at.
    pub fn motion_of(&mut self, entity: &str) -> Result<Option<[[f64; 3]; 2]>, Error> {
        let motion = self.look(|simulation| simulation.motion_of(entity));
        Ok(motion.ok().map(|(pose, velocity)| [pose, velocity]))
    }

    /// Carries an input out that changes the state of the member.
    fn act(&mut self, input: Input) -> Result<(), Error> {
        let Self { ensemble, number } = self;
        ensemble.session.inputs().check(&input)?;
        match (ensemble.sessions.get_mut(number), input) {
            (None, input) => {
                Ok(ensemble.members.edit(*number, |simulation| carry_out(simulation, &input))??)
            }
            (Some(session), Input::Pose { entity, pose }) => session.edit().set_pose(&entity, pose),
            (Some(session), Input::Velocity { entity, velocity }) => {
                session.edit().set_velocity(&entity, velocity)
            }
            (Some(session), input) => Ok(session.inputs().send(input)?),
        }
    }

    /// Appends the present values of selected quantities.
    ///
    /// # Errors
    /// [`Error::Forgotten`] if the member is a session whose description was dropped before the first read.
    pub fn read(&mut self, selected: &Selected, to: &mut Vec<f64>) -> Result<(), Error> {
        let Self { ensemble, number } = self;
        match ensemble.sessions.get(number) {
            Some(session) => selected.read_session(*number, session, to),
            None => {
                ensemble.members.read_one(*number, selected.quantities(), to);
                Ok(())
            }
        }
    }

    fn look<R>(&mut self, look: impl FnOnce(&simhost_engine::Simulation) -> R) -> R {
        match self.ensemble.sessions.get(&self.number) {
            Some(session) => look(session.simulation()),
            None => self.ensemble.members.look(self.number, look),
        }
    }
}
