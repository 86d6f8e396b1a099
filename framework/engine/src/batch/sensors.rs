//! State and readings of the sensors of a member.

use crate::clock::Clock;
use crate::sensors::SensorState;
use crate::state::State;

/// Keeps state and readings of the sensors of the member whose state this is.
pub fn save(state: &State, to: &mut SensorState) {
    if state.sensors.is_empty() {
        return;
    }
    let saved = state.sensors.save(to);
    saved.expect("sensors of members have no memory that cannot be saved");
}

/// Gives a state the state and the readings of the sensors of a member, but not readings that a sample at the time of
/// `sampling` replaces.
pub fn load(state: &mut State, from: &SensorState, sampling: Option<&Clock>) {
    if state.sensors.is_empty() {
        return;
    }
    let loaded = state.sensors.load(from, sampling);
    loaded.expect("what the same sensors have saved");
}

/// Returns the first step after which a sensor is due or a sample arrives.
pub fn next_due(state: &State) -> u64 {
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
