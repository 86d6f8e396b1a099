//! Tests of the suspensions, in one program.

#![allow(clippy::unwrap_used)]

mod arms_and_axles;
mod layouts;
mod limits;
mod models;
mod properties;
mod reference;
mod springs;
mod tables;
mod wrong_cars;
