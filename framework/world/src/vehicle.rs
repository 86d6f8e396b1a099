//! Vehicles and their classes.

mod actuator_readings;
mod axle_suspension;
mod chassis;
mod composition;
mod description;
mod dynamics;
mod fault_target;
mod parameters;
mod ports;
mod reading_capacity;
mod readings;
mod repeats;
mod resize;
mod robot_fault;
mod sensor_order;
mod suspension;
mod wheel;

pub use axle_suspension::AxleSuspension;
pub use chassis::Chassis;
pub(crate) use composition::{Vehicles, read_class, read_vehicle};
pub use description::{
    ActuatorReading, Aerodynamics, ReadingUse, SensorReading, Vehicle, VehicleLog,
};
pub use dynamics::ActuatorUse;
pub use fault_target::FAULT_SENSORS;
pub(crate) use parameters::{CLASS, VEHICLE};
pub(crate) use ports::check_ports;
pub(crate) use readings::readings_of_fleet;
pub use robot_fault::{FaultEffect, FaultOnset, FaultPort, FaultSeverity, FaultTarget, RobotFault};
pub(crate) use robot_fault::{numbers as fault_numbers, with_number as fault_with_number};
pub use suspension::{AxleSprings, BodySprings};
pub(crate) use wheel::default_friction;
pub use wheel::{WheelFriction, WheelSpec, WheelTurning};
