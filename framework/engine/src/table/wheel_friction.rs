//! Friction models of single wheels, in place of that of their vehicle.

use super::calls::ModelRun;
use crate::columns::{Column, Columns, Layout};
use crate::model::{Call, PortMap, UnboundCall};

/// The friction model of a wheel of all vehicles of a table.
#[derive(Clone)]
pub(super) struct WheelFriction {
    /// Index of the wheel.
    pub wheel: usize,
    /// Its phase `force`, whose columns have values for all wheels.
    pub call: Call,
    /// Outputs, and the columns to which they are copied.
    pub outputs: Vec<(Column, Column)>,
}

/// The friction model of a wheel before the columns are laid out in memory.
pub(super) struct UnboundWheelFriction {
    wheel: usize,
    call: UnboundCall,
    outputs: Vec<(Column, Column)>,
}

impl UnboundWheelFriction {
    /// Directs the outputs of friction models of wheels to the columns of the wheels in `shared`. Those that
    /// `shared` does not have are added, with zeros for the other wheels.
    pub fn all(
        models: Vec<(usize, UnboundCall, PortMap)>,
        shared: &mut PortMap,
        wheels: usize,
        layout: &mut Layout,
    ) -> Vec<Self> {
        let mut bound = Vec::new();
        for (wheel, call, own) in models {
            let mut outputs = Vec::new();
            for (name, from) in own.iter() {
                let to = shared.get(name).unwrap_or_else(|| layout.fill(wheels, 0.0));
                shared.extend(PortMap::one(name, to));
                outputs.push((from, to));
            }
            bound.push(Self { wheel, call, outputs });
        }
        bound
    }

    /// Returns the phase `force`.
    pub fn call(&self) -> &UnboundCall {
        &self.call
    }

    /// Binds the phase to the columns in memory.
    pub fn bind(self, columns: &Columns) -> WheelFriction {
        let Self { wheel, call, outputs } = self;
        WheelFriction { wheel, call: call.bind(columns), outputs }
    }
}

impl WheelFriction {
    /// Copies the outputs of the wheel to the columns of all wheels.
    pub fn copy_outputs(&self, run: &mut ModelRun<'_>) {
        let first = self.wheel * run.lanes.len();
        for (from, to) in &self.outputs {
            for index in first..first + run.lanes.len() {
                run.columns.get_mut(*to)[index] = run.columns.get(*from)[index];
            }
        }
    }
}
