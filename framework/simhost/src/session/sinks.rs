//! Samples for sinks and for programs.

use std::path::PathBuf;
use std::sync::Arc;

use simhost_engine::RunEnding;
use simhost_streams::{Sink, Stream};

use super::Session;
use crate::error::Error;
use crate::records::Record;
use crate::streams::{self, Selection};

impl Session {
    /// Sends samples of the selected streams to a sink from now on.
    ///
    /// # Errors
    /// [`Error::Sink`] if the sink cannot take them, [`Error::Input`] if a pattern selects no stream.
    pub fn attach(&mut self, sink: Box<dyn Sink>, selection: &Selection) -> Result<(), Error> {
        self.outputs.attach(sink, selection, &self.world)
    }

    /// Returns a sample of a stream, taken now. Reading a stream again costs no search.
    ///
    /// # Errors
    /// [`Error::Input`] with the nearest name if there is no such stream, and [`Error::Type`] if its type
    /// is another one.
    pub fn latest<R: Record>(&mut self, stream: &str) -> Result<R, Error> {
        self.measure()?;
        self.outputs.latest(stream, &self.world)
    }

    /// Returns all streams, outputs first.
    ///
    /// # Errors
    /// [`Error::Forgotten`] if the description of the world has been dropped.
    pub fn streams(&self) -> Result<Vec<Arc<Stream>>, Error> {
        Ok(streams::streams(&self.world.described()?.world, &self.world.simulation))
    }

    /// Returns the input streams.
    ///
    /// # Errors
    /// As [`Self::streams`].
    pub fn input_streams(&self) -> Result<Vec<Arc<Stream>>, Error> {
        Ok(streams::inputs(&self.world.described()?.world, &self.world.simulation))
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
        self.call_hooks(|active, context| {
            active.end(context);
            Ok(())
        })?;
        let mut files = self.outputs.end_observers(&self.world.simulation, ending);
        let mut failed: Option<Error> = None;
        match self.record.finish_tables() {
            Ok(tables) => drop(files.splice(..0, tables)),
            Err(error) => failed = Some(error),
        }
        let (written, lost) = self.outputs.finish_sinks();
        files.extend(written);
        failed = failed.or(lost);
        files.extend(self.record.finish(&self.world.simulation, ending, &files)?);
        self.log_finished(files.len());
        failed.map_or(Ok(files), Err)
    }
}
