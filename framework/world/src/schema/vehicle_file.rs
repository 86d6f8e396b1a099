//! The JSON Schema of vehicle files.
//!
//! Each section is a definition. A section with models has one definition per class, which the member
//! `class` selects. Texts with `$` are allowed in place of every value, because they are expressions.

use serde_json::{Map, Value, json};
use simhost_abi::Kind;

use super::{Document, EntryPage, ModelPage, SectionPage};
use crate::json::VERSION;

/// Dialect of the schema.
const DIALECT: &str = "https://json-schema.org/draft/2020-12/schema";
/// Section of a vehicle class, which a vehicle file describes.
const ROOT: &str = "vehicle_class";
/// Section of wheels, whose names the dynamics class determines.
const WHEEL: &str = "wheel";

/// Returns the schema as text.
pub(super) fn text(document: &Document) -> String {
    let schema = Schema { document }.root();
    let mut text = serde_json::to_string_pretty(&schema).expect("all keys are texts");
    text.push('\n');
    text
}

struct Schema<'d> {
    document: &'d Document,
}

impl Schema<'_> {
    fn root(&self) -> Value {
        let mut definitions = Map::new();
        let mut open = vec![ROOT.to_owned(), WHEEL.to_owned()];
        while let Some(id) = open.pop() {
            let Some(section) = self.document.sections.iter().find(|section| section.id == id)
            else {
                continue;
            };
            if definitions.contains_key(&id) {
                continue;
            }
            definitions.insert(id, self.section(section));
            for model in self.models(section) {
                definitions.insert(definition_of(section, model), self.class(section, model));
            }
            open.extend(section.entries.iter().flat_map(|entry| entry.sections.iter().cloned()));
        }
        let mut root = definitions.remove(ROOT).unwrap_or_default();
        root["$schema"] = json!(DIALECT);
        root["title"] = json!("Vehicle file of simhost");
        root["properties"]["version"] = json!({ "const": VERSION });
        root["properties"]["$schema"] = json!({ "type": "string" });
        root["required"] = json!(["version"]);
        root["$defs"] = Value::Object(definitions);
        root
    }

    /// Returns the models whose parameters belong to a section.
    fn models(&self, section: &SectionPage) -> impl Iterator<Item = &ModelPage> {
        let kind = section.model;
        self.document.models.iter().filter(move |model| Some(model.kind) == kind)
    }

    fn section(&self, section: &SectionPage) -> Value {
        if section.model.is_some() {
            let reference = |model| reference(&definition_of(section, model));
            let any: Vec<Value> = self.models(section).map(reference).collect();
            return json!({ "description": section.doc, "anyOf": any });
        }
        object(section.doc, &section.entries, section.id == ROOT, Map::new())
    }

    /// Returns the definition of a section for one class of models.
    fn class(&self, section: &SectionPage, model: &ModelPage) -> Value {
        let own = |entry: &&EntryPage| !section.entries.iter().any(|one| one.name == entry.name);
        let parameters = model.entries.iter().filter(own);
        let entries: Vec<EntryPage> =
            section.entries.iter().chain(parameters).map(Clone::clone).collect();
        let mut extra = Map::new();
        let names = if model.full_name == model.class {
            vec![model.class.as_str()]
        } else {
            vec![model.class.as_str(), model.full_name.as_str()]
        };
        extra.insert("class".to_owned(), json!({ "enum": names }));
        for wheel in &model.wheels {
            extra.insert((*wheel).to_owned(), one_or_more(reference(WHEEL)));
        }
        // default friction needs no class
        let has_default = model.kind == Kind::Friction.tag() && model.class == "default";
        let mut class = object(model.doc, &entries, true, extra);
        if !has_default {
            class["required"] = json!(["class"]);
        }
        class
    }
}

fn definition_of(section: &SectionPage, model: &ModelPage) -> String {
    format!("{}.{}", section.id, model.full_name.replace('/', "."))
}

fn reference(id: &str) -> Value {
    json!({ "$ref": format!("#/$defs/{id}") })
}

fn one_or_more(item: Value) -> Value {
    json!({ "anyOf": [item.clone(), { "type": "array", "items": item }] })
}

/// Returns an object with a property per entry. Elements of the language have no place in a vehicle file.
fn object(doc: &str, entries: &[EntryPage], is_partial: bool, extra: Map<String, Value>) -> Value {
    let mut properties = Map::new();
    for entry in entries.iter().filter(|entry| !["include", "if", "for"].contains(&entry.name)) {
        for name in std::iter::once(&entry.name).chain(&entry.aliases) {
            properties.insert((*name).to_owned(), property(entry));
        }
    }
    properties.extend(extra);
    if is_partial {
        // the world file names the vehicle
        properties.remove("name");
    }
    json!({
        "type": "object",
        "description": doc,
        "properties": properties,
        "additionalProperties": false,
    })
}

fn property(entry: &EntryPage) -> Value {
    let value = value(entry);
    let mut property = match (entry.repeats, entry.kind) {
        (true, _) => one_or_more(value),
        (false, "tag" | "group" | "presence") => value,
        _ => json!({ "anyOf": [value, { "type": "string", "pattern": "\\$" }] }),
    };
    let mut doc = entry.doc.to_owned();
    if !matches!(entry.unit, "" | "1") {
        doc.push_str(&format!(" In {}.", entry.unit));
    }
    if let Some(default) = &entry.default {
        doc.push_str(&format!(" Default: {default}."));
    }
    property["description"] = json!(doc);
    property
}

/// Returns the schema of a value without expressions.
fn value(entry: &EntryPage) -> Value {
    match entry.kind {
        "number" | "angle" => bounded(entry, "number"),
        "integer" => bounded(entry, "integer"),
        "boolean" => json!({ "enum": [true, false, 0, 1, "true", "false"] }),
        "presence" => json!({ "type": "boolean" }),
        "choice" => json!({ "enum": entry.values }),
        "row" | "list" => {
            json!({ "type": ["string", "number", "array"], "items": { "type": ["number", "string", "array"] } })
        }
        "group" => object(entry.doc, &entry.parts, false, Map::new()),
        "tag" => match entry.sections.as_slice() {
            [id] => reference(id),
            ids => json!({ "anyOf": ids.iter().map(|id| reference(id)).collect::<Vec<_>>() }),
        },
        _ => json!({ "type": ["string", "number", "boolean"] }),
    }
}

fn bounded(entry: &EntryPage, kind: &str) -> Value {
    let mut value = json!({ "type": kind });
    if let Some(min) = entry.min {
        value[if entry.above_min { "exclusiveMinimum" } else { "minimum" }] = json!(min);
    }
    if let Some(max) = entry.max {
        value[if entry.below_max { "exclusiveMaximum" } else { "maximum" }] = json!(max);
    }
    value
}
