//! Sinks with the streams that they take.

use std::collections::HashSet;
use std::sync::Arc;

use simhost_engine::{Clock, Period};
use simhost_streams::{Sink, Stream};

use crate::error::Error;
use crate::streams::{Output, Selection};

/// A sink with the streams that it takes.
pub(super) struct Tap {
    pub sink: Box<dyn Sink>,
    pub selection: Selection,
    pub outputs: Vec<(Output, Option<Period>)>,
    /// For each output, 1 + the number of steps after which the last sample was taken.
    pub taken: Vec<u64>,
    /// Number of completed steps after which the sink takes the next sample; `u64::MAX` if there is none.
    pub due: u64,
    /// Vehicles whose logs the sink knows.
    pub logs: HashSet<String>,
}

impl Tap {
    /// Finds the step after which the next sample is due.
    pub fn plan(&mut self, clock: Clock) {
        let left = self.outputs.iter().filter(|(output, _)| !output.is_complete());
        let steps = left.map(|(_, period)| period.map_or(1, |one| one.steps_to_due(clock)));
        self.due = steps.min().map_or(u64::MAX, |steps| clock.steps.saturating_add(steps));
    }

    /// Begins a new sequence of samples of the same streams.
    pub fn begin_again(&mut self, clock: Clock) -> Result<(), Error> {
        self.sink.begin(&streams_of(&self.outputs))?;
        for (output, period) in &mut self.outputs {
            let every = self.selection.period_of(&output.stream);
            *period = every.map(|every| Period::after(every, clock));
            output.begin_again();
        }
        self.taken.fill(0);
        Ok(())
    }

    /// Takes samples of a changed world from now on. If it has the same streams, their sequences continue.
    pub fn follow(&mut self, mut outputs: Vec<(Output, Option<Period>)>) -> Result<(), Error> {
        let is_same = |(new, old): (&(Output, _), &(Output, _))| new.0.stream == old.0.stream;
        if outputs.len() == self.outputs.len() && outputs.iter().zip(&self.outputs).all(is_same) {
            for ((output, period), (old, old_period)) in outputs.iter_mut().zip(&self.outputs) {
                output.continue_after(old);
                *period = *old_period;
            }
        } else {
            self.sink.begin(&streams_of(&outputs))?;
            self.taken = vec![0; outputs.len()];
        }
        self.outputs = outputs;
        Ok(())
    }
}

pub(super) fn streams_of(outputs: &[(Output, Option<Period>)]) -> Vec<Arc<Stream>> {
    outputs.iter().map(|(one, _)| one.stream.clone()).collect()
}
