//! Effects of faults of the robot on the ports of the models of a table.
//!
//! An effect replaces a value after the model that computes it. Before the next step each replaced value
//! gets back, so that a value that no model computes anew, such as one that the world file sets, is
//! changed once.

use simhost_world::FaultEffect;

use super::vehicles::Vehicles;
use crate::columns::{Column, Layout};

/// The effects of faults on the vehicles of a table.
#[derive(Clone)]
pub(crate) struct PortFaults {
    pub(super) cells: Vec<Cell>,
    /// Values without the effects; one per cell.
    pub own: Column,
    /// Values at the onsets; one per cell.
    pub held: Column,
    /// Whether a fault is present.
    is_active: bool,
}

/// An effect on one value.
#[derive(Clone)]
pub(super) struct Cell {
    /// Index of the fault in the world.
    pub fault: usize,
    pub lane: usize,
    pub stage: Stage,
    pub column: Column,
    /// Index in the column.
    pub index: usize,
    pub effect: FaultEffect,
    pub is_present: bool,
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
    pub(super) fn apply(&self, stage: Stage, vehicles: &mut Vehicles) {
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
    pub fn set(&mut self, fault: usize, is_present: bool, vehicles: &mut Vehicles) {
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
    pub fn mark(&mut self, fault: usize, is_present: bool) {
        for cell in self.cells.iter_mut().filter(|cell| cell.fault == fault) {
            cell.is_present = is_present;
        }
        self.is_active = self.cells.iter().any(|cell| cell.is_present);
    }

    /// Returns the values that a fault holds, and those without it.
    pub fn held(&self, fault: usize, vehicles: &Vehicles) -> Vec<[f64; 2]> {
        let of_fault = self.numbers(fault);
        of_fault.map(|number| vehicles.values([self.held, self.own], number)).collect()
    }

    /// Replaces the values that a fault holds, and those without it.
    pub fn hold(&self, fault: usize, values: &[[f64; 2]], vehicles: &mut Vehicles) {
        for (number, values) in self.numbers(fault).zip(values) {
            vehicles.set_values([self.held, self.own], number, *values);
        }
    }

    /// Returns the numbers of the cells of a fault.
    fn numbers(&self, fault: usize) -> impl Iterator<Item = usize> {
        let cells = self.cells.iter().enumerate();
        cells.filter(move |(_, cell)| cell.fault == fault).map(|(number, _)| number)
    }
}
