//! Tests of the interface.

mod motion;
mod reference;
mod springs;
mod suspension;
