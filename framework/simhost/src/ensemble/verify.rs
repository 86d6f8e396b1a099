//! Comparison of members with the same runs by themselves.

use super::Ensemble;
use super::status::MemberEnd;
use super::variants::Starts;
use crate::error::Error;
use crate::output::foreign_models;

/// A member whose results differ from the same run by itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MemberDifference {
    /// Number of the member.
    pub member: usize,
    /// Result hash of the member.
    pub in_ensemble: u128,
    /// Result hash of the run by itself.
    pub alone: u128,
    /// Number of completed steps after which the results differ for the first time when both are repeated; `None` if
    /// they agree then.
    pub step: Option<u64>,
    /// Models of the world that come from plugin files, each as `KIND CLASS (FILE)`.
    pub foreign_models: Vec<String>,
}

impl Ensemble {
    /// Runs a member again by itself, from the start of the world to its present step, and compares the results.
    /// Returns the difference, or `None` if they agree. Members differ from the same runs by themselves if a model
    /// keeps something outside of its states, such as a static variable.
    ///
    /// The ensemble must have been stepped only, without commands, resets and edits of single members.
    ///
    /// # Errors
    /// [`EnsembleError::Member`](crate::EnsembleError::Member) if there is no such member, and [`Error`] if it cannot be
    /// run again.
    pub fn verify(&mut self, member: usize) -> Result<Option<MemberDifference>, Error> {
        let in_ensemble = self.member(member)?.result_hash()?;
        let steps = self.steps_of(member);
        // a step that has failed is not counted
        let has_failed = matches!(
            self.ends.all()[member],
            Some(MemberEnd::Fault(_) | MemberEnd::Diverged(_) | MemberEnd::Scan(_))
        );
        let mut session = self.members.variants().session(&self.session, member)?;
        MemberEnd::of_run(session.run_steps(steps + u64::from(has_failed)))?;
        let alone = session.simulation().result_hash();
        if alone == in_ensemble {
            return Ok(None);
        }
        let world = session.world().description();
        let foreign_models = world.map(|world| foreign_models(world)).unwrap_or_default();
        let step = first_different_step(self, member, steps)?;
        Ok(Some(MemberDifference { member, in_ensemble, alone, step, foreign_models }))
    }
}

/// Repeats the ensemble, and a member by itself, and returns the number of completed steps after which their results
/// differ.
fn first_different_step(of: &Ensemble, member: usize, steps: u64) -> Result<Option<u64>, Error> {
    let session = of.session.opened_again(of.session.world().seed(), member)?;
    let starts = Starts::of(&session, of.members.variants().differences.clone())?;
    let mut again = Ensemble::new(session, starts)?;
    again.end_after(Some(of.last));
    let mut alone = again.members.variants().session(&again.session, member)?;
    for step in 1..=steps {
        again.step(1)?;
        MemberEnd::of_run(alone.run_steps(1))?;
        let in_ensemble = again.member(member)?.result_hash()?;
        if in_ensemble != alone.simulation().result_hash() {
            return Ok(Some(step));
        }
    }
    Ok(None)
}
