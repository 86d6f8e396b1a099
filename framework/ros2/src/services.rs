//! Services of the node of a run.

mod parameters;
#[cfg(test)]
mod tests;
mod type_descriptions;

use std::fmt;
use std::sync::Arc;

use serde_json::{Value, json};
use simhost_services::{Caller, FAILED, ServiceDesk, failure, modes};
use simhost_streams::ros::{Layout, LayoutError};

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
    let own = [parameters::SERVICES, type_descriptions::SERVICES].into_iter().flatten();
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
