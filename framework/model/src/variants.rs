//! Which of the models that share a class name fits a dynamics class.

use simhost_abi::{Model, Phase, PortDesc, Scope, host_port, port_flag};

use crate::classes::ModelRef;

/// The phases that drive a vehicle; a dynamics class has one of them.
const DRIVING_PHASES: [&str; 3] = ["drive", "wrench", "motion"];

/// The first candidate whose ports all have a counterpart.
///
/// # Errors
/// A line for each candidate that says which ports have none.
pub fn fitting<'m>(
    candidates: &'m [ModelRef],
    dynamics: &Model,
) -> Result<&'m ModelRef, Vec<String>> {
    let mut notes = Vec::new();
    for candidate in candidates {
        let (outputs, inputs) = unmatched(candidate.model, dynamics);
        if outputs.is_empty() && inputs.is_empty() {
            return Ok(candidate);
        }
        let mut parts = Vec::new();
        if !outputs.is_empty() {
            parts.push(format!("nothing takes {}", outputs.join(", ")));
        }
        if !inputs.is_empty() {
            parts.push(format!("nothing measures {}", inputs.join(", ")));
        }
        notes.push(format!("note: {}: {}", candidate.full_name, parts.join("; ")));
    }
    notes.push("help: choose another controller class or another dynamics class".to_owned());
    Err(notes)
}

/// Outputs and inputs of a controller that the dynamics class does not answer.
fn unmatched(controller: &Model, dynamics: &Model) -> (Vec<&'static str>, Vec<&'static str>) {
    let driving = DRIVING_PHASES.iter().flat_map(|phase| inputs(dynamics, phase));
    let taken: Vec<_> = driving.map(name_and_scope).collect();
    let measured: Vec<_> = outputs(dynamics, "measure").map(name_and_scope).collect();
    let is_host = |ports: &[host_port::HostPort], (name, scope): &(&str, u32)| {
        ports.iter().any(|port| port.name == *name && port.scope as u32 == *scope)
    };
    let lost = outputs(controller, "control")
        .filter(|port| port.flags & port_flag::OPTIONAL == 0)
        .map(name_and_scope)
        .filter(|port| !taken.contains(port) && !is_host(host_port::ACTUATORS, port));
    let missing = inputs(controller, "control")
        .filter(|port| port.flags & port_flag::COMMAND == 0)
        .map(name_and_scope)
        .filter(|port| !measured.contains(port) && !is_host(host_port::MEASUREMENTS, port));
    (lost.map(|(name, _)| name).collect(), missing.map(|(name, _)| name).collect())
}

/// A port fits one of its name that has as many values.
fn name_and_scope(port: &'static PortDesc) -> (&'static str, u32) {
    (port_name(port), port.scope)
}

/// Whether a sensor measures anything.
pub fn gives_readings(model: &Model) -> bool {
    outputs(model, "read").next().is_some()
}

/// Every key that a model reads in its tag in a world file.
pub fn keys(model: &Model) -> Vec<&'static str> {
    let mut keys = Vec::new();
    // SAFETY: descriptors are static data.
    unsafe {
        for param in model.params.as_slice() {
            keys.push(param.key.as_str());
            keys.extend(param.aliases.as_slice().iter().map(|alias| alias.as_str()));
        }
    }
    keys.extend(keyed_inputs(model).map(|port| str_of(port.key)));
    keys
}

/// Inputs that a world file may set.
pub fn keyed_inputs(model: &Model) -> impl Iterator<Item = &'static PortDesc> {
    keyed(model).filter(|port| port.scope != Scope::Wheel as u32)
}

/// Inputs that a world file may set for each wheel of a dynamics class.
pub fn wheel_inputs(model: &Model) -> impl Iterator<Item = &'static PortDesc> {
    keyed(model).filter(|port| port.scope == Scope::Wheel as u32)
}

fn keyed(model: &Model) -> impl Iterator<Item = &'static PortDesc> {
    // `rates` reads what another phase reads
    let phases = phases(model).iter().filter(|phase| str_of(phase.id) != "rates");
    phases.flat_map(|phase| slice(phase.inputs)).filter(|port| !str_of(port.key).is_empty())
}

/// The name of a port.
pub fn port_name(port: &'static PortDesc) -> &'static str {
    str_of(port.name)
}

fn phases(model: &Model) -> &'static [Phase] {
    slice(model.phases)
}

fn inputs(model: &Model, phase: &'static str) -> impl Iterator<Item = &'static PortDesc> {
    phases(model).iter().filter(move |p| str_of(p.id) == phase).flat_map(|p| slice(p.inputs))
}

fn outputs(model: &Model, phase: &'static str) -> impl Iterator<Item = &'static PortDesc> {
    phases(model).iter().filter(move |p| str_of(p.id) == phase).flat_map(|p| slice(p.outputs))
}

/// The items of a slice in a descriptor.
pub fn slice<T>(slice: simhost_abi::Slice<T>) -> &'static [T] {
    // SAFETY: descriptors are static data.
    unsafe { slice.as_slice() }
}

/// A text in a descriptor.
pub fn str_of(text: simhost_abi::Str) -> &'static str {
    // SAFETY: as above.
    unsafe { text.as_str() }
}
