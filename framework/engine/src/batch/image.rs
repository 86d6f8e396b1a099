//! The vehicles of a member as numbers, at its start and on its way between blocks.

use std::sync::Arc;

use crate::clock::Clock;
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
        save_sensors(state, &mut sensors);
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

/// Keeps state and readings of the sensors of the member whose state this is.
pub(super) fn save_sensors(state: &State, to: &mut SensorState) {
    if state.sensors.is_empty() {
        return;
    }
    let saved = state.sensors.save(to);
    saved.expect("sensors of members have no memory that cannot be saved");
}

/// Gives a state the state and the readings of the sensors of a member, but not readings that a sample at the time of
/// `sampling` replaces.
pub(super) fn load_sensors(state: &mut State, from: &SensorState, sampling: Option<&Clock>) {
    if state.sensors.is_empty() {
        return;
    }
    let loaded = state.sensors.load(from, sampling);
    loaded.expect("what the same sensors have saved");
}

/// Returns the first step after which a sensor is due or a sample arrives.
pub(super) fn next_due(state: &State) -> u64 {
    let now = state.clock.steps;
    if state.sensors.is_empty() {
        return u64::MAX;
    }
    let is_due = |steps: u64| state.sensors.is_any_due(&Clock { steps, ..state.clock });
    // what is due stays due
    let sample = state.sensors.next_sample(&state.clock).max(now + 1);
    if is_due(sample) && (sample == now + 1 || !is_due(sample - 1)) {
        return sample;
    }
    let mut reach = 1;
    while !is_due(now + reach) {
        if reach > 1 << 40 {
            return u64::MAX;
        }
        reach *= 2;
    }
    let (mut before, mut due) = (now + reach / 2, now + reach);
    while due - before > 1 {
        let middle = before + (due - before) / 2;
        if is_due(middle) { due = middle } else { before = middle }
    }
    due
}
