//! The friction model that replaces another one after a fault.

use super::calls::{ModelRun, Phase, TableFault};
use crate::columns::Column;
use crate::model::Call;
use crate::moment::Moment;

/// The friction model that replaces another one after a fault.
#[derive(Clone)]
pub(super) struct Fallback {
    /// Its phase `force`, with outputs of its own.
    pub call: Call,
    /// Outputs, and the columns to which they are copied.
    pub outputs: Vec<(Column, Column)>,
}

impl Fallback {
    /// Computes the forces of the vehicles whose own model has faulted.
    pub fn run(&self, run: &mut ModelRun<'_>, moment: &Moment) -> Vec<TableFault> {
        if !run.lanes.iter().any(|lane| lane.uses_fallback) {
            return Vec::new();
        }
        run.selects = |lane| lane.uses_fallback;
        run.own_wheels = None;
        let found = run.call(&self.call, Phase::Friction, moment, &[]);
        let count = run.lanes.len();
        for (from, to) in &self.outputs {
            for index in 0..count * run.wheels {
                if run.lanes[index % count].uses_fallback {
                    run.columns.get_mut(*to)[index] = run.columns.get(*from)[index];
                }
            }
        }
        found
    }
}
