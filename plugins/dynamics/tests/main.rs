//! Tests of the dynamics, in one program.

mod batches;
#[path = "../../../tests/support/near_zero.rs"]
mod near_zero;
mod properties;
