//! Identification of the models whose state a snapshot holds.

use std::path::Path;

use serde::{Deserialize, Serialize};
use simhost_model::{LINKED_IN, ModelRef};
use xxhash_rust::xxh3::xxh3_128;

use super::call::Call;

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
