//! What leaves a session: samples for sinks and for programs, and the observers of the world.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use simhost_engine::{Observers, Patterns, Period, RunEnding, Simulation, Stop};
use simhost_streams::{RecordingAction, Sink, Stamp};
use simhost_world::Sources;

use super::editable_world::EditableWorld;
use super::tap::{Tap, streams_of};
use crate::description::Description;
use crate::error::Error;
use crate::inputs::unknown;
use crate::records::Record;
use crate::streams::{self, Output, Reads, Selection};

/// The outputs of a session.
pub(super) struct Outputs {
    taps: Vec<Tap>,
    /// Streams that are read on request.
    reads: Reads,
    /// The observers of the world.
    pub observers: Observers,
    /// Texts of the world for errors of its observers, once its description has been dropped.
    observer_sources: Option<Arc<Sources>>,
    /// Whether the observers and the sinks have begun.
    is_begun: bool,
}

impl Outputs {
    /// Creates the observers of a world.
    ///
    /// # Errors
    /// [`Error::Observer`] if an observer cannot be created.
    pub fn new(description: &Description, simulation: &Simulation) -> Result<Self, Error> {
        let observers = Observers::new(&description.world, simulation)
            .map_err(|error| description.observer_error(error))?;
        Ok(Self {
            taps: Vec::new(),
            reads: Reads::default(),
            observers,
            observer_sources: None,
            is_begun: false,
        })
    }

    /// Sends samples of the selected streams to a sink from now on.
    ///
    /// # Errors
    /// [`Error::Sink`] if the sink cannot take them, [`Error::Input`] if a pattern selects no stream.
    pub fn attach(
        &mut self,
        mut sink: Box<dyn Sink>,
        selection: &Selection,
        world: &EditableWorld,
    ) -> Result<(), Error> {
        check_patterns(selection, world)?;
        let outputs = select(selection, world)?;
        sink.begin(&streams_of(&outputs))?;
        let taken = vec![0; outputs.len()];
        let selection = selection.clone();
        let mut tap = Tap { sink, selection, outputs, taken, due: 0, logs: HashSet::new() };
        if world.is_measured {
            tap.plan(world.simulation.clock());
        }
        self.taps.push(tap);
        self.announce_logs(world);
        Ok(())
    }

    /// Begins a new sequence of samples for all sinks, because time has gone back.
    ///
    /// # Errors
    /// [`Error::Sink`] if a sink cannot take them.
    pub fn begin_again(&mut self, world: &EditableWorld) -> Result<(), Error> {
        self.each_tap(world, |tap| match &world.description {
            Some(_) => {
                tap.outputs = select(&tap.selection, world)?;
                tap.taken = vec![0; tap.outputs.len()];
                Ok(tap.sink.begin(&streams_of(&tap.outputs))?)
            }
            // without a description the world does not change, only its time
            None => tap.begin_again(world.simulation.clock()),
        })
    }

    /// Continues the samples of all sinks in a changed world.
    ///
    /// # Errors
    /// [`Error::Sink`] if the streams have changed and a sink cannot take the new ones.
    pub fn follow(&mut self, world: &EditableWorld) -> Result<(), Error> {
        if world.description.is_none() {
            return Ok(());
        }
        self.each_tap(world, |tap| tap.follow(select(&tap.selection, world)?))
    }

    fn each_tap(
        &mut self,
        world: &EditableWorld,
        act: impl Fn(&mut Tap) -> Result<(), Error>,
    ) -> Result<(), Error> {
        self.reads.clear();
        self.taps.iter_mut().for_each(|tap| tap.due = 0);
        let done = self.taps.iter_mut().try_for_each(act);
        self.announce_logs(world);
        done
    }

    /// Passes the settings of logs in the world on to the sinks that do not know them.
    fn announce_logs(&mut self, world: &EditableWorld) {
        let Some(world) = world.edited() else { return };
        let logged = || {
            let vehicles = world.vehicles.iter();
            vehicles.filter_map(|vehicle| Some((&vehicle.name, vehicle.log.as_ref()?)))
        };
        let names: HashSet<&String> = logged().map(|(name, _)| name).collect();
        for Tap { sink, logs, .. } in &mut self.taps {
            // a vehicle that takes the name of an earlier one has a log of its own
            logs.retain(|known| names.contains(known));
            for (name, log) in logged() {
                if !logs.insert(name.clone()) {
                    continue;
                }
                if !log.path.is_empty() {
                    sink.set_log_path(name, &log.path);
                }
                if log.starts {
                    sink.switch_recording(name, RecordingAction::On);
                }
            }
        }
    }

    /// Switches the recording of a vehicle, or of all vehicles if the name is empty.
    pub fn switch_recording(&mut self, vehicle: &str, action: RecordingAction) {
        self.taps.iter_mut().for_each(|tap| tap.sink.switch_recording(vehicle, action));
    }

    /// Returns the number of steps, at least 1, after which a sink takes the next sample; `u64::MAX` if there
    /// is none.
    pub fn steps_to_sample(&self, steps: u64) -> u64 {
        let due = self.taps.iter().map(|tap| tap.due).min().unwrap_or(u64::MAX);
        due.saturating_sub(steps).max(1)
    }

    /// Sends the samples that are due to the sinks.
    pub fn publish(&mut self, simulation: &Simulation) -> Result<(), Error> {
        let Self { taps, reads, .. } = self;
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
    pub fn publish_missing(&mut self, simulation: &Simulation) -> Result<(), Error> {
        let Self { taps, reads, .. } = self;
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
    pub fn latest<R: Record>(&mut self, stream: &str, world: &EditableWorld) -> Result<R, Error> {
        if !self.reads.knows(stream) {
            self.reads.find(&world.described()?.world, &world.simulation, stream)?;
        }
        self.reads.latest(&world.simulation, stream)
    }

    /// Begins the observers, once. Returns whether this is the first call, and the request of an observer to
    /// end the run.
    pub fn begin(&mut self, world: &EditableWorld) -> Result<Option<Stop>, Error> {
        if std::mem::replace(&mut self.is_begun, true) || self.observers.is_empty() {
            return Ok(None);
        }
        let folder: Option<&Path> = world.options.observer_folder.as_deref();
        let begun = self.observers.start(&world.simulation, folder);
        begun.map_err(|error| match &world.description {
            Some(description) => description.observer_error(error),
            None => {
                let sources = self.observer_sources.as_deref().cloned().unwrap_or_default();
                Error::Observer { error: Box::new(error), sources: Box::new(sources) }
            }
        })
    }

    /// Returns whether the observers have begun.
    pub fn is_begun(&self) -> bool {
        self.is_begun
    }

    /// Continues the observers with another simulation of the world.
    ///
    /// # Errors
    /// [`Error::Observer`] if the world lacks what an observer reads.
    pub fn rebind(
        &mut self,
        description: &Description,
        simulation: &Simulation,
    ) -> Result<(), Error> {
        let bound = self.observers.rebind(&description.world, simulation);
        bound.map_err(|error| description.observer_error(error))
    }

    /// Keeps the texts of a world whose description is dropped, for errors of its observers.
    pub fn keep_sources(&mut self, description: Option<&Description>) {
        if !self.observers.is_empty() {
            self.observer_sources = description.map(|one| one.sources.clone());
        }
    }

    /// Ends the run of the observers. Returns the paths of their files.
    pub fn end_observers(&mut self, simulation: &Simulation, ending: &RunEnding) -> Vec<PathBuf> {
        match self.is_begun && !self.observers.is_empty() {
            true => self.observers.end(simulation, ending),
            false => Vec::new(),
        }
    }

    /// Completes the output of all sinks. Returns the paths of their files, and the first error.
    pub fn finish_sinks(&mut self) -> (Vec<PathBuf>, Option<Error>) {
        let (mut files, mut failed) = (Vec::new(), None);
        for mut tap in self.taps.drain(..) {
            match tap.sink.finish() {
                Ok(written) => files.extend(written),
                Err(error) => failed = failed.or(Some(error.into())),
            }
        }
        (files, failed)
    }
}

/// Checks that each pattern selects a stream.
fn check_patterns(selection: &Selection, world: &EditableWorld) -> Result<(), Error> {
    if selection.patterns.is_empty() || selection.is_optional {
        return Ok(());
    }
    let all = streams::outputs(&world.described()?.world, &world.simulation, |_| true);
    let names = all.iter().map(|output| output.stream.name.as_str());
    let chosen = selection.patterns.iter().filter(|pattern| !pattern.starts_with('!'));
    for pattern in chosen {
        let own = Patterns::new([pattern.as_str()]);
        if !names.clone().any(|name| own.select(name)) {
            return Err(unknown("stream", pattern, names).into());
        }
    }
    Ok(())
}

/// Returns the streams of a sink with their periods from now on.
fn select(
    selection: &Selection,
    world: &EditableWorld,
) -> Result<Vec<(Output, Option<Period>)>, Error> {
    let patterns = Patterns::new(selection.patterns.iter().map(String::as_str));
    let keep = |name: &str| selection.patterns.is_empty() || patterns.select(name);
    let outputs = streams::outputs(&world.described()?.world, &world.simulation, keep);
    let clock = world.simulation.clock();
    let period = |output: &Output| {
        let period = selection.period_of(&output.stream)?;
        Some(if world.is_measured { Period::after(period, clock) } else { Period::new(period) })
    };
    let outputs = outputs.into_iter().map(|output| {
        let period = period(&output);
        (output, period)
    });
    Ok(outputs.collect())
}
