//! The service `control_mode_request` of Autoware, one for each vehicle whose controller has modes.

use serde_json::{Value, json};
use simhost_streams::{Control, Effect, Input};

use crate::desk::{ServiceDesk, ServiceRefusal};
use crate::service::Caller;

/// Type of the service.
pub const TYPE: &str = "autoware_vehicle_msgs/srv/ControlModeCommand";

/// Kind of command that a request becomes, and name of the service after the name of the vehicle.
pub const KIND: &str = "control_mode_request";
/// Modes that a controller accepts: AUTONOMOUS and MANUAL.
const ACCEPTED: [u64; 2] = [1, 4];

/// Returns the vehicles whose controllers have modes.
pub fn vehicles(control: &dyn Control) -> Vec<String> {
    let streams = control.input_streams().into_iter();
    let vehicles = streams.filter_map(|stream| match &stream.effect {
        Some(Effect::Command { vehicle, kind }) if kind == KIND => Some(vehicle.clone()),
        _ => None,
    });
    vehicles.collect()
}

/// Requests a mode of a vehicle, and returns the response.
///
/// # Errors
/// The reason why the request is not accepted.
pub fn request(
    desk: &ServiceDesk,
    caller: Caller<'_>,
    vehicle: &str,
    request: &Value,
) -> Result<Value, ServiceRefusal> {
    let mode = request["mode"].as_u64().unwrap_or_default();
    let (vehicle, kind) = (vehicle.to_owned(), KIND.to_owned());
    let input = Input::Command { vehicle, kind, values: vec![mode as f64] };
    // the controller takes the request before a later one, and reports modes that it does not accept
    if caller.waits { desk.send_before_step(input) } else { desk.post(input) }?;
    Ok(json!({"success": ACCEPTED.contains(&mode)}))
}
