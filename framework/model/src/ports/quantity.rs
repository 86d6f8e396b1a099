//! Quantities that ports read or set, and their comparison with ports.

use simhost_abi::host_port::HostPort;
use simhost_abi::{Kind, Model, Phase, PortDesc, Scope};

use super::PortFault;
use crate::lanes::is_parameter;
use crate::nearest::nearest;
use crate::unit::same_unit;
use crate::view::View;

/// Largest number of names in a list.
const MAX_LISTED: usize = 40;

/// A quantity that exists under a name.
#[derive(Clone, Copy)]
pub(super) struct Quantity {
    pub name: &'static str,
    pub unit: &'static str,
    pub scope: u32,
}

impl From<&HostPort> for Quantity {
    fn from(port: &HostPort) -> Self {
        Self { name: port.name, unit: port.unit, scope: port.scope as u32 }
    }
}

impl From<&'static View<PortDesc>> for Quantity {
    fn from(port: &'static View<PortDesc>) -> Self {
        Self { name: port.name(), unit: port.unit(), scope: port.scope }
    }
}

/// Which end of a phase a port is at.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Side {
    Input,
    Output,
}

impl Side {
    fn word(self) -> &'static str {
        match self {
            Self::Input => "input",
            Self::Output => "output",
        }
    }
}

/// A port with its place, for messages.
#[derive(Clone, Copy)]
pub(super) struct Place {
    pub phase: &'static str,
    pub side: Side,
    pub port: &'static View<PortDesc>,
}

impl std::fmt::Display for Place {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (side, name) = (self.side.word(), self.port.name());
        write!(f, "{side} `{name}` of phase `{}`", self.phase)
    }
}

impl Place {
    /// Returns a fault of the port without a list of names.
    pub fn fault(&self, text: impl Into<String>, help: impl Into<String>) -> PortFault {
        PortFault::new(text, help)
    }

    /// Returns a fault of the port whose name is none of `known`. `lead` introduces their list.
    pub fn unknown(
        &self,
        text: impl Into<String>,
        lead: &str,
        known: &[Quantity],
        help: impl Into<String>,
    ) -> PortFault {
        let names = known.iter().map(|quantity| quantity.name);
        let nearest = nearest(self.port.name(), names);
        PortFault { nearest, valid: list(lead, known), ..self.fault(text, help) }
    }

    /// Compares scope and unit with the quantity of this name of `owner`.
    pub fn compare(&self, quantity: Quantity, owner: &str) -> Option<PortFault> {
        let port = self.port;
        if port.scope != quantity.scope {
            let [found, expected] = [port.scope, quantity.scope].map(scope_name);
            let text = match Scope::from_u32(port.scope) {
                Scope::Array => format!("{self} is an array; {owner} has one value per {expected}"),
                _ => format!("{self} has one value per {found}; {owner} has one per {expected}"),
            };
            return Some(self.fault(text, declaration(quantity.scope)));
        }
        if !same_unit(port.unit(), quantity.unit) {
            let [found, expected] = [port.unit(), quantity.unit].map(unit_name);
            let text = format!("{self} is in {found}; {owner} has it in {expected}");
            let mut help = format!("declare it in {expected}, and convert it in the model");
            if same_unit(port.unit(), "1") {
                help += &format!("; for an FMU, write unit=\"{expected}\" in its <map>");
            }
            return Some(self.fault(text, help));
        }
        None
    }
}

/// Returns advice on how to declare a port of a scope.
pub(super) fn declaration(scope: u32) -> String {
    match Scope::from_u32(scope) {
        Scope::Instance => "declare it as `f64` (Rust) or with SIMHOST_PORT (C)",
        Scope::Wheel => "declare it as `PerWheel` (Rust) or with SIMHOST_WHEEL_PORT (C)",
        Scope::Ray => "declare it with SIMHOST_RAY_PORT (C)",
        Scope::Array => "declare it as `Reading` (Rust) or with SIMHOST_ARRAY_PORT (C)",
    }
    .to_owned()
}

fn scope_name(scope: u32) -> &'static str {
    match Scope::from_u32(scope) {
        Scope::Instance => "vehicle",
        Scope::Wheel => "wheel",
        Scope::Ray => "ray",
        Scope::Array => "array",
    }
}

pub(super) fn unit_name(unit: &'static str) -> &'static str {
    if unit.is_empty() { "1" } else { unit }
}

/// Lists quantities with their units.
pub(super) fn list(lead: &str, known: &[Quantity]) -> String {
    let one = |quantity: &Quantity| {
        let unit = unit_name(quantity.unit);
        let scope = match Scope::from_u32(quantity.scope) {
            Scope::Instance => "",
            Scope::Wheel => ", per wheel",
            Scope::Ray => ", per ray",
            Scope::Array => ", an array",
        };
        format!("`{}` ({unit}{scope})", quantity.name)
    };
    let mut names: Vec<_> = known.iter().take(MAX_LISTED).map(one).collect();
    if known.is_empty() {
        names.push("nothing".to_owned());
    }
    if known.len() > MAX_LISTED {
        names.push("…".to_owned());
    }
    format!("{lead} {}", names.join(", "))
}

/// Returns the quantity with a name.
pub(super) fn find(known: &[Quantity], name: &str) -> Option<Quantity> {
    known.iter().find(|quantity| quantity.name == name).copied()
}

/// Returns the places of the ports of one side of a phase, except inputs of parameters.
pub(super) fn places(
    phase: &'static View<Phase>,
    side: Side,
) -> impl Iterator<Item = Place> + Clone {
    let ports = match side {
        Side::Input => phase.inputs(),
        Side::Output => phase.outputs(),
    };
    let ports = ports.iter().filter(move |port| side == Side::Output || !is_parameter(port));
    ports.map(move |port| Place { phase: phase.id(), side, port })
}

/// Advice on an output that drives nothing.
pub(super) const PUBLISH: &str =
    "rename it, or publish it: `#[port(publish)]` (Rust) or SIMHOST_PUBLISHED_PORT (C)";

/// Returns whether a world file can set an input of a model.
pub(super) fn has_key(model: &'static View<Model>, port: &'static View<PortDesc>) -> bool {
    let sets = match model.kind() {
        Some(Kind::Dynamics) => port.scope <= Scope::Wheel as u32,
        Some(Kind::Controller) => port.scope == Scope::Instance as u32,
        _ => false,
    };
    sets && !port.key().is_empty()
}
