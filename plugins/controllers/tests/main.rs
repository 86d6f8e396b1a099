//! Tests of the controllers, in one program.

mod batches;
#[path = "../../../tests/support/near_zero.rs"]
mod near_zero;
mod properties;
