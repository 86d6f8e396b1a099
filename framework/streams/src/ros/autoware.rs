//! The messages of Autoware's vehicle interface: `autoware_vehicle_msgs`, `tier4_vehicle_msgs`, and the
//! acceleration with covariance.

use super::messages::{Message, diagonal, time, vector};
use super::writer::{Number, Writer};

/// Writes a sample whose message is one of Autoware's, and returns whether it is.
pub(super) fn write(message: &Message<'_>, to: &mut dyn Writer) -> bool {
    match message.stream.kind.message.as_ref() {
        "autoware_vehicle_msgs/msg/VelocityReport" => velocity(message, to),
        "autoware_vehicle_msgs/msg/SteeringReport" => {
            stamp(message, to);
            let angle = message.one("steering_tire_angle");
            to.number("steering_tire_angle", Number::F32(angle as f32));
        }
        "autoware_vehicle_msgs/msg/GearReport"
        | "autoware_vehicle_msgs/msg/TurnIndicatorsReport"
        | "autoware_vehicle_msgs/msg/HazardLightsReport" => report("report", message, to),
        "autoware_vehicle_msgs/msg/ControlModeReport" => report("mode", message, to),
        "tier4_vehicle_msgs/msg/ActuationStatusStamped" => {
            message.header(to);
            to.open("status");
            for name in ["accel_status", "brake_status", "steer_status"] {
                to.number(name, Number::F64(message.one(name)));
            }
            to.close();
        }
        "geometry_msgs/msg/AccelWithCovarianceStamped" => acceleration(message, to),
        _ => return false,
    }
    true
}

fn stamp(message: &Message<'_>, to: &mut dyn Writer) {
    time("stamp", message.sample.stamp, to);
}

/// Writes a report that is one small number.
fn report(name: &str, message: &Message<'_>, to: &mut dyn Writer) {
    stamp(message, to);
    to.number(name, Number::U8(message.one(name) as u8));
}

fn velocity(message: &Message<'_>, to: &mut dyn Writer) {
    message.header(to);
    for name in ["longitudinal_velocity", "lateral_velocity", "heading_rate"] {
        to.number(name, Number::F32(message.one(name) as f32));
    }
}

fn acceleration(message: &Message<'_>, to: &mut dyn Writer) {
    message.header(to);
    to.open("accel");
    to.open("accel");
    vector("linear", message.array("linear"), to);
    vector("angular", [0.0; 3], to);
    to.close();
    diagonal("covariance", [message.constant("variance"); 6], to);
    to.close();
}
