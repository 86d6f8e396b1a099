//! Tests of the driving-lab models, in one program.

mod actuator;
mod batches;
mod body;
