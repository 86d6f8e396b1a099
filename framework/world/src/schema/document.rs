//! The common form of the vocabulary from which all documents are generated.

use serde::Serialize;
use simhost_abi::Kind;

use crate::vehicle::WHEEL;
use crate::vocabulary::{Default as Fallback, Effect, Entry, Form, Quantity, Section, Value};
use crate::world::sections;
use simhost_model::Classes;

use super::models;

/// The whole vocabulary.
#[derive(Debug, Serialize)]
pub(super) struct Document {
    /// All sections, the root first.
    pub sections: Vec<SectionPage>,
    pub models: Vec<ModelPage>,
}

/// A section.
#[derive(Debug, Serialize)]
pub(super) struct SectionPage {
    pub id: String,
    pub tag: &'static str,
    pub doc: &'static str,
    /// Kind of the model whose parameters belong to this element too.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model: Option<&'static str>,
    /// Whether the element has a text.
    pub has_text: bool,
    pub entries: Vec<EntryPage>,
}

/// A model.
#[derive(Debug, Serialize)]
pub(super) struct ModelPage {
    pub kind: &'static str,
    pub class: String,
    pub full_name: String,
    pub doc: &'static str,
    /// Names of the elements of its wheels.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub wheels: Vec<&'static str>,
    pub entries: Vec<EntryPage>,
}

/// An attribute, a child element or a parameter.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub(super) struct EntryPage {
    pub name: &'static str,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub aliases: Vec<&'static str>,
    /// `attribute`, `tag` or `either`.
    pub form: &'static str,
    /// Type of the value, such as `number`.
    #[serde(rename = "type")]
    pub kind: &'static str,
    #[serde(skip_serializing_if = "str::is_empty")]
    pub unit: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min: Option<f64>,
    #[serde(skip_serializing_if = "is_false")]
    pub above_min: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max: Option<f64>,
    #[serde(skip_serializing_if = "is_false")]
    pub below_max: bool,
    /// Words of a choice or layouts of a row.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub values: Vec<&'static str>,
    /// Ids of the sections of a child element.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub sections: Vec<String>,
    /// Members of a group of parameters.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub parts: Vec<EntryPage>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub default: Option<String>,
    #[serde(skip_serializing_if = "is_false")]
    pub required: bool,
    #[serde(skip_serializing_if = "is_false")]
    pub repeats: bool,
    /// Reason why it has no effect.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub without_effect: Option<&'static str>,
    pub doc: &'static str,
}

fn is_false(flag: &bool) -> bool {
    !flag
}

/// Collects the vocabulary and the models of a catalogue.
pub(super) fn document(classes: &dyn Classes) -> Document {
    let mut all = sections();
    all.push(&WHEEL);
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
        has_text: section.name == "waypoint",
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
            Fallback::Value(text) | Fallback::Words(text) => Some(text.to_owned()),
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
            Value::Text | Value::Formatted(_) => "text",
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
