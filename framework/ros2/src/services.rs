//! Services of the node of a run.

mod desk;
mod entities;
mod modes;
mod parameters;
mod simulation;
mod spawning;
#[cfg(test)]
mod tests;
mod type_descriptions;

use std::fmt;
use std::sync::Arc;

use serde_json::{Value, json};
use simhost_streams::ros::{Layout, LayoutError};

use crate::interfaces::{InterfaceType, ServiceType};

pub use desk::ServiceDesk;
pub use parameters::ParameterWatch;

/// Returns the response to a request; both are CDR with its header. It may wait for the session.
pub type Answer = dyn Fn(&[u8]) -> Vec<u8> + Send + Sync;

/// A service that a node offers.
#[derive(Clone)]
pub struct Service {
    /// Absolute name, such as `/simhost/get_parameters`.
    pub name: String,
    /// Type.
    pub kind: InterfaceType,
    /// Answers requests.
    pub answer: Arc<Answer>,
}

impl fmt::Debug for Service {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { name, kind, .. } = self;
        formatter.debug_struct("Service").field("name", name).field("kind", kind).finish()
    }
}

/// Name of a service, its type, and what carries a request out: with a response, or one to which its result is added.
type Entry<T = Value> = (&'static str, &'static str, fn(&ServiceDesk, &Value) -> T);

/// Response without its result, or the reason why there is none.
type Outcome = Result<Value, Refusal>;

/// Returns the services of a run, under `/simhost`.
///
/// # Errors
/// [`LayoutError`] if the type of a service cannot be used.
pub fn services(desk: &Arc<ServiceDesk>) -> Result<Vec<Service>, LayoutError> {
    let with_results = [simulation::SERVICES, entities::SERVICES, spawning::SERVICES];
    let others = [simulation::TRIGGERS, parameters::SERVICES, type_descriptions::SERVICES];
    let with_results = with_results.into_iter().flatten().map(|&(name, kind, carry_out)| {
        let desk = desk.clone();
        service(name, kind, move |request| response(carry_out(&desk, request)))
    });
    let others = others.into_iter().flatten().map(|&(name, kind, carry_out)| {
        let desk = desk.clone();
        service(name, kind, move |request| carry_out(&desk, request))
    });
    let named =
        |service: Service| Service { name: format!("/simhost/{}", service.name), ..service };
    with_results.chain(others).map(|service| service.map(named)).collect()
}

/// Returns the service `control_mode_request` of Autoware for each vehicle whose controller has
/// modes, with the name of the vehicle before the name of the service.
///
/// # Errors
/// [`LayoutError`] if the type of the service cannot be used.
pub fn mode_services(desk: &Arc<ServiceDesk>) -> Result<Vec<(String, Service)>, LayoutError> {
    let vehicles = modes::vehicles(&*desk.control).into_iter();
    vehicles
        .map(|vehicle| {
            let (desk, asked) = (desk.clone(), vehicle.clone());
            let carry_out = move |request: &Value| modes::request(&desk, &asked, request);
            Ok((vehicle, service(modes::NAME, modes::TYPE, carry_out)?))
        })
        .collect()
}

/// Creates a service whose requests and responses are JSON to the code that carries them out.
fn service(
    name: &str,
    kind: &str,
    carry_out: impl Fn(&Value) -> Value + Send + Sync + 'static,
) -> Result<Service, LayoutError> {
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
    Ok(Service { name: name.to_owned(), kind, answer: Arc::new(answer) })
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

/// `RESULT_FEATURE_UNSUPPORTED` of `simulation_interfaces/msg/Result`.
const UNSUPPORTED: u8 = 0;
/// `RESULT_OK`.
const OK: u8 = 1;
/// `RESULT_NOT_FOUND`.
const NOT_FOUND: u8 = 2;
/// `RESULT_OPERATION_FAILED`.
const FAILED: u8 = 4;

/// Reason why a request is rejected: a code of `simulation_interfaces` and a message.
type Refusal = (u8, String);

/// Returns a `simulation_interfaces/msg/Result`.
fn failure(code: u8, text: &str) -> Value {
    json!({"result": code, "error_message": text})
}

/// Returns a response with its result.
fn response(outcome: Outcome) -> Value {
    match outcome {
        // an action can go well and leave a message
        Ok(response) if response.get("result").is_some() => response,
        Ok(mut response) => {
            response["result"] = failure(OK, "");
            response
        }
        Err((code, text)) => json!({"result": failure(code, &text)}),
    }
}
