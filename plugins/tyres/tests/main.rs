//! Tests of the tyres, in one program.

mod batches;
#[path = "../../../tests/support/near_zero.rs"]
mod near_zero;
mod properties;
mod reference;
mod standstill;
