//! The tests, one file per family.

pub(crate) mod actuator;
pub(crate) mod columns;
pub(crate) mod contract;
pub(crate) mod controller;
pub(crate) mod descriptor;
pub(crate) mod determinism;
pub(crate) mod dynamics;
pub(crate) mod environment;
pub(crate) mod fleet;
pub(crate) mod friction;
mod halving;
mod held;
pub(crate) mod instances;
pub(crate) mod lanes;
pub(crate) mod observer;
pub(crate) mod parameters;
pub(crate) mod perception;
pub(crate) mod readings;
pub(crate) mod sensor;
pub(crate) mod state;
pub(crate) mod steps;
