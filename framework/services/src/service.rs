//! A service: its name, its type, and its action.

use serde_json::{Value, json};
use simhost_streams::{Input, SessionRequest};

use crate::desk::{OK, ServiceDesk, ServiceRefusal};

/// Response without its result, or the reason why there is none.
pub(crate) type Outcome = Result<Value, ServiceRefusal>;

/// A service of a session.
#[derive(Debug)]
pub struct Service {
    /// Name, to which servers add the prefix `/simhost/`.
    pub name: &'static str,
    /// Name of the type in ROS 2.
    pub kind: &'static str,
    /// Effect, as a sentence.
    pub doc: &'static str,
    /// Definition of the request of a type of `simhost_msgs`; empty for other types.
    pub(crate) request: &'static str,
    pub(crate) action: Action,
}

/// Action of a service, by the form of its response.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Action {
    /// Returns the `message` of a response that also has `success`.
    Message(fn(&Call<'_>) -> Result<String, ServiceRefusal>),
    /// Returns a response to which its `result` is added.
    Result(fn(&ServiceDesk, &Value) -> Outcome),
    /// Returns the whole response.
    Whole(fn(&ServiceDesk, &Value) -> Value),
}

/// A client that calls services.
#[derive(Clone, Copy, Debug)]
pub struct Caller<'a> {
    /// Name under which the client claims vehicles.
    pub name: &'a str,
    /// Whether a response follows once the request has acted, instead of once it is accepted.
    pub waits: bool,
}

/// A request with its client and the access to the session.
pub(crate) struct Call<'a> {
    pub desk: &'a ServiceDesk,
    pub caller: Caller<'a>,
    pub request: &'a Value,
}

impl Service {
    /// Handles a request, and returns the response. It may wait for the session.
    pub fn call(&self, desk: &ServiceDesk, caller: Caller<'_>, request: &Value) -> Value {
        match self.action {
            Action::Message(action) => {
                let outcome = action(&Call { desk, caller, request });
                let (success, message) = match outcome {
                    Ok(message) => (true, message),
                    Err((_, reason)) => (false, reason),
                };
                json!({"success": success, "message": message})
            }
            Action::Result(action) => response(action(desk, request)),
            Action::Whole(action) => action(desk, request),
        }
    }
}

impl Call<'_> {
    /// Returns a text of the request.
    pub fn text(&self, name: &str) -> String {
        self.request[name].as_str().unwrap_or_default().to_owned()
    }

    /// Sends an input, and waits until it has acted if the client does.
    pub fn send(&self, input: Input) -> Result<String, ServiceRefusal> {
        match self.caller.waits {
            true => self.desk.send(input),
            false => self.desk.post(input),
        }
        .map(|()| String::new())
    }

    /// Returns the answer of the session.
    pub fn ask(&self, request: SessionRequest) -> Result<String, ServiceRefusal> {
        self.desk.answer(request)
    }
}

/// Returns a `simulation_interfaces/msg/Result`.
pub fn failure(code: u8, text: &str) -> Value {
    json!({"result": code, "error_message": text})
}

/// Returns a response with its result.
pub(crate) fn response(outcome: Outcome) -> Value {
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
