//! The actuators of a vehicle, between its controller and its dynamics class.

use std::collections::HashSet;
use std::sync::Arc;

use simhost_abi::Kind;

use crate::context::Context;
use crate::diagnostics::Diagnostic;
use crate::models::ModelUse;
use crate::reader::declare;
use crate::sources::Span;
use crate::vocabulary::field::attribute;
use crate::vocabulary::{Value, element};

declare! {
    /// Modifies a value between controller and dynamics class, with the parameters of the class.
    /// Several actuators on one port form a chain in the order of the file.
    section = element("actuator").with_model(Kind::Actuator);

    /// An actuator of a vehicle.
    #[derive(Clone, Debug)]
    pub struct ActuatorUse {
        /// The model with its parameters.
        pub model: ModelUse =
            attribute(Value::Class(Kind::Actuator)).named("class").doc("Class of the actuator.").required();
        /// Input of the dynamics class that the controller or the world file sets, such as
        /// `steer`, or a component of an imposed twist, such as `twist_vx`.
        pub port: String = attribute(Value::Text).required();
        /// Name, unique within the vehicle.
        pub name: String = attribute(Value::Text).or_else("the class, with a number if it is repeated");
        /// Position of the name of the port.
        pub port_span: Span => |reader| reader.span_of("port");
        /// Position of its name.
        pub(super) span: Span => |reader| reader.span_of("name");
    }
}

/// Gives actuators without a name the name of their class.
pub(super) fn named(context: &mut Context<'_>, actuators: &[ActuatorUse]) -> Arc<[ActuatorUse]> {
    let mut names = HashSet::new();
    let actuators = actuators.iter().map(|one| {
        let name = match one.name.is_empty() {
            true => automatic_name(one.model.model.id(), &mut names),
            false => given_name(context, &one.name, one.span, &mut names),
        };
        ActuatorUse { name, ..one.clone() }
    });
    actuators.collect()
}

/// Returns the name that the world file gives. Reports a duplicate.
fn given_name(
    context: &mut Context<'_>,
    name: &str,
    span: Span,
    names: &mut HashSet<String>,
) -> String {
    if !names.insert(name.to_owned()) {
        let error = Diagnostic::duplicate_name("actuator", name, span);
        context.report.push(error.help("give each actuator its own name, or none"));
    }
    name.to_owned()
}

/// Returns the class, with a number if the name is in use: `backlash`, `backlash#2` and so on.
fn automatic_name(class: &str, names: &mut HashSet<String>) -> String {
    let mut numbered = (2..).map(|number| format!("{class}#{number}"));
    let mut name = class.to_owned();
    while !names.insert(name.clone()) {
        name = numbered.next().unwrap_or_default();
    }
    name
}
