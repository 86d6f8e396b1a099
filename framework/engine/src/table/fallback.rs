//! What takes over where a friction model has faulted.

use super::{Phase, Running, TableFault};
use crate::columns::Column;
use crate::model::Call;
use crate::moment::Moment;

/// The friction model that takes over.
pub(super) struct Fallback {
    /// Its phase `force`, with outputs of its own.
    pub call: Call,
    /// What it writes, and where the force is read.
    pub outputs: Vec<(Column, Column)>,
}

impl Fallback {
    /// Makes the forces of the vehicles whose own model has faulted.
    pub fn act(&self, running: &mut Running, moment: &Moment) -> Vec<TableFault> {
        if !running.lanes.iter().any(|lane| lane.falls_back) {
            return Vec::new();
        }
        running.takes = |lane| lane.falls_back;
        let found = running.call(&self.call, Phase::Friction, moment, &[]);
        let count = running.lanes.len();
        for (from, to) in &self.outputs {
            for index in 0..count * running.wheels {
                if running.lanes[index % count].falls_back {
                    running.columns.get_mut(*to)[index] = running.columns.get(*from)[index];
                }
            }
        }
        found
    }
}
