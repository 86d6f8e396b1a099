//! The steps of a run.

use simhost_engine::{Simulation, StepError, Stop};

use crate::exit::Failure;
use crate::interrupt;
use crate::progress::Progress;
use crate::recording::Recording;

/// Largest number of steps between two looks at signals and rebuilt plugins if a run writes nothing.
const UNOBSERVED_STEPS: u64 = 16;
/// Number of vehicles whose steps take about 0.1 s together. With more of them, a run looks at
/// signals more often.
const MANY_VEHICLES: u64 = 40_000;

/// Extent of a run.
#[derive(Clone, Copy)]
pub struct Extent {
    /// Number of the last step; `None` if observers end the run.
    pub steps: Option<u64>,
    /// Whether the run is resumed from a snapshot.
    pub is_resumed: bool,
}

/// A run that has ended without a failure.
pub enum Finished {
    /// The last step is done.
    Done,
    /// Ctrl-C has ended the run.
    Interrupted,
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
    simulation: &mut Simulation,
    extent: Extent,
    recording: &mut Recording,
    mut before_step: impl FnMut(&mut Simulation, &mut Recording),
) -> Result<Finished, Ended> {
    let Extent { steps, is_resumed } = extent;
    let progress = Progress::new(steps);
    if !is_resumed {
        simulation.start().map_err(Ended::Step)?;
    }
    if let Some(stop) = recording.start(simulation, is_resumed).map_err(Ended::Output)? {
        return Ok(Finished::Stopped(stop));
    }
    let vehicles = simulation.vehicle_names().len() as u64;
    let unobserved =
        (UNOBSERVED_STEPS * MANY_VEHICLES / vehicles.max(1)).clamp(1, UNOBSERVED_STEPS);
    let piece = if recording.is_idle() { unobserved } else { 1 };
    let last = steps.unwrap_or(u64::MAX);
    while simulation.clock().steps < last {
        if interrupt::is_requested() {
            return Ok(Finished::Interrupted);
        }
        if steps.is_none() && !recording.observers().can_stop() {
            return Err(Ended::Endless);
        }
        before_step(simulation, recording);
        let left = last - simulation.clock().steps;
        let observed = recording.observers().steps_to_sample(simulation.clock());
        simulation.run(left.min(piece).min(observed)).map_err(Ended::Step)?;
        if let Some(stop) = recording.observe(simulation).map_err(Ended::Output)? {
            return Ok(Finished::Stopped(stop));
        }
        progress.at(simulation.clock().steps);
    }
    Ok(Finished::Done)
}
