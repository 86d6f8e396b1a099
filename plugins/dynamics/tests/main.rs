//! Tests of the dynamics, in one program.

mod batches;
mod properties;
