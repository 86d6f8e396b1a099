//! Members of a batch, and where they are.

use std::sync::Arc;

use super::image::Start;
use crate::sensors::SensorState;
use crate::simulation::Simulation;
use crate::step::StepError;

/// A member of a batch.
pub(super) struct BatchMember {
    /// Number in the batch.
    pub number: usize,
    /// Index of its variant in the chunk.
    pub group: usize,
    /// Seed of its run.
    pub seed: u64,
    /// Number of completed steps.
    pub steps: u64,
    /// Number of the step after which a sensor is due or a sample arrives, at the latest step before which nothing
    /// of this kind happens. Not used while it is detached.
    pub due: u64,
    /// Where its vehicles are.
    pub place: MemberPlace,
    /// Block and slot in which it was last.
    pub last: Option<(usize, usize)>,
    /// State and readings of its sensors, unless it is detached.
    pub sensors: SensorState,
    /// State at the start, if the member has returned to it or can.
    pub start: Option<Arc<Start>>,
    /// Error of the last step.
    pub failure: Option<StepError>,
}

/// How far the members of a batch are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BatchProgress {
    /// Largest number of completed steps.
    pub most_steps: u64,
    /// Whether a step of some member has failed, now or earlier.
    pub has_failures: bool,
}

/// Where the vehicles of a member are.
pub(super) enum MemberPlace {
    /// At its start, in `start`.
    Start,
    /// In lanes of a block.
    Lanes { block: usize, slot: usize },
    /// Detached: in a simulation of its own.
    Detached(Box<Simulation>),
}

impl BatchMember {
    /// Creates a member before its first start.
    pub fn new(number: usize) -> Self {
        Self {
            number,
            group: usize::MAX,
            seed: 0,
            steps: 0,
            due: u64::MAX,
            place: MemberPlace::Start,
            last: None,
            sensors: SensorState::default(),
            start: None,
            failure: None,
        }
    }

    /// Returns whether it has a simulation of its own.
    pub fn is_detached(&self) -> bool {
        matches!(self.place, MemberPlace::Detached(_))
    }

    /// Takes `count` steps, if it is detached and no step has failed.
    pub fn run_detached(&mut self, count: u64) {
        if let (MemberPlace::Detached(own), None) = (&mut self.place, &self.failure) {
            self.failure = own.run(count).err();
            self.steps = own.state.clock.steps;
        }
    }

    /// Returns whether it is detached and could have lanes of a block.
    pub fn can_attach(&self) -> bool {
        self.failure.is_none()
            && matches!(&self.place, MemberPlace::Detached(own) if own.state.can_share())
    }
}
