//! The steps of a run.

use std::sync::Arc;

use simhost::{Error, Flow, Session};
use simhost_engine::{StepError, Stop};
use simhost_streams::Control as _;

use crate::control::Control;
use crate::keys::Keys;
use crate::process::Failure;
use crate::progress::Progress;
use crate::recording::Recording;
use crate::{interrupt, opening, terminal};

/// Extent of a run.
#[derive(Clone, Copy)]
pub struct Extent {
    /// Number of the last step; `None` if observers end the run.
    pub steps: Option<u64>,
    /// Whether the run continues to the last step, whatever observers request.
    pub has_end: bool,
    /// Whether clients can end the run.
    pub is_open: bool,
}

/// A run that has ended without a failure.
pub enum Finished {
    /// The last step is done.
    Done,
    /// Ctrl-C has ended the run.
    Interrupted,
    /// An input has ended the run.
    Quit,
    /// An observer has ended the run.
    Stopped(Stop),
}

/// Reason why a run ended early.
pub enum Ended {
    /// A step failed.
    Step(StepError),
    /// The output cannot be written, or an observer cannot begin.
    Output(Failure),
    /// The run has no duration, and no observer is left that can end it.
    Endless,
}

/// Takes the steps of a run. Calls `before_step` before each step, or before several if the run writes
/// nothing.
pub fn simulate(
    session: &mut Session,
    Extent { steps, has_end, is_open }: Extent,
    recording: &mut Recording,
    mut before_step: impl FnMut(&mut Session),
) -> Result<Finished, Ended> {
    let progress = Progress::new(session.simulation().clock(), steps);
    let mut control = Control::new(Arc::new(session.inputs()));
    let keys = Keys::listen(move |key| control.press(key));
    let most = if recording.is_idle() { u64::MAX } else { 1 };
    let mut early = None;
    let (inputs, mut has_reported_delay) = (session.inputs(), false);
    let mut between = |session: &mut Session| {
        early = recording.observe(session).err().map(|failure| Err(Ended::Output(failure)));
        progress.at(session.steps(), session.control().work(), inputs.pace());
        if !has_reported_delay && let Some(text) = inputs.progress().delay() {
            has_reported_delay = true;
            terminal::remark(&format!(
                "at {} s: {text}\nhelp: lower the rates or the sizes of sensors, or choose a slower clock, \
                 such as --clock realtime:0.5",
                session.time().0
            ));
        }
        if early.is_none() && interrupt::is_requested() {
            early = Some(Ok(Finished::Interrupted));
        }
        if early.is_none()
            && steps.is_none()
            && !is_open
            && !session.outputs().observers().can_stop()
        {
            early = Some(Err(Ended::Endless));
        }
        if early.is_some() {
            return Ok(Flow::End);
        }
        before_step(session);
        Ok(Flow::Continue)
    };
    let last = steps.unwrap_or(u64::MAX);
    // all inputs of a record act, also those before a reset that leads to an earlier step than the last one
    let run = if has_end { Session::run_planned } else { Session::run_pieces };
    let mut ended = run(session, last, most, &mut between);
    drop(keys);
    // observers that end the run again would leave out what followed
    while has_end && matches!(ended, Ok(simhost::Ended::Observer(_))) && session.steps() < last {
        ended = run(session, last, most, &mut between);
    }
    if let Some(early) = early {
        return early;
    }
    let ended = ended.map_err(|error| match error {
        Error::Step(error) => Ended::Step(error),
        error => Ended::Output(opening::failure(error)),
    })?;
    recording.observe(session).map_err(Ended::Output)?;
    Ok(match ended {
        simhost::Ended::Observer(stop) => Finished::Stopped(stop),
        simhost::Ended::Stopped => Finished::Quit,
        _ => Finished::Done,
    })
}
