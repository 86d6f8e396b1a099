//! Suspensions without hardpoints.

pub mod linear;
pub mod none;
