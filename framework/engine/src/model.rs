//! Models at run time: instances, their memories, and calls of their phases on columns.

mod array;
mod call;
mod capture;
mod copies;
mod examination;
mod lanes;
mod migration;
mod wiring;

pub(crate) use array::ArrayColumns;
pub(crate) use call::{Call, CallColumns};
pub use capture::Capture;
pub(crate) use copies::MemoryCopies;
pub use lanes::ModelError;
pub(crate) use lanes::{LaneInstances, PortMap, arrange, create_instance, incomplete};
pub(crate) use migration::{MigrationError, copy_states};
pub(crate) use wiring::{Lengths, ModelLanes, UnboundCall};

use std::path::Path;

use serde::{Deserialize, Serialize};
use simhost_abi::Fault;
use simhost_model::{LINKED_IN, ModelRef};
use xxhash_rust::xxh3::xxh3_128;

use crate::encoding::{DecodeError, Reader, SnapshotError, Writer};
use crate::live_state::LiveState;

// State slots are columns, which are written with their store.
impl Call {
    /// Writes the memories of all lanes.
    ///
    /// # Errors
    /// [`SnapshotError::Memory`] if the model fails to save one.
    pub fn write(&self, to: &mut Writer) -> Result<(), SnapshotError> {
        let Some(memories) = self.memories() else { return Ok(()) };
        for lane in 0..memories.lanes() {
            let bytes = memories.save(lane).map_err(|fault| self.memory_error(lane, &fault))?;
            to.put(&bytes)?;
        }
        Ok(())
    }

    /// Returns the error for the memory of a lane that a model has failed to save.
    fn memory_error(&self, lane: usize, fault: &Fault) -> SnapshotError {
        SnapshotError::Memory {
            entity: self.entity(lane).to_string(),
            class: self.class().full_name.to_string(),
            text: fault.message(),
        }
    }

    /// Reads the memories of all lanes.
    ///
    /// # Errors
    /// [`DecodeError::Memory`] if the model rejects one.
    pub fn read(&self, from: &mut Reader<'_>) -> Result<(), DecodeError> {
        let Some(memories) = self.memories() else { return Ok(()) };
        for lane in 0..memories.lanes() {
            let bytes: Vec<u8> = from.take()?;
            memories.load(lane, self.schema(), &bytes).map_err(|fault| DecodeError::Memory {
                entity: self.entity(lane).to_string(),
                class: self.class().full_name.to_string(),
                text: fault.message(),
            })?;
        }
        Ok(())
    }
}

impl LiveState for Call {
    fn write(&self, to: &mut Writer) -> Result<(), SnapshotError> {
        Self::write(self, to)
    }

    fn read(&mut self, from: &mut Reader<'_>) -> Result<(), DecodeError> {
        Self::read(self, from)
    }
}

/// Identification of a model whose state a snapshot holds.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct ModelStamp {
    /// Tag of the kind in a world file, such as `friction`.
    pub kind: String,
    /// Full name of the class.
    pub class: String,
    /// Version of the model.
    pub version: String,
    /// Version of its states and memory.
    pub schema: u32,
    /// Names of its state slots.
    pub slots: Vec<String>,
    /// Hash of the plugin file; `None` for a model that is linked in.
    pub file: Option<u128>,
}

/// Returns the sorted stamps of the models of all calls, each model once.
pub(crate) fn stamps<'c>(calls: impl Iterator<Item = &'c Call>) -> Vec<ModelStamp> {
    let mut models: Vec<ModelRef> = Vec::new();
    for class in calls.map(Call::class) {
        if !models.iter().any(|known| std::ptr::eq(known.model, class.model)) {
            models.push(class.clone());
        }
    }
    let mut stamps: Vec<ModelStamp> = models.iter().map(stamp).collect();
    stamps.sort();
    stamps
}

fn stamp(class: &ModelRef) -> ModelStamp {
    let names = class.model.states().iter().map(|slot| slot.name().to_owned());
    ModelStamp {
        kind: class.model.kind_tag().to_owned(),
        class: class.full_name.to_string(),
        version: class.model.version().to_owned(),
        schema: class.model.schema,
        slots: names.collect(),
        file: file_hash(&class.source),
    }
}

/// Returns the hash of a plugin file.
fn file_hash(source: &str) -> Option<u128> {
    let file = Some(Path::new(source)).filter(|_| source != LINKED_IN)?;
    simhost_files::read(file, simhost_files::MAX_DATA_BYTES).ok().map(|bytes| xxh3_128(&bytes))
}
