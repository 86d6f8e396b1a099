//! Tables: vehicles that share their models and parameters, with one column per quantity.
//!
//! Layers, from the bottom: the columns of the host (`host`), the vehicles (`vehicles`) and the
//! physics of one step on them, the models and their calls (`models`), the step of a table (`step`),
//! and the construction of tables (`build`).

mod acceleration;
mod actuation;
mod actuators;
mod air;
mod alone;
mod axles;
mod blueprint;
mod books;
mod border;
mod brake;
mod build;
mod calls;
mod driving;
mod exchange;
mod extrapolation;
mod fallback;
mod faulted_ports;
mod fields;
mod gravity;
mod host;
mod imposed;
mod kept;
mod kinematics;
mod ledges;
mod loading;
mod models;
mod motion;
mod odometry;
mod port_faults;
mod put;
mod rates;
mod readings;
mod results;
mod returning;
mod role;
mod sensor_inputs;
mod space;
mod sprung;
mod state;
mod step;
mod suspension;
mod take_over;
mod terrain;
mod vehicle_blueprint;
mod vehicles;
mod view;
mod wheel_forces;
mod wheel_friction;

pub(crate) use alone::{EndAtFirst, Interruptions, StepsAlone};
pub use books::EnergyBook;
pub(crate) use build::{Group, TableError, build};
pub(crate) use fields::{Field, Read, state_doc};
pub(crate) use kept::Kept;
pub(crate) use readings::QuantityPart;
pub use role::ModelRole;
pub(crate) use sensor_inputs::SensorTarget;
pub(crate) use step::{FAULT_PHASES, Table, for_each};
pub(crate) use take_over::VehicleError;
pub(crate) use vehicles::OwnRun;
