//! Effects of faults of the robot on the ports of the models of a table.
//!
//! An effect replaces a value after the model that computes it. Before the next step each replaced value
//! gets back, so that a value that no model computes anew, such as one that the world file sets, is
//! changed once.

use simhost_world::{FaultEffect, FaultPort};

use super::actuation::Actuator;
use super::step::Table;
use super::vehicles::Vehicles;
use crate::columns::{Column, Layout};

/// The effects of faults on the vehicles of a table.
pub(super) struct PortFaults {
    cells: Vec<Cell>,
    /// Values without the effects; one per cell.
    own: Column,
    /// Values at the onsets; one per cell.
    held: Column,
    /// Whether a fault is present.
    is_active: bool,
}

/// An effect on one value.
struct Cell {
    /// Index of the fault in the world.
    fault: usize,
    lane: usize,
    stage: Stage,
    column: Column,
    /// Index in the column.
    index: usize,
    effect: FaultEffect,
    is_present: bool,
}

/// Part of a step after which an effect acts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stage {
    /// After the controller.
    Control,
    /// After the actuator with this number.
    Actuator(usize),
    /// Before the dynamics class.
    Input,
    /// After the dynamics class.
    Drive,
}

impl PortFaults {
    /// Adds the columns for at most `count` values.
    pub fn new(count: usize, layout: &mut Layout) -> Self {
        // a table without faults has no columns for them
        let columns = match count {
            0 => [Column::NONE; 2],
            _ => [layout.fill(count, 0.0), layout.fill_passing(count, 0.0)],
        };
        let [own, held] = columns;
        Self { cells: Vec::new(), own, held, is_active: false }
    }

    /// Returns whether a fault is present.
    #[inline]
    pub fn is_active(&self) -> bool {
        self.is_active
    }

    fn present(&self) -> impl DoubleEndedIterator<Item = (usize, &Cell)> {
        self.cells.iter().enumerate().filter(|(_, cell)| cell.is_present)
    }

    /// Gives back the values before the effects.
    pub fn restore(&self, vehicles: &mut Vehicles) {
        // the first effect on a value saw the one of the model
        for (number, cell) in self.present().rev() {
            if !vehicles.lanes[cell.lane].disabled {
                let value = vehicles.value(self.own, number);
                vehicles.columns.get_mut(cell.column)[cell.index] = value;
            }
        }
    }

    /// Replaces the values of a stage.
    pub fn apply(&self, stage: Stage, vehicles: &mut Vehicles) {
        for (number, cell) in self.present().filter(|(_, cell)| cell.stage == stage) {
            if vehicles.lanes[cell.lane].disabled {
                continue;
            }
            let value = vehicles.value(cell.column, cell.index);
            vehicles.columns.get_mut(self.own)[number] = value;
            let value = match cell.effect {
                FaultEffect::Off => 0.0,
                FaultEffect::Scale(factor) => factor * value,
                FaultEffect::Offset(summand) => value + summand,
                FaultEffect::Stuck | FaultEffect::Dropout => vehicles.value(self.held, number),
            };
            vehicles.columns.get_mut(cell.column)[cell.index] = value;
        }
    }

    /// Lets a fault begin or end.
    fn set(&mut self, fault: usize, is_present: bool, vehicles: &mut Vehicles) {
        for number in 0..self.cells.len() {
            let cell = &self.cells[number];
            if cell.fault == fault && is_present {
                let value = vehicles.value(cell.column, cell.index);
                vehicles.columns.get_mut(self.held)[number] = value;
            }
        }
        self.restore(vehicles);
        self.mark(fault, is_present);
        for (number, cell) in self.cells.iter().enumerate().filter(|(_, cell)| cell.is_present) {
            let value = vehicles.value(cell.column, cell.index);
            vehicles.columns.get_mut(self.own)[number] = value;
        }
    }

    /// Records that a fault is present or not.
    fn mark(&mut self, fault: usize, is_present: bool) {
        for cell in self.cells.iter_mut().filter(|cell| cell.fault == fault) {
            cell.is_present = is_present;
        }
        self.is_active = self.cells.iter().any(|cell| cell.is_present);
    }
}

impl Table {
    /// Adds the effect of a fault on a port of a vehicle, or on that of one of its wheels.
    pub fn add_port_fault(
        &mut self,
        fault: usize,
        lane: usize,
        port: &FaultPort,
        wheel: Option<usize>,
        effect: FaultEffect,
    ) {
        let Some((stage, column)) = self.port(port) else { return };
        let count = self.vehicles.lanes.len();
        let values = column.len() / count;
        let wheels = match wheel {
            Some(wheel) if wheel < values => wheel..wheel + 1,
            _ => 0..values,
        };
        let cells = wheels.map(|wheel| {
            let index = wheel * count + lane;
            Cell { fault, lane, stage, column, index, effect, is_present: false }
        });
        self.port_faults.cells.extend(cells);
    }

    /// Returns the column of a port, and the stage that sets it.
    fn port(&self, port: &FaultPort) -> Option<(Stage, Column)> {
        let models = &self.models;
        Some(match *port {
            FaultPort::Controller(name) => (Stage::Control, models.control.output(name)?),
            FaultPort::Actuator(number) => {
                let Actuator { call, .. } = models.actuators.get(number)?;
                (Stage::Actuator(number), call.output("value")?)
            }
            FaultPort::Dynamics(name) => (Stage::Drive, models.drive.output(name)?),
            FaultPort::Input(name) => {
                let input = models.drive.input(name);
                let imposed = || self.imposed.and_then(|imposed| imposed.column(name));
                (Stage::Input, input.or_else(imposed)?)
            }
        })
    }

    /// Lets a fault begin or end.
    pub fn set_port_fault(&mut self, fault: usize, is_present: bool) {
        self.port_faults.set(fault, is_present, &mut self.vehicles);
    }

    /// Records that a fault is present or not, when the columns are those of that time.
    pub fn mark_port_fault(&mut self, fault: usize, is_present: bool) {
        self.port_faults.mark(fault, is_present);
    }

    /// Returns the values that a fault holds, and those without it.
    pub fn held_by_fault(&self, fault: usize) -> Vec<[f64; 2]> {
        let PortFaults { cells, own, held, .. } = &self.port_faults;
        let cells = cells.iter().enumerate().filter(|(_, cell)| cell.fault == fault);
        cells.map(|(number, _)| self.vehicles.values([*held, *own], number)).collect()
    }

    /// Replaces the values that a fault holds, and those without it.
    pub fn hold_by_fault(&mut self, fault: usize, values: &[[f64; 2]]) {
        let PortFaults { cells, own, held, .. } = &self.port_faults;
        let cells = cells.iter().enumerate().filter(|(_, cell)| cell.fault == fault);
        for ((number, _), values) in cells.zip(values) {
            self.vehicles.set_values([*held, *own], number, *values);
        }
    }
}
