//! Copies of a table, which share what never changes: instances of models, geometry, names.

use super::actuation::Actuator;
use super::fallback::Fallback;
use super::kept::Kept;
use super::models::{Buffers, Models};
use super::rates::Rates;
use super::step::Table;
use super::wheel_friction::WheelFriction;
use crate::columns::Columns;
use crate::encoding::SnapshotError;
use crate::model::MemoryCopies;

impl Table {
    /// Returns a table in the same state.
    ///
    /// # Errors
    /// [`SnapshotError`] if a model fails to save its memory.
    pub fn duplicate(&self, copies: &mut MemoryCopies) -> Result<Self, SnapshotError> {
        let vehicles = self.vehicles.clone();
        let models = self.models.on(&vehicles.columns, copies)?;
        Ok(Self {
            vehicles,
            models,
            driving: self.driving,
            imposed: self.imposed,
            odometry: self.odometry.clone(),
            brakes: self.brakes,
            level_loads: self.level_loads.clone(),
            commands: self.commands.clone(),
            measurements: self.measurements.clone(),
            sensor_inputs: self.sensor_inputs.clone(),
            port_faults: self.port_faults.clone(),
            books: self.books.clone(),
            extrapolation: self.extrapolation.clone(),
            leaves_search: self.leaves_search,
            is_sound: self.is_sound,
            kept: Kept::default(),
            has_memory: self.has_memory,
            stopped: self.stopped,
            finite: self.finite.clone(),
            finite_spans: self.finite_spans.clone(),
            faults: self.faults.clone(),
        })
    }
}

impl Models {
    /// Returns the same models on a copy of their columns.
    fn on(&self, columns: &Columns, copies: &mut MemoryCopies) -> Result<Self, SnapshotError> {
        let wheel_friction = self.wheel_friction.iter().map(|one| one.on(columns, copies));
        let wheel_friction = wheel_friction.collect::<Result<_, _>>()?;
        let rates = self.rates.iter();
        let rates = rates.map(|(after, rates)| Ok((*after, rates.on(columns, copies)?)));
        let rates = rates.collect::<Result<_, SnapshotError>>()?;
        let actuators = self.actuators.iter().map(|one| one.on(columns, copies));
        let actuators = actuators.collect::<Result<_, _>>()?;
        let fallback = self.fallback.as_ref().map(|one| one.on(columns, copies)).transpose()?;
        Ok(Self {
            control: self.control.on(columns, copies)?,
            drive: self.drive.on(columns, copies)?,
            measure: self.measure.on(columns, copies)?,
            friction: self.friction.on(columns, copies)?,
            wheel_friction,
            rates,
            fallback,
            actuators,
            policy: self.policy,
            buffers: Buffers::default(),
            trial: None,
        })
    }
}

impl WheelFriction {
    fn on(&self, columns: &Columns, copies: &mut MemoryCopies) -> Result<Self, SnapshotError> {
        let call = self.call.on(columns, copies)?;
        Ok(Self { wheel: self.wheel, call, outputs: self.outputs.clone() })
    }
}

impl Rates {
    fn on(&self, columns: &Columns, copies: &mut MemoryCopies) -> Result<Self, SnapshotError> {
        Ok(Self {
            call: self.call.on(columns, copies)?,
            states: self.states.clone(),
            rates: self.rates.clone(),
            start: Vec::new(),
            sum: Vec::new(),
        })
    }
}

impl Fallback {
    fn on(&self, columns: &Columns, copies: &mut MemoryCopies) -> Result<Self, SnapshotError> {
        Ok(Self { call: self.call.on(columns, copies)?, outputs: self.outputs.clone() })
    }
}

impl Actuator {
    fn on(&self, columns: &Columns, copies: &mut MemoryCopies) -> Result<Self, SnapshotError> {
        Ok(Self {
            name: self.name.clone(),
            call: self.call.on(columns, copies)?,
            by_wheel: self.by_wheel,
            unit: self.unit,
            spread: self.spread.clone(),
        })
    }
}
