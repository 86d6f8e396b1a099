//! Services of the node of a run.

mod parameters;

use std::fmt;
use std::sync::Arc;

use serde_json::{Value, json};
use simhost_services::{Caller, FAILED, ServiceDesk, failure, modes};
use simhost_streams::ros::{Layout, LayoutError, Schema, StructDescription};

use crate::interfaces;
use crate::interfaces::{InterfaceType, ServiceType};

pub use parameters::ParameterWatch;

/// Name of the service for modes after the name of the vehicle, as in Autoware's simulator.
const MODE_SERVICE: &str = "input/control_mode_request";

/// Returns the response to a request; both are CDR with its header. It may wait for the session.
pub type Answer = dyn Fn(&[u8]) -> Vec<u8> + Send + Sync;

/// A service that a node offers.
#[derive(Clone)]
pub struct NodeService {
    /// Absolute name, such as `/simhost/get_parameters`.
    pub name: String,
    /// Type.
    pub kind: InterfaceType,
    /// Answers requests.
    pub answer: Arc<Answer>,
}

impl fmt::Debug for NodeService {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { name, kind, .. } = self;
        formatter.debug_struct("NodeService").field("name", name).field("kind", kind).finish()
    }
}

/// Name of a service of ROS 2's own, its type, and its action.
type Entry = (&'static str, &'static str, fn(&ServiceDesk, &Value) -> Value);

/// All clients of the node. Its services do not know which node calls them.
pub const CALLER: Caller<'_> = Caller { name: "ROS 2", waits: true };

/// Returns the services of a run, under `/simhost`: the services of every server, parameters, and
/// descriptions of types.
///
/// # Errors
/// [`LayoutError`] if the type of a service cannot be used.
pub fn services(desk: &Arc<ServiceDesk>) -> Result<Vec<NodeService>, LayoutError> {
    let shared = simhost_services::services(desk.host.is_some()).map(|one| {
        let desk = desk.clone();
        service(one.name, one.kind, move |request| one.call(&desk, CALLER, request))
    });
    let own = [parameters::SERVICES, SERVICES].into_iter().flatten();
    let own = own.map(|&(name, kind, action)| {
        let desk = desk.clone();
        service(name, kind, move |request| action(&desk, request))
    });
    let named = |service: NodeService| NodeService {
        name: format!("/simhost/{}", service.name),
        ..service
    };
    shared.chain(own).map(|service| service.map(named)).collect()
}

/// Returns the service `control_mode_request` of Autoware for each vehicle whose controller has
/// modes, with the name of the vehicle before the name of the service.
///
/// # Errors
/// [`LayoutError`] if the type of the service cannot be used.
pub fn mode_services(desk: &Arc<ServiceDesk>) -> Result<Vec<(String, NodeService)>, LayoutError> {
    let vehicles = modes::vehicles(&*desk.control).into_iter();
    vehicles
        .map(|vehicle| {
            let (desk, asked) = (desk.clone(), vehicle.clone());
            let request = move |request: &Value| {
                let response = modes::request(&desk, CALLER, &asked, request);
                response.unwrap_or_else(|_| json!({"success": false}))
            };
            Ok((vehicle, service(MODE_SERVICE, modes::TYPE, request)?))
        })
        .collect()
}

/// Creates a service whose requests and responses are JSON to the code that carries them out.
fn service(
    name: &str,
    kind: &str,
    carry_out: impl Fn(&Value) -> Value + Send + Sync + 'static,
) -> Result<NodeService, LayoutError> {
    let ServiceType { kind, request, response } = ServiceType::named(kind)?;
    let of_service = name.to_owned();
    let answer = move |bytes: &[u8]| {
        // a request without fields can have no bytes at all
        let request = match bytes.is_empty() {
            true => Ok(json!({})),
            false => request.decode(bytes),
        };
        let text = match request.map(|request| response.encode(&carry_out(&request))) {
            Ok(Ok(bytes)) => return bytes,
            Ok(Err(error)) => error.to_string(),
            Err(error) => error.to_string(),
        };
        tracing::warn!("request of {of_service}: {text}");
        refuse(&response, &text)
    };
    Ok(NodeService { name: name.to_owned(), kind, answer: Arc::new(answer) })
}

/// Returns the response to a request that cannot be read, in the first form that the type of responses has.
fn refuse(response: &Layout, text: &str) -> Vec<u8> {
    let refusals = [
        json!({"result": failure(FAILED, text)}),
        json!({"success": false, "message": text}),
        json!({"success": false}),
        json!({"successful": false, "failure_reason": text}),
        json!({}),
    ];
    refusals.iter().find_map(|one| response.encode(one).ok()).unwrap_or_default()
}

/// The services of this module.
const SERVICES: &[Entry] =
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

#[cfg(test)]
mod tests;
