//! The models as pure functions from parameters, state and inputs to rates of change.
//!
//! The inputs are always [rate of the steering angle, rad/s; longitudinal acceleration, m/s²].

pub mod drift;
pub mod f1tenth;
pub mod kinematic;
pub mod multi_body;
pub mod single_track;
pub mod trailer;
