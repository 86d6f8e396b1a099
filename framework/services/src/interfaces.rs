//! Definitions of messages and services in addition to streams.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use simhost_streams::ros::{self, Layout, LayoutError, Schema};
use simhost_streams::types;

use crate::table::services;

/// Definitions that other projects publish.
const TEXT: &str = include_str!("interfaces.txt");
/// Line between two definitions.
pub const SEPARATOR: &str =
    "================================================================================\n";

/// Definition of the responses of types of `simhost_msgs`.
const RESPONSE: &str = "# Whether the request was accepted. It acts at the start of the next step.\n\
    bool success\n# The reason if it was not.\nstring message\n";

/// Definitions of the messages of a service, and their forms.
#[derive(Clone, Debug)]
pub struct ServiceForm {
    /// Definitions of the request and the response.
    pub schemas: [Schema; 2],
    /// Form of requests.
    pub request: Layout,
    /// Form of responses.
    pub response: Layout,
}

impl ServiceForm {
    /// Returns the form of the service type with a name such as `std_srvs/srv/SetBool`.
    ///
    /// # Errors
    /// [`LayoutError`] if there is no such type.
    pub fn named(name: &str) -> Result<Self, LayoutError> {
        let schemas = ["Request", "Response"].map(|part| schema_of(&format!("{name}_{part}")));
        let [request, response] = schemas.each_ref().map(Layout::new);
        Ok(Self { schemas, request: request?, response: response? })
    }
}

/// Returns whether a message or service type has a definition here.
pub fn is_known(name: &str) -> bool {
    catalogue().contains_key(&name.replace("/msg/", "/"))
}

/// Returns the definition of a type; one that cannot be used if there is no such type.
pub fn schema_of(name: &str) -> Schema {
    let find = |name: &str| catalogue().get(name).map(String::as_str);
    // an unknown type has a field of a type that is unknown
    let text = find(&name.replace("/msg/", "/")).unwrap_or("Unknown type\n");
    Schema::with_nested(name, text.to_owned(), &find)
}

/// Returns all definitions by the names of types. A service has definitions of its request,
/// response and event, and a definition that contains these.
fn catalogue() -> &'static BTreeMap<String, String> {
    static CATALOGUE: OnceLock<BTreeMap<String, String>> = OnceLock::new();
    CATALOGUE.get_or_init(|| {
        let mut all = BTreeMap::new();
        for schema in types::ALL.iter().map(ros::schema) {
            let own = format!("MSG: {}\n{}", schema.name.replace("/msg/", "/"), schema.text);
            let parts = own.split(SEPARATOR).filter_map(|part| part.split_once('\n'));
            let named = parts.filter_map(|(head, text)| Some((head.strip_prefix("MSG: ")?, text)));
            all.extend(named.map(|(name, text)| (name.to_owned(), text.to_owned())));
        }
        for (name, text) in definitions() {
            let Some((request, response)) = text.split_once("---\n") else {
                all.insert(name.replacen("/msg/", "/", 1), text);
                continue;
            };
            let event = format!(
                "service_msgs/ServiceEventInfo info\n{name}_Request[<=1] request\n\
                 {name}_Response[<=1] response\n"
            );
            let whole = format!(
                "{name}_Request request_message\n{name}_Response response_message\n{name}_Event event_message\n"
            );
            let parts = [("_Request", request), ("_Response", response), ("_Event", &event)];
            for (part, text) in parts.into_iter().chain([("", &whole[..])]) {
                all.insert(format!("{name}{part}"), text.to_owned());
            }
        }
        all
    })
}

/// Returns the names and definitions of all types in addition to streams. The definition of a service
/// has a line `---` between its request and its response.
pub fn definitions() -> impl Iterator<Item = (String, String)> {
    let published = TEXT.split(SEPARATOR).filter_map(|entry| {
        let (head, text) = entry.split_once('\n')?;
        let (kind, name) = head.split_once(": ")?;
        let name = match kind {
            "MSG" => name.replacen('/', "/msg/", 1),
            "SRV" => name.to_owned(),
            _ => return None,
        };
        Some((name, text.to_owned()))
    });
    let own = services(true).filter(|service| service.kind.starts_with("simhost_msgs/"));
    published.chain(
        own.map(|service| (service.kind.to_owned(), format!("{}---\n{RESPONSE}", service.request))),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_service_has_a_form() {
        for service in services(true) {
            ServiceForm::named(service.kind).unwrap();
        }
        assert!(ServiceForm::named("a/srv/B").is_err());
    }
}
