//! Types of topics and services: their definitions, hashes and codecs.

use simhost_services::{ServiceForm, definitions, is_known, schema_of};
use simhost_streams::StreamType;
use simhost_streams::ros::{self, Layout, LayoutError, Schema, TypeDescription};

use crate::type_hash::TypeHash;

/// Type of a topic or a service.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InterfaceType {
    /// Name, such as `geometry_msgs/msg/Twist` or `std_srvs/srv/SetBool`.
    pub name: String,
    /// Hash of its definition.
    pub hash: TypeHash,
}

/// A message type with its codec.
#[derive(Clone, Debug)]
pub struct MessageType {
    /// Name and hash.
    pub kind: InterfaceType,
    /// Form of its messages.
    pub layout: Layout,
}

/// A service type with its codecs.
#[derive(Clone, Debug)]
pub struct ServiceType {
    /// Name and hash.
    pub kind: InterfaceType,
    /// Form of requests.
    pub request: Layout,
    /// Form of responses.
    pub response: Layout,
}

/// Returns the type of the topics of a stream type.
///
/// # Errors
/// [`LayoutError`] if its definition cannot be used.
pub fn message_type(kind: &StreamType) -> Result<InterfaceType, LayoutError> {
    MessageType::new(&ros::schema(kind)).map(|message| message.kind)
}

impl MessageType {
    fn new(schema: &Schema) -> Result<Self, LayoutError> {
        let layout = Layout::new(schema)?;
        let hash = TypeHash::of_description(&layout.description());
        Ok(Self { kind: InterfaceType { name: schema.name.clone(), hash }, layout })
    }

    /// Returns the message type with a name such as `rcl_interfaces/msg/Log`.
    ///
    /// # Errors
    /// [`LayoutError`] if there is no such type.
    pub fn named(name: &str) -> Result<Self, LayoutError> {
        Self::new(&schema_of(name))
    }
}

impl ServiceType {
    /// Returns the service type with a name such as `std_srvs/srv/SetBool`.
    ///
    /// # Errors
    /// [`LayoutError`] if there is no such type.
    pub fn named(name: &str) -> Result<Self, LayoutError> {
        let ServiceForm { request, response, .. } = ServiceForm::named(name)?;
        let MessageType { kind, .. } = MessageType::new(&schema_of(name))?;
        Ok(Self { kind, request, response })
    }
}

/// Returns the names of all types in addition to streams, in their order.
pub fn names() -> impl Iterator<Item = String> {
    definitions().map(|(name, _)| name)
}

/// Returns the description of a message or service type, with its hash and the texts of its definitions.
pub fn describe(name: &str) -> Option<(TypeHash, TypeDescription, Schema)> {
    let schema = schema_of(name);
    let description = Layout::new(&schema).ok().filter(|_| is_known(name))?.description();
    Some((TypeHash::of_description(&description), description, schema))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::fmt::Write as _;
    use std::path::Path;

    use simhost_services::SEPARATOR;
    use simhost_streams::ros::schema;
    use simhost_streams::types;

    use super::*;

    fn path(name: &str) -> std::path::PathBuf {
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/ros2").join(name)
    }

    /// Returns the definitions of all types with their names.
    fn all() -> BTreeMap<String, Schema> {
        let of_streams = types::ALL.iter().map(schema);
        let others = names().map(|name| schema_of(&name));
        of_streams.chain(others).map(|schema| (schema.name.clone(), schema)).collect()
    }

    /// Returns the definitions of all types, each once.
    fn definitions() -> String {
        let mut text = String::from(
            "# Definitions of all types of messages and services, from which hashes.py computes their hashes. Renewed by\n\
             # UPDATE_EXPECT=1 cargo test -p simhost-ros2 definitions.\n",
        );
        let mut known = std::collections::BTreeSet::new();
        let mut add = |name: &str, definition: &str| {
            if known.insert(name.to_owned()) {
                writeln!(text, "{SEPARATOR}{name}").unwrap();
                let lines = definition.lines().filter(|line| !line.starts_with('#'));
                lines.for_each(|line| writeln!(text, "{line}").unwrap());
            }
        };
        simhost_services::definitions().for_each(|(name, definition)| add(&name, &definition));
        for schema in all().values().filter(|schema| schema.name.contains("/msg/")) {
            let mut parts = schema.text.split(SEPARATOR);
            add(&schema.name, parts.next().unwrap());
            for part in parts {
                let (head, definition) = part.split_once('\n').unwrap();
                let name = head.strip_prefix("MSG: ").unwrap().replacen('/', "/msg/", 1);
                add(&name, definition);
            }
        }
        text
    }

    #[test]
    fn the_definitions_for_the_oracle_are_up_to_date() {
        let (path, text) = (path("definitions.txt"), definitions());
        if std::env::var_os("UPDATE_EXPECT").is_some() {
            std::fs::write(&path, &text).unwrap();
        }
        assert!(std::fs::read_to_string(path).unwrap() == text, "run with UPDATE_EXPECT=1");
    }

    #[test]
    fn all_types_have_the_hashes_of_the_oracle() {
        let table = std::fs::read_to_string(path("hashes.csv")).unwrap();
        let rows = table.lines().skip(1).map(|row| row.split(',').collect::<Vec<_>>());
        let expected: BTreeMap<&str, &str> = rows.clone().map(|row| (row[0], row[1])).collect();
        for (name, schema) in all() {
            let hash = TypeHash::of_definition(&schema).unwrap().to_string();
            assert_eq!(Some(&hash[..]), expected.get(&name[..]).copied(), "{name}");
        }
        assert!(rows.filter(|row| row[2] == "published").count() > 6);
    }

    #[test]
    fn responses_are_written_and_read_with_their_definitions() {
        let service = ServiceType::named("rcl_interfaces/srv/DescribeParameters").unwrap();
        let response = serde_json::json!({"descriptors": [{
            "name": "a", "type": 3, "description": "", "additional_constraints": "", "read_only": false,
            "dynamic_typing": true, "integer_range": [],
            "floating_point_range": [{"from_value": -1.0, "to_value": 2.5, "step": 0.0}],
        }]});
        let bytes = service.response.encode(&response).unwrap();
        assert_eq!(service.response.decode(&bytes).unwrap(), response);
        let request = service.request.decode(&[0, 1, 0, 0, 0, 0, 0, 0]).unwrap();
        assert_eq!(request, serde_json::json!({"names": []}));
        // defaults fill what is missing, and the bound of a sequence is kept
        let step = ServiceType::named("simulation_interfaces/srv/StepSimulation").unwrap();
        assert_eq!(step.request.encode(&serde_json::json!({})).unwrap()[4..], 1_u64.to_le_bytes());
        let range = serde_json::json!({"from_value": 0, "to_value": 1, "step": 0});
        let two = serde_json::json!({"descriptors": [{"integer_range": [range, range]}]});
        let error = service.response.encode(&two).unwrap_err();
        assert_eq!(error.field, "descriptors.integer_range");
        assert!(ServiceType::named("a/srv/B").is_err());
        assert!(MessageType::named("std_msgs/msg/Sting").is_err());
        assert!(describe("std_srvs/srv/SetBool").is_some() && describe("x/srv/Y").is_none());
    }
}
