//! Resolution of ports: which quantity each input of a model reads, and what takes each output.
//!
//! The kind of a model fixes the quantities of the host ([`kind_faults`]). The models of a vehicle
//! provide the others to each other ([`controller_faults`], [`vehicle_faults`], [`sensor_faults`]), and
//! a fleet gives commands to controllers ([`fleet_command`], [`fleet_faults`]).
//! A port fits a quantity of its name, scope and unit.

mod actuation;
mod combination;
mod fleet;
mod kind;
mod parameters;
mod quantity;
mod readings;

use simhost_abi::{Kind, Model, Phase, PortDesc, Scope, port_flag};

pub use actuation::{ActuatedPort, actuated_port, actuated_ports, actuator_faults};
pub use combination::{Set, controller_faults, vehicle_faults};
pub use fleet::{FleetCommand, fleet_command, fleet_faults};
pub use kind::{kind_faults, shares_state};
pub use readings::{
    OpenInput, Source, open_inputs, open_inputs_of_part, reading_inputs, sensor_faults,
};

use crate::view::View;

/// A port that does not fit, as a part of a message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PortFault {
    /// The port, what is wrong with it, and what was expected.
    pub text: String,
    /// Name that was probably meant.
    pub nearest: Option<&'static str>,
    /// Names that would be valid, or an empty text.
    pub valid: String,
    /// Advice to the author of the model or the world, in the imperative.
    pub help: String,
    /// The counterpart that the port does not have, and the name of the port.
    pub lacks: Option<(Counterpart, &'static str)>,
}

/// The other end of a port.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Counterpart {
    /// A quantity that an input reads.
    Source,
    /// A model that takes an output.
    Reader,
}

impl PortFault {
    fn new(text: impl Into<String>, help: impl Into<String>) -> Self {
        let (text, help) = (text.into(), help.into());
        Self { text, nearest: None, valid: String::new(), help, lacks: None }
    }

    fn lacking(self, counterpart: Counterpart, port: &'static str) -> Self {
        Self { lacks: Some((counterpart, port)), ..self }
    }
}

/// Returns the condition for values of an output of a phase. All must be finite, except for readings that are
/// declared as unknown, and infinite ranges.
pub fn permitted(phase: &'static View<Phase>, port: &'static View<PortDesc>) -> fn(f64) -> bool {
    let is_number: fn(f64) -> bool = |value| !value.is_nan();
    match phase.id() {
        "read" if port.flags & port_flag::UNKNOWN != 0 => |_| true,
        "read" if port.scope == Scope::Ray as u32 => is_number,
        "aim" if port.name() == "max_range" => is_number,
        _ => f64::is_finite,
    }
}

/// The phases that drive a vehicle; a dynamics class has one of them.
const DRIVING_PHASES: [&str; 3] = ["drive", "wrench", "motion"];

/// Returns the phase of a dynamics class that drives a vehicle.
pub fn driving(model: &'static View<Model>) -> Option<&'static View<Phase>> {
    DRIVING_PHASES.iter().find_map(|id| model.phase(id))
}

fn has_flag(port: &PortDesc, flag: u32) -> bool {
    port.flags & flag != 0
}

/// Returns whether nothing has to provide an input or read an output.
fn is_optional(port: &PortDesc) -> bool {
    has_flag(port, port_flag::OPTIONAL)
}

fn is_required(port: &PortDesc) -> bool {
    has_flag(port, port_flag::REQUIRED)
}

fn is_command(port: &PortDesc) -> bool {
    has_flag(port, port_flag::COMMAND)
}

/// Returns whether an input has the values of the last reading of a sensor.
fn is_array(port: &PortDesc) -> bool {
    port.scope == Scope::Array as u32
}

/// Returns whether a phase of a model can read the sensors of its vehicle.
fn reads_sensors(model: &'static View<Model>, phase: &str) -> bool {
    match model.kind() {
        Some(Kind::Controller) => phase == "control",
        Some(Kind::Dynamics) => DRIVING_PHASES.contains(&phase),
        Some(Kind::Fleet) => phase == "command",
        Some(Kind::Sensor) => phase == "read",
        Some(Kind::Actuator) => phase == "actuate",
        _ => false,
    }
}
