//! Continuous states of models: rates of change, integrated over a step.

use super::{Phase, Running, TableFault};
use crate::columns::Column;
use crate::model::Call;
use crate::moment::Moment;

/// Integrates the states of a model by the classical method of Runge and Kutta (Kutta 1901), with the
/// inputs as they are at the start of the step.
pub(super) struct Rates {
    /// The phase `rates`.
    pub call: Call,
    /// The states.
    pub states: Vec<Column>,
    /// Their rates of change, in the same order.
    pub rates: Vec<Column>,
}

/// Where each stage is taken, as a part of the step, and what it counts.
const STAGES: [(f64, f64); 4] = [(0.0, 1.0), (0.5, 2.0), (0.5, 2.0), (1.0, 1.0)];

impl Rates {
    /// Moves the states on by a step. A lane that faults keeps its states.
    pub fn advance(&self, running: &mut Running, phase: Phase, moment: &Moment) -> Vec<TableFault> {
        let dt = moment.clock.dt;
        let start: Vec<Vec<f64>> =
            self.states.iter().map(|state| running.columns.get(*state).to_vec()).collect();
        let mut sum: Vec<Vec<f64>> = start.iter().map(|state| vec![0.0; state.len()]).collect();
        let mut found = Vec::new();
        for (part, weight) in STAGES {
            self.step_to(running, &start, part * dt);
            found.extend(running.call(&self.call, phase, moment, &[]));
            for (sum, rate) in sum.iter_mut().zip(&self.rates) {
                for (sum, rate) in sum.iter_mut().zip(running.columns.get(*rate)) {
                    *sum += weight * rate;
                }
            }
        }
        let count = running.lanes.len();
        for ((state, start), sum) in self.states.iter().zip(&start).zip(&sum) {
            let state = running.columns.get_mut(*state);
            for (index, state) in state.iter_mut().enumerate() {
                let moves = !running.lanes[index % count].disabled;
                *state = start[index] + if moves { dt / 6.0 * sum[index] } else { 0.0 };
            }
        }
        found
    }

    /// Sets the states to where the last rates lead in `ahead` seconds.
    fn step_to(&self, running: &mut Running, start: &[Vec<f64>], ahead: f64) {
        for ((state, rate), start) in self.states.iter().zip(&self.rates).zip(start) {
            for (index, start) in start.iter().enumerate() {
                let rate = if ahead == 0.0 { 0.0 } else { running.columns.get(*rate)[index] };
                running.columns.get_mut(*state)[index] = start + ahead * rate;
            }
        }
    }
}
