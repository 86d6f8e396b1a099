//! The vocabulary as schemas for editors, as JSON for programs and as a reference page.
//!
//! All of them are generated from the tables that the reader uses and from the parameters that the
//! models of the catalogue declare.

mod markdown;
mod vehicle_file;
mod xsd;

use serde::Serialize;
use simhost_abi::{Kind, ParamDesc, ParamKind, param_flag};
use simhost_model::{Classes, ModelRef, View};

use crate::models::{MAP_ENTRY, quantity};
use crate::vehicle::WheelSpec;
use crate::vocabulary::{Default as Fallback, Effect, Entry, Form, Quantity, Section, Value};
use crate::world::sections;

/// Returns the reference in Markdown.
pub fn markdown(classes: &dyn Classes) -> String {
    markdown::page(&document(classes))
}

/// Returns the whole vocabulary as JSON.
pub fn json(classes: &dyn Classes) -> String {
    let document = document(classes);
    serde_json::to_string_pretty(&document).expect("names are texts and numbers are finite")
}

/// Returns the JSON Schema of vehicle files.
pub fn vehicle_file(classes: &dyn Classes) -> String {
    vehicle_file::text(&document(classes))
}

/// Returns an XML Schema 1.0 as file names and contents. The first file describes the world, the
/// others the prefixes `vehicle`, `block` and `actor`.
///
/// The schema allows expressions in place of numbers and elements in any order. An element whose
/// contents depend on a class can contain the parameters of every class; the loader checks the
/// rest.
pub fn xsd(classes: &dyn Classes) -> Vec<(String, String)> {
    xsd::files(&document(classes))
}

/// A section.
#[derive(Debug, Serialize)]
struct SectionPage {
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
struct ModelPage {
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
struct EntryPage {
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

/// Kinds, in the order of the reference.
const KINDS: [Kind; 9] = [
    Kind::Dynamics,
    Kind::Controller,
    Kind::Actuator,
    Kind::Suspension,
    Kind::Friction,
    Kind::Sensor,
    Kind::Environment,
    Kind::Fleet,
    Kind::Observer,
];

fn pages(classes: &dyn Classes) -> Vec<ModelPage> {
    let mut pages = Vec::new();
    for kind in KINDS {
        for name in classes.names(kind) {
            let variants = classes.find(kind, &name).unwrap_or_default();
            pages.extend(variants.iter().map(|model| page(kind, &name, model)));
        }
    }
    pages
}

fn page(kind: Kind, class: &str, model: &ModelRef) -> ModelPage {
    let setpoints = model.model.setpoints().map(|port| EntryPage {
        name: port.key(),
        form: "either",
        kind: "number",
        unit: port.key_unit(),
        doc: port.doc(),
        ..EntryPage::default()
    });
    let params = model.model.params().iter().map(entry);
    ModelPage {
        kind: kind.tag(),
        class: class.to_owned(),
        full_name: model.full_name.to_string(),
        doc: model.model.doc(),
        wheels: model.model.wheels().iter().map(|wheel| wheel.tag()).collect(),
        entries: params.chain(setpoints).collect(),
    }
}

fn entry(desc: &'static View<ParamDesc>) -> EntryPage {
    let is_group = !desc.children().is_empty();
    let mut page = EntryPage {
        name: desc.key(),
        aliases: desc.aliases().collect(),
        form: if is_group { "tag" } else { "either" },
        kind: match desc.kind() {
            _ if is_group => "group",
            Some(ParamKind::Number) => "number",
            Some(ParamKind::Integer) => "integer",
            Some(ParamKind::Bool) => "boolean",
            Some(ParamKind::Choice) => "choice",
            Some(ParamKind::Path | ParamKind::File | ParamKind::BinaryFile) => "uri",
            Some(ParamKind::List) => "list",
            _ => "text",
        },
        values: desc.choices().collect(),
        parts: desc.children().iter().map(entry).collect(),
        default: desc.default().written(),
        required: desc.flags & param_flag::REQUIRED != 0,
        repeats: is_group && desc.kind() == Some(ParamKind::List),
        doc: desc.doc(),
        ..EntryPage::default()
    };
    page.bound(&quantity(desc));
    page
}

/// The whole vocabulary.
#[derive(Debug, Serialize)]
struct Document {
    /// All sections, the root first.
    pub sections: Vec<SectionPage>,
    pub models: Vec<ModelPage>,
}

/// Collects the vocabulary and the models of a catalogue.
fn document(classes: &dyn Classes) -> Document {
    let mut all = sections();
    all.push(WheelSpec::SECTION);
    let mut models = pages(classes);
    if models.iter().any(|model| classes.is_file_class(&model.class)) {
        all.extend(MAP_ENTRY.value.sections());
    }
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
    for model in models.iter_mut().filter(|model| classes.is_file_class(&model.class)) {
        model.entries.push(entry_page(&MAP_ENTRY, &id));
    }
    Document { sections: all.iter().map(page).collect(), models }
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
    fn bound(&mut self, quantity: &Quantity<'static>) {
        self.unit = quantity.unit;
        self.min = Some(quantity.min).filter(|min| min.is_finite());
        self.max = Some(quantity.max).filter(|max| max.is_finite());
        (self.above_min, self.below_max) = (quantity.above_min, quantity.below_max);
    }
}
