//! Commands, states and rates of a model, compared with each other.

use simhost_abi::{Kind, Model, Phase, PortDesc, Scope, port_flag};

use super::quantity::{Side, places};
use super::{PortFault, fleet};
use crate::unit::same_unit;
use crate::view::View;

/// Checks that commands set inputs that exist. Commands of a fleet consist of outputs.
pub(super) fn commands(model: &'static View<Model>, faults: &mut Vec<PortFault>) {
    if let (Some(Kind::Fleet), Some(phase)) = (model.kind(), model.phase("command")) {
        return fleet::commands(model, phase, faults);
    }
    let places = || model.phase("control").into_iter().flat_map(|phase| places(phase, Side::Input));
    let help = "name an input of phase `control`, or leave the name empty";
    fleet::unknown_values(model, &|| places().map(|place| place.port), faults, &|kind, name| {
        PortFault::new(format!("command `{kind}` sets `{name}`, which is not an input"), help)
    });
}

/// Checks that states have a scope that the host keeps.
pub(super) fn states(model: &'static View<Model>, faults: &mut Vec<PortFault>) {
    let allowed = match model.kind() {
        Some(
            Kind::Friction | Kind::Actuator | Kind::Environment | Kind::Fleet | Kind::Suspension,
        ) => [Scope::Instance, Scope::Instance],
        Some(Kind::Sensor) => [Scope::Instance, Scope::Ray],
        _ => [Scope::Instance, Scope::Wheel],
    };
    for state in model.states() {
        if !allowed.iter().any(|scope| *scope as u32 == state.scope) {
            let kind = model.kind().map_or("a model", Kind::with_article);
            let name = state.name();
            faults.push(PortFault::new(
                format!("state `{name}` has a scope that the states of {kind} cannot have"),
                "give it one value per lane",
            ));
        }
    }
}

/// Compares the phase `rates` with the phase before it and with the states.
pub(super) fn rates(
    model: &'static View<Model>,
    phase: &'static View<Phase>,
    faults: &mut Vec<PortFault>,
) {
    let before = match model.kind() {
        Some(Kind::Friction) => model.phase("force"),
        Some(Kind::Dynamics) => super::driving(model),
        Some(Kind::Controller) => model.phase("control"),
        Some(Kind::Actuator) => model.phase("actuate"),
        _ => None,
    };
    let Some(before) = before else { return };
    let shape = |ports: &'static [View<PortDesc>]| {
        ports.iter().map(|port| (port.name(), port.scope, port.flags & !port_flag::OPTIONAL))
    };
    if !shape(phase.inputs()).eq(shape(before.inputs())) {
        let id = before.id();
        faults.push(PortFault::new(
            format!("phase `rates` does not have the inputs of phase `{id}`, in order"),
            "declare the same inputs",
        ));
    }
    let states = model.states();
    for (place, state) in places(phase, Side::Output).zip(states) {
        let port = place.port;
        let unit = format!("({})/s", state.unit());
        let same = same_unit(port.unit(), &unit) || same_unit(port.unit(), state.unit());
        if port.name() != state.name() || port.scope != state.scope || !same {
            let text =
                format!("{place} is not the rate of state `{}` ({})", state.name(), state.unit());
            faults.push(place.fault(text, "declare one output per state, in order"));
        }
    }
    if phase.outputs().len() != states.len() {
        let (found, expected) = (phase.outputs().len(), states.len());
        faults.push(PortFault::new(
            format!("phase `rates` has {found} outputs; expected one per state, {expected}"),
            "declare one output per state, in order",
        ));
    }
}
