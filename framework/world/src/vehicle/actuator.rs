//! The actuators of a vehicle, between its controller and its dynamics class.

use std::collections::HashSet;
use std::sync::Arc;

use simhost_abi::Kind;

use crate::context::Context;
use crate::diagnostics::Diagnostic;
use crate::models::{ModelUse, bind, required_class};
use crate::reader::ElementReader;
use crate::sources::Span;
use crate::tree::Element;
use crate::vocabulary::{Section, Value, attribute, section};

/// An actuator of a vehicle.
#[derive(Clone, Debug)]
pub struct ActuatorUse {
    /// Name, unique within the vehicle.
    pub name: String,
    /// Input of the dynamics class, or component of an imposed twist, on which it acts.
    pub port: String,
    /// Position of the name of the port.
    pub port_span: Span,
    /// The model with its parameters.
    pub model: ModelUse,
}

pub(super) static ACTUATOR: Section = section(
    "actuator",
    "Acts on a value between controller and dynamics class, with the parameters of the class. \
     Several on one port form a chain in the order of the file.",
    &[
        attribute("class", Value::Class(Kind::Actuator), "Class of the actuator.").required(),
        attribute(
            "port",
            Value::Text,
            "Input of the dynamics class that the controller or the world file sets, such as \
             `steer`, or a component of an imposed twist, such as `twist_vx`.",
        )
        .required(),
        attribute("name", Value::Text, "Name, unique within the vehicle.")
            .or_else("the class, with a number if it is repeated"),
    ],
)
.with_model(Kind::Actuator);

/// Reads the actuators of a `<dynamics>` element.
pub(super) fn read(context: &mut Context<'_>, elements: &[&Element]) -> Arc<[ActuatorUse]> {
    let mut names = HashSet::new();
    elements.iter().filter_map(|element| read_one(context, element, &mut names)).collect()
}

fn read_one(
    context: &mut Context<'_>,
    element: &Element,
    names: &mut HashSet<String>,
) -> Option<ActuatorUse> {
    let mut reader = ElementReader::new(context, element, &ACTUATOR);
    let (model, span) = required_class(&mut reader, Kind::Actuator)?;
    let port = reader.text_of("port").and_then(|text| Some((text.value()?.to_owned(), text.span)));
    let port = reader.require("port", port);
    let given = reader.text_of("name").and_then(|text| Some((text.value()?, text.span)));
    let name = match given {
        Some((name, span)) => named(reader.context, name, span, names),
        None => automatic_name(model.id(), names),
    };
    let model = bind(reader, Kind::Actuator, model, span, None);
    let (port, port_span) = port?;
    Some(ActuatorUse { name, port, port_span, model })
}

/// Returns the name that the world file gives. Reports a duplicate.
fn named(context: &mut Context<'_>, name: &str, span: Span, names: &mut HashSet<String>) -> String {
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
