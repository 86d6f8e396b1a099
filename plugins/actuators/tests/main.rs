//! Tests of the actuators, in one program.

mod batches;
mod properties;
