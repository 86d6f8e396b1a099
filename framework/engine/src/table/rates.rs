//! Integration of continuous states from their rates of change.

use super::models::{ModelRun, Phase, TableFault};
use crate::columns::Layout;
use crate::columns::{Column, Columns};
use crate::model::{Call, ModelError, ModelLanes, UnboundCall};
use crate::moment::Moment;

/// Integrates the states of a model by the classical Runge-Kutta method (Kutta 1901), with the inputs
/// of the start of the step.
pub(super) struct Rates {
    call: Call,
    /// State slots, and their rates of change in the same order.
    states: Vec<Column>,
    rates: Vec<Column>,
}

/// A phase `rates` before the columns are laid out in memory.
pub(super) struct UnboundRates {
    call: UnboundCall,
    states: Vec<Column>,
    rates: Vec<Column>,
}

/// Time of each stage as a part of the step, and its weight.
const STAGES: [(f64, f64); 4] = [(0.0, 1.0), (0.5, 2.0), (0.5, 2.0), (1.0, 1.0)];

impl UnboundRates {
    /// Wires the phase `rates` of a model, whose inputs are those of `beside`. Returns `None` if the
    /// model does not have the phase.
    ///
    /// # Errors
    /// [`ModelError::Incomplete`] if the phase has other inputs or outputs.
    pub fn new(
        model: &ModelLanes,
        beside: &UnboundCall,
        layout: &mut Layout,
    ) -> Result<Option<Self>, ModelError> {
        let Some(call) = model.wire_rates(beside, layout)? else { return Ok(None) };
        let (states, rates) = (model.states().to_vec(), call.outputs().to_vec());
        Ok(Some(Self { call, states, rates }))
    }

    /// Binds the phase to the columns in memory.
    pub fn bind(self, columns: &Columns) -> Rates {
        let Self { call, states, rates } = self;
        Rates { call: call.bind(columns), states, rates }
    }
}

impl Rates {
    /// Advances the states by a step. The states of a lane that faults do not change.
    pub fn advance(
        &self,
        run: &mut ModelRun<'_>,
        phase: Phase,
        moment: &Moment,
    ) -> Vec<TableFault> {
        let dt = moment.clock.dt;
        let start: Vec<Vec<f64>> =
            self.states.iter().map(|state| run.columns.get(*state).to_vec()).collect();
        let mut sum: Vec<Vec<f64>> = start.iter().map(|state| vec![0.0; state.len()]).collect();
        let mut found = Vec::new();
        for (part, weight) in STAGES {
            self.set_states(run.columns, &start, part * dt);
            found.extend(run.call(&self.call, phase, moment, &[]));
            for (sum, rate) in sum.iter_mut().zip(&self.rates) {
                for (sum, rate) in sum.iter_mut().zip(run.columns.get(*rate)) {
                    *sum += weight * rate;
                }
            }
        }
        let count = run.lanes.len();
        for ((state, start), sum) in self.states.iter().zip(&start).zip(&sum) {
            let state = run.columns.get_mut(*state);
            for (index, state) in state.iter_mut().enumerate() {
                let changes = !run.lanes[index % count].disabled;
                *state = start[index] + if changes { dt / 6.0 * sum[index] } else { 0.0 };
            }
        }
        found
    }

    /// Sets the states to those at the start plus the present rates times `ahead` seconds.
    fn set_states(&self, columns: &mut Columns, start: &[Vec<f64>], ahead: f64) {
        for ((state, rate), start) in self.states.iter().zip(&self.rates).zip(start) {
            for (index, start) in start.iter().enumerate() {
                let rate = if ahead == 0.0 { 0.0 } else { columns.get(*rate)[index] };
                columns.get_mut(*state)[index] = start + ahead * rate;
            }
        }
    }
}
