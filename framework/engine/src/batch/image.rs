//! The vehicles of a member as numbers, at its start and on its way between blocks.

use std::sync::Arc;

use super::sensors::{next_due, save};
use crate::physics::RigidBody;
use crate::sensors::SensorState;
use crate::state::State;

/// The vehicles of a member as numbers.
#[derive(Clone, Default)]
pub(super) struct Image {
    /// Numbers of the vehicles, table by table.
    pub numbers: Vec<f64>,
    /// Their bodies.
    pub bodies: Vec<RigidBody>,
    /// Times at which the vehicles have tipped over, s.
    pub tipped: Vec<Option<f64>>,
}

/// State of a member at its start, after the first measurement.
#[derive(Default)]
pub(super) struct Start {
    /// The vehicles.
    pub image: Image,
    /// The sensors.
    pub sensors: SensorState,
    /// Number of completed steps.
    pub steps: u64,
    /// Number of the step after which a sensor is due.
    pub due: u64,
    /// Seed, if the start depends on it.
    pub seed: Option<u64>,
}

impl Image {
    /// Removes all numbers, and keeps their memory.
    pub fn clear(&mut self) {
        self.numbers.clear();
        self.bodies.clear();
        self.tipped.clear();
    }
}

impl Start {
    /// Returns the start that a state is. `draws` is whether it depends on the seed.
    pub fn of(state: &State, draws: bool) -> Arc<Self> {
        let (mut image, mut sensors) = (Image::default(), SensorState::default());
        state.save_vehicles(&mut image);
        save(state, &mut sensors);
        let (steps, due) = (state.clock.steps, next_due(state));
        let seed = draws.then_some(state.seed);
        Arc::new(Self { image, sensors, steps, due, seed })
    }
}

impl State {
    /// Appends all vehicles to an image.
    pub(super) fn save_vehicles(&self, to: &mut Image) {
        for table in &self.tables {
            for lane in 0..table.vehicles.lanes.len() {
                table.vehicles.save_lane(lane, &mut to.numbers);
                to.tipped.push(table.vehicles.lanes[lane].tipped);
            }
        }
        to.bodies.extend_from_slice(self.physics.bodies.range(&(0..self.physics.bodies.len())));
    }
}
