//! Ports of actuators, and the ports of a vehicle on which they act.

use simhost_abi::host_port::{ACTUATORS, MEASUREMENTS};
use simhost_abi::{Kind, Model, Phase, PortDesc, Scope};

use super::combination::{absent, driven_inputs, outputs_of};

use super::quantity::{PUBLISH, Place, Quantity, Side, find, has_key, list, places, unit_name};
use super::{PortFault, driving, is_array, is_command, is_optional};
use crate::nearest::nearest;
use crate::unit::same_unit;
use crate::view::View;

/// The input of `actuate` that has the value before the actuator.
const COMMAND: &str = "command";
/// The output of `actuate` that has the value after the actuator.
const VALUE: &str = "value";

/// A port of a vehicle on which actuators can act: an input of its dynamics class, or an imposed twist.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ActuatedPort {
    /// Name of the port.
    pub name: &'static str,
    /// Unit of the port.
    pub unit: &'static str,
    /// Whether the port has one value per wheel.
    pub by_wheel: bool,
}

impl From<Quantity> for ActuatedPort {
    fn from(quantity: Quantity) -> Self {
        let by_wheel = quantity.scope == Scope::Wheel as u32;
        Self { name: quantity.name, unit: quantity.unit, by_wheel }
    }
}

/// Returns the ports of a vehicle on which actuators can act: the inputs of its dynamics class that the
/// controller drives or the world file sets, or the components of the twist that the controller imposes.
pub fn actuated_ports(
    dynamics: &'static View<Model>,
    controller: &'static View<Model>,
) -> Vec<ActuatedPort> {
    moving_ports(dynamics, controller).into_iter().map(ActuatedPort::from).collect()
}

fn moving_ports(dynamics: &'static View<Model>, controller: &'static View<Model>) -> Vec<Quantity> {
    let outputs = outputs_of(controller, "control");
    let imposed: Vec<Quantity> = outputs.iter().copied().filter(is_twist).collect();
    if !imposed.is_empty() {
        return imposed;
    }
    let is_set = |quantity: &Quantity| {
        let mut ports = driving(dynamics).into_iter().flat_map(|phase| phase.inputs());
        find(&outputs, quantity.name).is_some()
            || ports.any(|port| port.name() == quantity.name && has_key(dynamics, port))
    };
    driven_inputs(dynamics).into_iter().filter(is_set).collect()
}

/// Returns whether a quantity is a component of an imposed twist.
fn is_twist(quantity: &Quantity) -> bool {
    ACTUATORS.iter().any(|port| port.name == quantity.name)
}

/// Returns the port of a vehicle with a name, on which an actuator can act: one that the controller
/// drives or that the world file sets.
///
/// # Errors
/// The fault of a name on which no actuator can act.
pub fn actuated_port(
    name: &str,
    dynamics: &'static View<Model>,
    controller: &'static View<Model>,
) -> Result<ActuatedPort, PortFault> {
    let known = moving_ports(dynamics, controller);
    if let Some(found) = find(&known, name) {
        return Ok(ActuatedPort::from(found));
    }
    let inputs = driven_inputs(dynamics);
    let (class, id) = (dynamics.id(), controller.id());
    let text = if find(&inputs, name).is_none() {
        format!("unknown port `{name}`")
    } else if known.iter().any(is_twist) {
        format!("port `{name}` does not move the vehicle: controller `{id}` imposes the twist")
    } else {
        format!("nothing sets port `{name}` of dynamics `{class}`: controller `{id}` does not")
    };
    Err(PortFault {
        nearest: nearest(name, known.iter().map(|quantity| quantity.name)),
        valid: list(&format!("dynamics `{class}` with controller `{id}` has"), &known),
        ..PortFault::new(text, "name one of these ports, or choose another controller")
    })
}

/// Returns the ports of an actuator that do not fit the port on which it acts and the dynamics class. `reads_sensor`
/// returns whether only a sensor can provide an input of this name, which is checked with the sensors.
pub fn actuator_faults(
    actuator: &'static View<Model>,
    port: ActuatedPort,
    dynamics: &'static View<Model>,
    reads_sensor: &dyn Fn(&str) -> bool,
) -> Vec<PortFault> {
    let Some(phase) = actuator.phase("actuate") else { return Vec::new() };
    let fault = |place: Place| match place.port.name() {
        COMMAND => wrong_unit(&place, port),
        _ if is_array(place.port) && port.by_wheel => Some(unreadable_by_wheels(&place, port)),
        name if reads_sensor(name) => None,
        _ => unmeasured(&place, port, dynamics),
    };
    places(phase, Side::Input).filter_map(fault).collect()
}

/// Returns whether a port is the command or the value of an actuator.
fn is_end(place: &Place) -> bool {
    let name = place.port.name();
    name == COMMAND && place.side == Side::Input || name == VALUE && place.side == Side::Output
}

/// Returns whether an actuator with this unit fits a port of any unit.
fn is_any(unit: &str) -> bool {
    matches!(unit, "" | "1")
}

/// Returns whether a place is the command of an actuator.
pub(super) fn is_before(model: &'static View<Model>, place: &Place) -> bool {
    model.kind() == Some(Kind::Actuator) && is_end(place)
}

/// Returns what an output of an actuator on a port is for other models: its value has the unit of the port, and
/// a vehicle has one value per lane.
pub(super) fn published(output: &'static View<PortDesc>, port: ActuatedPort) -> Quantity {
    let Quantity { name, unit, scope } = Quantity::from(output);
    let unit = if name == VALUE && is_any(unit) { port.unit } else { unit };
    Quantity { name, unit, scope: if port.by_wheel { Scope::Wheel as u32 } else { scope } }
}

fn unreadable_by_wheels(place: &Place, port: ActuatedPort) -> PortFault {
    let name = port.name;
    let text =
        format!("{place} is an array: the lanes of port `{name}` are wheels, which read numbers");
    place.fault(text, "read a number, or act on a port with one value per vehicle")
}

fn wrong_unit(place: &Place, port: ActuatedPort) -> Option<PortFault> {
    let unit = place.port.unit();
    if is_any(unit) || same_unit(unit, port.unit) {
        return None;
    }
    let (name, found, expected) = (port.name, unit_name(unit), unit_name(port.unit));
    let text = format!("{place} is in {found}; port `{name}` is in {expected}");
    let help = "choose a port of this unit, or an actuator that fits every unit";
    Some(PortFault::new(text, help))
}

/// Returns the fault of an input that neither the host nor the dynamics class provides to the lanes of
/// a port.
fn unmeasured(
    place: &Place,
    port: ActuatedPort,
    dynamics: &'static View<Model>,
) -> Option<PortFault> {
    let mut known = outputs_of(dynamics, "measure");
    known.extend(MEASUREMENTS.iter().map(Quantity::from));
    let id = dynamics.id();
    let Some(mut quantity) = find(&known, place.port.name()) else {
        if is_optional(place.port) {
            return None;
        }
        let text = absent(place, &format!("dynamics `{id}` does not measure it"));
        let lead = format!("dynamics `{id}` and the host provide");
        return Some(place.unknown(text, &lead, &known, "rename it, or remove it"));
    };
    if port.by_wheel {
        // a lane is a wheel, which has its own value and that of its vehicle
        quantity.scope = Scope::Instance as u32;
    }
    if place.port.scope != quantity.scope {
        let name = port.name;
        let (lane, declared) = match port.by_wheel {
            true => ("wheel", "`f64` (Rust) or with SIMHOST_PORT (C)"),
            false => ("vehicle", "`PerWheel` (Rust) or with SIMHOST_WHEEL_PORT (C)"),
        };
        let text = format!("{place} does not have the scope of a lane of port `{name}`, a {lane}");
        return Some(PortFault::new(text, format!("declare it as {declared}")));
    }
    place.compare(quantity, "the host")
}

/// Returns the ports of the phase `actuate` that contradict its kind.
pub(super) fn phase_faults(phase: &'static View<Phase>, faults: &mut Vec<PortFault>) {
    let unit_of = |side, name: &str| {
        let place = places(phase, side).find(|place| place.port.name() == name);
        place.map(|place| place.port.unit())
    };
    let ends = [unit_of(Side::Input, COMMAND), unit_of(Side::Output, VALUE)];
    for (unit, name, side) in [(ends[0], COMMAND, "input"), (ends[1], VALUE, "output")] {
        if unit.is_none() {
            let text = format!("missing {side} `{name}` of phase `actuate`");
            let help = "add it, in the unit of the port, or in \"1\" for a port of any unit";
            faults.push(PortFault::new(text, help));
        }
    }
    if let [Some(command), Some(value)] = ends
        && !same_unit(command, value)
    {
        let (command, value) = (unit_name(command), unit_name(value));
        let text = format!("output `{VALUE}` is in {value}; input `{COMMAND}` is in {command}");
        faults.push(PortFault::new(text, "give both the unit of the port"));
    }
    for place in places(phase, Side::Input) {
        faults.extend(wrong_input(&place, place.port));
    }
    for place in places(phase, Side::Output) {
        if place.port.scope != Scope::Instance as u32 {
            let text = format!("{place} has a scope that the outputs of an actuator cannot have");
            faults.push(place.fault(text, "give it one value per lane"));
        } else if !is_end(&place) && !is_optional(place.port) {
            let text = format!("unknown {place}");
            faults.push(place.fault(text, PUBLISH));
        }
    }
}

fn wrong_input(place: &Place, port: &'static View<PortDesc>) -> Option<PortFault> {
    if !port.key().is_empty() || is_command(port) {
        let text = format!("{place} has a key or is a command, which an actuator cannot have");
        return Some(place.fault(text, "declare a parameter instead"));
    }
    if Scope::from_u32(port.scope) == Scope::Ray || is_array(port) && is_end(place) {
        let text = format!("{place} has a scope that the inputs of an actuator cannot have");
        return Some(place.fault(text, "give it one value per lane, or per wheel of a vehicle"));
    }
    if is_array(port) {
        return None;
    }
    if is_end(place) {
        let text = format!("{place} has a scope that the command of an actuator cannot have");
        let is_wrong = port.scope != Scope::Instance as u32;
        return is_wrong.then(|| place.fault(text, "give it one value per lane"));
    }
    let known = MEASUREMENTS.iter().find(|measured| measured.name == port.name())?;
    // the scope depends on the port on which the actuator acts
    place.compare(Quantity { scope: port.scope, ..Quantity::from(known) }, "the host")
}
