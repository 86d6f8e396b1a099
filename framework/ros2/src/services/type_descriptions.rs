//! The service `get_type_description`.

use serde_json::{Value, json};
use simhost_services::ServiceDesk;
use simhost_streams::ros::{Schema, StructDescription};

use super::Entry;
use crate::interfaces;

/// The services of this module.
pub const SERVICES: &[Entry] =
    &[("get_type_description", "type_description_interfaces/srv/GetTypeDescription", describe)];

fn describe(_: &ServiceDesk, request: &Value) -> Value {
    let text = |key: &str| request[key].as_str().unwrap_or_default();
    let (name, expected) = (text("type_name"), text("type_hash"));
    let refuse = |reason: String| json!({"successful": false, "failure_reason": reason});
    let Some((hash, description, schema)) = interfaces::describe(name) else {
        return refuse(format!("the type '{name}' is not known"));
    };
    if !expected.is_empty() && expected != hash.to_string() {
        return refuse(format!("the hash of {name} is {hash}; requested is '{expected}'"));
    }
    let others: Vec<_> = description.referenced_type_descriptions.iter().map(of_struct).collect();
    let sources = match request["include_type_sources"] == true {
        true => sources(name, &schema),
        false => Vec::new(),
    };
    json!({
        "successful": true,
        "type_description": {
            "type_description": of_struct(&description.type_description),
            "referenced_type_descriptions": others,
        },
        "type_sources": sources,
    })
}

fn of_struct(description: &StructDescription) -> Value {
    let fields = description.fields.iter().map(|field| {
        json!({"name": field.name, "type": json!(field.kind), "default_value": field.default_value})
    });
    json!({"type_name": description.type_name, "fields": fields.collect::<Vec<_>>()})
}

/// Returns the texts of a definition, one per type.
fn sources(name: &str, schema: &Schema) -> Vec<Value> {
    let source = |name: &str, text: &str| {
        let name = match name.matches('/').count() {
            1 => name.replacen('/', "/msg/", 1),
            _ => name.to_owned(),
        };
        let encoding = if name.contains("/srv/") { "srv" } else { "msg" };
        json!({"type_name": name, "encoding": encoding, "raw_file_contents": text})
    };
    let mut parts = schema.text.split(simhost_services::SEPARATOR);
    let own = source(name, parts.next().unwrap_or_default());
    let others = parts.filter_map(|part| {
        let (head, text) = part.split_once('\n')?;
        Some(source(head.strip_prefix("MSG: ")?, text))
    });
    std::iter::once(own).chain(others).collect()
}
