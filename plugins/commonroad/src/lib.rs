//! The vehicle models of CommonRoad and F1TENTH, corrected.
//!
//! Each model is a pure function in [`models`]; the classes are these functions with parameters of a world file.

pub mod defects;
pub mod limits;
pub mod low_speed;
pub mod models;
pub mod parameters;
pub mod rk4;
pub mod tyre;
pub mod wheel;
