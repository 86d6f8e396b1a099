//! Controllers of these models.

pub mod f1tenth;
pub mod steering_rate_acceleration;
