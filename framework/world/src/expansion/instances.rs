//! Vehicles, blocks and actors: their names, and their place in the draws.

use std::borrow::Cow;

use compact_str::{CompactString, format_compact};

use super::classes::Instance;
use super::{Context, Expansion, settled};
use crate::expression::Key;
use crate::sources::Span;
use crate::xml::{Attribute, Element, Origin, Text};

impl Expansion {
    /// Appends an instance, and before it the definition of its class where that is one of its own.
    #[inline(never)]
    pub(super) fn instance(
        &mut self,
        element: Cow<'_, Element>,
        context: &Context,
        out: &mut Vec<Element>,
    ) {
        let tag = match element.name.as_str() {
            "vehicle" => "vehicle",
            "block" => "block",
            _ => "actor",
        };
        let given = element.attribute("name").and_then(|name| self.value(name, context));
        // names of blocks may repeat
        let path = match &given {
            Some(name) if tag != "block" => Key::default().named(tag).named(name),
            _ => context.path.with(self.place(element.name_span, context).0),
        };
        let name = given.or_else(|| match element.attribute("name") {
            Some(_) => None,
            None => self.automatic_name(tag),
        });
        self.blocks += usize::from(tag == "block");
        let own = name.clone().unwrap_or_default();
        if tag == "vehicle" {
            self.vehicle_names.insert(own.clone());
        }
        let class = match element.attribute("class") {
            Some(class) => {
                let class = class.clone();
                let instance = Instance { tag, name: &own, path };
                self.class_of(&class, &instance, context, out)
            }
            None => None,
        };
        let inner = Context {
            in_world: false,
            own: Some(own.clone()),
            parent: Some(own),
            path,
            origin: Some(element.name_span),
            ..context.clone()
        };
        let built = match element.dynamic {
            true => self.parts(&element, &inner),
            false => self.plain(element, &inner),
        };
        let Some(mut built) = built else { return };
        set_attribute(&mut built, "name", name);
        set_attribute(&mut built, "class", class);
        out.push(built);
    }

    /// The instance with its parts evaluated. What a vehicle includes is searched first, so it stands
    /// first.
    fn parts(&mut self, element: &Element, context: &Context) -> Option<Element> {
        let mut result = self.head(element, context)?;
        let mut own = Vec::new();
        self.depth += 1;
        for child in &element.children {
            let first = element.name == "vehicle" && child.name == "include";
            let place = if first { &mut result.children } else { &mut own };
            self.element(Cow::Borrowed(child), context, place);
        }
        self.depth -= 1;
        self.variables.leave();
        result.children.append(&mut own);
        Some(settled(result))
    }

    /// The name of an instance that has none: `veh1`, `veh2`, … and `block001`, `block002`, …
    fn automatic_name(&self, tag: &str) -> Option<CompactString> {
        match tag {
            "vehicle" => {
                let count = self.vehicle_names.len() + 1;
                let mut names = (count..).map(|number| format_compact!("veh{number}"));
                names.find(|name| !self.vehicle_names.contains(name))
            }
            "block" => Some(format_compact!("block{:03}", self.blocks + 1)),
            _ => None,
        }
    }

    /// The context of a sensor or a world element: it has a name of its own, perhaps an empty one.
    #[inline(never)]
    pub(super) fn named_part(&mut self, element: &Element, context: &Context) -> Context {
        let name = element.attribute("name").and_then(|name| self.value(name, context));
        Context {
            in_world: false,
            parent: Some(context.own.clone().unwrap_or_default()),
            own: Some(name.unwrap_or_default()),
            ..context.clone()
        }
    }
}

/// Gives an attribute a value that was decided here.
fn set_attribute(element: &mut Element, name: &str, value: Option<CompactString>) {
    let Some(content) = value else { return };
    match element.attributes.iter_mut().rfind(|attribute| attribute.name == name) {
        Some(attribute) if attribute.text.content == content => {}
        Some(attribute) => {
            attribute.text.content = content;
            attribute.text.origin = Origin::Computed;
        }
        None => {
            let span: Span = element.name_span;
            let text = Text { content, span, origin: Origin::Computed };
            element.attributes.push(Attribute { name: name.into(), name_span: span, text });
        }
    }
}
