//! Tests of the interface.

mod assisted_pedals;
mod motion;
mod reference;
mod springs;
mod suspension;
