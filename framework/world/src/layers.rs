//! Classes of vehicles, blocks and actors: what instances have in common, read once.

use std::rc::Rc;

use crate::reader::Reader;
use crate::tag::{Tag, did_you_mean};
use crate::vocabulary::{Section, actor, block, vehicle};
use crate::xml::{Element, Text};

/// A class.
#[derive(Debug)]
pub(crate) enum Layer<P> {
    /// Read and checked where it is declared.
    Read(Rc<P>),
    /// Depends on the instance, and is read for each.
    Unread(Rc<Element>),
}

impl<P> Clone for Layer<P> {
    fn clone(&self) -> Self {
        match self {
            Self::Read(part) => Self::Read(Rc::clone(part)),
            Self::Unread(body) => Self::Unread(Rc::clone(body)),
        }
    }
}

impl Tag<'_, '_, '_> {
    /// `name` and `class`, where the section has them.
    pub(crate) fn head(&mut self) {
        for name in ["name", "class"] {
            if self.section.entry(name).is_some() {
                self.take(name);
            }
        }
    }
}

impl Reader<'_> {
    pub(crate) fn class_definition(&mut self, element: &Element) {
        let section: &'static Section = match element.name.as_str() {
            "vehicle:class" => &vehicle::CLASS,
            "block:class" => &block::CLASS,
            _ => &actor::CLASS,
        };
        let Some(name) = element.attribute("name") else {
            let help = format!("help: write <{} name=\"…\">", element.name);
            self.error(element.name_span, "a class without a name", "", vec![help]);
            return;
        };
        let Some(name) = self.value(name) else { return };
        let name = name.to_string();
        self.names.keep_unknown = true;
        let body = Element { children: self.expanded(&element.children), ..element.clone() };
        self.names.keep_unknown = false;
        let depends = body.children.iter().any(|child| child.any_text(&|text| text.contains('$')));
        match (element.name.as_str(), depends) {
            ("vehicle:class", true) => {
                self.vehicle_classes.insert(name, Layer::Unread(Rc::new(without_head(body))));
            }
            ("vehicle:class", false) => {
                let part = Rc::new(self.vehicle_part(&body, section, None));
                self.vehicle_classes.insert(name, Layer::Read(part));
            }
            ("block:class", true) => {
                self.block_classes.insert(name, Layer::Unread(Rc::new(without_head(body))));
            }
            ("block:class", false) => {
                let part = Rc::new(self.block_part(&body, section));
                self.block_classes.insert(name, Layer::Read(part));
            }
            (_, true) => {
                self.actor_classes.insert(name, Layer::Unread(Rc::new(without_head(body))));
            }
            (_, false) => {
                let part = Rc::new(self.actor_part(&body, section));
                self.actor_classes.insert(name, Layer::Read(part));
            }
        }
    }

    /// What the includes of an instance hold, as elements like the instance.
    pub(crate) fn included(&mut self, element: &Element, _: &'static Section) -> Vec<Element> {
        let includes = element.children.iter().filter(|child| child.name == "include");
        let mut found = Vec::new();
        let names = crate::substitution::Names { keep_unknown: true, ..Default::default() };
        let names = std::mem::replace(&mut self.names, names);
        for include in includes {
            self.include(include, &mut |reader, roots| {
                let children = reader.expanded(roots);
                found.push(Element { children, ..element.without_content() });
            });
        }
        self.names = names;
        found
    }

    pub(crate) fn unknown_layer(&mut self, text: &Text, name: &str, known: &[String], tag: &str) {
        let message = format!("there is no <{tag} name=\"{name}\">");
        let label = did_you_mean(name, known.iter().map(String::as_str));
        let help = "help: a class is declared or included before its use".to_owned();
        self.error(text.span, message, label, vec![help]);
    }
}

/// The name of a class is no attribute of what belongs to it.
fn without_head(mut body: Element) -> Element {
    body.attributes.clear();
    body
}
