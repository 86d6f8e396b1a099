//! Integration of continuous states from their rates of change.

use super::calls::{ModelRun, Phase, TableFault};
use crate::columns::Layout;
use crate::columns::{Column, Columns};
use crate::model::{Call, ModelError, ModelLanes, UnboundCall};
use crate::moment::Moment;

/// Integrates the states of a model by the classical Runge-Kutta method (Kutta 1901), with the inputs
/// of the start of the step.
#[derive(Clone)]
pub(super) struct Rates {
    pub call: Call,
    /// State slots, and their rates of change in the same order.
    pub states: Vec<Column>,
    pub rates: Vec<Column>,
    /// States at the start of the step, one slot after the other.
    pub start: Vec<f64>,
    /// Weighted sum of the rates.
    pub sum: Vec<f64>,
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
        Rates { call: call.bind(columns), states, rates, start: Vec::new(), sum: Vec::new() }
    }
}

impl Rates {
    /// Advances the states by a step. The states of a lane that faults do not change.
    pub fn advance(
        &mut self,
        run: &mut ModelRun<'_>,
        phase: Phase,
        moment: &Moment,
    ) -> Vec<TableFault> {
        let dt = moment.clock.dt;
        let Self { call, states, rates, start, sum } = self;
        start.clear();
        for state in states.iter() {
            start.extend_from_slice(run.columns.get(*state));
        }
        sum.clear();
        sum.resize(start.len(), 0.0);
        let mut found = Vec::new();
        for (part, weight) in STAGES {
            set_states(run.columns, states, rates, start, part * dt);
            found.extend(run.call(call, phase, moment, &[]));
            let rates = rates.iter().flat_map(|rate| run.columns.get(*rate));
            for (sum, rate) in sum.iter_mut().zip(rates) {
                *sum += weight * rate;
            }
        }
        let count = run.lanes.len();
        let mut sums = start.iter().zip(&*sum);
        for state in states {
            let state = run.columns.get_mut(*state);
            for ((index, state), (start, sum)) in state.iter_mut().enumerate().zip(&mut sums) {
                let changes = !run.lanes[index % count].disabled;
                *state = start + if changes { dt / 6.0 * sum } else { 0.0 };
            }
        }
        found
    }
}

/// Sets the states to those at the start plus the present rates times `ahead` seconds.
fn set_states(
    columns: &mut Columns,
    states: &[Column],
    rates: &[Column],
    start: &[f64],
    ahead: f64,
) {
    let mut start = start.iter();
    for (state, rate) in states.iter().zip(rates) {
        for index in 0..columns.get(*state).len() {
            let Some(start) = start.next() else { return };
            let rate = if ahead == 0.0 { 0.0 } else { columns.get(*rate)[index] };
            columns.get_mut(*state)[index] = start + ahead * rate;
        }
    }
}
