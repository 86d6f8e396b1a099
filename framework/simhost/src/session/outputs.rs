//! Outputs of a session: samples for sinks and for programs, tables, and the observers of the world.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use simhost_engine::{Observers, RunEnding, Simulation, Stop};
use simhost_streams::{RecordingAction, Sink};
use simhost_world::Sources;

use super::editable_world::EditableWorld;
use super::tap::{SinkTap, Tap};
use crate::description::Description;
use crate::error::Error;
use crate::records::Record;
use crate::streams::{Reads, Selection};
use crate::tables::SessionTables;

/// A sink of a session, for [`Outputs::detach`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SinkId(u64);

/// The outputs of a session: sinks, which [`Session::attach`](crate::Session::attach) adds, the tables in the output
/// folder, and the observers of the world.
pub struct Outputs {
    /// Tables in the output folder, until they are complete.
    tables: Option<Box<SessionTables>>,
    sinks: Vec<(SinkId, SinkTap)>,
    /// Number of sinks so far.
    sink_count: u64,
    /// Files of sinks that have been detached.
    detached: Vec<PathBuf>,
    /// Files that have been opened and not announced.
    opened: Vec<PathBuf>,
    /// Streams that are read on request.
    reads: Reads,
    /// The observers of the world.
    pub(super) observers: Observers,
    /// Texts of the world for errors of its observers, once its description has been dropped.
    observer_sources: Option<Arc<Sources>>,
    /// Whether the observers and the sinks have begun.
    is_begun: bool,
}

impl Outputs {
    /// Returns the observers of the world.
    pub fn observers(&self) -> &Observers {
        &self.observers
    }

    /// Returns the folder of the tables that are written now: the output folder, or `session-2`,
    /// `session-3` and so on in it after time has gone back, entities have come or gone, or a sensor has got
    /// another number of rays.
    pub fn table_folder(&self) -> Option<&Path> {
        self.tables.as_ref().filter(|tables| tables.is_open()).map(|tables| tables.folder())
    }

    /// Completes the tables and returns the paths of their files. Otherwise
    /// [`Session::finish`](crate::Session::finish) does this.
    ///
    /// # Errors
    /// [`Error::Output`] if a file cannot be written.
    pub fn finish_tables(&mut self) -> Result<Vec<PathBuf>, Error> {
        self.tables.take().map_or(Ok(Vec::new()), |tables| Tap::finish(*tables))
    }

    /// Completes the output of a sink, which takes no further samples. Returns the paths of its files, or none if the
    /// sink has been detached already.
    ///
    /// # Errors
    /// [`Error::Sink`] if the output cannot be completed.
    pub fn detach(&mut self, id: SinkId) -> Result<Vec<PathBuf>, Error> {
        let Some(at) = self.sinks.iter().position(|(one, _)| *one == id) else {
            return Ok(Vec::new());
        };
        let (_, sink) = self.sinks.remove(at);
        let files = sink.finish()?;
        self.detached.extend(files.iter().cloned());
        Ok(files)
    }
}

impl Outputs {
    /// Creates the observers of a world.
    ///
    /// # Errors
    /// [`Error::Observer`] if an observer cannot be created.
    pub(super) fn new(description: &Description, simulation: &Simulation) -> Result<Self, Error> {
        let observers = Observers::new(&description.world, simulation)
            .map_err(|error| description.observer_error(error))?;
        Ok(Self {
            tables: None,
            sinks: Vec::new(),
            sink_count: 0,
            detached: Vec::new(),
            opened: Vec::new(),
            reads: Reads::default(),
            observers,
            observer_sources: None,
            is_begun: false,
        })
    }

    /// Sends samples of the selected streams to a sink from now on.
    pub(super) fn attach(
        &mut self,
        sink: Box<dyn Sink>,
        selection: &Selection,
        world: &mut EditableWorld,
    ) -> Result<SinkId, Error> {
        let tap = SinkTap::new(sink, selection, world)?;
        if tap.needs_collisions() {
            world.simulation.watch_collisions();
        }
        self.sink_count += 1;
        let id = SinkId(self.sink_count);
        self.sinks.push((id, tap));
        Ok(id)
    }

    /// Writes rows to tables from now on.
    pub(super) fn attach_tables(&mut self, tables: SessionTables) {
        self.tables = Some(Box::new(tables));
    }

    /// Returns everything that the steps feed.
    fn taps(&mut self) -> impl Iterator<Item = &mut dyn Tap> {
        let tables = self.tables.iter_mut().map(|tables| &mut **tables as &mut dyn Tap);
        tables.chain(self.sinks.iter_mut().map(|(_, sink)| sink as &mut dyn Tap))
    }

    /// Begins a new sequence of samples, because time has gone back.
    ///
    /// # Errors
    /// [`Error::Sink`] if a sink cannot take them.
    pub(super) fn begin_again(&mut self, world: &EditableWorld) -> Result<(), Error> {
        self.change(world, |tap| tap.begin_again(world))
    }

    /// Continues the samples in a changed world.
    ///
    /// # Errors
    /// [`Error::Sink`] if the streams have changed and a sink cannot take the new ones.
    pub(super) fn follow(&mut self, world: &EditableWorld) -> Result<(), Error> {
        if world.description.is_none() {
            return Ok(());
        }
        self.change(world, |tap| tap.follow(world))
    }

    fn change(
        &mut self,
        world: &EditableWorld,
        act: impl Fn(&mut dyn Tap) -> Result<(), Error>,
    ) -> Result<(), Error> {
        self.reads.clear();
        let done = self.taps().try_for_each(act);
        self.taps().for_each(|tap| tap.announce_logs(world));
        done
    }

    /// Switches the recording of a vehicle, or of all vehicles if the name is empty.
    pub(super) fn switch_recording(&mut self, vehicle: &str, action: RecordingAction) {
        self.taps().for_each(|tap| tap.switch_recording(vehicle, action));
    }

    /// Returns the number of steps, at least 1, after which the next sample is due; `u64::MAX` if there is none.
    pub(super) fn steps_to_sample(&mut self, steps: u64) -> u64 {
        let due = self.taps().map(|tap| tap.due()).min().unwrap_or(u64::MAX);
        due.saturating_sub(steps).max(1)
    }

    /// Hands out the samples that are due.
    pub(super) fn publish(&mut self, world: &EditableWorld) -> Result<(), Error> {
        let steps = world.steps();
        let mut buffer = std::mem::take(&mut self.reads.buffer);
        let mut opened = Vec::new();
        let published = self.taps().filter(|tap| tap.due() <= steps).try_for_each(|tap| {
            opened.extend(tap.take(world, &mut buffer)?);
            Ok(())
        });
        self.reads.buffer = buffer;
        self.opened.append(&mut opened);
        published
    }

    /// Hands out the state from which a run continues, if that has not been done.
    pub(super) fn settle(&mut self, world: &EditableWorld) -> Result<(), Error> {
        let mut opened = Vec::new();
        let settled = self.taps().try_for_each(|tap| {
            opened.extend(tap.settle(world)?);
            Ok(())
        });
        self.opened.append(&mut opened);
        settled
    }

    /// Returns the files that have been opened since the last call.
    pub(super) fn take_opened(&mut self) -> Vec<PathBuf> {
        std::mem::take(&mut self.opened)
    }

    /// Hands out the samples that are wanted of the present state and have not been taken, during a pause.
    pub(super) fn publish_missing(&mut self, world: &EditableWorld) -> Result<(), Error> {
        let mut buffer = std::mem::take(&mut self.reads.buffer);
        let published = self.taps().try_for_each(|tap| tap.take_missing(world, &mut buffer));
        self.reads.buffer = buffer;
        published
    }

    /// Returns a sample of a stream, taken now. Reading a stream again costs no search.
    ///
    /// # Errors
    /// [`Error::Input`] with the nearest name if there is no such stream, and [`Error::Type`] if its type
    /// is another one.
    pub(super) fn latest<R: Record>(
        &mut self,
        stream: &str,
        world: &EditableWorld,
    ) -> Result<R, Error> {
        if !self.reads.knows(stream) {
            self.reads.find(&world.described()?.world, &world.simulation, stream)?;
        }
        self.reads.latest(&world.simulation, stream)
    }

    /// Begins the observers, once. Returns whether this is the first call, and the request of an observer to
    /// end the run.
    pub(super) fn begin(&mut self, world: &EditableWorld) -> Result<Option<Stop>, Error> {
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
    pub(super) fn is_begun(&self) -> bool {
        self.is_begun
    }

    /// Continues the observers with another simulation of the world.
    ///
    /// # Errors
    /// [`Error::Observer`] if the world lacks what an observer reads.
    pub(super) fn rebind(
        &mut self,
        description: &Description,
        simulation: &Simulation,
    ) -> Result<(), Error> {
        let bound = self.observers.rebind(&description.world, simulation);
        bound.map_err(|error| description.observer_error(error))
    }

    /// Keeps the texts of a world whose description is dropped, for errors of its observers.
    pub(super) fn keep_sources(&mut self, description: Option<&Description>) {
        if !self.observers.is_empty() {
            self.observer_sources = description.map(|one| one.sources.clone());
        }
    }

    /// Ends the run of the observers. Returns the paths of their files.
    fn end_observers(&mut self, simulation: &Simulation, ending: &RunEnding) -> Vec<PathBuf> {
        match self.is_begun && !self.observers.is_empty() {
            true => self.observers.end(simulation, ending),
            false => Vec::new(),
        }
    }

    /// Completes the tables, ends the run of the observers and completes the output of all sinks. Returns the paths of
    /// the files, and the first error.
    pub(super) fn finish(
        &mut self,
        simulation: &Simulation,
        ending: &RunEnding,
    ) -> (Vec<PathBuf>, Option<Error>) {
        let tables = self.finish_tables();
        let observed = self.end_observers(simulation, ending);
        let detached = std::mem::take(&mut self.detached);
        let sinks = self.sinks.drain(..).map(|(_, sink)| sink.finish());
        let (mut files, mut failed) = (Vec::new(), None);
        for finished in [tables, Ok(observed), Ok(detached)].into_iter().chain(sinks) {
            match finished {
                Ok(written) => files.extend(written),
                Err(error) => failed = failed.or(Some(error)),
            }
        }
        (files, failed)
    }
}
