//! Ports of a fleet, compared with its kind and with the vehicles that it commands.

use super::quantity::{PUBLISH, Place, Quantity, Side, find, places};
use super::{PortFault, is_command, is_optional};
use crate::nearest::nearest;
use crate::unit::same_unit;
use crate::view::View;
use simhost_abi::host_port::{FLEET_INPUTS, MEASUREMENTS};
use simhost_abi::{CommandDesc, Model, Phase, PortDesc, Scope};

/// The command that a vehicle of a fleet gets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FleetCommand {
    /// Name of the kind, such as `twist`.
    pub kind: &'static str,
    /// Outputs of the fleet and the inputs of the controller that they set.
    pub values: Vec<(&'static str, &'static str)>,
}

/// Returns the quantities of the host that a fleet can read.
pub(super) fn readable() -> Vec<Quantity> {
    let of_vehicle = |port: &&simhost_abi::host_port::HostPort| port.scope == Scope::Instance;
    MEASUREMENTS.iter().filter(of_vehicle).chain(FLEET_INPUTS).map(Quantity::from).collect()
}

/// Returns the fault of an input that no fleet can have.
pub(super) fn input_fault(place: &Place) -> Option<PortFault> {
    let port = place.port;
    if is_command(port) {
        let text = format!("{place} is a command; a fleet gives commands and receives none");
        return Some(place.fault(text, "declare a parameter instead"));
    }
    if port.scope == Scope::Wheel as u32 {
        let text = format!(
            "{place} has one value per wheel; the vehicles of a fleet differ in their wheels"
        );
        return Some(place.fault(text, "read a quantity with one value per vehicle"));
    }
    None
}

/// Checks the commands of a fleet and its outputs against each other.
pub(super) fn commands(
    model: &'static View<Model>,
    phase: &'static View<Phase>,
    faults: &mut Vec<PortFault>,
) {
    if model.commands().is_empty() {
        let help = "declare them: `const COMMANDS` (Rust) or `.commands` (C)";
        faults.push(PortFault::new("a fleet has to give at least one kind of command", help));
    }
    let help = "name an output of phase `command`, or leave the name empty";
    unknown_values(model, &|| phase.outputs().iter(), faults, &|kind, name| {
        PortFault::new(
            format!("command `{kind}` has the value `{name}`, which is not an output"),
            help,
        )
    });
    for place in places(phase, Side::Output) {
        let port = place.port;
        let is_value =
            |command: &'static View<CommandDesc>| command.ports().any(|name| name == port.name());
        if !is_optional(port) && !model.commands().iter().any(is_value) {
            let text = format!("{place} is not a value of a command");
            faults.push(PortFault {
                nearest: nearest(port.name(), model.commands().iter().flat_map(|c| c.ports())),
                ..place.fault(text, PUBLISH)
            });
        }
    }
}

/// Reports values of commands that are none of these ports.
pub(super) fn unknown_values<I: Iterator<Item = &'static View<PortDesc>>>(
    model: &'static View<Model>,
    ports: &dyn Fn() -> I,
    faults: &mut Vec<PortFault>,
    fault: &dyn Fn(&str, &str) -> PortFault,
) {
    for command in model.commands() {
        let unknown = |name: &&str| !name.is_empty() && !ports().any(|port| port.name() == *name);
        for name in command.ports().filter(unknown) {
            let nearest = nearest(name, ports().map(View::<PortDesc>::name));
            faults.push(PortFault { nearest, ..fault(command.kind(), name) });
        }
    }
}

/// Returns the command that a vehicle with this controller gets from a fleet: the first one of the
/// fleet that the controller accepts.
///
/// # Errors
/// The controller accepts none of them, or has it with other values.
pub fn fleet_command(
    fleet: &'static View<Model>,
    controller: &'static View<Model>,
) -> Result<FleetCommand, PortFault> {
    let accepted = |given: &'static View<CommandDesc>| {
        let mut accepted = controller.commands().iter();
        accepted.find(|command| command.kind() == given.kind()).map(|command| (given, command))
    };
    let Some((given, command)) = fleet.commands().iter().find_map(accepted) else {
        let text = format!(
            "controller `{}` accepts {}; fleet `{}` gives {}",
            controller.id(),
            list(controller),
            fleet.id(),
            list(fleet)
        );
        let help = "choose a controller that accepts one of the commands of the fleet, or leave the \
                    vehicle out of `vehicles`";
        return Err(PortFault::new(text, help));
    };
    let kind = given.kind();
    let (found, expected) = (given.ports().len(), command.ports().len());
    if found != expected {
        let values = |command: &'static View<CommandDesc>| {
            let names =
                command.ports().map(|name| if name.is_empty() { "(ignored)" } else { name });
            names.collect::<Vec<_>>().join(", ")
        };
        let text = format!(
            "`{kind}` of fleet `{}` has {found} values ({}); controller `{}` expects {expected} ({})",
            fleet.id(),
            values(given),
            controller.id(),
            values(command)
        );
        return Err(PortFault::new(text, "give each value a name, or an empty one to skip it"));
    }
    let pairs = given.ports().zip(command.ports());
    let values: Vec<_> = pairs.filter(|(from, to)| !from.is_empty() && !to.is_empty()).collect();
    for (output, input) in &values {
        if let Some(fault) = wrong_unit(fleet, output, controller, input) {
            return Err(fault);
        }
    }
    Ok(FleetCommand { kind, values })
}

/// Lists the kinds of commands of a model.
fn list(model: &'static View<Model>) -> String {
    let kinds: Vec<_> = model.commands().iter().map(|kind| format!("`{}`", kind.kind())).collect();
    if kinds.is_empty() { "no commands".to_owned() } else { kinds.join(", ") }
}

fn wrong_unit(
    fleet: &'static View<Model>,
    output: &str,
    controller: &'static View<Model>,
    input: &str,
) -> Option<PortFault> {
    let mut outputs = places(fleet.phase("command")?, Side::Output);
    let mut inputs = places(controller.phase("control")?, Side::Input);
    let from = outputs.find(|place| place.port.name() == output)?;
    let to = inputs.find(|place| place.port.name() == input)?;
    let (found, expected) = (from.port.unit(), to.port.unit());
    if same_unit(found, expected) {
        return None;
    }
    let text =
        format!("{from} is in {found}; controller `{}` has it in {expected}", controller.id());
    Some(from.fault(text, format!("declare it in {expected}, and convert it in the model")))
}

/// Returns the inputs of a fleet that a dynamics class measures in another form.
pub fn fleet_faults(fleet: &'static View<Model>, dynamics: &'static View<Model>) -> Vec<PortFault> {
    let Some(phase) = fleet.phase("command") else { return Vec::new() };
    let host = readable();
    let measured = dynamics.phase("measure").into_iter().flat_map(|measure| measure.outputs());
    let measured: Vec<Quantity> = measured.map(Quantity::from).collect();
    let owner = format!("dynamics `{}`", dynamics.id());
    let own = places(phase, Side::Input).filter(|place| find(&host, place.port.name()).is_none());
    own.filter_map(|place| place.compare(find(&measured, place.port.name())?, &owner)).collect()
}
