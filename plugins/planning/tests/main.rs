//! Tests of the planning models, in one program.

mod behaviour;
mod properties;
mod reference;
mod support;
