//! A member of an ensemble, and the numbers that it keeps.

use std::sync::Arc;

use crate::physics::{Physics, RigidBody};
use crate::sensors::SensorState;
use crate::simulation::{Simulation, StepError};

/// A member of an ensemble.
pub(super) struct EnsembleMember {
    /// Its number in the ensemble.
    pub number: usize,
    /// Index of the room with its variant.
    pub room: usize,
    pub seed: u64,
    /// Number of completed steps.
    pub steps: u64,
    /// Number of the step after which a sensor is due or a sample arrives, at the latest step before which nothing
    /// of this kind happens.
    pub due: u64,
    pub home: Home,
    /// Its world of rapier, while something is near one of its vehicles and it has no simulation of its own.
    pub encounter: Option<Box<Physics>>,
    /// Block and slot in which it was last.
    pub place: Option<(usize, usize)>,
    /// State and readings of its sensors.
    pub sensors: SensorState,
    /// State at the start, if the member has returned to it or can.
    pub start: Option<Arc<Start>>,
    /// Error of the last step.
    pub failure: Option<StepError>,
}

/// How far the members of an ensemble are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MembersProgress {
    /// Largest number of completed steps.
    pub most_steps: u64,
    /// Whether a step of some member has failed, now or earlier.
    pub has_failures: bool,
}

/// Where a member is.
pub(super) enum Home {
    /// Nowhere, before the start.
    None,
    /// In lanes of a block.
    Lanes { block: usize, slot: usize },
    /// As numbers.
    Parked(Box<Image>),
    /// In a simulation of its own.
    Own(Box<Simulation>),
}

/// Vehicles of a member as numbers.
#[derive(Clone, Default)]
pub(super) struct Image {
    /// Numbers of the vehicles, table by table.
    pub numbers: Vec<f64>,
    /// Their bodies.
    pub bodies: Vec<RigidBody>,
    /// Times at which the vehicles have tipped over, s.
    pub tipped: Vec<Option<f64>>,
}

impl Image {
    /// Removes all numbers, and keeps their memory.
    pub fn clear(&mut self) {
        self.numbers.clear();
        self.bodies.clear();
        self.tipped.clear();
    }

    /// Becomes like another image, in the memory that this one has.
    pub fn copy_from(&mut self, other: &Self) {
        self.numbers.clone_from(&other.numbers);
        self.bodies.clone_from(&other.bodies);
        self.tipped.clone_from(&other.tipped);
    }
}

/// State of a member at its start, after the first measurement.
pub(super) struct Start {
    pub image: Image,
    pub sensors: SensorState,
    /// Number of completed steps.
    pub steps: u64,
    pub due: u64,
    /// Seed, if the start depends on it.
    pub seed: Option<u64>,
}
