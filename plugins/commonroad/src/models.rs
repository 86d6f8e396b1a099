//! The models as pure functions: rates of change from parameters, state and inputs.
//!
//! Inputs are always [rate of the steering angle, rad/s; longitudinal acceleration, m/s²].

pub mod drift;
pub mod f1tenth;
pub mod kinematic;
pub mod multi_body;
pub mod single_track;
pub mod trailer;
