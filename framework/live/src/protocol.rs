//! Messages of the Foxglove WebSocket protocol.
//!
//! <https://github.com/foxglove/ws-protocol/blob/main/docs/spec.md>

use serde::Deserialize;
use serde_json::{Value, json};

/// A text message from a client.
#[derive(Debug, Deserialize)]
#[serde(tag = "op", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum Request {
    /// Begins to receive channels.
    Subscribe {
        /// The channels, with the numbers that the client gives them.
        subscriptions: Vec<Subscription>,
    },
    /// Ends subscriptions.
    Unsubscribe {
        /// Numbers of the subscriptions.
        subscription_ids: Vec<u32>,
    },
    /// Announces what the client will publish.
    Advertise {
        /// Its channels.
        channels: Vec<ClientChannel>,
    },
    /// Ends the publishing of channels.
    Unadvertise {
        /// Numbers of the channels of the client.
        channel_ids: Vec<u32>,
    },
    /// Asks for values of parameters.
    GetParameters {
        /// Names; all parameters if there are none.
        parameter_names: Vec<String>,
        /// Number that the reply repeats.
        id: Option<String>,
    },
    /// Sets parameters.
    SetParameters {
        /// Names and values.
        parameters: Vec<ParameterValue>,
        /// Number that the reply repeats.
        id: Option<String>,
    },
    /// Begins to receive changes of parameters.
    SubscribeParameterUpdates {
        /// Names; all parameters if there are none.
        parameter_names: Vec<String>,
    },
    /// Ends the receiving of changes of parameters.
    UnsubscribeParameterUpdates {
        /// Names; all parameters if there are none.
        parameter_names: Vec<String>,
    },
    /// Asks for the content of an asset.
    FetchAsset {
        /// Name of the asset in the description of the world.
        uri: String,
        /// Number that the reply repeats.
        request_id: u32,
    },
    /// Begins to receive who publishes and takes which topics.
    SubscribeConnectionGraph,
    /// Ends the receiving of who publishes and takes which topics.
    UnsubscribeConnectionGraph,
}

/// Operations of [`Request`].
pub const OPERATIONS: [&str; 11] = [
    "subscribe",
    "unsubscribe",
    "advertise",
    "unadvertise",
    "getParameters",
    "setParameters",
    "subscribeParameterUpdates",
    "unsubscribeParameterUpdates",
    "fetchAsset",
    "subscribeConnectionGraph",
    "unsubscribeConnectionGraph",
];

/// A subscription to a channel.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Subscription {
    /// Number that the client gives it.
    pub id: u32,
    /// Number of the channel.
    pub channel_id: u32,
}

/// A channel that a client publishes.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ClientChannel {
    /// Number that the client gives it.
    pub id: u32,
    /// Topic, such as `/robot/cmd_vel`.
    pub topic: String,
    /// Encoding of the messages: `cdr` or `json`.
    pub encoding: String,
    /// Name of the message, such as `geometry_msgs/msg/Twist`.
    #[serde(default)]
    pub schema_name: String,
}

/// A parameter with a value.
#[derive(Debug, Deserialize)]
pub struct ParameterValue {
    /// Name.
    pub name: String,
    /// Value; a missing one would remove the parameter.
    #[serde(default)]
    pub value: Value,
}

/// A binary message from a client.
#[derive(Debug, PartialEq, Eq)]
pub enum Binary<'a> {
    /// A message of a channel that the client publishes.
    Message {
        /// Number of the channel of the client.
        channel: u32,
        /// The message in the encoding of the channel.
        payload: &'a [u8],
    },
    /// A call of a service.
    Call(Call<'a>),
}

/// A call of a service.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Call<'a> {
    /// Number of the service.
    pub service: u32,
    /// Number that the client gives the call.
    pub call: u32,
    /// Encoding of the request: `cdr` or `json`.
    pub encoding: &'a str,
    /// The request.
    pub payload: &'a [u8],
}

impl<'a> Binary<'a> {
    /// Reads a binary message. Returns `None` if it is not one of the protocol.
    pub fn read(message: &'a [u8]) -> Option<Self> {
        let (opcode, rest) = message.split_first()?;
        let (number, rest) = u32_of(rest)?;
        match opcode {
            1 => Some(Self::Message { channel: number, payload: rest }),
            2 => {
                let (call, rest) = u32_of(rest)?;
                let (len, rest) = u32_of(rest)?;
                let (encoding, payload) = rest.split_at_checked(len as usize)?;
                let encoding = std::str::from_utf8(encoding).ok()?;
                Some(Self::Call(Call { service: number, call, encoding, payload }))
            }
            _ => None,
        }
    }
}

/// Splits a number of 4 bytes off.
pub fn u32_of(bytes: &[u8]) -> Option<(u32, &[u8])> {
    let (number, rest) = bytes.split_first_chunk()?;
    Some((u32::from_le_bytes(*number), rest))
}

/// Returns the response to a call of a service.
pub fn response(call: &Call<'_>, payload: &[u8]) -> Vec<u8> {
    let mut out = vec![3];
    out.extend(call.service.to_le_bytes());
    out.extend(call.call.to_le_bytes());
    out.extend((call.encoding.len() as u32).to_le_bytes());
    out.extend(call.encoding.as_bytes());
    out.extend(payload);
    out
}

/// Returns the reply to a request for an asset: its content, or the reason why there is none.
pub fn asset(request: u32, found: Result<&[u8], &String>) -> Vec<u8> {
    let (status, text, content) = match found {
        Ok(content) => ([0], "", content),
        Err(text) => ([1], text.as_str(), &[][..]),
    };
    let len = (text.len() as u32).to_le_bytes();
    [&[4], &request.to_le_bytes()[..], &status, &len, text.as_bytes(), content].concat()
}

/// Returns the message that a call of a service has failed.
pub fn failure(call: &Call<'_>, message: &str) -> String {
    let (service, call) = (call.service, call.call);
    json!({"op": "serviceCallFailure", "serviceId": service, "callId": call, "message": message})
        .to_string()
}

/// Level of a status message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    /// Something is lost.
    Warning = 1,
    /// A request was refused.
    Error = 2,
}

/// Returns a message for the user of a client.
pub fn status(level: Level, message: &str) -> String {
    json!({"op": "status", "level": level as u8, "message": message}).to_string()
}

/// Returns the first message to a client.
pub fn server_info(name: &str, session: &str, has_assets: bool) -> String {
    let mut capabilities = vec!["clientPublish", "time", "parameters", "parametersSubscribe"];
    capabilities.extend(["services", "connectionGraph"]);
    capabilities.extend(has_assets.then_some("assets"));
    json!({
        "op": "serverInfo",
        "name": name,
        "capabilities": capabilities,
        "supportedEncodings": ["cdr", "json"],
        "metadata": {"simhost": env!("CARGO_PKG_VERSION")},
        "sessionId": session,
    })
    .to_string()
}

#[cfg(test)]
mod tests {
    use super::{Binary, Call, Request};

    #[test]
    fn binary_messages_are_read_and_cut_ones_refused() {
        let call = [2, 1, 0, 0, 0, 9, 0, 0, 0, 4, 0, 0, 0, b'j', b's', b'o', b'n', b'{', b'}'];
        let expected = Call { service: 1, call: 9, encoding: "json", payload: b"{}" };
        assert_eq!(Binary::read(&call), Some(Binary::Call(expected)));
        for len in 0..17 {
            assert_eq!(Binary::read(&call[..len]), None, "{len} bytes");
        }
        let message = Binary::Message { channel: 5, payload: b"x" };
        assert_eq!(Binary::read(&[1, 5, 0, 0, 0, b'x']), Some(message));
        assert_eq!(Binary::read(&[7, 5, 0, 0, 0]), None);
    }

    #[test]
    fn every_operation_is_known() {
        for operation in super::OPERATIONS {
            let all = r#""subscriptions": [], "subscriptionIds": [], "channels": [], "channelIds": [],
                "parameterNames": [], "parameters": [], "uri": "", "requestId": 1"#;
            let text = format!(r#"{{"op": "{operation}", {all}}}"#);
            serde_json::from_str::<Request>(&text).unwrap();
        }
    }
}
