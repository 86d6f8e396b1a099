//! Streams that a program reads on request.

use std::collections::HashMap;

use simhost_engine::Simulation;
use simhost_world::World;

use super::catalogue::outputs;
use super::output::{Buffer, Output};
use crate::error::Error;
use crate::inputs::unknown;
use crate::records::Record;

/// Streams that have been read on request, so that each is looked up once.
#[derive(Default)]
pub struct Reads {
    outputs: HashMap<String, Output>,
    /// Space for a sample.
    pub buffer: Buffer,
}

impl Reads {
    /// Forgets all streams, because the simulation has other quantities now.
    pub fn clear(&mut self) {
        self.outputs.clear();
    }

    /// Returns whether a stream has been looked up.
    pub fn knows(&self, stream: &str) -> bool {
        self.outputs.contains_key(stream)
    }

    /// Looks a stream up.
    ///
    /// # Errors
    /// [`Error::Input`] with the nearest name if there is no such stream.
    pub fn find(
        &mut self,
        world: &World,
        simulation: &Simulation,
        stream: &str,
    ) -> Result<(), Error> {
        let is_first = self.outputs.is_empty();
        // whoever reads a second stream probably reads many
        let found = outputs(world, simulation, |name| !is_first || name == stream);
        let named = found.into_iter().map(|output| (output.stream.name.clone(), output));
        self.outputs.extend(named);
        if self.outputs.contains_key(stream) {
            return Ok(());
        }
        let all = outputs(world, simulation, |_| true);
        Err(unknown("stream", stream, all.iter().map(|output| output.stream.name.as_str())).into())
    }

    /// Returns a sample of a stream that has been looked up, taken now.
    ///
    /// # Errors
    /// [`Error::Type`] if its type is another one.
    pub fn latest<R: Record>(&mut self, simulation: &Simulation, stream: &str) -> Result<R, Error> {
        let Self { outputs, buffer } = self;
        buffer.begin(simulation);
        let output =
            outputs.get_mut(stream).ok_or_else(|| unknown("stream", stream, [].into_iter()))?;
        let stream = output.stream.clone();
        let stream = &stream;
        if !R::accepts(&stream.kind) {
            let (stream, found) = (stream.name.clone(), stream.kind.name.to_string());
            return Err(Error::Type { stream, found, expected: R::TYPE });
        }
        Ok(output.read(simulation, buffer, |sample| R::from_sample(stream, sample)))
    }
}
