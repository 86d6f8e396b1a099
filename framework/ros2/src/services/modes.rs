//! The service `control_mode_request` of Autoware.

use serde_json::{Value, json};
use simhost_streams::{Control, Effect, Input};

use super::desk::ServiceDesk;

/// Name of the service after the name of the vehicle, as in Autoware's simulator.
pub const NAME: &str = "input/control_mode_request";
/// Type of the service.
pub const TYPE: &str = "autoware_vehicle_msgs/srv/ControlModeCommand";

/// Kind of command that a request becomes.
const KIND: &str = "control_mode_request";
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

/// Requests a mode of a vehicle.
pub fn request(desk: &ServiceDesk, vehicle: &str, request: &Value) -> Value {
    let mode = request["mode"].as_u64().unwrap_or_default();
    let (vehicle, kind) = (vehicle.to_owned(), KIND.to_owned());
    // the controller takes the request before a later one, and reports modes that it does not accept
    let sent = desk.send_before_step(Input::Command { vehicle, kind, values: vec![mode as f64] });
    json!({"success": sent.is_ok() && ACCEPTED.contains(&mode)})
}
