//! Tests of the controllers, in one program.

mod batches;
mod properties;
