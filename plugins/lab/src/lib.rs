//! The vehicle of the Autonomous Driving Lab (RWTH Aachen, 2016/17).
//!
//! It is a rigid body of four wheel masses, with actuators that approach a target at a limited rate
//! and a controller that passes on their targets. Source: *Simulator Manual, Autonomous Driving
//! Lab*, sections 3.2 to 3.4, in a corrected form. The modules name the statement of the manual and
//! the differences.
//!
//! * [`four_mass_body`] is the dynamics class, and [`body`] the rigid body.
//! * [`forces`] has air drag, rolling resistance and impulses.
//! * [`contact`] has the forces between the masses and the ground.
//! * [`actuator`] is the actuator, and [`targets`] the controller.
//! * [`rotation`] has orientations as unit quaternions.

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
