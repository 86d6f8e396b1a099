//! The service `control_mode_request` of Autoware, one for each vehicle whose controller has modes.

use serde::Deserialize;
use serde_json::{Value, json};
use simhost_streams::{Control, Effect, Input};

use crate::cdr::{self, Reader};
use crate::protocol::Call;

/// Kind of command that the service sends, and name of the service after the name of the vehicle.
const KIND: &str = "control_mode_request";
/// Type of the service in ROS 2.
const TYPE: &str = "autoware_vehicle_msgs/srv/ControlModeCommand";
/// Modes that a controller accepts: AUTONOMOUS and MANUAL.
const ACCEPTED: [u8; 2] = [1, 4];
/// The part of a number that distinguishes these services from services of the run.
const MARK: u32 = 1 << 31;

const REQUEST: &str = "uint8 NO_COMMAND=0\nuint8 AUTONOMOUS=1\nuint8 AUTONOMOUS_STEER_ONLY=2\n\
    uint8 AUTONOMOUS_VELOCITY_ONLY=3\nuint8 MANUAL=4\nbuiltin_interfaces/Time stamp\nuint8 mode\n\
    ================================================================================\n\
    MSG: builtin_interfaces/Time\nint32 sec\nuint32 nanosec\n";
const RESPONSE: &str = "bool success\n";

/// Request in JSON.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ModeRequest {
    mode: u8,
    #[serde(rename = "stamp")]
    _stamp: Option<Value>,
}

/// Returns the vehicles whose controllers have modes.
fn vehicles(control: &dyn Control) -> impl Iterator<Item = String> {
    control.input_streams().into_iter().filter_map(|stream| match &stream.effect {
        Some(Effect::Command { vehicle, kind }) if kind == KIND => Some(vehicle.clone()),
        _ => None,
    })
}

fn name(vehicle: &str) -> String {
    format!("/{vehicle}/{KIND}")
}

/// Returns the number of the service of a vehicle. It depends on the name alone (FNV-1a), so that it stays
/// while other vehicles come and go.
fn number(vehicle: &str) -> u32 {
    let mix = |hash: u32, byte: u8| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193);
    vehicle.bytes().fold(0x811c_9dc5, mix) | MARK
}

/// Returns the names of the services.
pub fn names(control: &dyn Control) -> impl Iterator<Item = String> {
    vehicles(control).map(|vehicle| name(&vehicle))
}

/// Returns the services as clients read them.
pub fn advertised(control: &dyn Control) -> impl Iterator<Item = Value> {
    vehicles(control).map(|vehicle| {
        let part = |schema: &str, part: &str| {
            json!({
                "encoding": "cdr", "schemaName": format!("{TYPE}_{part}"),
                "schemaEncoding": "ros2msg", "schema": schema,
            })
        };
        json!({
            "id": number(&vehicle), "name": name(&vehicle), "type": TYPE,
            "request": part(REQUEST, "Request"), "response": part(RESPONSE, "Response"),
            "requestSchema": REQUEST, "responseSchema": RESPONSE,
        })
    })
}

/// Carries a call out if it is one of these services.
pub fn call(
    call: &Call<'_>,
    is_json: bool,
    control: &dyn Control,
) -> Option<Result<Vec<u8>, String>> {
    let vehicle = vehicles(control).find(|vehicle| number(vehicle) == call.service)?;
    Some(request(&vehicle, call.payload, is_json).and_then(|mode| {
        let values = vec![f64::from(mode)];
        let input = Input::Command { vehicle, kind: KIND.to_owned(), values };
        control.send(input).map_err(|error| error.to_string())?;
        let success = ACCEPTED.contains(&mode);
        Ok(match is_json {
            true => json!({"success": success}).to_string().into_bytes(),
            false => cdr::truth(success),
        })
    }))
}

/// Reads the mode of a request.
fn request(vehicle: &str, payload: &[u8], is_json: bool) -> Result<u8, String> {
    let service = name(vehicle);
    if is_json {
        let request: ModeRequest = serde_json::from_slice(payload).map_err(|error| {
            format!("request of {service}: {error}; expected the fields of {TYPE}")
        })?;
        return Ok(request.mode);
    }
    let read = || {
        let mut reader = Reader::new(payload)?;
        let _seconds = reader.u32()?;
        let _nanoseconds = reader.u32()?;
        reader.u8()
    };
    read().ok_or_else(|| format!("request of {service}: not {TYPE} in CDR"))
}
