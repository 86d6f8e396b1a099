//! Tests of the SDK, in one program.

mod ports;
mod scaling;
mod whole;
