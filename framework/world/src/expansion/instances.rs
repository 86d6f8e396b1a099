//! Names of vehicles, blocks, actors, sensors and elements.

use compact_str::{CompactString, format_compact};

use super::evaluation::value_of;
use super::scope::NameContext;
use super::state::Expansion;
use crate::expression::Key;
use crate::tree::{Attribute, Element, Origin, Text};

/// A vehicle, block or actor with its name.
pub(super) struct Named {
    pub tag: &'static str,
    /// Name, unless it could not be computed.
    pub name: Option<CompactString>,
    /// The part of the draws' keys that identifies the instance.
    pub path: Key,
}

/// Names an instance and records the name.
pub(super) fn name_instance(
    expansion: &mut Expansion,
    element: &Element,
    context: &NameContext,
) -> Named {
    let tag = match element.name.as_str() {
        "vehicle" => "vehicle",
        "block" => "block",
        _ => "actor",
    };
    let attribute = element.attribute("name");
    let given = attribute.and_then(|name| value_of(expansion, name, context));
    // several blocks can have the same name
    let path = match &given {
        Some(name) if tag != "block" => Key::default().named(tag).named(name),
        _ => {
            let position = expansion.position_key(element.name_span, context.origin);
            context.path.with(position.0)
        }
    };
    let name = match attribute {
        Some(_) => given,
        None => automatic_name(expansion, tag),
    };
    expansion.blocks += usize::from(tag == "block");
    if tag == "vehicle" {
        expansion.vehicle_names.insert(name.clone().unwrap_or_default());
    }
    Named { tag, name, path }
}

/// Returns the name of an instance without one: `veh1`, `veh2`, … or `block001`, `block002`, …
fn automatic_name(expansion: &Expansion, tag: &str) -> Option<CompactString> {
    match tag {
        "vehicle" => {
            let count = expansion.vehicle_names.len() + 1;
            let mut names = (count..).map(|number| format_compact!("veh{number}"));
            names.find(|name| !expansion.vehicle_names.contains(name))
        }
        "block" => Some(format_compact!("block{:03}", expansion.blocks + 1)),
        _ => None,
    }
}

/// Returns the context within a sensor or an `<element>`, which has its own, possibly empty, name.
#[inline(never)]
pub(super) fn context_of_part(
    expansion: &mut Expansion,
    element: &Element,
    context: &NameContext,
) -> NameContext {
    let name = element.attribute("name").and_then(|name| value_of(expansion, name, context));
    NameContext {
        in_world: false,
        parent: Some(context.own.clone().unwrap_or_default()),
        own: Some(name.unwrap_or_default()),
        ..context.clone()
    }
}

/// Sets an attribute to a computed value, if there is one.
pub(super) fn set_attribute(element: &mut Element, name: &str, value: Option<CompactString>) {
    let Some(content) = value else { return };
    match element.attributes.iter_mut().rfind(|attribute| attribute.name == name) {
        Some(attribute) if attribute.text.content == content => {}
        Some(attribute) => {
            attribute.text.content = content;
            attribute.text.origin = Origin::Computed;
        }
        None => {
            let span = element.name_span;
            let text = Text { content, span, origin: Origin::Computed };
            element.attributes.push(Attribute { name: name.into(), name_span: span, text });
        }
    }
}
