//! Headers of snapshots.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::model::ModelStamp;

/// Identification of the simulation from which a snapshot was taken.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SnapshotHeader {
    /// Version of the program.
    pub host: String,
    /// Fingerprint of the world, see [`simhost_world::World::fingerprint`].
    pub world: u128,
    /// Names of the vehicles, in the order of the world file.
    pub vehicles: Arc<[String]>,
    /// Seed of the draws up to the snapshot.
    pub seed: u64,
    /// Number of completed steps.
    pub step: u64,
    /// Time after them, s.
    pub time: f64,
    /// Length of a step, s.
    pub dt: f64,
    /// The models, each once.
    pub models: Arc<[ModelStamp]>,
}

// times of a simulation are finite
impl Eq for SnapshotHeader {}
