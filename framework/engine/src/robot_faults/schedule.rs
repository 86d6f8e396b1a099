//! When a fault begins and ends.
//!
//! The events of a rate λ are those of a Poisson process: the times between them are distributed
//! exponentially, −ln(1 − u)/λ with u uniform in [0, 1) (Devroye 1986, chapter VI.1). Time is divided into
//! windows whose length is a power of two, at most 1 s, with at most one event on average. Each window
//! has a random stream of its own, which begins anew at its start: the process has no memory, so the
//! events of all windows together are those of one process.

use simhost_sdk::{Random, math};
use simhost_world::{FaultOnset, RobotFault};

use crate::random::{Purpose, stream};

/// When a fault begins and ends.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Schedule {
    onset: FaultOnset,
    until: f64,
    duration: f64,
    /// Whether the fault lasts: it has an effect or an end.
    lasts: bool,
    /// Key of its random streams.
    key: u64,
    state: ScheduleState,
}

/// Settings that decide the future of a fault.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct ScheduleState {
    /// Time of the next onset, or of the end of the window without one, s.
    pub next: f64,
    /// Whether it is an onset.
    pub is_onset: bool,
    /// Time at which the present fault ends, s; `None` if it is not present.
    pub ends: Option<f64>,
}

impl Schedule {
    /// Creates the schedule of a fault. `key` is unique among all faults.
    pub fn new(fault: &RobotFault, key: u64, seed: u64) -> Self {
        let until = fault.until.unwrap_or(f64::INFINITY);
        let duration = fault.duration.unwrap_or(f64::INFINITY);
        let lasts = fault.effect.is_some() || fault.until.is_some() || fault.duration.is_some();
        let (next, is_onset) = match fault.onset {
            FaultOnset::At(time) => (time, true),
            FaultOnset::Rate(rate) => next_event(rate, key, seed, 0.0),
        };
        let state = ScheduleState { next, is_onset, ends: None };
        Self { onset: fault.onset, until, duration, lasts, key, state }
    }

    /// Lets a fault with a rate begin after a time, s.
    pub fn start(&mut self, time: f64, seed: u64) {
        if matches!(self.onset, FaultOnset::Rate(_)) {
            self.plan(time, seed);
        }
    }

    /// Returns whether the fault is present.
    pub fn is_present(&self) -> bool {
        self.state.ends.is_some()
    }

    /// Returns the time of the next change, s.
    pub fn next_change(&self) -> f64 {
        self.state.ends.unwrap_or(self.state.next)
    }

    /// Starts and ends the fault up to a time, s. Calls `occur` with the time of each onset.
    pub fn advance(&mut self, time: f64, seed: u64, mut occur: impl FnMut(f64)) {
        while self.next_change() <= time {
            if let Some(end) = self.state.ends.take() {
                self.plan(end, seed);
            } else if self.state.is_onset {
                let onset = self.state.next;
                occur(onset);
                if self.lasts {
                    self.state.ends = Some(self.until.min(onset + self.duration));
                } else {
                    self.plan(onset, seed);
                }
            } else {
                self.plan(self.state.next, seed);
            }
        }
    }

    /// Determines the next onset after a time, s.
    fn plan(&mut self, after: f64, seed: u64) {
        let (next, is_onset) = match self.onset {
            FaultOnset::Rate(rate) if after < self.until => next_event(rate, self.key, seed, after),
            _ => (f64::INFINITY, false),
        };
        let is_late = is_onset && next >= self.until;
        self.state.next = if is_late { f64::INFINITY } else { next };
        self.state.is_onset = is_onset && !is_late;
    }

    /// Returns what decides the future.
    pub fn state(&self) -> ScheduleState {
        self.state
    }

    /// Replaces what decides the future.
    pub fn set_state(&mut self, state: ScheduleState) {
        self.state = state;
    }

    /// Continues another schedule. Returns false, without a change, if it is that of another fault.
    pub fn continue_from(&mut self, old: &Self) -> bool {
        let is_same = self.onset == old.onset
            && (self.until, self.duration, self.lasts) == (old.until, old.duration, old.lasts);
        if is_same {
            self.state = old.state;
        }
        is_same
    }
}

/// Returns the first event of a rate, 1/s, after a time, s, and `true`; or the end of the window of that
/// time and `false`, if it has none.
fn next_event(rate: f64, key: u64, seed: u64, after: f64) -> (f64, bool) {
    if rate <= 0.0 {
        return (f64::INFINITY, false);
    }
    let mut length = 1.0;
    while length * rate > 1.0 {
        length *= 0.5;
    }
    let window = (after / length).floor();
    let (mut time, end) = (window * length, (window + 1.0) * length);
    let mut random = Random::new(stream(seed, Purpose::RobotFault, key, window as u64));
    loop {
        time -= math::ln(1.0 - random.uniform()) / rate;
        if time >= end {
            return (end, false);
        }
        if time > after {
            return (time, true);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::next_event;

    /// Returns the events of a rate within a time, s.
    fn events(rate: f64, key: u64, seed: u64, duration: f64) -> Vec<f64> {
        let (mut after, mut found) = (0.0, Vec::new());
        loop {
            let (next, is_event) = next_event(rate, key, seed, after);
            if next >= duration {
                return found;
            }
            if is_event {
                found.push(next);
            }
            after = next;
        }
    }

    #[test]
    fn times_between_events_are_distributed_exponentially() {
        for rate in [0.02, 0.7, 30.0] {
            let duration = 4000.0 / rate;
            let times = events(rate, 3, 5, duration);
            let count = times.len() as f64;
            // four standard deviations of a Poisson variable with mean 4000
            assert!((count - 4000.0).abs() < 4.0 * 4000_f64.sqrt(), "{rate}: {count}");
            let gaps = times.windows(2).map(|pair| pair[1] - pair[0]);
            let longer = gaps.filter(|gap| *gap > 1.0 / rate).count() as f64 / count;
            assert!((longer - (-1_f64).exp()).abs() < 0.04, "{rate}: {longer}");
        }
    }

    #[test]
    fn seeds_and_faults_have_events_of_their_own() {
        let all = [(1, 1), (2, 1), (1, 2)].map(|(key, seed)| events(0.5, key, seed, 100.0));
        assert!(all[0] != all[1] && all[0] != all[2] && all[1] != all[2]);
        assert_eq!(all[0], events(0.5, 1, 1, 100.0));
    }
}
