//! Samples for sinks and for programs.

use std::collections::HashSet;
use std::path::PathBuf;
use std::sync::Arc;

use simhost_engine::{Period, RunEnding};
use simhost_streams::{Sink, Stamp, Stream};

use super::Session;
use super::tap::{Tap, streams_of};
use crate::error::Error;
use crate::inputs::unknown;
use crate::records::Record;
use crate::streams::{self, Output, Selection};

impl Session {
    /// Sends samples of the selected streams to a sink from now on.
    ///
    /// # Errors
    /// [`Error::Sink`] if the sink cannot take them, [`Error::Input`] if a pattern selects no stream.
    pub fn attach(&mut self, mut sink: Box<dyn Sink>, selection: &Selection) -> Result<(), Error> {
        self.check_patterns(selection)?;
        let outputs = self.select(selection)?;
        sink.begin(&streams_of(&outputs))?;
        let taken = vec![0; outputs.len()];
        let selection = selection.clone();
        let mut tap = Tap { sink, selection, outputs, taken, due: 0, logs: HashSet::new() };
        if self.is_measured {
            tap.plan(self.simulation.clock());
        }
        self.taps.push(tap);
        self.announce_logs();
        Ok(())
    }

    /// Checks that each pattern selects a stream.
    fn check_patterns(&self, selection: &Selection) -> Result<(), Error> {
        if selection.patterns.is_empty() || selection.is_optional {
            return Ok(());
        }
        let all = streams::outputs(&self.described()?.world, &self.simulation, |_| true);
        let names = all.iter().map(|output| output.stream.name.as_str());
        let chosen = selection.patterns.iter().filter(|pattern| !pattern.starts_with('!'));
        for pattern in chosen {
            let own = simhost_engine::Patterns::new([pattern.as_str()]);
            if !names.clone().any(|name| own.select(name)) {
                return Err(unknown("stream", pattern, names).into());
            }
        }
        Ok(())
    }

    /// Returns the streams of a sink with their periods from now on.
    fn select(&self, selection: &Selection) -> Result<Vec<(Output, Option<Period>)>, Error> {
        let patterns = simhost_engine::Patterns::new(selection.patterns.iter().map(String::as_str));
        let keep = |name: &str| selection.patterns.is_empty() || patterns.select(name);
        let outputs = streams::outputs(&self.described()?.world, &self.simulation, keep);
        let clock = self.simulation.clock();
        let period = |output: &Output| {
            let period = selection.period_of(&output.stream)?;
            Some(if self.is_measured { Period::after(period, clock) } else { Period::new(period) })
        };
        let outputs = outputs.into_iter().map(|output| {
            let period = period(&output);
            (output, period)
        });
        Ok(outputs.collect())
    }

    /// Begins a new sequence of samples for all sinks, because time has gone back.
    ///
    /// # Errors
    /// [`Error::Sink`] if a sink cannot take them.
    pub(super) fn begin_sinks(&mut self) -> Result<(), Error> {
        self.each_tap(|session, tap| match &session.description {
            Some(_) => {
                tap.outputs = session.select(&tap.selection)?;
                tap.taken = vec![0; tap.outputs.len()];
                Ok(tap.sink.begin(&streams_of(&tap.outputs))?)
            }
            // without a description the world does not change, only its time
            None => tap.begin_again(session.simulation.clock()),
        })
    }

    /// Continues the samples of all sinks in a changed world.
    ///
    /// # Errors
    /// [`Error::Sink`] if the streams have changed and a sink cannot take the new ones.
    pub(super) fn continue_sinks(&mut self) -> Result<(), Error> {
        if self.description.is_none() {
            return Ok(());
        }
        self.each_tap(|session, tap| tap.follow(session.select(&tap.selection)?))
    }

    fn each_tap(
        &mut self,
        act: impl Fn(&Self, &mut Tap) -> Result<(), Error>,
    ) -> Result<(), Error> {
        self.reads.clear();
        let mut taps = std::mem::take(&mut self.taps);
        taps.iter_mut().for_each(|tap| tap.due = 0);
        let done = taps.iter_mut().try_for_each(|tap| act(self, tap));
        self.taps = taps;
        self.announce_logs();
        done
    }

    /// Returns the number of steps, at least 1, after which a sink or a table takes the next sample;
    /// `u64::MAX` if there is none.
    pub(super) fn steps_to_sample(&self) -> u64 {
        if self.tables.as_ref().is_some_and(|tables| tables.is_open()) {
            return 1;
        }
        let due = self.taps.iter().map(|tap| tap.due).min().unwrap_or(u64::MAX);
        due.saturating_sub(self.steps()).max(1)
    }

    /// Sends the samples that are due to the sinks.
    pub(super) fn publish(&mut self) -> Result<(), Error> {
        let Self { simulation, taps, reads, .. } = self;
        if taps.is_empty() {
            return Ok(());
        }
        let clock = simulation.clock();
        let stamp = Stamp::of_step(clock.steps, clock.dt);
        for tap in taps.iter_mut().filter(|tap| tap.due <= clock.steps) {
            let Tap { sink, outputs, taken, .. } = tap;
            for (index, (output, period)) in outputs.iter_mut().enumerate() {
                // a sensor that has not been sampled gives its next sample, whenever it comes
                let is_due = output.is_ready(simulation)
                    && period.as_mut().is_none_or(|period| period.is_due(clock));
                if is_due && sink.wants(index) {
                    output
                        .take(simulation, &mut reads.buffer, |sample| sink.take(index, sample))?;
                    taken[index] = clock.steps + 1;
                }
            }
            sink.end_of_step(stamp)?;
            tap.plan(clock);
        }
        Ok(())
    }

    /// Sends the samples that sinks want of the present state and do not have, during a pause.
    pub(super) fn publish_missing(&mut self) -> Result<(), Error> {
        let Self { simulation, taps, reads, .. } = self;
        let clock = simulation.clock();
        let stamp = Stamp::of_step(clock.steps, clock.dt);
        for Tap { sink, outputs, taken, .. } in taps {
            let mut is_any_taken = false;
            for (index, (output, period)) in outputs.iter_mut().enumerate() {
                // streams with a period have no samples between
                let is_missing = period.is_none() && taken[index] <= clock.steps;
                if is_missing && output.is_ready(simulation) && sink.wants(index) {
                    output
                        .take(simulation, &mut reads.buffer, |sample| sink.take(index, sample))?;
                    taken[index] = clock.steps + 1;
                    is_any_taken = true;
                }
            }
            if is_any_taken {
                sink.end_of_step(stamp)?;
            }
        }
        Ok(())
    }

    /// Returns a sample of a stream, taken now. Reading a stream again costs no search.
    ///
    /// # Errors
    /// [`Error::Input`] with the nearest name if there is no such stream, and [`Error::Type`] if its type
    /// is another one.
    pub fn latest<R: Record>(&mut self, stream: &str) -> Result<R, Error> {
        self.measure()?;
        if !self.reads.knows(stream) {
            let world = self.described()?.world.clone();
            self.reads.find(&world, &self.simulation, stream)?;
        }
        self.reads.latest(&self.simulation, stream)
    }

    /// Returns all streams, outputs first.
    ///
    /// # Errors
    /// [`Error::Forgotten`] if the description of the world has been dropped.
    pub fn streams(&self) -> Result<Vec<Arc<Stream>>, Error> {
        Ok(streams::streams(&self.described()?.world, &self.simulation))
    }

    /// Returns the input streams.
    ///
    /// # Errors
    /// As [`Self::streams`].
    pub fn input_streams(&self) -> Result<Vec<Arc<Stream>>, Error> {
        Ok(streams::inputs(&self.described()?.world, &self.simulation))
    }

    /// Ends the run of the observers and completes the output of all sinks. Returns the paths of the
    /// files that were written. If no run has followed the last call, this does nothing.
    ///
    /// # Errors
    /// [`Error::Sink`] if the output of a sink cannot be completed; the others are completed nevertheless.
    pub fn finish(&mut self) -> Result<Vec<PathBuf>, Error> {
        self.finish_with(&RunEnding::Duration)
    }

    /// Does the same as [`Self::finish`], for a run that has ended as `ending` describes to observers.
    ///
    /// # Errors
    /// As [`Self::finish`].
    pub fn finish_with(&mut self, ending: &RunEnding) -> Result<Vec<PathBuf>, Error> {
        if std::mem::replace(&mut self.is_finished, true) {
            return Ok(Vec::new());
        }
        let _log = self.enter_log();
        let mut files = Vec::new();
        self.call_hooks(|active, context| {
            active.end(context);
            Ok(())
        })?;
        if self.is_begun && !self.observers.is_empty() {
            files = self.observers.end(&self.simulation, ending);
        }
        let mut failed: Option<Error> = None;
        match self.finish_tables() {
            Ok(tables) => drop(files.splice(..0, tables)),
            Err(error) => failed = Some(error),
        }
        for mut tap in self.taps.drain(..) {
            match tap.sink.finish() {
                Ok(written) => files.extend(written),
                Err(error) => failed = failed.or(Some(error.into())),
            }
        }
        files.extend(self.finish_record(ending, &files)?);
        self.log_finished(files.len());
        failed.map_or(Ok(files), Err)
    }
}
