//! Ports of a table on which the faults of robots act.

use simhost_world::{FaultEffect, FaultPort};

use super::actuation::Actuator;
use super::port_faults::{Cell, PortFaults, Stage};
use super::step::Table;
use crate::columns::Column;

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
