//! Tests of the tyres, in one program.

mod batches;
mod properties;
mod reference;
mod standstill;
