//! What a snapshot is a state of.

use std::path::Path;

use serde::{Deserialize, Serialize};
use simhost_model::ModelRef;
use xxhash_rust::xxh3::xxh3_128;

use crate::model::Call;
use crate::sensors::Sensors;
use crate::simulation::Simulation;
use crate::table::Table;

/// What a snapshot is a state of.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SnapshotHeader {
    /// Version of the program that took it.
    pub host: String,
    /// Fingerprint of the world, see [`simhost_world::World::fingerprint`].
    pub world: u128,
    /// Names of the vehicles, in the order of the world file.
    pub vehicles: Vec<String>,
    /// Seed of the draws up to there.
    pub seed: u64,
    /// Steps done.
    pub step: u64,
    /// Time after them, s.
    pub time: f64,
    /// Length of a step, s.
    pub dt: f64,
    /// The models, each once.
    pub models: Vec<ModelStamp>,
}

// a step is a finite number
impl Eq for SnapshotHeader {}

/// A model that a snapshot holds the state of.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct ModelStamp {
    /// As in a world file: `friction`, `dynamics`, …
    pub kind: String,
    /// Full name of the class.
    pub class: String,
    /// Its version.
    pub version: String,
    /// Version of what it remembers.
    pub schema: u32,
    /// Names of its state slots.
    pub slots: Vec<String>,
    /// Hash of the file it came from; none for one that is linked in.
    pub file: Option<u128>,
}

impl SnapshotHeader {
    /// Of a simulation now.
    pub(super) fn of(simulation: &Simulation) -> Self {
        let clock = simulation.clock;
        Self {
            host: env!("CARGO_PKG_VERSION").to_owned(),
            world: simulation.origin.world,
            vehicles: simulation.names.clone(),
            seed: simulation.seed,
            step: clock.steps,
            time: clock.time(),
            dt: clock.dt,
            models: simulation.origin.models.clone(),
        }
    }
}

/// The stamps of all models, in order.
pub(crate) fn stamps(tables: &[Table], sensors: &Sensors) -> Vec<ModelStamp> {
    let calls = tables.iter().flat_map(Table::calls).chain(sensors.calls());
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
        file: content(&class.source),
    }
}

/// The hash of the file of a library; what is linked in has none.
fn content(source: &str) -> Option<u128> {
    let file = Some(Path::new(source)).filter(|_| source != "linked in")?;
    std::fs::read(file).ok().map(|bytes| xxh3_128(&bytes))
}
