//! The wiring of the actuators of a table.

use std::ops::Range;

use simhost_abi::{Kind, Phase as PhaseDesc, PortDesc};
use simhost_model::View;
use simhost_model::ports::{ActuatedPort, actuated_port};
use simhost_world::Span;

use super::group::Group;
use crate::columns::{Column, Columns, Layout};
use crate::model::{
    LaneInstances, Lengths, ModelError, ModelLanes, PortMap, UnboundCall, incomplete,
};
use crate::table::calls::Phase;
use crate::table::models::Actuator;
use crate::table::sensor_inputs::SensorInputs;

/// An actuator of a group, or of the vehicles of one of its tables.
pub(super) struct SharedActuator {
    pub instances: LaneInstances,
    pub span: Span,
    pub name: String,
    pub port: ActuatedPort,
}

/// An actuator with the columns of its states.
pub(super) struct ActuatorLanes {
    pub lanes: ModelLanes,
    pub name: String,
    pub port: ActuatedPort,
}

/// An actuator with its columns, before the columns are laid out in memory.
pub(super) struct UnboundActuator {
    name: String,
    call: UnboundCall,
    port: ActuatedPort,
    spread: Vec<(Column, Column)>,
}

impl SharedActuator {
    /// Creates the actuators of a group, in the order of their chains.
    ///
    /// # Errors
    /// [`ModelError`] if a model rejects its parameters, or if the vehicles do not have its port.
    pub fn all(group: &Group<'_>) -> Result<Vec<Self>, ModelError> {
        let first = group.first();
        let [dynamics, controller] =
            [&first.dynamics, &first.controller].map(|wanted| wanted.model.model);
        let create = |(number, wanted): (usize, &simhost_world::ActuatorUse)| {
            let (model, span) = (&wanted.model, wanted.model.span);
            let port = actuated_port(&wanted.port, dynamics, controller)
                .map_err(|fault| incomplete(&model.model, fault.text, span))?;
            let lanes = group.vehicles.iter().map(|(_, vehicle)| &vehicle.actuators[number].model);
            let instances = LaneInstances::new(lanes)?;
            let instances = if group.is_open { instances.opened() } else { instances };
            Ok(Self { instances, span, name: wanted.name.clone(), port })
        };
        first.actuators.iter().enumerate().map(create).collect()
    }

    /// Returns the actuator of some of the vehicles.
    pub fn part(&self, lanes: Range<usize>) -> Self {
        let Self { instances, span, name, port } = self;
        Self { instances: instances.part(lanes), span: *span, name: name.clone(), port: *port }
    }
}

impl UnboundActuator {
    /// Binds the actuator to the columns in memory.
    pub fn bind(self, columns: &Columns) -> Actuator {
        let Self { name, call, port, spread } = self;
        let ActuatedPort { unit, by_wheel, .. } = port;
        Actuator { name, call: call.bind(columns), by_wheel, unit, spread }
    }

    /// Returns the columns of the outputs and inputs of its phase.
    pub fn call(&self) -> &UnboundCall {
        &self.call
    }

    /// Returns the phase at its place of the chain.
    pub fn phase(&self, number: usize) -> Phase {
        Phase::Actuator { number, by_wheel: self.port.by_wheel }
    }
}

/// Ports that actuators read and change.
pub(super) struct Ports<'p> {
    /// Inputs that read sensors.
    pub sensor_inputs: &'p SensorInputs,
    /// Quantities that actuators can read.
    pub measured: &'p [&'p PortMap],
    /// Values that reach the dynamics class: outputs of the controller, which actuators replace.
    pub driven: &'p mut PortMap,
    /// Inputs of the dynamics class that the world file sets.
    pub setpoints: &'p mut PortMap,
}

/// Wires the chains of actuators. `drive` is the phase that they drive, and `lengths` are those of
/// columns whose lanes are vehicles and of columns whose lanes are wheels.
///
/// # Errors
/// [`ModelError::Incomplete`] if an actuator lacks a phase or a port.
pub(super) fn wire(
    actuators: &[ActuatorLanes],
    drive: &'static View<PhaseDesc>,
    mut ports: Ports<'_>,
    [by_vehicle, by_wheel]: [Lengths; 2],
    layout: &mut Layout,
) -> Result<Vec<UnboundActuator>, ModelError> {
    let mut wired = Vec::new();
    for (number, ActuatorLanes { lanes, name, port }) in actuators.iter().enumerate() {
        let phase = lanes.phase(&["actuate"])?;
        let length = if port.by_wheel { by_wheel.lanes } else { by_vehicle.lanes };
        let command = source(port.name, drive, &mut ports, length, layout);
        let command = PortMap::one("command", command);
        let readings = ports.sensor_inputs.ports((Kind::Actuator, number));
        let known: Vec<_> = std::iter::once(&readings).chain(ports.measured.to_vec()).collect();
        let (near, spread) = match port.by_wheel {
            true => spread(phase, &known, [by_vehicle.lanes, length], layout),
            false => Default::default(),
        };
        let sources: Vec<_> = [&command, &near].into_iter().chain(known).collect();
        let mut outputs = PortMap::default();
        let call = lanes.wire(phase, &sources, &mut PortMap::default(), &mut outputs, layout);
        let missing = || lanes.incomplete("its phase `actuate` has no output `value`");
        let value = outputs.get("value").ok_or_else(missing)?;
        ports.driven.extend(PortMap::one(port.name, value));
        wired.push(UnboundActuator { name: name.clone(), call, port: *port, spread });
    }
    Ok(wired)
}

/// Returns the column of a port before the next actuator: of the controller or the actuator before, or
/// of the world file.
fn source(
    port: &str,
    drive: &'static View<PhaseDesc>,
    ports: &mut Ports<'_>,
    length: usize,
    layout: &mut Layout,
) -> Column {
    if let Some(known) = ports.driven.get(port).or_else(|| ports.setpoints.get(port)) {
        return known;
    }
    let is_port = |input: &&'static View<PortDesc>| input.name() == port;
    let default = drive.inputs().iter().find(is_port).map_or(0.0, |input| input.default);
    let column = layout.fill_passing(length, default);
    ports.setpoints.extend(PortMap::one(port, column));
    column
}

/// Adds a column with one value per wheel for each quantity of a vehicle that a phase reads.
fn spread(
    phase: &'static View<PhaseDesc>,
    measured: &[&PortMap],
    [vehicles, wheels]: [usize; 2],
    layout: &mut Layout,
) -> (PortMap, Vec<(Column, Column)>) {
    let (mut near, mut copies) = (PortMap::default(), Vec::new());
    for input in phase.inputs() {
        let known = measured.iter().find_map(|ports| ports.get(input.name()));
        if let Some(from) = known.filter(|column| column.len() == vehicles && vehicles != wheels) {
            let to = layout.fill_passing(wheels, 0.0);
            near.extend(PortMap::one(input.name(), to));
            copies.push((from, to));
        }
    }
    (near, copies)
}
