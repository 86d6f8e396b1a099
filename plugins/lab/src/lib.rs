//! The vehicle of the Autonomous Driving Lab (RWTH Aachen, 2016/17): a rigid body of four wheel masses,
//! actuators that approach a target at a limited rate, and a controller that passes on their targets.
//!
//! Source: *Simulator Manual, Autonomous Driving Lab*, sections 3.2 to 3.4, in a corrected form. The
//! modules name what the manual says and what differs.

pub mod actuator;
pub mod body;
pub mod contact;
pub mod forces;
pub mod four_mass_body;
mod ports;
pub mod rotation;
pub mod targets;

simhost_sdk::declare_plugin! {
    vendor: "simhost",
    dynamics: { "four_mass_body" => four_mass_body::FourMassBody },
    controller: { "actuator_targets" => targets::ActuatorTargets },
    actuator: { "vehicle_actuator" => actuator::VehicleActuator },
}

#[cfg(feature = "shared")]
simhost_sdk::export_declared!();
