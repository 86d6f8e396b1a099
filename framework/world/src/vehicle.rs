//! Vehicles and their classes.

mod actuator;
mod aerodynamics;
mod chassis;
mod composition;
mod controller;
mod dynamics;
mod friction;
mod odometry;
mod ports;
mod readings;
mod repeats;
mod suspension;
mod wheel;

pub use actuator::ActuatorUse;
pub use aerodynamics::Aerodynamics;
pub use chassis::Chassis;
pub use composition::Vehicle;
pub(crate) use composition::{CLASS, VEHICLE, Vehicles, read_class, read_vehicle};
pub(crate) use friction::default_friction;
pub(crate) use ports::check_ports;
pub use readings::ReadingUse;
pub(crate) use readings::readings_of_fleet;
pub use suspension::Suspension;
pub(crate) use wheel::WHEEL;
pub use wheel::WheelSpec;
