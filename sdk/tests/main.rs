//! Tests of the SDK, in one program.

mod c_math;
mod ports;
mod scaling;
mod time_invariant;
mod whole;
