//! The common form of the vocabulary from which all documents are generated.

use serde::Serialize;
use simhost_abi::Kind;

use crate::vehicle::WheelSpec;
use crate::vocabulary::{Default as Fallback, Effect, Entry, Form, Quantity, Section, Value};
use crate::world::sections;
use simhost_model::Classes;

use super::models;
use super::pages::{EntryPage, ModelPage, SectionPage};

/// The whole vocabulary.
#[derive(Debug, Serialize)]
pub(super) struct Document {
    /// All sections, the root first.
    pub sections: Vec<SectionPage>,
    pub models: Vec<ModelPage>,
}

/// Collects the vocabulary and the models of a catalogue.
pub(super) fn document(classes: &dyn Classes) -> Document {
    let mut all = sections();
    all.push(WheelSpec::SECTION);
    let ids = ids(&all);
    let id = |section: &Section| {
        let place = all.iter().position(|known| std::ptr::eq(*known, section));
        place.map_or(String::new(), |place| ids[place].clone())
    };
    let page = |section: &&'static Section| SectionPage {
        id: id(section),
        tag: section.name,
        doc: section.doc,
        model: section.model.map(Kind::tag),
        has_text: section.has_text,
        entries: section.entries.iter().map(|entry| entry_page(entry, &id)).collect(),
    };
    Document { sections: all.iter().map(page).collect(), models: models::pages(classes) }
}

/// Returns a unique id for each section: the name of the element, with a number if several sections
/// share it.
fn ids(all: &[&'static Section]) -> Vec<String> {
    let mut ids: Vec<String> = Vec::new();
    for section in all {
        let plain = match section.name.split_once(" class=") {
            Some((_, class)) => class.trim_matches('"').to_owned(),
            None => section.name.replace(':', "_"),
        };
        let mut id = plain.clone();
        let mut number = 1;
        while ids.contains(&id) {
            number += 1;
            id = format!("{plain}_{number}");
        }
        ids.push(id);
    }
    ids
}

fn entry_page(entry: &Entry, id: &dyn Fn(&Section) -> String) -> EntryPage {
    let mut page = EntryPage {
        name: entry.name,
        aliases: entry.aliases.to_vec(),
        form: match entry.form {
            Form::Attribute => "attribute",
            Form::Child => "tag",
            Form::Either => "either",
        },
        sections: entry.value.sections().iter().map(|section| id(section)).collect(),
        default: match entry.default {
            Fallback::Value(text) | Fallback::Words(text) | Fallback::Described(_, text) => {
                Some(text.to_owned())
            }
            Fallback::OfModel => Some("from the dynamics class".to_owned()),
            Fallback::OneOfTwo => Some("one of the two is required".to_owned()),
            Fallback::None | Fallback::Required => None,
        },
        required: entry.default == Fallback::Required,
        repeats: entry.repeats,
        without_effect: match entry.effect {
            Effect::Used => None,
            Effect::Unused(reason) | Effect::Ignored(reason) => Some(reason),
        },
        doc: entry.doc,
        ..EntryPage::default()
    };
    page.describe(&entry.value);
    page
}

impl EntryPage {
    /// Sets the type, the range and the values.
    fn describe(&mut self, value: &Value) {
        self.kind = match value {
            Value::Number(_) => "number",
            Value::Angle(_) => "angle",
            Value::Integer(_) => "integer",
            Value::Bool => "boolean",
            Value::Text | Value::Vehicle | Value::Formatted(_) => "text",
            Value::Uri => "uri",
            Value::Choice(_) => "choice",
            Value::Color => "color",
            Value::Row(_) => "row",
            Value::Class(_) => "class",
            Value::Presence => "presence",
            Value::Element(_) | Value::ElementByClass(_) => "tag",
        };
        match value {
            Value::Number(quantity) | Value::Angle(quantity) | Value::Integer(quantity) => {
                self.bound(quantity);
            }
            Value::Choice(values) | Value::Row(values) => self.values = values.to_vec(),
            Value::Formatted(form) => self.values = vec![form],
            _ => {}
        }
    }

    /// Sets the unit and the range.
    pub(super) fn bound(&mut self, quantity: &Quantity<'static>) {
        self.unit = quantity.unit;
        self.min = Some(quantity.min).filter(|min| min.is_finite());
        self.max = Some(quantity.max).filter(|max| max.is_finite());
        (self.above_min, self.below_max) = (quantity.above_min, quantity.below_max);
    }
}
