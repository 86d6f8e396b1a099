//! Takers of what steps lead to: sinks with the streams that they take, and tables.

use std::collections::HashSet;
use std::path::PathBuf;
use std::sync::Arc;

use simhost_engine::{Clock, Patterns, Period, Simulation};
use simhost_streams::{RecordingAction, Sink, Stamp, Stream};

use super::editable_world::EditableWorld;
use crate::error::Error;
use crate::inputs::unknown;
use crate::output::OutputError;
use crate::streams::{self, Buffer, Output, Selection};
use crate::tables::SessionTables;

/// Something that the steps of a session feed. The calls of one life are, in this order: [`Self::take`] and
/// [`Self::settle`] for each piece of a run, [`Self::begin_again`] and [`Self::follow`] between pieces, and
/// [`Self::finish`].
pub(super) trait Tap: Send {
    /// Returns the number of completed steps after which the next sample is due; `u64::MAX` if there is none.
    fn due(&self) -> u64;

    /// Takes what is due after the completed steps. `buffer` is space for a sample. Returns the files that have been
    /// opened.
    fn take(&mut self, world: &EditableWorld, buffer: &mut Buffer) -> Result<Vec<PathBuf>, Error>;

    /// Takes the state from which a run continues, if that has not been taken. Called between the pieces of a run,
    /// before inputs act. Returns the files that have been opened.
    fn settle(&mut self, world: &EditableWorld) -> Result<Vec<PathBuf>, Error> {
        let _ = world;
        Ok(Vec::new())
    }

    /// Takes what the present state has and has not been taken, during a pause.
    fn take_missing(&mut self, world: &EditableWorld, buffer: &mut Buffer) -> Result<(), Error> {
        let _ = (world, buffer);
        Ok(())
    }

    /// Begins a new sequence, because time has gone back.
    fn begin_again(&mut self, world: &EditableWorld) -> Result<(), Error>;

    /// Continues in a changed world, which has a description.
    fn follow(&mut self, world: &EditableWorld) -> Result<(), Error>;

    /// Passes the settings of logs in the world on.
    fn announce_logs(&mut self, world: &EditableWorld) {
        let _ = world;
    }

    /// Switches the recording of a vehicle, or of all vehicles if the name is empty.
    fn switch_recording(&mut self, vehicle: &str, action: RecordingAction) {
        let _ = (vehicle, action);
    }

    /// Completes the output. Returns the paths of the files.
    fn finish(self) -> Result<Vec<PathBuf>, Error>
    where
        Self: Sized;
}

/// A sink with the streams that it takes.
pub(super) struct SinkTap {
    sink: Box<dyn Sink>,
    selection: Selection,
    outputs: Vec<(Output, Option<Period>)>,
    /// For each output, 1 + the number of steps after which the last sample was taken.
    taken: Vec<u64>,
    /// Number of completed steps after which the sink takes the next sample; `u64::MAX` if there is none.
    due: u64,
    /// Vehicles whose logs the sink knows.
    logs: HashSet<String>,
}

impl SinkTap {
    /// Begins a sink with the selected streams.
    ///
    /// # Errors
    /// [`Error::Sink`] if the sink cannot take them, [`Error::Input`] if a pattern selects no stream.
    pub fn new(
        mut sink: Box<dyn Sink>,
        selection: &Selection,
        world: &EditableWorld,
    ) -> Result<Self, Error> {
        check_patterns(selection, world)?;
        let outputs = select(selection, world)?;
        sink.begin(&streams_of(&outputs))?;
        let taken = vec![0; outputs.len()];
        let selection = selection.clone();
        let mut tap = Self { sink, selection, outputs, taken, due: 0, logs: HashSet::new() };
        if world.is_measured {
            tap.plan(world.simulation.clock());
        }
        tap.announce_logs(world);
        Ok(tap)
    }

    /// Returns whether samples depend on what has touched between them.
    pub fn needs_collisions(&self) -> bool {
        self.outputs.iter().any(|(output, _)| output.needs_collisions())
    }

    /// Finds the step after which the next sample is due.
    fn plan(&mut self, clock: Clock) {
        let left = self.outputs.iter().filter(|(output, _)| !output.is_complete());
        let steps = left.map(|(_, period)| period.map_or(1, |one| one.steps_to_due(clock)));
        self.due = steps.min().map_or(u64::MAX, |steps| clock.steps.saturating_add(steps));
    }

    /// Sends the samples that are due and that the sink wants. Returns whether there were any.
    fn send(
        &mut self,
        simulation: &Simulation,
        buffer: &mut Buffer,
        is_due: impl Fn(&mut Option<Period>, u64) -> bool,
    ) -> Result<bool, Error> {
        let Self { sink, outputs, taken, .. } = self;
        let steps = simulation.clock().steps;
        buffer.begin(simulation);
        let mut is_any_taken = false;
        for (index, (output, period)) in outputs.iter_mut().enumerate() {
            // a sensor that has not been sampled gives its next sample, whenever it comes
            let is_due = output.is_ready(simulation) && is_due(period, taken[index]);
            if is_due && sink.wants(index) {
                output.take(simulation, buffer, |sample| sink.take(index, sample))?;
                taken[index] = steps + 1;
                is_any_taken = true;
            }
        }
        Ok(is_any_taken)
    }
}

impl Tap for SinkTap {
    fn due(&self) -> u64 {
        self.due
    }

    fn take(&mut self, world: &EditableWorld, buffer: &mut Buffer) -> Result<Vec<PathBuf>, Error> {
        let clock = world.simulation.clock();
        self.send(&world.simulation, buffer, |period, _| {
            period.as_mut().is_none_or(|period| period.is_due(clock))
        })?;
        self.sink.end_of_step(Stamp::of_step(clock.steps, clock.dt))?;
        self.plan(clock);
        Ok(Vec::new())
    }

    fn take_missing(&mut self, world: &EditableWorld, buffer: &mut Buffer) -> Result<(), Error> {
        let clock = world.simulation.clock();
        let is_any_taken = self.send(&world.simulation, buffer, |period, taken| {
            // streams with a period have no samples between
            period.is_none() && taken <= clock.steps
        })?;
        if is_any_taken {
            self.sink.end_of_step(Stamp::of_step(clock.steps, clock.dt))?;
        }
        Ok(())
    }

    fn begin_again(&mut self, world: &EditableWorld) -> Result<(), Error> {
        self.due = 0;
        if world.description.is_some() {
            self.outputs = select(&self.selection, world)?;
            self.taken = vec![0; self.outputs.len()];
            return Ok(self.sink.begin(&streams_of(&self.outputs))?);
        }
        // without a description the world does not change, only its time
        self.sink.begin(&streams_of(&self.outputs))?;
        for (output, period) in &mut self.outputs {
            let every = self.selection.period_of(&output.stream);
            *period = every.map(|every| Period::after(every, world.simulation.clock()));
            output.begin_again();
        }
        self.taken.fill(0);
        Ok(())
    }

    /// Takes samples of a changed world from now on. If it has the same streams, their sequences continue.
    fn follow(&mut self, world: &EditableWorld) -> Result<(), Error> {
        self.due = 0;
        let mut outputs = select(&self.selection, world)?;
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

    /// Passes the settings of logs in the world on, if the sink does not know them.
    fn announce_logs(&mut self, world: &EditableWorld) {
        let Some(world) = world.description() else { return };
        let Self { sink, logs, .. } = self;
        let logged = || {
            let vehicles = world.vehicles.iter();
            vehicles.filter_map(|vehicle| Some((&vehicle.name, vehicle.log.as_ref()?)))
        };
        // a vehicle that takes the name of an earlier one has a log of its own
        let present: HashSet<&String> = logged().map(|(name, _)| name).collect();
        logs.retain(|known| present.contains(known));
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

    fn switch_recording(&mut self, vehicle: &str, action: RecordingAction) {
        self.sink.switch_recording(vehicle, action);
    }

    fn finish(mut self) -> Result<Vec<PathBuf>, Error> {
        Ok(self.sink.finish()?)
    }
}

/// Tables take rows at the states from which runs continue, and after each step from then on. They notice by themselves
/// that time has gone back.
impl Tap for SessionTables {
    fn due(&self) -> u64 {
        self.next_step()
    }

    fn take(&mut self, world: &EditableWorld, _: &mut Buffer) -> Result<Vec<PathBuf>, Error> {
        self.settle(world)
    }

    fn settle(&mut self, world: &EditableWorld) -> Result<Vec<PathBuf>, Error> {
        Ok(match self.observe(&world.observed())? {
            true => self.paths(),
            false => Vec::new(),
        })
    }

    fn begin_again(&mut self, world: &EditableWorld) -> Result<(), Error> {
        self.pause();
        match self.is_back(world.steps()) {
            // the next rows begin a sequence of their own
            true => Ok(()),
            false => Tap::follow(self, world),
        }
    }

    fn follow(&mut self, world: &EditableWorld) -> Result<(), Error> {
        Self::follow(self, &world.observed())
    }

    fn switch_recording(&mut self, _: &str, action: RecordingAction) {
        if action == RecordingAction::Clear {
            self.clear();
        }
    }

    fn finish(self) -> Result<Vec<PathBuf>, Error> {
        Ok(Self::finish(self).map_err(OutputError::from)?)
    }
}

fn streams_of(outputs: &[(Output, Option<Period>)]) -> Vec<Arc<Stream>> {
    outputs.iter().map(|(one, _)| one.stream.clone()).collect()
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
