//! Ports of a table on which the faults of robots act.

use simhost_world::{FaultEffect, FaultPort};

use super::actuation::Actuator;
use super::imposed::ImposedTwist;
use super::models::Models;
use super::port_faults::{Cell, Stage};
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
        let Some((stage, column)) = self.models.port(port, self.blueprint.imposed) else { return };
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
}

impl Models {
    /// Returns the column of a port, and the stage that sets it.
    fn port(&self, port: &FaultPort, imposed: Option<ImposedTwist>) -> Option<(Stage, Column)> {
        Some(match *port {
            FaultPort::Controller(name) => (Stage::Control, self.control.output(name)?),
            FaultPort::Actuator(number) => {
                let Actuator { call, .. } = self.actuators.get(number)?;
                (Stage::Actuator(number), call.output("value")?)
            }
            FaultPort::Dynamics(name) => (Stage::Drive, self.drive.output(name)?),
            FaultPort::Input(name) => {
                let input = self.drive.input(name);
                let imposed = || imposed.and_then(|imposed| imposed.column(name));
                (Stage::Input, input.or_else(imposed)?)
            }
        })
    }
}
