//! Tests of the interface.

mod aero;
mod assisted_pedals;
mod energies;
mod motion;
mod reference;
mod springs;
mod steering;
mod suspension;
