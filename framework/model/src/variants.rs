//! Which of the models that share a class name fits a dynamics class.

use simhost_abi::{Model, PortDesc, Scope, host_port, port_flag};

use crate::classes::ModelRef;
use crate::view::View;

/// The phases that drive a vehicle; a dynamics class has one of them.
const DRIVING_PHASES: [&str; 3] = ["drive", "wrench", "motion"];

/// Returns the first candidate whose ports all have a counterpart.
///
/// # Errors
/// One line per candidate that names the ports without a counterpart, and a line of help.
pub fn fitting<'m>(
    candidates: &'m [ModelRef],
    dynamics: &'static View<Model>,
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

/// Outputs and inputs of a controller that have no counterpart in the dynamics class or the host.
fn unmatched(
    controller: &'static View<Model>,
    dynamics: &'static View<Model>,
) -> (Vec<&'static str>, Vec<&'static str>) {
    let driving = DRIVING_PHASES.iter().flat_map(|phase| inputs(dynamics, phase));
    let taken: Vec<_> = driving.map(name_and_scope).collect();
    let measured: Vec<_> = outputs(dynamics, "measure").map(name_and_scope).collect();
    let is_host = |ports: &[host_port::HostPort], (name, scope): &(&str, u32)| {
        ports.iter().any(|port| port.name == *name && port.scope as u32 == *scope)
    };
    let untaken = outputs(controller, "control")
        .filter(|port| port.flags & port_flag::OPTIONAL == 0)
        .map(name_and_scope)
        .filter(|port| !taken.contains(port) && !is_host(host_port::ACTUATORS, port));
    let unmeasured = inputs(controller, "control")
        .filter(|port| port.flags & port_flag::COMMAND == 0)
        .map(name_and_scope)
        .filter(|port| !measured.contains(port) && !is_host(host_port::MEASUREMENTS, port));
    (untaken.map(|(name, _)| name).collect(), unmeasured.map(|(name, _)| name).collect())
}

/// A port fits another one of the same name and scope.
fn name_and_scope(port: &'static View<PortDesc>) -> (&'static str, u32) {
    (port.name(), port.scope)
}

fn inputs(
    model: &'static View<Model>,
    phase: &str,
) -> impl Iterator<Item = &'static View<PortDesc>> {
    model.phase(phase).into_iter().flat_map(|phase| phase.inputs())
}

fn outputs(
    model: &'static View<Model>,
    phase: &str,
) -> impl Iterator<Item = &'static View<PortDesc>> {
    model.phase(phase).into_iter().flat_map(|phase| phase.outputs())
}

impl View<Model> {
    /// Whether a sensor has outputs.
    pub fn gives_readings(&'static self) -> bool {
        outputs(self, "read").next().is_some()
    }

    /// Every name that the model reads in its element of a world file: parameters with their
    /// aliases, and setpoints.
    pub fn keys(&'static self) -> Vec<&'static str> {
        let params = self.params().iter();
        let params = params.flat_map(|param| std::iter::once(param.key()).chain(param.aliases()));
        params.chain(self.setpoints().map(View::<PortDesc>::key)).collect()
    }

    /// Inputs that a world file can set, one value per vehicle.
    pub fn setpoints(&'static self) -> impl Iterator<Item = &'static View<PortDesc>> {
        self.keyed_inputs().filter(|port| port.scope != Scope::Wheel as u32)
    }

    /// Inputs of a dynamics class that a world file can set per wheel.
    pub fn wheel_setpoints(&'static self) -> impl Iterator<Item = &'static View<PortDesc>> {
        self.keyed_inputs().filter(|port| port.scope == Scope::Wheel as u32)
    }

    fn keyed_inputs(&'static self) -> impl Iterator<Item = &'static View<PortDesc>> {
        // `rates` reads the same inputs as another phase
        let phases = self.phases().iter().filter(|phase| phase.id() != "rates");
        phases.flat_map(|phase| phase.inputs()).filter(|port| !port.key().is_empty())
    }
}
