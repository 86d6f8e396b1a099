//! Controllers for the models of this crate.

pub mod f1tenth;
pub mod steering_rate_acceleration;
