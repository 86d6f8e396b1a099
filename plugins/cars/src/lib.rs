//! Cars with wheel travel, and suspensions without hardpoints.
//!
//! * [`car_14dof`] and [`car_7dof`] are the dynamics classes.
//! * [`car`] has the constants and the state of a car, [`equations`] its equations of motion.
//! * [`spring_params`] are springs and dampers by curve, with stops.
//! * [`tmeasy`] are tyres within the equations.
//! * [`assisted_pedals`] is a controller with ABS, traction control and ESC; [`brakes`] are its brakes.
//! * [`steering_system`] is an actuator with steering wheel, column and assistance, [`steering_axis`] the moment of the
//!   ground about a kingpin.
//! * [`aero`] has the forces of the air by tables.
//! * [`suspension`] has the suspensions `none` and `linear`.

pub mod aero;
pub mod assisted_pedals;
pub mod brakes;
pub mod car;
pub mod car_14dof;
pub mod car_7dof;
pub mod equations;
mod lanes;
pub mod linear;
pub mod params;
pub mod plane;
pub mod ports;
pub mod runge_kutta;
pub mod spring_params;
pub mod steering_axis;
pub mod steering_system;
pub mod suspension;
pub mod tmeasy;
mod vehicle;

simhost_sdk::declare_plugin! {
    vendor: "simhost",
    dynamics: {
        "car_14dof" => car_14dof::Car14Dof,
        "car_7dof" => car_7dof::Car7Dof,
    },
    controller: {
        "assisted_pedals" => assisted_pedals::AssistedPedals,
    },
    actuator: {
        "steering_system" => steering_system::SteeringSystem,
    },
    suspension: {
        "none" => suspension::none::NoLinks,
        "linear" => suspension::linear::Linear,
    },
}

#[cfg(feature = "shared")]
simhost_sdk::export_declared!();
