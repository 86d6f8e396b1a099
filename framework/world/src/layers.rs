//! Classes of vehicles, blocks and actors: what instances have in common, read once.

use std::rc::Rc;

use crate::reader::Reader;
use crate::tag::Tag;
use crate::vocabulary::{Section, actor, block, vehicle};
use crate::xml::{Element, Text};

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
        match element.name.as_str() {
            "vehicle:class" => {
                let part = Rc::new(self.vehicle_part(element, section, None));
                self.vehicle_classes.insert(name, part);
            }
            "block:class" => {
                let part = Rc::new(self.block_part(element, section));
                self.block_classes.insert(name, part);
            }
            _ => {
                let part = Rc::new(self.actor_part(element, section));
                self.actor_classes.insert(name, part);
            }
        }
    }

    pub(crate) fn unknown_layer(&mut self, text: &Text, name: &str, known: &[String], tag: &str) {
        let message = format!("there is no <{tag} name=\"{name}\">");
        let label = self.hint(name, known.iter().map(String::as_str));
        let help = "help: a class is declared or included before its use".to_owned();
        self.error(text.span, message, label, vec![help]);
    }
}
