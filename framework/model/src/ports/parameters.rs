//! Inputs with the values of parameters that can differ between lanes.

use simhost_abi::{Model, ParamDesc, Phase, Scope, port_flag};

use super::PortFault;
use super::quantity::{Place, Quantity, Side, find};
use crate::lanes::{is_parameter, per_lane};
use crate::unit::{same_unit, unit_factor};
use crate::view::View;

/// Checks the inputs of parameters, and that each parameter that can differ between lanes is read.
pub(super) fn parameters(model: &'static View<Model>, faults: &mut Vec<PortFault>) {
    for phase in model.phases() {
        for (side, ports) in [(Side::Input, phase.inputs()), (Side::Output, phase.outputs())] {
            for port in ports.iter().filter(|port| is_parameter(port)) {
                faults.extend(wrong_port(model, &Place { phase: phase.id(), side, port }));
            }
        }
    }
    for (_, param) in per_lane(model) {
        let key = param.key();
        let reads = |phase: &'static View<Phase>| {
            phase.inputs().iter().any(|port| is_parameter(port) && port.name() == key)
        };
        if !model.phases().iter().any(reads) {
            let text = format!("parameter `{key}` differs between lanes, but no phase reads it");
            let help = "give each phase that depends on it an input SIMHOST_PARAMETER_PORT, or clear \
                        SIMHOST_PARAM_FLAG_PER_LANE";
            faults.push(PortFault::new(text, help));
        }
    }
}

/// Checks a port with the flag of a parameter.
fn wrong_port(model: &'static View<Model>, place: &Place) -> Option<PortFault> {
    let port = place.port;
    if place.side == Side::Output {
        let text = format!("{place} has the flag of a parameter, which only inputs can have");
        return Some(place.fault(text, "clear SIMHOST_PORT_FLAG_PARAMETER"));
    }
    let known = known(model);
    let Some((_, param)) = per_lane(model).find(|(_, param)| param.key() == port.name()) else {
        let is_param = model.params().iter().any(|param| param.key() == port.name());
        let text = if is_param {
            format!("{place} is a parameter that cannot differ between lanes")
        } else {
            format!("{place} is not a parameter of the model")
        };
        let help = "name a parameter with SIMHOST_PARAM_FLAG_PER_LANE";
        let lead = "parameters that can differ between lanes:";
        let fault = place.unknown(text, lead, &known, help);
        let nearest = fault.nearest.filter(|name| find(&known, name).is_some());
        return Some(PortFault { nearest, ..fault });
    };
    if port.scope != Scope::Instance as u32 {
        let text = format!("{place} is a parameter, which has one value per lane");
        return Some(place.fault(text, "give it the scope SIMHOST_SCOPE_INSTANCE"));
    }
    let others = port_flag::OPTIONAL | port_flag::COMMAND | port_flag::REQUIRED;
    if port.flags & others != 0 || !port.key().is_empty() {
        let text = format!("{place} is a parameter, which the host provides");
        return Some(place.fault(text, "remove its other flags and its key"));
    }
    wrong_unit(place, param)
}

/// Returns the parameters that can differ between lanes, as quantities with the units of world files.
fn known(model: &'static View<Model>) -> Vec<Quantity> {
    let quantity = |(_, param): (usize, &'static View<ParamDesc>)| Quantity {
        name: param.key(),
        unit: param.unit(),
        scope: Scope::Instance as u32,
    };
    per_lane(model).map(quantity).collect()
}

/// Compares the unit of an input with the unit of its parameter in the model.
fn wrong_unit(place: &Place, param: &'static View<ParamDesc>) -> Option<PortFault> {
    let (unit, given, scale) = (place.port.unit(), param.unit(), param.scale);
    let is_right = if scale == 1.0 {
        same_unit(unit, given)
    } else {
        let factor = unit_factor(given, unit);
        factor.is_some_and(|factor| (scale.abs() - factor).abs() <= 1e-6 * factor)
    };
    let expected = match scale {
        1.0 => format!("in {given}"),
        _ => format!("{scale} times that in {given}"),
    };
    let text =
        format!("{place} is in {unit}; the value of the parameter in the model is {expected}");
    (!is_right).then(|| place.fault(text, "give the input the unit of the parameter in the model"))
}
